#include "seam/fmi/co_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "seam/base/error.hpp"
#include "seam/fmi/call_watch.hpp"
#include "seam/fmi/host_guard.hpp"
#include "seam/fmi/instance2.hpp"
#include "seam/fmi/instance3.hpp"

namespace seam::fmi {
namespace {

using assembly::Capabilities;
using assembly::In;
using assembly::InputPolynomials;
using assembly::Out;
using assembly::Outcome;
using assembly::Snapshot;
using assembly::Sources;
using assembly::Step;

bool is_structural(const Variable& v) { return v.causality == Causality::structural_parameter; }

Structure structure_of(const CoSimulationSetup& setup) {
  Structure structure;
  for (const auto& [variable, values] : setup.settings) {
    if (is_structural(*variable))
      structure[variable->value_reference] = static_cast<std::uint64_t>(values.integers.at(0));
  }
  return structure;
}

/// Variables of one type whose elements are handed over together, and where these lie among the flat ports.
struct Batch {
  std::vector<std::uint32_t> references;
  std::vector<int> places;
  bool in_order = false;  ///< all flat ports, one after the other: nothing to gather or scatter
  std::vector<double> buffer;
  std::vector<float> floats;  ///< for Float32

  void add(const PortVariable& v) {
    references.push_back(v.variable->value_reference);
    for (std::size_t e = 0; e < v.elements; ++e) places.push_back(static_cast<int>(v.first + e));
  }
  void finish(std::size_t all_ports) {
    std::vector<int> expected(all_ports);
    std::iota(expected.begin(), expected.end(), 0);
    in_order = places == expected;
    buffer.resize(places.size());
    floats.resize(places.size());
  }
};

// The two versions differ in whether a call is told the number of elements, and only FMI 3 knows Float32.
void set_batch(Instance2& instance, const Batch& batch, const double* values) {
  instance.set_reals(batch.references, values);
}
void set_batch(Instance3& instance, const Batch& batch, const double* values) {
  instance.set_reals(batch.references, values, batch.places.size());
}
void get_batch(Instance2& instance, const Batch& batch, double* values) {
  instance.get_reals(batch.references, values);
}
void get_batch(Instance3& instance, const Batch& batch, double* values) {
  instance.get_reals(batch.references, values, batch.places.size());
}
void set_floats(Instance2&, const Batch&) {}
void set_floats(Instance3& instance, const Batch& batch) { instance.set_floats(batch.references, batch.floats); }
void get_floats(Instance2&, Batch&) {}
void get_floats(Instance3& instance, Batch& batch) { instance.get_floats(batch.references, batch.floats); }
void configure(Instance2&, const CoSimulationSetup&) {}
void configure(Instance3& instance, const CoSimulationSetup& setup) {
  std::vector<std::pair<const Variable*, Values>> structural;
  for (const auto& setting : setup.settings) {
    if (is_structural(*setting.first)) structural.push_back(setting);
  }
  instance.configure(structural);
}

template <class Instance>
class CoSimulation final : public assembly::Subsystem {
 public:
  explicit CoSimulation(CoSimulationSetup setup)
      : setup_(std::move(setup)),
        interface_(*setup_.fmu->description.co_simulation),
        files_(std::make_shared<Unpacked>(*setup_.fmu, setup_.sharing)),
        ports_(real_ports(setup_.fmu->description, structure_of(setup_))) {
    list_inputs();
    for (const PortVariable& output : ports_.output_variables) {
      (output.variable->type == Type::float32 ? output_floats_ : outputs_).add(output);
    }
    outputs_.finish(ports_.outputs.size());
    output_floats_.finish(ports_.outputs.size());
  }

  Capabilities capabilities() const override {
    return {.takes_polynomials = false,
            .can_evaluate = false,
            .can_shorten = interface_.can_handle_variable_step,
            .affine = false,
            .wants_micro_steps = false};
  }
  bool feeds_through(int output, int input) const override;
  void prepare(double /*length*/, int /*degree*/) override {}

  void initialise(double t0) override {
    instance_.reset();
    instance_ = make_instance();
    const HostGuard guard;
    const Visit visit(instance_->identity().c_str());
    configure(*instance_, setup_);
    for (const auto& [variable, values] : setup_.settings) {
      if (!is_structural(*variable) && variable->causality != Causality::input) instance_->set(*variable, values);
    }
    Experiment experiment = setup_.experiment;
    experiment.start = t0;
    instance_->enter_initialisation(experiment);
    for (const auto& [variable, values] : setup_.settings) {
      if (variable->causality == Causality::input) instance_->set(*variable, values);
    }
  }

  /// Until begin_steps the FMU is in Initialization Mode, where inputs may be set and outputs read.
  void evaluate(double t, Sources /*sources*/, In inputs, Out outputs) override {
    if (instance_->life() != Life::initialising) {
      throw base::Error(
          base::Failure::internal,
          setup_.name + " was asked for outputs between two steps, which a co-simulation FMU must not be");
    }
    const HostGuard guard;
    const Visit visit(instance_->identity().c_str());
    set_inputs(t, inputs.data());
    read_outputs(outputs.data());
  }

  void begin_steps(Out outputs) override {
    const HostGuard guard;
    instance_->exit_initialisation();
    const Visit visit(instance_->identity().c_str());
    read_outputs(outputs.data());
  }

  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) override {
    const ArithmeticGuard arithmetic;
    const Visit visit(instance_->identity().c_str());
    set_inputs(step.begin, input.coefficients);
    StepResult result;
    if (setup_.retries == 0) [[likely]] {
      result = instance_->do_step(step.begin, step.length);
    } else {
      result = step_with_retries(step.begin, step.length, setup_.retries);
    }
    if (result.outcome != Outcome::accepted) [[unlikely]]
      return complain(step, result);
    if (std::abs(result.reached - (step.begin + step.length)) > 1e-9 * step.length) [[unlikely]]
      note_time(step, result.reached);
    read_outputs(outputs.data());
    return Outcome::accepted;
  }

  std::string complaint() const override { return complaint_; }
  std::string remark() const override { return remark_; }

  Snapshot save() override { return {{}, saved_state()}; }
  void restore(const Snapshot& snapshot) override {
    const Visit visit(instance_->identity().c_str());
    call_watch.now_in("SetFMUState");
    instance_->restore_state(snapshot.handle.get());
  }
  bool shows_states() const override { return false; }

 private:
  std::unique_ptr<Instance> make_instance() {
    try {
      return std::make_unique<Instance>(setup_.name, *setup_.fmu, files_, setup_.logging);
    } catch (const base::Error& error) {
      const std::string file = std::filesystem::path(setup_.fmu->path).filename().string();
      const std::string what = error.what();
      if (what.find(file) != std::string::npos) throw;
      throw base::Error(error.failure(), fmt::format("{} ({}): {}", setup_.name, file, what));
    }
  }
  void list_inputs();
  StepResult step_with_retries(double t, double h, int retries);
  Outcome complain(const Step& step, const StepResult& result);
  /// The first step after which the FMU says it is somewhere else than it was sent, with status OK.
  void note_time(const Step& step, double reached) {
    if (!remark_.empty()) return;
    remark_ = fmt::format(
        "{} reports the time {} s after the step {} s -> {} s, with status OK; its results may be shifted in time",
        instance_->identity(), reached, step.begin, step.begin + step.length);
  }

  /// Freed before the instance, or not at all if the instance went first.
  std::shared_ptr<void> saved_state() {
    const Visit visit(instance_->identity().c_str());
    call_watch.now_in("GetFMUState");
    std::weak_ptr<Instance> alive = instance_;
    return {instance_->save_state(), [alive](void* state) {
              if (const auto instance = alive.lock()) instance->free_state(state);
            }};
  }

  void set_inputs(double t, const double* flat) {
    if (!setup_.drives.empty()) {
      std::copy_n(flat, inputs_now_.size(), inputs_now_.begin());
      for (const assembly::Drive& drive : setup_.drives) {
        inputs_now_[static_cast<std::size_t>(drive.input)] = drive.factor * drive.signal->at(t) + drive.offset;
      }
      flat = inputs_now_.data();
    }
    if (!inputs_.references.empty()) {
      if (!inputs_.in_order) {
        for (std::size_t i = 0; i < inputs_.places.size(); ++i) inputs_.buffer[i] = flat[inputs_.places[i]];
      }
      set_batch(*instance_, inputs_, inputs_.in_order ? flat : inputs_.buffer.data());
    }
    if (input_floats_.references.empty()) return;
    for (std::size_t i = 0; i < input_floats_.places.size(); ++i)
      input_floats_.floats[i] = static_cast<float>(flat[input_floats_.places[i]]);
    set_floats(*instance_, input_floats_);
  }
  void read_outputs(double* values) {
    if (!outputs_.references.empty()) {
      get_batch(*instance_, outputs_, outputs_.in_order ? values : outputs_.buffer.data());
      if (!outputs_.in_order) {
        for (std::size_t i = 0; i < outputs_.places.size(); ++i) values[outputs_.places[i]] = outputs_.buffer[i];
      }
    }
    if (output_floats_.references.empty()) return;
    get_floats(*instance_, output_floats_);
    for (std::size_t i = 0; i < output_floats_.places.size(); ++i)
      values[output_floats_.places[i]] = static_cast<double>(output_floats_.floats[i]);
  }

  CoSimulationSetup setup_;
  const Interface& interface_;
  std::shared_ptr<Unpacked> files_;
  Ports ports_;
  Batch inputs_, outputs_, input_floats_, output_floats_;  // what is set and read every step
  std::vector<double> inputs_now_;                         // with the known signals in it
  std::shared_ptr<Instance> instance_;
  std::string complaint_, remark_;
};

/// Only inputs that somebody feeds are set; of an array all elements, since FMI knows no part of one.
template <class Instance>
void CoSimulation<Instance>::list_inputs() {
  const auto& connected = setup_.connected_inputs;
  for (const PortVariable& input : ports_.input_variables) {
    bool fed = false;
    for (std::size_t e = 0; e < input.elements; ++e) {
      const int place = static_cast<int>(input.first + e);
      fed = fed || std::find(connected.begin(), connected.end(), place) != connected.end();
    }
    if (fed) (input.variable->type == Type::float32 ? input_floats_ : inputs_).add(input);
  }
  inputs_.finish(ports_.inputs.size());
  input_floats_.finish(ports_.inputs.size());
  inputs_now_.resize(ports_.inputs.size());
}

/// As the model structure says; an output without dependencies listed depends on everything.
template <class Instance>
bool CoSimulation<Instance>::feeds_through(int output, int input) const {
  const auto owner = [](const std::vector<PortVariable>& variables, int flat) {
    const auto place = static_cast<std::size_t>(flat);
    for (const PortVariable& v : variables) {
      if (place >= v.first && place < v.first + v.elements) return v.variable;
    }
    return static_cast<const Variable*>(nullptr);
  };
  const ModelDescription& description = setup_.fmu->description;
  const Variable* y = owner(ports_.output_variables, output);
  const Variable* u = owner(ports_.input_variables, input);
  for (const Unknown& unknown : description.structure.outputs) {
    if (&description.variables[unknown.variable] != y || !unknown.dependencies) continue;
    return std::any_of(unknown.dependencies->begin(), unknown.dependencies->end(),
                       [&](std::size_t known) { return &description.variables[known] == u; });
  }
  return true;
}

/// A discarded step is done again in two halves, each of which may be halved again: no more than `retries` times in a
/// row.
template <class Instance>
StepResult CoSimulation<Instance>::step_with_retries(double t, double h, int retries) {
  const std::shared_ptr<void> before = saved_state();
  const StepResult whole = instance_->do_step(t, h);
  if (whole.outcome != Outcome::rejected || retries == 0) return whole;
  instance_->restore_state(before.get());
  const StepResult first = step_with_retries(t, 0.5 * h, retries - 1);
  if (first.outcome != Outcome::accepted) return first;
  return step_with_retries(t + 0.5 * h, 0.5 * h, retries - 1);
}

template <class Instance>
Outcome CoSimulation<Instance>::complain(const Step& step, const StepResult& result) {
  if (result.outcome == Outcome::ended) {
    complaint_ = fmt::format("{} asked to end the run at {} s", instance_->identity(), result.reached);
    return result.outcome;
  }
  complaint_ = fmt::format("{} discarded the step {} s -> {} s; it reached {} s\n{}   Try: a smaller --step",
                           instance_->identity(), step.begin, step.begin + step.length, result.reached,
                           instance_->messages().last());
  if (setup_.retries == 0 && interface_.can_get_and_set_state)
    complaint_ += ", or retries: 3 (the FMU can save its state)";
  return result.outcome;
}

}  // namespace

std::unique_ptr<assembly::Subsystem> make_co_simulation(CoSimulationSetup setup) {
  if (setup.fmu->description.version == Version::fmi2)
    return std::make_unique<CoSimulation<Instance2>>(std::move(setup));
  return std::make_unique<CoSimulation<Instance3>>(std::move(setup));
}

}  // namespace seam::fmi
