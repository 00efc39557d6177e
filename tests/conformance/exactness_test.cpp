// What a hold must reproduce exactly: inputs that are polynomials of its order.
#include <gtest/gtest.h>

#include <cmath>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

/// A source whose output is 1 + 2 t + 3 t^2 (up to the degree), and a sink that integrates it.
engine::System polynomial_source(int degree, const std::string& sink_keys) {
  const char* x0[] = {"[1, 0, 0]", "[1, 2, 0]", "[1, 2, 6]"};
  return engine::open_text(std::string(R"(
seam: 1
subsystems:
  source: {model: state-space, set: {A: [[0, 1, 0], [0, 0, 1], [0, 0, 0]], C: [[1, 0, 0]], x0: )") +
                               x0[degree] + R"(}}
  sink: {model: state-space, )" +
                               sink_keys + R"( set: {A: [[0]], B: [[1]], C: [[1]]}}
connections: [source.y -> sink.u]
experiment: {stop: 2}
plan: {step: 0.1}
)",
                           "polynomial.yaml", {});
}

/// Of the polynomials that a hold reproduces.
int degree_of(const system::Coupling& coupling) {
  return coupling::find(coupling::Part::coupling, coupling.name)->order - 1;
}

double integral(int degree, double t) {
  double value = t;
  if (degree >= 1) value += t * t;
  if (degree >= 2) value += t * t * t;
  return value;
}

TEST(Exactness, a_hold_of_order_p_carries_polynomials_of_degree_p_without_error_once_it_has_its_samples) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    const int order = degree_of(coupling);
    const engine::Live live =
        engine::make_live(testing::with(polynomial_source(order, ""), coupling, system::Feedthrough::held),
                          {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    coupling::advance(live.program, memory, 3);
    const double settled = live.assembly->members[1].subsystem->states()[0] - integral(order, 0.3);
    coupling::advance(live.program, memory, 17);
    EXPECT_NEAR(live.assembly->members[1].subsystem->states()[0] - integral(order, 2.0), settled, 1e-12)
        << coupling::describe(coupling);
  }
}

TEST(Exactness, a_hold_of_order_p_makes_an_error_on_degree_p_plus_1) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    const int degree = degree_of(coupling) + 1;
    if (degree > 2) continue;  // the source has no cubic
    const engine::Live live =
        engine::make_live(testing::with(polynomial_source(degree, ""), coupling, system::Feedthrough::held),
                          {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    coupling::advance(live.program, memory, 20);
    EXPECT_GT(std::abs(live.assembly->members[1].subsystem->states()[0] - integral(degree, 2.0)), 1e-3)
        << coupling::describe(coupling);
  }
}

// A sink that takes no signal is called every micro step with the hold's value at its begin: a left Riemann sum.
TEST(Exactness, a_stepped_sink_sees_the_hold_at_the_begin_of_every_micro_step) {
  for (const system::Coupling& coupling : testing::all_holds()) {
    const int order = degree_of(coupling);
    engine::System system =
        testing::with(polynomial_source(order, "input_signal: stepped,"), coupling, system::Feedthrough::held);
    system.plan.subsystems[1].micro_step = 0.02;
    const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    coupling::settle(live.program, memory);
    coupling::advance(live.program, memory, 3);
    const double before = live.assembly->members[1].subsystem->states()[0];
    coupling::advance(live.program, memory, 1);
    double sum = 0.0;
    for (int j = 0; j < 5; ++j) {
      const double t = 0.3 + 0.02 * j;
      sum += 0.02 * (1.0 + (order >= 1 ? 2.0 * t : 0.0) + (order >= 2 ? 3.0 * t * t : 0.0));
    }
    EXPECT_NEAR(live.assembly->members[1].subsystem->states()[0] - before, sum, 1e-12) << coupling::describe(coupling);
  }
}

}  // namespace
}  // namespace seam
