// Predictive coupling of subsystems that are not what their models say: a hold takes over where the models foretell
// worse than that, and they come back where they foretell better.
#include <algorithm>
#include <cmath>
#include <functional>

#include "coupling/dual_oscillator.hpp"
#include "coupling/given_models.hpp"
#include "lti/random_matrices.hpp"

namespace seam::coupling {
namespace {

/// The first mass of the dual oscillator, with outputs that come a call late, or with changes at a time.
struct Changed {
  bool late = false;
  double mass_from = INFINITY, mass_to = INFINITY, mass_factor = 2.0;       ///< s
  double friction_from = INFINITY, friction_to = INFINITY, friction = 0.0;  ///< s, N
};

class FirstMass final : public assembly::Subsystem {
 public:
  explicit FirstMass(const Changed& changed) : changed_(changed) {}

  assembly::Capabilities capabilities() const override { return {.takes_polynomials = true}; }
  bool feeds_through(int /*output*/, int /*input*/, assembly::Phase /*phase*/) const override { return false; }
  assembly::StepFunction prepare(const assembly::Calls& /*calls*/) override {
    return assembly::StepFunction::of(*this);
  }
  void initialise(double /*t0*/) override {
    x_[0] = sent_[0] = 0.1;
    x_[1] = sent_[1] = 0.0;
  }
  void evaluate(double /*t*/, assembly::Sources /*sources*/, assembly::In /*inputs*/, assembly::Out outputs) override {
    write(outputs);
  }
  assembly::Outcome advance(const assembly::Step& step, const assembly::InputPolynomials& input,
                            assembly::Out outputs) {
    constexpr int parts = 200;
    const double h = step.length / parts;
    if (changed_.late) std::copy_n(x_, 2, sent_);
    for (int part = 0; part < parts; ++part) {
      const double t = step.begin + part * h;
      double inputs[2];
      input.at((part + 0.5) / parts, inputs);
      const double force = inputs[1];
      const double m = t >= changed_.mass_from && t < changed_.mass_to ? 10.0 * changed_.mass_factor : 10.0;
      const auto rate = [&](double x, double v) {
        const bool rubs = t >= changed_.friction_from && t < changed_.friction_to;
        return (-1e6 * x - v + force - (rubs ? changed_.friction * std::tanh(v / 0.01) : 0.0)) / m;
      };
      const double middle = x_[1] + 0.5 * h * rate(x_[0], x_[1]);
      const double x_middle = x_[0] + 0.5 * h * x_[1];
      x_[1] += h * rate(x_middle, middle);
      x_[0] += h * middle;
    }
    if (!changed_.late) std::copy_n(x_, 2, sent_);
    write(outputs);
    return base::Outcome::accepted;
  }
  assembly::Snapshot save() override { return {{x_[0], x_[1], sent_[0], sent_[1]}, nullptr}; }
  void restore(const assembly::Snapshot& snapshot) override {
    std::copy_n(snapshot.flat.begin(), 2, x_);
    std::copy_n(snapshot.flat.begin() + 2, 2, sent_);
  }

 private:
  void write(assembly::Out outputs) const {
    outputs[0] = sent_[0];
    outputs[1] = sent_[1];
  }

  Changed changed_;
  double x_[2] = {}, sent_[2] = {};
};

struct Ran {
  double largest = 0.0;  ///< displacement of the second mass
  double error = 0.0;    ///< of the second mass' displacement against tiny steps, over its deviation
  std::int64_t falls = 0, first_fall = 0;
  bool held_at_end = false;
};

class Safety {
 public:
  Safety(const Changed& changed, double step_ms, double seconds)
      : changed_(changed), step_ms_(step_ms), seconds_(seconds) {
    exact_ = motion("none", step_ms / 100.0, 100).first;
  }
  Ran run(const std::string& corrector) const {
    auto [motion_of_second, ran] = motion(corrector, step_ms_, 1);
    double error = 0.0, size = 0.0;
    for (std::size_t n = 0; n < motion_of_second.size(); ++n) {
      error += std::pow(motion_of_second[n] - exact_[n], 2);
      size += std::pow(exact_[n], 2);
    }
    ran.error = std::isfinite(error) ? std::sqrt(error / size) : INFINITY;
    return ran;
  }

 private:
  std::pair<std::vector<double>, Ran> motion(const std::string& corrector, double step_ms, int every) const {
    const engine::System system = open(dual_oscillator("coupling: zoh, corrector: " + corrector, step_ms));
    base::Problems problems;
    auto assembly = std::move(*load::assemble(system.description, system.plan, {}, problems));
    if (every == 1) assembly.members[0].subsystem = std::make_unique<FirstMass>(changed_);
    if (every > 1) {
      Changed on_time = changed_;
      on_time.late = false;
      assembly.members[0].subsystem = std::make_unique<FirstMass>(on_time);
    }
    assembly.members[0].equations = nullptr;
    CompileOptions options;
    options.models = oscillator_models({});
    const auto program = compile(assembly, system.plan, options, problems);
    base::require_none(problems);
    Memory memory = start(*program);
    std::vector<double> rows;
    Ran ran;
    const int steps = static_cast<int>(std::lround(1000.0 * seconds_ / step_ms));
    for (int n = 1; n <= steps; ++n) {
      if (advance(*program, memory, 1).outcome != base::Outcome::accepted) break;
      if (n % every == 0) rows.push_back(assembly.members[1].subsystem->states()[0]);
      ran.largest = std::max(ran.largest, std::abs(assembly.members[1].subsystem->states()[0]));
    }
    if (program->correction && program->correction->fallen >= 0) {
      const auto known = [&](int i) {
        return memory.knowledge[static_cast<std::size_t>(program->correction->fallen + i)];
      };
      ran.held_at_end = known(is_fallen) != 0;
      ran.falls = known(how_often);
      ran.first_fall = known(first_point);
    }
    return {rows, ran};
  }

  Changed changed_;
  double step_ms_, seconds_;
  std::vector<double> exact_;
};

void print(double step_ms, const char* what, const Ran& zoh, const Ran& predicted) {
  fmt::print("{} ms, {}: zoh {:.2g}, predictive {:.2g}, {} falls\n", step_ms, what, zoh.error, predicted.error,
             predicted.falls);
}

TEST(PredictiveSafety, models_that_foretell_better_than_a_hold_stay_although_the_subsystem_changes) {
  for (const double step_ms : {0.5, 1.0, 2.0}) {
    for (const auto& [name, changed] :
         {std::pair{"as the model says", Changed{}},
          {"a call late", Changed{.late = true}},
          {"mass doubled", Changed{.mass_from = 0.1}},
          {"mass quadrupled", Changed{.mass_from = 0.1, .mass_factor = 4.0}},
          {"rubs", Changed{.friction_from = 0.1, .friction_to = 0.15, .friction = 2e4}},
          {"sticks", Changed{.friction_from = 0.1, .friction_to = 0.15, .friction = 3e5}}}) {
      const Safety safety(changed, step_ms, 0.3);
      const Ran zoh = safety.run("none"), predicted = safety.run("predictive");
      print(step_ms, name, zoh, predicted);
      EXPECT_LT(predicted.error, 0.3 * zoh.error) << name;
      if (name != std::string("sticks")) {
        EXPECT_EQ(predicted.falls, 0) << name;
      }
    }
  }
}

TEST(PredictiveSafety, models_that_foretell_worse_than_a_hold_are_left_and_come_back) {
  const Changed lighter{.mass_from = 0.1, .mass_to = 0.15, .mass_factor = 0.03};
  const double step_ms = 3.0;
  const Safety safety(lighter, step_ms, 0.3);
  const Ran zoh = safety.run("none"), predicted = safety.run("predictive"),
            alone = safety.run("{predictive: {extrapolation: 0}}");
  print(step_ms, "a thirtieth of the mass", zoh, predicted);
  EXPECT_GE(predicted.falls, 1);
  EXPECT_GE(predicted.first_fall, 33);
  EXPECT_FALSE(predicted.held_at_end);
  EXPECT_LT(predicted.error, 0.1 * alone.error);
  EXPECT_LT(predicted.error, 0.1 * zoh.error);
}

/// Adds noise to what a subsystem shows, evenly distributed between these sizes with either sign.
class Noisy final : public assembly::Subsystem {
 public:
  Noisy(std::unique_ptr<assembly::Subsystem> inner, std::vector<double> sizes, unsigned draw)
      : inner_(std::move(inner)), sizes_(std::move(sizes)), random_(draw) {
    facets_.states = inner_->facets().states;
  }
  assembly::Capabilities capabilities() const override {
    assembly::Capabilities can = inner_->capabilities();
    can.affine = false;
    return can;
  }
  bool feeds_through(int output, int input, assembly::Phase phase) const override {
    return inner_->feeds_through(output, input, phase);
  }
  assembly::StepFunction prepare(const assembly::Calls& calls) override {
    step_ = inner_->prepare(calls);
    return assembly::StepFunction::of(*this);
  }
  void initialise(double t0) override { inner_->initialise(t0); }
  void evaluate(double t, assembly::Sources sources, assembly::In inputs, assembly::Out outputs) override {
    inner_->evaluate(t, sources, inputs, outputs);
  }
  assembly::Outcome advance(const assembly::Step& step, const assembly::InputPolynomials& input,
                            assembly::Out outputs) {
    const assembly::Outcome outcome = step_.advance(step, input, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] += sizes_[i] * random_.matrix(1, 1)(0, 0);
    return outcome;
  }
  assembly::Snapshot save() override { return inner_->save(); }
  void restore(const assembly::Snapshot& snapshot) override { inner_->restore(snapshot); }

 private:
  std::unique_ptr<assembly::Subsystem> inner_;
  std::vector<double> sizes_;
  lti::RandomMatrices random_;
  assembly::StepFunction step_;
};

/// Of the states of the dual oscillator, over 0.135 s, by their deviation: the mean of ten seeds.
double error_with_noise(const std::string& corrector, int column) {
  double sum = 0.0;
  constexpr int seeds = 10;
  for (unsigned draw = 1; draw <= seeds; ++draw) {
    const engine::System system = open(dual_oscillator("coupling: zoh, corrector: " + corrector, table_steps[column]));
    base::Problems problems;
    auto assembly = std::move(*load::assemble(system.description, system.plan, {}, problems));
    // a hundredth of the range of x1, v1, a1, and of x2, v2, a2, F in the undisturbed motion
    const std::vector<double> sizes[] = {{2e-3, 0.7, 240.0}, {2e-3, 2.0, 2000.0, 900.0}};
    for (std::size_t i = 0; i < 2; ++i) {
      assembly.members[i].subsystem = std::make_unique<Noisy>(std::move(assembly.members[i].subsystem), sizes[i],
                                                              10 * draw + static_cast<unsigned>(i));
      assembly.members[i].equations = nullptr;
    }
    CompileOptions options;
    options.models = oscillator_models({});
    const auto program = compile(assembly, system.plan, options, problems);
    base::require_none(problems);
    Memory memory = start(*program);
    const ExactOscillator exact;
    const lti::Matrix transition = lti::exponential(exact.A * table_steps[column] * 1e-3);
    lti::Vector x = exact.x0;
    Rows got, wanted;
    for (int n = 0; n < table_counts[column]; ++n) {
      if (advance(*program, memory, 1).outcome != base::Outcome::accepted) return INFINITY;
      x = transition * x;
      const auto a = assembly.members[0].subsystem->states(), b = assembly.members[1].subsystem->states();
      got.push_back({a[0], a[1], b[0], b[1]});
      wanted.push_back({x(0), x(1), x(2), x(3)});
    }
    sum += nrmse(got, wanted);
  }
  return sum / seeds;
}

TEST(PredictiveSafety, noise_on_outputs_moves_the_states_no_more_than_itself) {
  for (const char* const corrector :
       {"predictive", "{predictive: {input: pieces}}", "{predictive: {input: pieces, observed: end}}",
        "{predictive: {extrapolation: 0}}"}) {
    fmt::print("{}:", corrector);
    for (const auto& [column, most] : {std::pair{0, .010}, {1, .014}, {3, .020}, {5, .025}}) {
      const double error = error_with_noise(corrector, column);
      fmt::print(" {:.4f}", error);
      EXPECT_LT(error, most) << corrector << ", " << table_steps[column] << " ms";
    }
    fmt::print("\n");
  }
}

// Models that are known to be right are not watched: their step is an affine map.
TEST(PredictiveSafety, exact_models_have_nothing_to_fall_back_from) {
  const engine::Live exact = coupling::live(dual_oscillator("coupling: zoh, corrector: predictive", 1.0));
  EXPECT_LT(exact.program.correction->fallen, 0);
  EXPECT_TRUE(exact.program.map);
}

}  // namespace
}  // namespace seam::coupling
