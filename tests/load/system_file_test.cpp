#include "seam/load/system_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "load/system_file_reader.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::load {
namespace {

using system::Value;

const char* const whole_file = R"(seam: 1
name: rack test
description: a rack on a spring

subsystems:
  rack:
    model: mass-chain
    set: {masses: [2.8 kg, 1], to_ground: {d: 120 N.s/m}, on: true, label: "5", file: a b.csv}
    solver: rk4
    solver_step: 0.25 ms
    input_signal: stepped
  plant: {model: state-space}
  empty: {model: m, set: }
connections:
  - rack.x -> plant.u
  - {from: plant.y, to: rack.f, gain: -1, offset: 0.5, unit: degC -> K}
experiment: {start: 1, stop: 2 min}
plan:
  step: 1 ms
  schedule: jacobi
  coupling: {foh: {order: 1}}
  feedthrough: held
  subsystems:
    rack: {micro_step: 0.25 ms, feedthrough: fresh}
  connections:
    plant.u: zoh
    "rack.*": {emitter: last, receiver: {soh: {limit: 2}}, samples: micro}
record:
  file: out/x.csv
  every: 10ms
  variables: ["*.outputs", rack.x]
)";

TEST(SystemFile, every_built_key_arrives_in_the_description) {
  const system::SystemDescription d = read_sound(whole_file);
  EXPECT_EQ(d.name, "rack test");
  EXPECT_EQ(d.description, "a rack on a spring");
  EXPECT_EQ(d.folder, "folder");
  ASSERT_EQ(d.subsystems.size(), 3u);
  EXPECT_EQ(d.subsystems[0].name, "rack");
  EXPECT_EQ(d.subsystems[0].model()->name, "mass-chain");
  EXPECT_EQ(d.subsystems[0].solver, "rk4");
  EXPECT_EQ(d.subsystems[0].solver_step, 0.00025);
  EXPECT_EQ(d.subsystems[0].input_signal, system::InputSignal::stepped);
  EXPECT_EQ(d.subsystems[1].input_signal, system::InputSignal::signal);
  EXPECT_FALSE(d.subsystems[1].solver_step);
  ASSERT_EQ(d.connections.size(), 2u);
  EXPECT_EQ(d.connections[1].from.text, "plant.y");
  EXPECT_EQ(d.connections[1].gain, -1.0);
  EXPECT_EQ(d.connections[1].offset, 0.5);
  EXPECT_EQ(d.connections[1].from_unit, "degC");
  EXPECT_EQ(d.connections[1].to_unit, "K");
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 120.0);
}

TEST(SystemFile, plan_and_record_arrive_in_the_description) {
  const system::SystemDescription d = read_sound(whole_file);
  EXPECT_EQ(d.plan.step, 0.001);
  EXPECT_EQ(d.plan.coupling->coupling->name, "foh");
  EXPECT_EQ(d.plan.coupling->coupling->parameters.at(0).name, "order");
  EXPECT_EQ(d.plan.feedthrough, system::Feedthrough::held);
  EXPECT_EQ(d.plan.subsystems.at(0).micro_step, 0.00025);
  EXPECT_EQ(d.plan.subsystems.at(0).feedthrough, system::Feedthrough::fresh);
  ASSERT_EQ(d.plan.connections.size(), 2u);
  EXPECT_EQ(d.plan.connections[0].pattern, "plant.u");
  EXPECT_EQ(d.plan.connections[0].coupling.coupling->name, "zoh");
  const system::CouplingRequest& parts = d.plan.connections[1].coupling;
  EXPECT_FALSE(parts.coupling);
  EXPECT_EQ(parts.emitter->name, "last");
  EXPECT_EQ(parts.receiver->parameters.at(0).value.number, 2.0);
  EXPECT_EQ(parts.samples, "micro");
  EXPECT_EQ(d.record.file, "out/x.csv");
  EXPECT_EQ(d.record.every, 0.01);
  EXPECT_EQ(d.record.variables, (std::vector<std::string>{"*.outputs", "rack.x"}));
}

TEST(SystemFile, values_of_set_keep_their_kind_unit_writing_and_place) {
  const auto set = read_sound(whole_file).subsystems[0].set;
  ASSERT_EQ(set.size(), 5u);
  const Value& masses = set[0].value;
  EXPECT_EQ(masses.kind, Value::Kind::list);
  EXPECT_EQ(masses.items[0].number, 2.8);
  EXPECT_EQ(masses.items[0].unit, "kg");
  EXPECT_EQ(masses.items[0].text, "2.8 kg");
  EXPECT_EQ(masses.items[1].unit, "");
  EXPECT_EQ(set[1].value.kind, Value::Kind::map);
  EXPECT_EQ(set[1].value.entries.at(0).second.unit, "N.s/m");
  EXPECT_EQ(set[2].value.kind, Value::Kind::boolean);
  EXPECT_TRUE(set[2].value.boolean);
  EXPECT_EQ(set[3].value.kind, Value::Kind::text);  // quoted, so not a number
  EXPECT_EQ(set[4].value.kind, Value::Kind::text);
  EXPECT_EQ(set[4].value.text, "a b.csv");
  EXPECT_EQ(set[0].where.line, 8);
  EXPECT_EQ(masses.items[1].where.column, 28);
}

TEST(SystemFile, name_is_the_stem_of_the_file_unless_given) { EXPECT_EQ(read_with("").description->name, "two"); }

TEST(SystemFile, json_with_the_same_keys_loads_to_the_same_system) {
  const ReadFile file = read_whole(
      R"({"seam":1,"subsystems":{"a":{"model":"m","set":{"k":"3 kg","l":[1,2.5],"t":"x"}}},"plan":{"step":"1 ms"},
         "connections":["a.y -> a.u"]})");
  ASSERT_TRUE(file.problems.empty()) << file.problems.text();
  EXPECT_EQ(file.description->plan.step, 0.001);
  EXPECT_EQ(file.description->subsystems[0].set[0].value.unit, "kg");
  EXPECT_EQ(file.description->subsystems[0].set[1].value.items[1].number, 2.5);
  EXPECT_EQ(file.description->connections[0].to.text, "a.u");
}

TEST(SystemFile, description_may_be_empty_but_a_name_may_not) {
  EXPECT_TRUE(read_with("description: \"\"").problems.empty());
  EXPECT_TRUE(read_with("description:").problems.empty());
  expect_problem(read_with("name: \"\""), 4, 7, "name is an empty text");
}

TEST(SystemFile, missing_file_is_a_problem) {
  base::Problems problems;
  EXPECT_FALSE(read_system_file("/nowhere/two.yaml", problems));
  EXPECT_NE(problems.text().find("cannot read \"/nowhere/two.yaml\": No such file"), std::string::npos);
}

TEST(SystemFile, directory_is_a_problem) {
  base::Problems problems;
  EXPECT_FALSE(read_system_file("/", problems));
  EXPECT_NE(problems.text().find("directory"), std::string::npos);
}

TEST(SystemFile, version_is_required) {
  expect_problem(read_whole("subsystems: {a: {model: m}}"), 1, 1, "does not say which version");
  expect_problem(read_whole("seam: 2\nsubsystems: {a: {model: m}}"), 1, 7, "format version \"2\" is not known");
  expect_problem(read_whole("seam: [1]\nsubsystems: {a: {model: m}}"), 1, 7, "format version a list");
}

TEST(SystemFile, not_a_map_is_a_problem) {
  for (const char* text : {"- a\n- b\n", "hello", "~", "42"}) {
    const ReadFile file = read_whole(text);
    EXPECT_FALSE(file.description) << text;
    EXPECT_NE(file.problems.text().find("a system file is a map"), std::string::npos) << text;
  }
}

TEST(SystemFile, unknown_key_names_the_near_one_and_all_that_are_allowed) {
  const ReadFile file = read_with("experimant: {}\n");
  expect_problem(file, 4, 1, "\"experimant\" is not a key of a system file");
  EXPECT_NE(file.problems.all()[0].mend.find("did you mean \"experiment\"?"), std::string::npos);
  EXPECT_NE(file.problems.all()[0].mend.find("seam, name, description, subsystems"), std::string::npos);
  expect_problem(read_with("plan: {steps: 1 ms}"), 4, 8, "\"steps\" is not a key of plan");
  expect_problem(read_with("record: {files: x}"), 4, 10, "not a key of record");
  expect_problem(read_with("experiment: {end: 1}"), 4, 14, "not a key of experiment");
  expect_problem(read_with("connections: [{from: a.y, too: b.u, to: b.u}]"), 4, 27, "not a key of a connection");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, sets: {}}}"), 2, 28, "not a key of a subsystem");
}

TEST(SystemFile, keys_of_the_format_that_are_not_built_are_said_so) {
  for (const char* rest : {"plan: {modes: {}}", "plan: {switching: {}}", "connections: [{line: x, a: [f, v]}]"}) {
    const ReadFile file = read_with(rest);
    ASSERT_EQ(file.problems.size(), 1u) << rest << file.problems.text();
    EXPECT_NE(file.problems.all()[0].what.find("is not yet supported"), std::string::npos) << rest;
    EXPECT_EQ(file.problems.all()[0].where.line, 4) << rest;
  }
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {udp: {}}}"), 2, 18, "is not yet supported");
  for (const char* key : {"probe", "variants"}) {
    expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, " + std::string(key) + ": 1}}"), 2, 28,
                   "is not yet supported");
  }
}

TEST(SystemFile, wrong_kinds_are_problems) {
  expect_problem(read_with("plan: [1]"), 4, 7, "plan must be a map, and this is a list");
  expect_problem(read_with("plan: fast"), 4, 7, "plan must be a map, and this is a single value");
  expect_problem(read_with("experiment: 3"), 4, 13, "experiment must be a map");
  expect_problem(read_with("record: x.csv"), 4, 9, "record must be a map");
  expect_problem(read_with("record: {variables: x}"), 4, 21, "variables must be a list");
  expect_problem(read_with("record: {variables: [[x]]}"), 4, 22, "a variable must be a single value");
  expect_problem(read_with("connections: {a.y: b.u}"), 4, 14, "connections must be a list, and this is a map");
  expect_problem(read_with("connections: [[a.y, b.u]]"), 4, 15, "a connection must be");
  expect_problem(read_with("name: [x]"), 4, 7, "name must be a single value");
  expect_problem(read_with("plan: {subsystems: [a]}"), 4, 20, "plan.subsystems must be a map");
  expect_problem(read_with("plan: {connections: [a]}"), 4, 21, "plan.connections must be a map");
  expect_problem(read_with("plan: {subsystems: {a: 1 ms}}"), 4, 24, "the plan of \"a\" must be a map");
  expect_problem(read_whole("seam: 1\nsubsystems: [a, b]"), 2, 13, "subsystems must be a map");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: m}"), 2, 17, "the subsystem \"a\" must be a map");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: [m]}}"), 2, 25, "model must be a single value");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, set: 3}}"), 2, 33, "set must be a map");
}

TEST(SystemFile, subsystems_are_required_and_say_what_they_are) {
  expect_problem(read_whole("seam: 1\n"), 1, 1, "no subsystems");
  expect_problem(read_whole("seam: 1\nsubsystems:\n"), 2, 1, "no subsystems");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {set: {}}}"), 2, 14, "\"a\" does not say what it is");
}

TEST(SystemFile, times_are_seconds_or_carry_a_unit_of_time) {
  const std::pair<const char*, double> sound[] = {{"0.5", 0.5},       {"1e-3", 1e-3},  {"1 ms", 1e-3},
                                                  {"2.5ms", 2.5e-3},  {"1 min", 60.0}, {"0.3 ms", 3e-4},
                                                  {"\"1 ms\"", 1e-3}, {"100 us", 1e-4}};
  for (const auto& [text, seconds] : sound) {
    const ReadFile file = read_with("plan: {step: " + std::string(text) + "}");
    ASSERT_TRUE(file.problems.empty()) << file.problems.text();
    EXPECT_EQ(file.description->plan.step, seconds) << text;
  }
  expect_problem(read_with("plan: {step: 1 kg}"), 4, 14, "kg is not a time");
  expect_problem(read_with("plan: {step: 5 Hz}"), 4, 14, "Hz is not a time");
  expect_problem(read_with("plan: {step: 1 foo}"), 4, 14, "foo is not a time");
  for (const char* text :
       {".nan", ".inf", "-.inf", "nan", "0x10", "fast", "\"1,5\"", "[1]", "\"\"", "1e999", "\"1\""}) {
    const ReadFile file = read_with("plan: {step: " + std::string(text) + "}");
    expect_problem(file, 4, 14, "step must be");
    EXPECT_FALSE(file.description->plan.step) << text;
  }
}

TEST(SystemFile, numbers_are_strict) {
  for (const char* text : {"0x10", "\"1,5\"", ".nan", ".inf", "one", "\"1\"", "1 kg"}) {
    expect_problem(read_with("connections: [{from: a.y, to: b.u, gain: " + std::string(text) + "}]"), 4, 42,
                   "gain must be a finite number");
  }
  const auto set =
      read_sound("seam: 1\nsubsystems: {a: {model: m, set: {h: 0x10, n: .nan, i: -.inf, b: yes, e: +1e-3}}}")
          .subsystems[0]
          .set;
  EXPECT_EQ(set[0].value.kind, Value::Kind::text);
  EXPECT_TRUE(std::isnan(set[1].value.number));
  EXPECT_TRUE(std::isinf(set[2].value.number));
  EXPECT_EQ(set[3].value.kind, Value::Kind::text);
  EXPECT_EQ(set[4].value.number, 1e-3);
}

TEST(SystemFile, number_out_of_range_is_a_problem_and_not_infinity) {
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, set: {k: 1e999}}}"), 2, 37, "out of the range");
}

TEST(SystemFile, missing_value_in_set_is_a_problem) {
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, set: {k: }}}"), 2, 34, "a value is missing");
}

TEST(SystemFile, number_with_an_unknown_unit_is_a_text) {
  const auto set =
      read_sound("seam: 1\nsubsystems: {a: {model: m, set: {k: 12 monkeys, f: 02.tir}}}").subsystems[0].set;
  EXPECT_EQ(set[0].value.kind, Value::Kind::text);
  EXPECT_EQ(set[1].value.kind, Value::Kind::text);
}

TEST(SystemFile, words_are_checked_with_did_you_mean) {
  const ReadFile file = read_with("plan: {feedthrough: frehs}");
  expect_problem(file, 4, 21, "feedthrough cannot be \"frehs\"");
  EXPECT_EQ(file.problems.all()[0].mend, "did you mean \"fresh\"?");
  expect_problem(read_with("plan: {schedule: jacoby}"), 4, 18, "schedule cannot be");
  expect_problem(read_with("plan: {coupling: {samples: mikro}}"), 4, 28, "samples cannot be");
  expect_problem(read_whole("seam: 1\nsubsystems: {a: {model: m, input_signal: held}}"), 2, 42,
                 "input_signal cannot be");
}

TEST(SystemFile, coupling_forms_that_are_none_are_problems) {
  expect_problem(read_with("plan: {coupling: [zoh]}"), 4, 18, "must be the name of a method, and this is a list");
  expect_problem(read_with("plan: {coupling: {zoh: {}, foh: {}}}"), 4, 18, "must be the name of a method");
  expect_problem(read_with("plan: {coupling: {}}"), 4, 18, "must be the name of a method");
  expect_problem(read_with("plan: {coupling: {zoh: 3}}"), 4, 24, "what follows \"zoh\" must be a map");
  expect_problem(read_with("plan: {coupling: {receiver: zoh, foh: {}}}"), 4, 34, "not a key of a coupling");
  expect_problem(read_with("plan: {coupling: }"), 4, 8, "must be the name of a method");
}

TEST(SystemFile, many_problems_are_all_kept_and_twenty_are_shown) {
  std::string rest = "record:\n";
  for (int i = 0; i < 50; ++i) rest += "  wrong" + std::to_string(i) + ": 1\n";
  const ReadFile file = read_with(rest);
  EXPECT_EQ(file.problems.size(), 50u);
  const std::string text = file.problems.text();
  EXPECT_NE(text.find("\"wrong19\""), std::string::npos);
  EXPECT_EQ(text.find("\"wrong20\""), std::string::npos);
  EXPECT_NE(text.find("and 30 more"), std::string::npos);
}

TEST(SystemFile, bad_yaml_gives_no_description) {
  for (const std::string& text :
       {std::string(), std::string("seam: [1\n"), std::string("a:\n\tb: 1\n"), std::string("seam: 1\nx: \0", 12),
        std::string(1000, '['), std::string(formats::largest_text_file + 1, ' ')}) {
    const ReadFile file = read_whole(text);
    EXPECT_FALSE(file.description);
    EXPECT_EQ(file.problems.size(), 1u);
  }
}

TEST(SystemFile, every_beginning_of_a_file_is_read_or_refused_but_never_crashes) {
  const std::string text = whole_file;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const ReadFile file = read_whole(text.substr(0, length));
    EXPECT_TRUE(file.description || !file.problems.empty()) << length;
  }
}

TEST(SystemFile, interface_of_an_fmu_is_one_of_three_words_and_auto_if_it_is_not_written) {
  using system::FmuInterface;
  const auto read = [](const std::string& written) {
    return *read_sound("seam: 1\nsubsystems: {a: {fmu: a.fmu" + written + "}}\n").subsystems.at(0).fmu();
  };
  EXPECT_EQ(read("").interface, FmuInterface::automatic);
  EXPECT_EQ(read(", interface: auto").interface, FmuInterface::automatic);
  EXPECT_EQ(read(", interface: cs").interface, FmuInterface::co_simulation);
  EXPECT_EQ(read(", interface: me").interface, FmuInterface::model_exchange);
  EXPECT_EQ(read(", interface: me").interface_where.column, 41);
}

TEST(SystemFile, interface_that_is_none_is_a_problem_at_its_word) {
  const auto read = [](const std::string& part) { return read_whole("seam: 1\nsubsystems:\n  a: {" + part + "}\n"); };
  expect_problem(read("fmu: a.fmu, interface: em"), 3, 30, "\"em\"");
  expect_problem(read("fmu: a.fmu, interface: ME"), 3, 30, "\"ME\"");
  expect_problem(read("model: gain, interface: me"), 3, 31, "interface");
}

}  // namespace
}  // namespace seam::load
