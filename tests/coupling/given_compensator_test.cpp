// A compensator of one's own, beside the name of the coupling or by the parts.
#include <gtest/gtest.h>

#include "coupling/live.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::coupling {
namespace {

const std::string roots = "gain: 6, zero1: -3, zero1_im: 1.5, pole1: -8, pole2: -9";

std::string text(const std::string& coupling) {
  return "subsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[0]], x0: [1]}}\n"
         "  b: {model: state-space, set: {A: [[-2]], B: [[1]], C: [[1]], D: [[0]]}}\n"
         "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 10 ms, coupling: " +
         coupling + "}\n";
}

double output_after(const std::string& coupling) {
  const engine::Live system = live(text(coupling));
  Memory memory = start(system.program);
  advance(system.program, memory, 20);
  return output(system.program, memory, 1);
}

TEST(GivenCompensator, is_the_same_beside_the_name_and_by_parts) {
  const double named = output_after("{hinf: {" + roots + "}}");
  EXPECT_EQ(named, output_after("{emitter: {compensator: {" + roots +
                                "}}, receiver: {smoother: {order: 2, cutoff: "
                                "0.5}}}"));
  EXPECT_NE(named, output_after("hinf"));
  EXPECT_NE(named, output_after("{hinf: {solver: euler, " + roots + "}}"));
  EXPECT_NE(named, output_after("{hinf: {smoother: 0.3, " + roots + "}}"));
}

TEST(GivenCompensator, can_be_said_again_as_it_describes_itself) {
  const engine::System first = open(text("{hinf: {solver: euler, jump_limit: 0.25, " + roots + "}}"));
  const std::string words = describe(first.plan.connections[0]);
  EXPECT_EQ(words, "hinf,solver=euler,jump_limit=0.25,gain=6,zero1=-3,zero1_im=1.5,pole1=-8,pole2=-9");
  engine::Changes changes;
  changes.coupling = words;
  const engine::System again = engine::open_text("seam: 1\n" + text("zoh"), "test.yaml", changes);
  EXPECT_TRUE(are_same(again.plan.connections[0], first.plan.connections[0]));
}

TEST(GivenCompensator, that_cannot_be_one_is_a_problem) {
  const auto said = [](const std::string& parameters) { return problems_of(text("{hinf: {" + parameters + "}}")); };
  EXPECT_NE(said("gain: 1, pole1: 0.5").find("a pole does not decay"), std::string::npos);
  EXPECT_NE(said("gain: 1, zero1: -3, zero2: -4, pole1: -5").find("more zeros than poles"), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1: -5, weight: 0.02").find("\"weight\" has no meaning here"), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1: -5, order: 2").find("\"order\" has no meaning here"), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1: five").find("\"pole1\" cannot be \"five\""), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1: -1e-300").find("a pole does not decay"), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1: -1, pole3: -2").find("\"pole3\" would not count"), std::string::npos);
  EXPECT_NE(said("gain: 1, pole1_im: 3").find("\"pole1_im\" would not count"), std::string::npos);
  EXPECT_NE(said("pole1: -1").find("\"pole1\" would not count"), std::string::npos);
  EXPECT_NE(said("pol1: -5").find("hinf\" has no parameter \"pol1\""), std::string::npos);
}

}  // namespace
}  // namespace seam::coupling
