// Two rows of a table at one time: what a native model, an FMU and the solution of all equations together see of the
// jump.
#include "engine/exchange_workshop.hpp"

namespace seam::engine {
namespace {

class TableJump : public ExchangeWorkshop {
 protected:
  /// 0 until 0.3 s, then 1 + (t - 0.3 s): the jump is at a communication point, whose time is rounded.
  void SetUp() override { formats::write_text(folder_.file("u.csv"), "\"time\",\"u\"\n0,0\n0.3,0\n0.3,1\n1.3,2\n"); }
  std::string system(const std::string& sink, const std::string& port = "u", const std::string& more = {}) const {
    return "seam: 1\nsubsystems:\n  t: {model: csv, set: {file: u.csv}}\n  i: " + sink + "\nconnections: [t.u -> i." +
           port + "]\nexperiment: {stop: 1}\nplan: {step: 0.1" + more + "}\nrecord: {variables: [\"i.*\"]}\n";
  }
  /// The integral over the table.
  static double exact(double t) { return t < 0.3 ? 0.0 : (t - 0.3) + 0.5 * (t - 0.3) * (t - 0.3); }
};
INSTANTIATE_TEST_SUITE_P(Fmi, TableJump, ::testing::Values(2, 3));

TEST_P(TableJump, native_models_see_both_limits) {
  for (const char* solver : {"exact", "rk4"}) {
    const std::string sink = std::string("{model: state-space, solver: ") + solver +
                             ", set: {A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}}";
    const auto table = table_of(system(sink));
    for (std::size_t i = 0; i < table.rows(); ++i)
      EXPECT_NEAR(column(table, "i.y").at(i), exact(table.columns[0][i]), 1e-14) << solver;
    EXPECT_EQ(column(table, "i.u").at(3), 1.0) << "a row holds the value after the jump";
    EXPECT_EQ(column(table, "i.u").at(2), 0.0);
  }
}

// Where the jump lies inside a step, a solver with error control begins anew there.
TEST_P(TableJump, inside_a_step_is_where_solvers_with_error_control_restart) {
  formats::write_text(folder_.file("u.csv"), "time,u\n0,0\n0.35,0\n0.35,1\n2,1\n");
  const auto table = table_of(
      system("{model: state-space, solver: cvode, set: {A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}}"));
  EXPECT_NEAR(column(table, "i.y").back(), 0.65, 1e-8);
}

// A co-simulation FMU holds the value at the start of its step: the one after the jump.
TEST_P(TableJump, fmu_gets_the_value_after_the_jump_from_its_time_on) {
  const auto table = table_of(system("{fmu: " + fmu(GetParam(), "integrator") + ", set: {k: 1, solver: euler}}"));
  double sum = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_NEAR(column(table, "i.y").at(i), sum, 1e-12) << i;
    const double t = 0.1 * static_cast<double>(i);
    sum += i < 3 ? 0.0 : 0.1 * (1.0 + t - 0.3);
  }
}

TEST_P(TableJump, fmu_for_model_exchange_sees_both_limits) {
  const auto table = table_of(system(exchanged("integrator", "k: 1")));
  for (std::size_t i = 0; i < table.rows(); ++i)
    EXPECT_NEAR(column(table, "i.y").at(i), exact(table.columns[0][i]), 1e-6);
}

// An FMU that asks for its inputs inside a step is told the value before the jump until the step ends.
TEST_P(TableJump, fmu_that_asks_inside_a_step_equals_the_native_model) {
  if (GetParam() == 2) return;  // FMI 3 alone has the intermediate update
  const std::string native =
      "{model: mass-chain, solver: rk4, solver_step: 10 ms, set: {masses: [0.2], to_ground: {k: 11, d: 0.4}, coupling: "
      "{kind: "
      "force}, x0: [0.25], v0: [2]}}";
  const std::string made =
      "{fmu: " + fmu(3, "two-mass-right-signal") +
      ", via: intermediate, set: {m: 0.2, k: 11, d: 0.4, x0: 0.25, v0: 2, solver: rk4, solver_step: 10 ms}}";
  const auto expected = table_of(system(native, "F_in"));
  const auto table = table_of(system(made, "F_in"));
  for (std::size_t i = 0; i < expected.rows(); ++i)
    EXPECT_NEAR(column(table, "i.x1").at(i), column(expected, "i.x1").at(i), 1e-9) << i;
}

TEST_P(TableJump, solution_of_all_equations_together_is_the_closed_form) {
  const auto table =
      solution_of(system("{model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}}"));
  for (std::size_t i = 0; i < table.rows(); ++i)
    EXPECT_NEAR(column(table, "i.y").at(i), exact(table.columns[0][i]), 1e-9);
}

}  // namespace
}  // namespace seam::engine
