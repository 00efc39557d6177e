// Who steps when, with whose samples: in turn, and by steps of their own.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>

#include "coupling/live.hpp"
#include "seam/assembly/subsystem.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"

namespace seam::coupling {
namespace {

using assembly::Capabilities;
using assembly::In;
using assembly::InputPolynomials;
using assembly::Out;
using assembly::Outcome;
using assembly::Sources;
using assembly::Step;

/// Its output is a power of the time; what it hears is written down.
class Witness final : public assembly::Subsystem {
 public:
  struct Heard {
    double begin, end;
    std::vector<double> coefficients;
  };
  explicit Witness(int power) : power_(power) {}

  Capabilities capabilities() const override { return {.takes_polynomials = true, .can_shorten = true}; }
  bool feeds_through(int, int, assembly::Phase) const override { return false; }
  assembly::StepFunction prepare(const assembly::Calls&) override { return assembly::StepFunction::of(*this); }
  void initialise(double) override {}
  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) {
    const double end = step.begin + step.length;
    heard.push_back({step.begin, end, {input.coefficients, input.coefficients + input.degree + 1}});
    outputs[0] = std::pow(end, power_);
    return Outcome::accepted;
  }
  void evaluate(double t, Sources, In, Out outputs) override { outputs[0] = std::pow(t, power_); }
  assembly::Snapshot save() override { return {}; }
  void restore(const assembly::Snapshot&) override {}

  std::vector<Heard> heard;

 private:
  int power_;
};

struct Case {
  int source = 1, sink = 1;  ///< steps
  bool ahead = false;        ///< Gauss-Seidel, the source first
  std::string coupling = "zoh";
  int power = 1;
};

/// What the sink heard from the source over two hyper-periods and more.
std::vector<Witness::Heard> heard_in(const Case& which) {
  assembly::Assembly assembly;
  std::vector<Witness*> witnesses;
  for (const char* name : {"source", "sink"}) {
    assembly::Member member;
    member.name = name;
    member.inputs = {{.name = "u", .unit = "", .start = 0.0}};
    member.outputs = {{.name = "y", .unit = "", .start = {}}};
    auto witness = std::make_unique<Witness>(which.power);
    witnesses.push_back(witness.get());
    member.subsystem = std::move(witness);
    assembly.members.push_back(std::move(member));
  }
  assembly.wires = {{0, 0, 0, 1, 0, 1.0, 0.0}, {1, 1, 0, 0, 0, 1.0, 0.0}};
  system::Plan plan;
  plan.step = 0.125;
  plan.subsystems.resize(2);
  plan.subsystems[0].multiple = which.source;
  plan.subsystems[1].multiple = which.sink;
  if (which.ahead) {
    plan.schedule = system::Schedule::Kind::gauss_seidel;
    plan.order = {0, 1};
  }
  base::Problems problems;
  system::CouplingRequest request;
  request.coupling = system::MethodRequest{which.coupling, {}, {}};
  plan.connections = {complete(request, problems), complete(request, problems)};
  const auto program = compile(assembly, plan, {}, problems);
  EXPECT_TRUE(program) << problems.text();
  Memory memory = start(*program);
  advance(*program, memory, 5 * program->hyper_period());
  return witnesses[1]->heard;
}

// With y = t a zero-order hold tells which sample it is.
TEST(Schedule, no_future_value_is_seen_and_the_newest_past_one_always) {
  constexpr double step = 0.125;
  for (int source = 1; source <= 6; ++source) {
    for (int sink = 1; sink <= 6; ++sink) {
      for (const bool ahead : {false, true}) {
        for (const Witness::Heard& one : heard_in({source, sink, ahead, "zoh", 1})) {
          const double known = ahead ? one.end : one.begin;
          const double newest = std::floor(known / (source * step)) * source * step;
          EXPECT_EQ(one.coefficients[0], newest)
              << source << ":" << sink << (ahead ? " in turn" : "") << ", step " << one.begin << " -> " << one.end;
        }
      }
    }
  }
}

// A hold of order p carries polynomials of degree p without error, whatever the ages and spacings of its samples.
TEST(Schedule, holds_are_exact_on_their_polynomials_at_every_rate) {
  for (const auto& [source, sink] : {std::pair{1, 1}, {1, 2}, {2, 1}, {5, 1}, {1, 5}, {6, 2}, {3, 6}, {20, 1}}) {
    for (const bool ahead : {false, true}) {
      for (const auto& [coupling, power] : {std::pair{"foh", 1}, {"soh", 2}, {"soh", 1}}) {
        for (const Witness::Heard& one : heard_in({source, sink, ahead, coupling, power})) {
          const double samples = power + 1;
          if (one.begin < samples * 0.125 * std::max(source, sink)) continue;  // it has not heard enough yet
          for (const double theta : {0.0, 0.3, 1.0}) {
            double value = 0.0;
            for (std::size_t k = one.coefficients.size(); k-- > 0;) value = value * theta + one.coefficients[k];
            const double t = one.begin + theta * (one.end - one.begin);
            EXPECT_NEAR(value, std::pow(t, power), 1e-9 * std::pow(one.end, power))
                << coupling << " " << source << ":" << sink << (ahead ? " in turn" : "") << " at " << t;
          }
        }
      }
    }
  }
}

TEST(Schedule, a_hold_needs_steps_of_which_one_divides_the_other) {
  EXPECT_NE(problems_of("subsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]]}}\n"
                        "  b: {model: state-space, set: {A: [[-2]], B: [[1]], C: [[1]]}}\n"
                        "connections: [a.y -> b.u, b.y -> a.u]\n"
                        "plan: {step: 0.1, coupling: foh, subsystems: {a: {step: 0.2}, b: {step: 0.3}}}\n")
                .find("whole multiple of the other"),
            std::string::npos);
}

/// Two lags around a ring, with the plan.
std::string ring(const std::string& plan, const std::string& rest = "") {
  return "subsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], x0: [1]}}\n"
         "  b: {model: state-space, set: {A: [[-2]], B: [[1]], C: [[1]], x0: [0.5]}}\n"
         "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 0.1, " +
         plan + "}\n" + rest;
}

// x' = -k x + u over h with u constant: x := e^(-k h) x + (1 - e^(-k h))/k u.
double lag(double k, double h, double x, double u) { return std::exp(-k * h) * x + (1.0 - std::exp(-k * h)) / k * u; }

TEST(Schedule, gauss_seidel_gives_the_second_what_the_first_has_just_sent) {
  const engine::Live first = live(ring("schedule: {gauss-seidel: [a, b]}")),
                     second = live(ring("schedule: {gauss-seidel: [b, a]}"));
  for (const auto& [system, a_first] : {std::pair{&first, true}, {&second, false}}) {
    Memory memory = start(system->program);
    double a = 1.0, b = 0.5;
    for (int n = 0; n < 20; ++n) {
      advance(system->program, memory, 1);
      if (a_first) {
        a = lag(1.0, 0.1, a, b);
        b = lag(2.0, 0.1, b, a);
      } else {
        b = lag(2.0, 0.1, b, a);
        a = lag(1.0, 0.1, a, b);
      }
      EXPECT_NEAR(output(system->program, memory, 0), a, 1e-14);
      EXPECT_NEAR(output(system->program, memory, 1), b, 1e-14);
    }
  }
}

TEST(Schedule, slow_subsystem_holds_its_output_and_hears_only_at_its_own_points) {
  const engine::Live system = live(ring("subsystems: {b: {step: 0.3}}"));
  EXPECT_EQ(system.program.hyper_period(), 3);
  Memory memory = start(system.program);
  double a = 1.0, b = 0.5, heard = 1.0;
  for (int n = 1; n <= 30; ++n) {
    advance(system.program, memory, 1);
    a = lag(1.0, 0.1, a, b);
    if (n % 3 == 0) {
      b = lag(2.0, 0.3, b, heard);
      heard = a;
    }
    EXPECT_NEAR(output(system.program, memory, 0), a, 1e-14) << n;
    EXPECT_NEAR(output(system.program, memory, 1), b, 1e-14) << n;
  }
}

TEST(Schedule, order_is_chosen_so_that_a_chain_is_followed) {
  const engine::System system = open(
      "subsystems:\n  c: {model: gain, set: {k: 1}}\n  b: {model: gain, set: {k: 1}}\n  a: {model: state-space, set: "
      "{A: "
      "[[-1]], B: [[1]], C: [[1]]}}\nconnections: [a.y -> b.u, b.y -> c.u, c.y -> a.u]\n"
      "plan: {step: 0.1, schedule: gauss-seidel}\n");
  const std::vector<int>& order = system.plan.order;
  ASSERT_EQ(order.size(), 3u);
  int backward = 0;
  for (const auto& [from, to] : {std::pair{2, 1}, {1, 0}, {0, 2}}) {
    backward += std::find(order.begin(), order.end(), from) > std::find(order.begin(), order.end(), to) ? 1 : 0;
  }
  EXPECT_EQ(backward, 1);
}

TEST(Schedule, wrong_orders_and_steps_are_problems) {
  const auto said = [](const std::string& text, const std::string& words) {
    const std::string found = problems_of(text);
    EXPECT_NE(found.find(words), std::string::npos) << text << "\n" << found;
  };
  said(ring("schedule: {gauss-seidel: [a, c]}"), "\"c\" is no subsystem that steps");
  said(ring("schedule: {gauss-seidel: [a, a]}"), "is in the order twice");
  said(ring("schedule: {gauss-seidel: [a]}"), "lacks \"b\"");
  said(ring("schedule: newton"), "schedule");
  said(ring("subsystems: {b: {step: 0.25}}"), "not a whole multiple of the plan's step");
  said(ring("subsystems: {b: {step: 0.05}}"), "not a whole multiple of the plan's step");
  said(ring("subsystems: {a: {step: 99999.7}, b: {step: 99999.9}}"), "meet again only after");
  EXPECT_THROW(live(ring("subsystems: {b: {step: 0.3}}", "experiment: {stop: 1}\n"), engine::Horizon::experiment),
               base::ProblemsFound);
}

}  // namespace
}  // namespace seam::coupling
