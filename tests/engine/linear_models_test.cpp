#include "seam/engine/predict/linear_models.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "engine/fmu_workshop.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/rehearsal.hpp"

namespace seam::engine {
namespace {

using analysis::Linearity;
using analysis::ModelSource;
using analysis::SubsystemModel;

/// The largest difference of what the maps answer to pulses, by the largest answer.
double distance(const analysis::StepMap& a, const analysis::StepMap& b) {
  EXPECT_DOUBLE_EQ(a.step, b.step);
  EXPECT_EQ(a.degree, b.degree);
  const lti::StateSpace &p = a.matrices, &q = b.matrices;
  double apart = (p.D - q.D).cwiseAbs().maxCoeff(), size = p.D.cwiseAbs().maxCoeff();
  lti::Matrix left = p.B, right = q.B;
  for (int i = 0; i < 50; ++i) {
    apart = std::max(apart, (p.C * left - q.C * right).cwiseAbs().maxCoeff());
    size = std::max(size, (p.C * left).cwiseAbs().maxCoeff());
    left = p.A * left;
    right = q.A * right;
  }
  return apart / size;
}

class LinearModels : public FmuWorkshop {
 protected:
  System system(const std::string& text) const { return open_text(text, folder_.file("system.yaml"), {}); }

  /// The two masses: native with the FMUs' way of reading inputs, or FMUs of this kind.
  std::string pair(const std::string& kind, const std::string& coupling, int version = 2) const {
    const auto part = [&](const std::string& name, const std::string& native, const std::string& set) {
      if (kind == "native") {
        return fmt::format(
            "{{model: mass-chain, solver: rk4, solver_step: 2.5 ms, input_signal: stepped, set: {{masses: [0.2], "
            "to_ground: {{k: 11, d: 0.4}}, {}}}}}",
            native);
      }
      return fmt::format(
          "{{fmu: {}, interface: {}, set: {{m: 0.2, k: 11, d: 0.4, {}, solver: rk4, solver_step: 2.5 ms}}}}",
          fmu(version, name + (kind == "poor" || kind == "unlisted" ? "-" + kind : "")),
          kind == "exchange" ? "me" : "cs", set);
    };
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 0.5}}\n"
        "plan: {{step: 10 ms, coupling: {}, subsystems: {{\"*\": {{micro_step: 2.5 ms}}}}}}\n",
        part("two-mass-left", "coupling: {kind: spring, k: 7, d: 0.3}, x0: [1], v0: [-0.5]",
             "kc: 7, dc: 0.3, x0: 1, v0: -0.5"),
        part("two-mass-right", "coupling: {kind: force}, x0: [0.25], v0: [2]", "x0: 0.25, v0: 2"), coupling);
  }

  std::vector<SubsystemModel> all_ports(const std::string& text) const {
    LinearModelRequest request;
    request.ports = LinearModelRequest::Ports::all;
    return linear_models(system(text), request);
  }

  static const SubsystemModel& of(const std::vector<SubsystemModel>& models, const std::string& name) {
    for (const SubsystemModel& model : models) {
      if (model.name == name) return model;
    }
    throw std::runtime_error("no model of " + name);
  }
};

TEST_F(LinearModels, of_native_subsystems_are_exact) {
  const auto models = linear_models(system(pair("native", "zoh")), {});
  ASSERT_EQ(models.size(), 2u);
  for (const SubsystemModel& model : models) {
    EXPECT_EQ(model.source, ModelSource::exact);
    EXPECT_EQ(model.linearity, Linearity::linear);
    ASSERT_TRUE(model.equations && model.map);
    EXPECT_LT(distance(*model.map, analysis::step_map(*model.equations, 0.01, 0)), 1e-4) << "rk4 is not exact";
  }
  EXPECT_EQ(models[0].inputs, (std::vector<std::string>{"f1", "x_in", "v_in"}));
  EXPECT_EQ(models[1].states, (std::vector<std::string>{"x1", "v1"}));
}

TEST_F(LinearModels, of_black_boxes_are_those_of_the_same_native_models) {
  for (const int version : {2, 3}) {
    for (const char* coupling : {"zoh", "foh"}) {  // foh: one call a micro step
      const auto native = linear_models(system(pair("native", coupling)), {});
      const auto probed = all_ports(pair("poor", coupling, version));
      for (const char* name : {"l", "r"}) {
        const SubsystemModel& model = of(probed, name);
        SCOPED_TRACE(fmt::format("{} {} FMI {}: {}", name, coupling, version, model.how));
        ASSERT_EQ(model.source, ModelSource::probed);
        EXPECT_EQ(model.linearity, Linearity::linear);
        EXPECT_EQ(model.map->matrices.states(), 2);
        const bool split = std::string(coupling) == "foh";
        EXPECT_DOUBLE_EQ(model.map->step, split ? 0.0025 : 0.01);
        const lti::StateSpace& equations = *of(native, name).equations;
        if (!split) {
          EXPECT_LT(distance(*of(native, name).map, *model.map), 1e-8);
        }
        ASSERT_TRUE(model.equations);
        EXPECT_LT(distance(analysis::step_map(equations, 0.02, 2), analysis::step_map(*model.equations, 0.02, 2)), 1e-4)
            << "the solver inside is rk4";
        EXPECT_LT(model.quality->prediction_error, 1e-8);
      }
    }
  }
}

TEST_F(LinearModels, of_fmus_that_tell_derivatives_are_those_of_the_equations) {
  const auto native = linear_models(system(pair("native", "zoh")), {});
  for (const char* kind : {"rich", "exchange"}) {
    const auto told = linear_models(system(pair(kind, "zoh")), {});
    for (const char* name : {"l", "r"}) {
      const SubsystemModel& model = of(told, name);
      SCOPED_TRACE(model.how);
      EXPECT_EQ(model.source, std::string(kind) == "rich" ? ModelSource::derivatives : ModelSource::exact);
      EXPECT_LT(distance(analysis::step_map(*of(native, name).equations, 0.01, 1),
                         analysis::step_map(*model.equations, 0.01, 1)),
                1e-8);
      EXPECT_NE(model.how.find(std::string(kind) == "rich" ? "not the solver" : "its equations"), std::string::npos);
    }
  }
}

TEST_F(LinearModels, of_fmus_that_list_no_states_and_declare_their_ports_discrete_are_those_that_they_answer) {
  for (const int version : {2, 3}) {
    const auto poor = linear_models(system(pair("poor", "zoh", version)), {});
    const auto hidden = linear_models(system(pair("unlisted", "zoh", version)), {});
    for (const char* name : {"l", "r"}) {
      const SubsystemModel& model = of(hidden, name);
      SCOPED_TRACE(fmt::format("{} FMI {}: {}", name, version, model.how));
      ASSERT_EQ(model.source, ModelSource::probed);
      EXPECT_EQ(model.map->matrices.states(), 2);
      EXPECT_LT(distance(*of(poor, name).map, *model.map), 1e-8);
      EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
    }
  }
}

/// The spectral radius of a macro step.
double radius(const Live& live) {
  std::string reason;
  const auto stability = analysis::stability(live.program, coupling::start(live.program), reason);
  EXPECT_TRUE(stability) << reason;
  return stability ? stability->spectral_radius : 0.0;
}

TEST_F(LinearModels, coupled_by_the_real_methods_are_as_stable_as_the_subsystems_they_stand_in_for) {
  for (const char* coupling : {"zoh", "foh", "soh", "{receiver: foh, samples: micro}"}) {
    const System native = system(pair("native", coupling)), black = system(pair("poor", coupling));
    const double expected = radius(make_live(native, {Horizon::none}));
    EXPECT_NEAR(radius(Rehearsal(black, linear_models(black, {})).live(black.plan)), expected, 1e-9) << coupling;
    // another step than the one that was probed: by the equations behind it, up to the error of rk4
    Changes larger;
    larger.step = "20ms";
    const System native_larger = open_text(pair("native", coupling), folder_.file("system.yaml"), larger);
    const System black_larger = open_text(pair("poor", coupling), folder_.file("system.yaml"), larger);
    EXPECT_NEAR(radius(Rehearsal(black_larger, linear_models(black, {})).live(black_larger.plan)),
                radius(make_live(native_larger, {Horizon::none})), 1e-5)
        << coupling;
  }
}

TEST_F(LinearModels, of_discrete_ports_are_coupled_as_sent_whatever_the_method) {
  const double expected = radius(make_live(system(pair("native", "zoh")), {Horizon::none}));
  for (const char* coupling : {"zoh", "foh", "{receiver: foh, samples: micro}"}) {
    const System hidden = system(pair("unlisted", coupling));
    EXPECT_NEAR(radius(Rehearsal(hidden, linear_models(hidden, {})).live(hidden.plan)), expected, 1e-9) << coupling;
  }
}

/// A chassis, and a wheel that owns the spring between them and integrates the velocity of the chassis (a quarter
/// truck: 400 and 40 kg). 200 calls of 0.02 ms take a fortieth of a radian of the chassis' motion, and the force that
/// they show is nearly that of the damper alone.
TEST_F(LinearModels, of_black_boxes_that_are_called_often_know_motions_that_are_slow_beside_the_calls) {
  const std::string wheel =
      "A11: 0, A12: 1, A13: 0, A14: 0, A21: -4125, A22: -25, A23: 375, A24: 0, A31: 0, A32: 0, "
      "A33: 0, A34: 0, A41: 0, A42: 0, A43: 0, A44: -1, B11: 0, B12: 0, B21: 25, B22: 0, B31: 1, "
      "B32: 0, B41: 0, B42: 0, C11: -15000, C12: -1000, C13: 15000, C14: 0, D11: 1000, D12: 0";
  for (const double step : {0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 1.0}) {
    const auto text = [&](const std::string& second, const char* input, const char* output) {
      return fmt::format(
          "seam: 1\nsubsystems:\n  c: {{model: state-space, set: {{A: [[0]], B: [[-0.0025]], C: [[1]], D: [[0]]}}}}\n  "
          "w: {}\n"
          "connections: [c.y -> w.{}, w.{} -> c.u]\nexperiment: {{stop: 10}}\nplan: {{step: {} ms}}\n",
          second, input, output, step);
    };
    const System native =
        system(text("{model: state-space, set: {A: [[0, 1, 0], [-4125, -25, 375], [0, 0, 0]], B: [[0], [25], [1]], "
                    "C: [[-15000, -1000, 15000]], D: [[1000]]}}",
                    "u", "y"));
    const System black = system(text(fmt::format("{{fmu: {}, set: {{{}, solver: euler, solver_step: 0.01 ms}}}}",
                                                 fmu(2, "state-space-4-poor"), wheel),
                                     "u1", "y1"));
    const double expected = radius(make_live(native, {Horizon::none}));
    const double found = radius(Rehearsal(black, linear_models(black, {})).live(black.plan));
    EXPECT_NEAR(std::log(found) / std::log(expected), 1.0, 0.02) << step << " ms";
  }
}

// In 200 calls of 0.01 us the masses move by as much as their positions are rounded to: a model of that record is one
// of rounding.
TEST_F(LinearModels, of_calls_whose_answers_are_lost_in_rounding_are_those_of_the_equations_behind_longer_ones) {
  const auto native = linear_models(system(pair("native", "zoh")), {});
  const auto probed = all_ports(pair("poor", "zoh"));
  for (const double call : {1e-4, 1e-6, 1e-7, 1e-8}) {
    for (const char* name : {"l", "r"}) {
      const auto found = of(probed, name).other_calls->find(call, 0);
      ASSERT_TRUE(found) << name << " " << call;
      EXPECT_LT(distance(found->map, analysis::step_map(*of(native, name).equations, call, 0)), 1e-7)
          << name << " " << call;
      for (const analysis::StepMap& other : found->others) {
        EXPECT_LT(distance(found->map, other), 1e-7) << name << " " << call;
      }
    }
  }
}

// x' = -x + u1 + u2 and a gain of -5000 in a loop, coupled once a second: in the run from which the sizes of motions
// are taken u1 grows to 1e30, and u2 follows a sine.
TEST_F(LinearModels, of_a_coupling_that_is_far_from_stable_know_inputs_that_stay_small) {
  const auto only = [](const std::map<std::string, double>& entries) {
    std::string set;
    for (const auto& [name, rows, columns] : {std::tuple("A", 4, 4), {"B", 4, 2}, {"C", 3, 4}, {"D", 1, 2}}) {
      for (int i = 1; i <= rows; ++i) {
        for (int j = 1; j <= columns; ++j) {
          const std::string entry = fmt::format("{}{}{}", name, i, j);
          const auto found = entries.find(entry);
          set += fmt::format("{}: {}, ", entry, found == entries.end() ? 0.0 : found->second);
        }
      }
    }
    return set;
  };
  const auto models = linear_models(
      system(fmt::format(
          "seam: 1\nsubsystems:\n  lag: {{fmu: {0}, set: {{{1}x10: 1}}}}\n  back: {{fmu: {0}, set: {{{2}x10: 0}}}}\n"
          "  s: {{model: sine, set: {{frequency: 0.1}}}}\n  g: {{model: gain, set: {{k: 1}}}}\n"
          "connections: [s.y -> g.u, g.y -> lag.u2, lag.y1 -> back.u1, back.y1 -> lag.u1]\n"
          "experiment: {{stop: 100}}\nplan: {{step: 1 s}}\n",
          fmu(2, "state-space-4-poor"), only({{"A11", -1.0}, {"B11", 1.0}, {"B12", 1.0}, {"C11", 1.0}}),
          only({{"D11", -5000.0}}))),
      {});
  const SubsystemModel& lag = of(models, "lag");
  ASSERT_TRUE(lag.map) << lag.how;
  const lti::Matrix& answers = lag.map->matrices.D;  // to inputs that are held for a second, in state 0
  EXPECT_NEAR(answers(0, 1), answers(0, 0), 1e-6 * std::abs(answers(0, 0)));
  EXPECT_NEAR(answers(0, 0), 0.625, 0.001) << "one step of rk4: 1 - 1/2 + 1/6 - 1/24";
}

TEST_F(LinearModels, that_are_missing_are_named_where_they_should_stand_in) {
  const System black = system(pair("poor", "zoh"));
  try {
    const Rehearsal without_models(black, {});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_EQ(found.problems().size(), 2u);
  }
}

TEST_F(LinearModels, by_differences_of_equations_are_what_the_derivatives_say) {
  LiveOptions options{Horizon::none};
  options.fmus.inputs = load::FmuOptions::Inputs::all;
  const Live live = make_live(system(pair("exchange", "zoh")), options);
  coupling::start(live.program);
  for (const coupling::Lane& lane : live.program.lanes) {
    const std::vector<double> inputs(static_cast<std::size_t>(lane.inputs), 0.3);
    const auto told = assembly::linearised(*lane.subsystem, 0.0, inputs);
    const auto found = analysis::differenced_equations(*lane.subsystem, 0.0, inputs, lane.outputs);
    ASSERT_TRUE(told && found);
    EXPECT_LT(distance(analysis::step_map(told->matrices, 0.01, 0), analysis::step_map(*found, 0.01, 0)), 1e-9);
  }
}

TEST_F(LinearModels, of_equations_without_derivatives_are_their_differences) {
  const auto models = all_ports(
      fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}, interface: me}}\n  b: {{model: gain, set: {{k: 1}}}}\n"
                  "connections: [b.y -> a.u, a.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms}}\n",
                  fmu(3, "relay")));
  const SubsystemModel& model = of(models, "a");
  EXPECT_EQ(model.source, ModelSource::exact) << model.how;
  EXPECT_NE(model.how.find("differences"), std::string::npos) << model.how;
  ASSERT_FALSE(model.warnings.empty());
  EXPECT_NE(model.warnings[0].find("events"), std::string::npos);
}

TEST_F(LinearModels, of_one_subsystem_are_given_if_only_that_is_asked_for) {
  LinearModelRequest request;
  request.subsystems = {"r"};
  const auto models = linear_models(system(pair("poor", "zoh")), request);
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].name, "r");
  request.subsystems = {"rr"};
  EXPECT_THROW(linear_models(system(pair("poor", "zoh")), request), base::ProblemsFound);
  request.subsystems = {};
  request.time = 0.7;
  EXPECT_THROW(linear_models(system(pair("poor", "zoh")), request), base::ProblemsFound);
}

TEST_F(LinearModels, of_a_linear_fmu_are_the_same_at_another_time) {
  LinearModelRequest request;
  request.time = 0.123;
  const auto later = linear_models(system(pair("poor", "zoh")), request);
  const auto start = linear_models(system(pair("poor", "zoh")), {});
  EXPECT_DOUBLE_EQ(of(later, "l").time, 0.13) << "the next communication point";
  EXPECT_LT(distance(*of(start, "l").map, *of(later, "l").map), 1e-8);
}

// y+ = y + h (c0 + c1/2): the FMU follows the slope of its input inside a step.
TEST_F(LinearModels, of_an_fmu_that_follows_the_slope_of_its_input_know_what_that_does) {
  const auto models = all_ports(
      fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}, set: {{k: 3}}}}\n  b: {{model: gain, set: {{k: -1}}}}\n"
                  "connections: [b.y -> a.u, a.y -> b.u]\nexperiment: {{stop: 1}}\n"
                  "plan: {{step: 20 ms, coupling: foh, subsystems: {{a: {{via: derivatives}}}}}}\n",
                  fmu(2, "integrator-linear")));
  const SubsystemModel& model = of(models, "a");
  ASSERT_EQ(model.source, ModelSource::probed) << model.how;
  ASSERT_EQ(model.map->degree, 1);
  EXPECT_EQ(model.map->matrices.states(), 1);
  EXPECT_NEAR(model.map->matrices.D(0, 0), 0.06, 1e-12);
  EXPECT_NEAR(model.map->matrices.D(0, 1), 0.03, 1e-12);
  EXPECT_NEAR(model.map->matrices.A(0, 0), 1.0, 1e-10);
}

TEST_F(LinearModels, of_a_limiter_depend_on_where_it_is) {
  const auto at = [&](double value) {
    const auto models = all_ports(fmt::format(
        "seam: 1\nsubsystems:\n  c: {{model: constant, set: {{value: {}, sampled: true}}}}\n  a: {{fmu: {}}}\n"
        "connections: [c.y -> a.u]\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms}}\n",
        value, fmu(2, "limiter-poor")));
    return of(models, "a");
  };
  const SubsystemModel inside = at(0.2), beyond = at(3.0), corner = at(1.0);
  ASSERT_EQ(inside.source, ModelSource::probed) << inside.how;
  EXPECT_EQ(inside.linearity, Linearity::linear);
  EXPECT_NEAR(inside.map->matrices.D(0, 0), 1.0, 1e-9);
  ASSERT_EQ(beyond.source, ModelSource::probed) << beyond.how;
  EXPECT_EQ(beyond.map->matrices.D(0, 0), 0.0);
  EXPECT_NE(corner.linearity, Linearity::linear) << corner.how;
}

TEST_F(LinearModels, of_an_fmu_that_may_exist_only_once_are_probed) {
  const auto models = linear_models(
      system(fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  b: {{model: gain, set: {{k: 1}}}}\n"
                         "connections: [b.y -> a.u, a.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms}}\n",
                         fmu(2, "bad-single"))),
      {});
  EXPECT_EQ(of(models, "a").source, ModelSource::probed) << of(models, "a").how;
}

TEST_F(LinearModels, that_are_not_known_say_why) {
  const auto models = linear_models(
      system(fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  b: {{model: gain, set: {{k: 1}}}}\n"
                         "connections: [b.y -> a.u, a.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms}}\n",
                         fmu(2, "bad-discard"))),
      {});
  EXPECT_EQ(of(models, "a").source, ModelSource::none);
  EXPECT_NE(of(models, "a").how.find("discarded"), std::string::npos) << of(models, "a").how;
}

}  // namespace
}  // namespace seam::engine
