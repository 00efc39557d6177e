#include "seam/fmi/model_exchange/exchange_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::fmi {
namespace {

bool moves(const PortVariable& v) {
  return store_of(v.variable->type) == Store::reals && v.variable->variability == Variability::continuous;
}

/// The input variables that move, or the others.
enum class Kind { moving, switched };
std::vector<PortVariable> only(Kind kind, const std::vector<PortVariable>& variables) {
  std::vector<PortVariable> chosen;
  for (const PortVariable& v : variables) {
    if (moves(v) == (kind == Kind::moving)) chosen.push_back(v);
  }
  return chosen;
}

}  // namespace

ExchangeInputs::ExchangeInputs(const FmuSetup& setup, const Ports& ports, double tolerance)
    : name_(setup.name),
      tolerance_(tolerance),
      moving_(only(Kind::moving, ports.input_variables), system::count_reals(ports.inputs), &setup.connected_inputs),
      switched_(only(Kind::switched, ports.input_variables), system::count_reals(ports.inputs),
                &setup.connected_inputs),
      drives_(setup.drives, ports.inputs),
      nominals_(system::count_reals(ports.inputs)),
      now_(ports.inputs.size()) {
  for (const assembly::Drive& drive : drives_.reals) {
    live_.push_back({drive.input, drive.signal.get(), drive.factor, drive.offset});
    silent_.push_back({drive.input, drive.signal.get(), 0.0, 0.0});
  }
  for (const PortVariable& v : ports.input_variables) {
    if (!moves(v)) continue;
    for (std::size_t e = 0; e < v.elements; ++e) nominals_[v.first + e] = std::abs(v.variable->nominal.value_or(1.0));
  }
  std::vector<system::DiscreteValue> first;
  for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
    if (i < nominals_.size()) {
      last_.push_back(ports.inputs[i].start.value_or(0.0));
    } else {
      first.push_back(ports.inputs[i].first);
    }
  }
  give(first);
}

void ExchangeInputs::begin(const assembly::Step& step, const ode::InputPolynomials& input) {
  signal_ = {input, step.sources == assembly::Sources::live ? live_ : silent_, step.begin, step.length};
}

void ExchangeInputs::set_part(double begin, double end) {
  part_begin_ = begin;
  part_end_ = end;
}

// Half way is as good a border as any: nothing jumps in between.
ode::In ExchangeInputs::inside(double t) {
  return at(std::clamp(t, part_begin_, part_end_),
            t < 0.5 * (part_begin_ + part_end_) ? ode::Side::right : ode::Side::left);
}

ode::In ExchangeInputs::at(double t, ode::Side side) {
  signal_.at(t, side, now_);
  return reals();
}

ode::In ExchangeInputs::driven(double t, assembly::Sources sources, ode::In given) {
  std::copy_n(given.begin(), nominals_.size(), now_.begin());
  const ode::InputSignal known{{}, sources == assembly::Sources::live ? live_ : silent_, t, 0.0};
  known.drive(t, ode::Side::right, now_);
  return reals();
}

double ExchangeInputs::next_corner(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const ode::DrivenInput& driven : signal_.driven) next = std::min(next, driven.signal->next_corner(t));
  for (const WholeDrive& whole : drives_.wholes) next = std::min(next, whole.drive.signal->next_corner(t));
  return next;
}

void ExchangeInputs::give(std::span<const system::DiscreteValue> discrete_values) {
  for (DiscreteBatch& batch : switched_.discrete_values) {
    const Values before = batch.buffer;
    batch.gather(discrete_values);
    discrete_changed_ =
        discrete_changed_ || before.integers != batch.buffer.integers || before.texts != batch.buffer.texts;
  }
}

void ExchangeInputs::sample_wholes(double t) {
  for (const WholeDrive& drive : drives_.wholes) {
    const std::int64_t value = drive.at(t, name_);
    for (DiscreteBatch& batch : switched_.discrete_values) {
      const Values before = batch.buffer;
      batch.set_whole(drive.discrete_value, value);
      discrete_changed_ = discrete_changed_ || before.integers != batch.buffer.integers;
    }
  }
}

// A moving input may differ by rounding, or by what the solver would not notice.
bool ExchangeInputs::jump_at(double t) {
  sample_wholes(t);
  if (discrete_changed_) return true;
  const ode::In now = at(t, ode::Side::right);
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const double size = std::max({std::abs(now[i]), std::abs(last_[i]), nominals_[i]});
    const double unnoticed = nominals_[i] > 0.0 ? tolerance_ * size : 0.0;
    if (std::abs(now[i] - last_[i]) > unnoticed) return true;
  }
  return false;
}

}  // namespace seam::fmi
