#include <gtest/gtest.h>

#include "load/system_file_reader.hpp"
#include "seam/formats/json.hpp"
#include "seam/load/overrides.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/system/resolve.hpp"

namespace seam::load {
namespace {

const char* const file = R"(seam: 1
description: "two: masses"
subsystems:
  a:
    model: mass-chain
    set: {masses: [2.8 kg, 1.50], to_ground: {d: 120 N.s/m}, version: 1.10, on: true, label: "5", "wheel[1].r": 1e3, n: .nan}
    solver: rk4
  b: {model: state-space, set: {A: [[0, 1], [-4, -0.2]]}, solver_step: 0.5 ms, input_signal: stepped}
connections:
  - a.{x, y} -> b.{x, y}
  - a.z[1] -> b.z
  - {from: b.T, to: a.T, gain: -1, offset: 2, unit: degC -> K}
experiment: {stop: 20 s}
plan:
  step: 1 ms
  coupling: {foh: {order: 1}}
  subsystems: {"*": {micro_step: 0.5 ms}}
  connections: {"b.*": {emitter: last, receiver: soh, samples: micro}}
record: {variables: ["*.outputs", a.x]}
)";

std::string json(const system::SystemDescription& d, const system::Plan* plan = nullptr) {
  return formats::to_json(resolved_value(d, plan), 1);
}

TEST(SystemFileResolved, load_and_print_is_a_fixed_point) {
  const auto first = read_sound(file);
  const auto second = read_sound(resolved_text(first, nullptr));
  const auto third = read_sound(resolved_text(second, nullptr));
  EXPECT_EQ(json(first), json(second));
  EXPECT_EQ(resolved_text(second, nullptr), resolved_text(third, nullptr));
}

TEST(SystemFileResolved, defaults_are_filled_in_and_say_so) {
  const std::string text =
      resolved_text(read_sound("seam: 1\nsubsystems: {a: {model: m}}\nplan: {step: 1 ms}\n"), nullptr);
  EXPECT_EQ(text,
            "seam: 1\n"
            "name: two\n"
            "subsystems:\n"
            "  a:\n"
            "    model: m\n"
            "    solver_step: 0.001  # default: the macro step\n"
            "    input_signal: signal  # default\n"
            "connections: []\n"
            "experiment:\n"
            "  start: 0  # default\n"
            "plan:\n"
            "  step: 0.001  # from the file\n"
            "  schedule: jacobi  # default\n"
            "  feedthrough: held  # default\n"
            "  events: local  # default\n"
            "  threads: 1  # default\n"
            "record:\n"
            "  file: two.csv  # default\n"
            "  every: 0.001  # default\n");
}

TEST(SystemFileResolved, threads_are_written_as_they_are_read) {
  for (const char* threads : {"4", "auto", "always:3"}) {
    const auto description =
        read_sound("seam: 1\nsubsystems: {a: {model: m}}\nplan: {step: 1 ms, threads: " + std::string(threads) + "}\n");
    ASSERT_TRUE(description.plan.threads);
    EXPECT_EQ(system::words(*description.plan.threads), threads);
    EXPECT_NE(resolved_text(description, nullptr).find("threads: " + std::string(threads) + "  # from the file\n"),
              std::string::npos)
        << resolved_text(description, nullptr);
  }
}

TEST(SystemFileResolved, override_is_named_as_the_origin) {
  auto d = read_sound(file);
  base::Problems problems;
  apply_override(d, *read_override("plan.step=2 ms", problems), problems);
  EXPECT_NE(resolved_text(d, nullptr).find("step: 0.002  # from --set\n"), std::string::npos);
}

TEST(SystemFileResolved, unit_conversion_is_not_printed_as_a_gain) {
  auto d = read_sound(
      "seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\nconnections: [a.v -> b.v, {from: a.w, to: b.w, gain: "
      "2}]\n");
  const std::string before = json(d);
  d.subsystems[0].outputs = {{"v", "km/h", {}, {}}, {"w", "km/h", {}, {}}};
  d.subsystems[1].inputs = {{"v", "m/s", {}, {}}, {"w", "m/s", {}, {}}};
  base::Problems problems;
  system::resolve_paths(d, problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_DOUBLE_EQ(d.connections[1].gain, 2.0 / 3.6);
  EXPECT_EQ(json(d), before);
}

TEST(SystemFileResolved, complete_plan_is_printed_with_every_number_and_loads_again) {
  const auto d = read_sound(file);
  system::Plan plan;
  plan.step = 2e-3;
  plan.subsystems = {{1, 5e-4, system::Feedthrough::held, {}}, {1, 1e-3, system::Feedthrough::fresh, {}}};
  plan.connections.assign(4, {"foh", {"last", {}}, {"hold", {{"order", 1.0}}}, system::Samples::micro});
  const auto second = read_sound(resolved_text(d, &plan));
  EXPECT_EQ(second.plan.step, 2e-3);
  ASSERT_EQ(second.plan.subsystems.size(), 2u);
  EXPECT_EQ(second.plan.subsystems[1].feedthrough, system::Feedthrough::fresh);
  ASSERT_EQ(second.plan.connections.size(), 4u);
  EXPECT_EQ(second.plan.connections[2].pattern, "b.z");
  EXPECT_EQ(second.plan.connections[2].coupling.receiver->name, "hold");
  EXPECT_EQ(second.plan.connections[2].coupling.receiver->parameters.at(0).value.number, 1.0);
  EXPECT_EQ(second.plan.connections[2].coupling.samples, "micro");
  EXPECT_EQ(json(second, &plan), json(d, &plan));
  EXPECT_NE(resolved_text(d, &plan).find("b.z:  # foh, from the file"), std::string::npos) << resolved_text(d, &plan);
}

TEST(SystemFileResolved, writing_of_numbers_and_texts_is_kept) {
  const auto set = read_sound(resolved_text(read_sound(file), nullptr)).subsystems[0].set;
  EXPECT_EQ(set[0].value.items[0].text, "2.8 kg");
  EXPECT_EQ(set[0].value.items[1].text, "1.50");
  EXPECT_EQ(set[2].value.text, "1.10");
  EXPECT_EQ(set[4].value.kind, system::Value::Kind::text);
  EXPECT_EQ(set[5].name, "wheel[1].r");
}

}  // namespace
}  // namespace seam::load
