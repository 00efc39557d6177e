#include "seam/load/model_catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "load/model_making.hpp"
#include "seam/system/units.hpp"

namespace seam::load {
namespace {

using Names = std::vector<std::string>;

TEST(ModelCatalog, every_entry_is_described_and_its_units_are_known) {
  std::set<std::string> seen;
  for (const ModelEntry& entry : model_catalog()) {
    EXPECT_TRUE(seen.insert(entry.name).second) << entry.name << " twice";
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_NE(entry.make, nullptr) << entry.name;
    for (const ParameterEntry& parameter : entry.parameters) {
      EXPECT_FALSE(parameter.summary.empty()) << entry.name << "." << parameter.name;
      const bool chosen = parameter.unit.find(chosen_unit) != std::string::npos;
      const bool known = parameter.unit.empty() || chosen || system::parse_unit(parameter.unit).has_value();
      EXPECT_TRUE(known) << entry.name << "." << parameter.name << " [" << parameter.unit << "]";
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"chirp", "constant", "csv", "delay", "gain", "impulse", "limiter",
                                         "mass-chain", "mass-power-damper", "multisine", "pid", "polynomial", "sine",
                                         "state-space", "step", "sum", "table", "transfer-function"}));
}

TEST(ModelCatalog, unknown_model_is_a_problem_that_offers_the_nearest) {
  EXPECT_EQ(make("mass-chian").problem(), "there is no model \"mass-chian\" | did you mean \"mass-chain\"?");
}

TEST(ModelCatalog, unknown_model_near_to_nothing_lists_them) {
  EXPECT_NE(make("zzzzzzzz").problem().find("state-space"), std::string::npos);
}

TEST(Constant, takes_its_unit_from_the_value) {
  const auto making = make("constant", "{value: 2.5 kN}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->signals[0]->at(0.0), 2.5);
  EXPECT_EQ(making.model->outputs[0].unit, "kN");
}

TEST(Constant, converts_the_value_to_the_unit_asked_for) {
  const auto making = make("constant", "{value: 2.5 kN, unit: N, sampled: true}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->signals[0]->at(0.0), 2500.0);
  EXPECT_TRUE(making.model->sampled);
}

TEST(Step, reads_time_and_values_in_their_units) {
  const auto making = make("step", "{time: 500 ms, after: 2 mm, before: 1 m}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->outputs[0].unit, "mm");
  EXPECT_EQ(making.model->signals[0]->at(0.4), 1000.0);
  EXPECT_EQ(making.model->signals[0]->at(0.5), 2.0);
  EXPECT_FALSE(making.model->sampled);
}

TEST(Impulse, keeps_its_area_in_the_unit_of_the_output_times_seconds) {
  const auto making = make("impulse", "{area: 2 kN.ms, unit: N, time: 1 s}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_NEAR(making.model->signals[0]->fitted(0.1)->at(1.05), 20.0, 1e-12);
}

TEST(Impulse, area_with_a_unit_but_no_unit_of_the_output_is_a_problem) {
  EXPECT_NE(make("impulse", "{area: 2 N.s}").problem().find("say it, for example unit: N"), std::string::npos);
}

TEST(Sine, has_the_parameters_of_its_formula) {
  const auto making = make("sine", "{amplitude: 2, frequency: 0.5 Hz, phase: 90 deg, offset: 1, start: 1 s}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->signals[0]->at(0.5), 1.0);
  EXPECT_NEAR(making.model->signals[0]->at(1.0), 3.0, 1e-15);
  EXPECT_NEAR(making.model->signals[0]->at(2.0), -1.0, 1e-14);
}

TEST(Chirp, has_the_parameters_of_its_formula) {
  const auto making = make("chirp", "{f0: 1, f1: 10, duration: 20, amplitude: 3 N}");
  ASSERT_TRUE(making.model) << making.problems.text();
  const double turns = 7.3 + 9.0 * 7.3 * 7.3 / 40.0;
  EXPECT_NEAR(making.model->signals[0]->at(7.3), 3.0 * std::sin(2 * 3.14159265358979323846 * turns), 1e-11);
  EXPECT_EQ(making.model->outputs[0].unit, "N");
}

TEST(Chirp, without_duration_of_more_than_zero_is_a_problem) {
  EXPECT_NE(make("chirp", "{f0: 1, f1: 2, duration: 0}").problem().find("more than 0 s"), std::string::npos);
}

TEST(Multisine, has_the_parameters_of_its_formula) {
  const auto making = make("multisine", "{from: 1, to: 3 Hz, tones: 2, rms: 3 N}");
  ASSERT_TRUE(making.model) << making.problems.text();
  const double t = 0.37, pi = 3.14159265358979323846;
  EXPECT_NEAR(making.model->signals[0]->at(t), 3.0 * (std::sin(2 * pi * 1.5 * t) + std::sin(2 * pi * 2.5 * t - pi)),
              1e-14);
  EXPECT_EQ(making.model->outputs[0].unit, "N");
}

TEST(Multisine, of_no_band_or_of_half_a_tone_is_a_problem) {
  EXPECT_NE(make("multisine", "{from: 2, to: 1}").problem().find("more than \"from\""), std::string::npos);
  EXPECT_NE(make("multisine", "{from: 1, to: 2, tones: 1.5}").problem().find("whole number"), std::string::npos);
  EXPECT_NE(make("multisine", "{from: 1, to: 2, tones: 0}").problem().find("whole number"), std::string::npos);
}

TEST(Gain, multiplies) { EXPECT_EQ(static_output(*make("gain", "{k: -3}").model, {2.0}), -6.0); }

TEST(Sum, adds_with_its_gains) {
  const auto making = make("sum", "{gains: [1, -1]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->inputs), (Names{"u1", "u2"}));
  EXPECT_EQ(static_output(*making.model, {5.0, 3.0}), 2.0);
}

TEST(Sum, of_nothing_is_a_problem) {
  EXPECT_NE(make("sum", "{gains: []}").problem().find("no inputs"), std::string::npos);
}

TEST(Limiter, limits_in_its_unit) {
  const auto making = make("limiter", "{low: -1 kN, high: 2000 N, unit: N}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(static_output(*making.model, {-5000.0}), -1000.0);
  EXPECT_EQ(static_output(*making.model, {5000.0}), 2000.0);
  EXPECT_EQ(making.model->inputs[0].unit, "N");
}

TEST(Limiter, with_crossed_limits_is_a_problem) {
  EXPECT_NE(make("limiter", "{low: 2, high: 1}").problem().find("lies above"), std::string::npos);
}

TEST(Delay, keeps_one_value_a_solver_step) {
  const auto making = make("delay", "{time: 30 ms, initial: 4}", {0.01, "."});
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->x0, (std::vector<double>{4, 4, 4}));
}

TEST(Delay, that_cannot_be_kept_is_a_problem) {
  EXPECT_NE(make("delay", "{time: -1}").problem().find("negative"), std::string::npos);
  EXPECT_NE(make("delay", "{time: 1}", {0.0, "."}).problem().find("solver_step"), std::string::npos);
  EXPECT_NE(make("delay", "{time: 1e9}", {1e-9, "."}).problem().find("solver steps long"), std::string::npos);
}

TEST(TransferFunction, has_its_poles_and_its_feed_through) {
  const auto making = make("transfer-function", "{num: [2, 1], den: [1, 5]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(matrices(*making.model).A, (std::vector<double>{-5.0}));
  EXPECT_EQ(matrices(*making.model).D, (std::vector<double>{2.0}));
}

TEST(TransferFunction, that_is_improper_is_a_problem) {
  EXPECT_NE(make("transfer-function", "{num: [1, 0], den: [1]}").problem().find("more than the denominator's 0"),
            std::string::npos);
}

TEST(TransferFunction, numerator_may_begin_with_zeros) {
  EXPECT_TRUE(make("transfer-function", "{num: [0, 0, 1], den: [1, 1]}").model.has_value());
}

TEST(TransferFunction, denominator_that_begins_with_zero_is_a_problem) {
  EXPECT_NE(make("transfer-function", "{num: [1], den: [0, 1]}").problem().find("not 0"), std::string::npos);
}

TEST(Table, interpolates_and_clamps_or_extrapolates) {
  const auto clamped = make("table", "{x: [0, 1, 2], y: [0, 10, 0]}");
  ASSERT_TRUE(clamped.model) << clamped.problems.text();
  EXPECT_EQ(static_output(*clamped.model, {0.5}), 5.0);
  EXPECT_EQ(static_output(*clamped.model, {-1.0}), 0.0);
  EXPECT_EQ(static_output(*make("table", "{x: [0, 1], y: [0, 10], outside: extrapolate}").model, {-1.0}), -10.0);
}

TEST(Table, with_points_that_do_not_fit_is_a_problem) {
  EXPECT_NE(make("table", "{x: [0, 1], y: [1]}").problem().find("2 places x and 1 values y"), std::string::npos);
  EXPECT_NE(make("table", "{x: [0, 2, 1], y: [1, 2, 3]}").problem().find("1 follows 2"), std::string::npos);
  EXPECT_NE(make("table", "{x: [], y: []}").problem().find("no points"), std::string::npos);
}

TEST(Pid, reads_its_gains_and_limits) {
  const auto making = make("pid", "{kp: 2, ki: 3 1/s, kd: 0.1, Tf: 10 ms, high: 1.5}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->inputs), (Names{"reference", "measurement"}));
  EXPECT_EQ(making.model->ode->nature(), ode::Ode::Nature::nonlinear);
  EXPECT_NEAR(matrices(*making.model).D[0], 2.0 + 0.1 / 0.01, 1e-12);
}

TEST(Pid, derivative_without_filter_time_is_a_problem) {
  EXPECT_NE(make("pid", "{kd: 1}").problem().find("set Tf"), std::string::npos);
}

TEST(Pid, with_crossed_limits_is_a_problem) {
  EXPECT_NE(make("pid", "{kp: 1, low: 2, high: 1}").problem().find("lies above"), std::string::npos);
}

TEST(StateSpace, reads_its_matrices_names_and_start) {
  const auto making =
      make("state-space",
           "{A: [[0, 1], [-4, -0.2]], B: [[0], [1]], C: [[1, 0]], D: [[7]], x0: [3, 4], inputs: [force], "
           "outputs: [way]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  const auto J = matrices(*making.model);
  EXPECT_EQ(J.A, (std::vector<double>{0, 1, -4, -0.2}));
  EXPECT_EQ(J.D, (std::vector<double>{7}));
  EXPECT_EQ(making.model->x0, (std::vector<double>{3, 4}));
  EXPECT_EQ(names(making.model->inputs), Names{"force"});
  EXPECT_EQ(names(making.model->outputs), Names{"way"});
}

TEST(StateSpace, without_the_rest_shows_its_states) {
  const auto making = make("state-space", "{A: [[0, 1], [-4, 0]]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_TRUE(making.model->inputs.empty());
  EXPECT_EQ(names(making.model->outputs), (Names{"y1", "y2"}));
  EXPECT_EQ(matrices(*making.model).C, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(making.model->x0, (std::vector<double>{0, 0}));
}

TEST(StateSpace, single_ports_are_called_u_and_y_and_scalars_need_no_brackets) {
  const auto making = make("state-space", "{A: -2, B: 1, x0: 5}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->inputs), Names{"u"});
  EXPECT_EQ(names(making.model->outputs), Names{"y"});
  EXPECT_EQ(making.model->x0, (std::vector<double>{5}));
}

TEST(StateSpace, empty_b_means_no_inputs_and_empty_a_a_static_model) {
  EXPECT_TRUE(make("state-space", "{A: [[1]], B: []}").model->inputs.empty());
  EXPECT_TRUE(make("state-space", "{A: [[1]], B: [[]]}").model->inputs.empty());
  const auto making = make("state-space", "{A: [], D: [[1, 2]]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(static_output(*making.model, {1.0, 1.0}), 3.0);
}

TEST(MassChain, reads_every_parameter) {
  const auto making = make("mass-chain",
                           "{masses: [1000 g, 2], springs: [1 kN/m], dampers: [3], to_ground: {k: [4, 5], d: [6, 7]}, "
                           "x0: [1 mm, 0], v0: [0, 2], coupling: {kind: spring, mass: 1, k: 8, d: 9}}");
  ASSERT_TRUE(making.model) << making.problems.text();
  const auto J = matrices(*making.model);
  EXPECT_EQ(std::vector<double>(J.A.begin() + 8, J.A.begin() + 12),
            (std::vector<double>{-(1000.0 + 4.0 + 8.0), 1000.0, -(3.0 + 6.0 + 9.0), 3.0}));
  EXPECT_EQ(making.model->x0, (std::vector<double>{0.001, 0, 0, 2}));
  EXPECT_EQ(names(making.model->inputs), (Names{"f1", "f2", "x_in", "v_in"}));
  EXPECT_EQ(making.model->outputs.back().name, "F");
}

TEST(MassPowerDamper, reads_every_parameter) {
  const auto making = make("mass-power-damper",
                           "{mass: 2 kg, to_ground: {k: 3 N/m, d: 0.5 N.s/m}, k: 1 kN/m, d: 7 N.s/m, exponent: 1, "
                           "limit: 8 N.s/m, x0: 20 mm, v0: 1 km/h}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->inputs), (Names{"f1", "x_in", "v_in"}));
  EXPECT_EQ(names(making.model->outputs), (Names{"x1", "v1", "a1", "F"}));
  EXPECT_NEAR(making.model->x0[0], 0.02, 1e-15);
  EXPECT_NEAR(making.model->x0[1], 1.0 / 3.6, 1e-15);
  std::vector<double> y(4);
  making.model->ode->outputs(0.0, std::vector<double>{0.1, 1.0}, std::vector<double>{5.0, 0.0, 0.0}, y);
  EXPECT_NEAR(y[3], 1000.0 * 0.1 + 7.0, 1e-12);
  EXPECT_NEAR(y[2], (5.0 - 3.0 * 0.1 - 0.5 - 107.0) / 2.0, 1e-12);
  making.model->ode->outputs(0.0, std::vector<double>{0.0, 2.0}, std::vector<double>{0.0, 0.0, 0.0}, y);
  EXPECT_NEAR(y[3], 8.0 * 2.0, 1e-12);  // 7 N.s/m times 2 is above the limit
}

TEST(MassPowerDamper, begins_with_the_published_exponent_and_limit) {
  const auto making = make("mass-power-damper", "{mass: 10, d: 200}");
  ASSERT_TRUE(making.model) << making.problems.text();
  std::vector<double> y(4);
  making.model->ode->outputs(0.0, std::vector<double>{0.0, 4.0}, std::vector<double>{0.0, 0.0, 0.0}, y);
  EXPECT_NEAR(y[3], 400.0, 1e-12);
  making.model->ode->outputs(0.0, std::vector<double>{0.0, 1e-8}, std::vector<double>{0.0, 0.0, 0.0}, y);
  EXPECT_NEAR(y[3], 1e-3, 1e-15);
}

TEST(MassChain, single_mass_takes_single_numbers) {
  const auto making = make("mass-chain", "{masses: [2], to_ground: {k: 8, d: 120 N.s/m}, x0: 1, v0: 2}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(matrices(*making.model).A, (std::vector<double>{0, 1, -4, -60}));
}

TEST(MassChain, velocity_coupling_starts_the_partner_where_it_is) {
  const auto making = make("mass-chain", "{masses: [1], coupling: {kind: spring-velocity, k: 2, x_partner0: 5 cm}}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->x0, (std::vector<double>{0, 0, 0.05}));
  EXPECT_EQ(names(making.model->inputs), (Names{"f1", "v_in"}));
}

TEST(MassChain, couples_its_last_mass_unless_told_otherwise) {
  const auto making = make("mass-chain", "{masses: [1, 1], coupling: {kind: force}}");
  ASSERT_TRUE(making.model) << making.problems.text();
  const auto J = matrices(*making.model);  // rows v1, v2; columns f1, f2, F_in
  EXPECT_EQ(J.B[2 * 3 + 2], 0.0);
  EXPECT_EQ(J.B[3 * 3 + 2], 1.0);
}

TEST(MassChain, several_couplings_have_their_names_as_suffix) {
  const auto making =
      make("mass-chain",
           "{masses: [1, 1], coupling: [{kind: force, mass: 1, name: left}, {kind: spring, k: 1, name: right}]}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->inputs), (Names{"f1", "f2", "F_in_left", "x_in_right", "v_in_right"}));
  EXPECT_EQ(making.model->outputs.back().name, "F_right");
}

}  // namespace
}  // namespace seam::load
