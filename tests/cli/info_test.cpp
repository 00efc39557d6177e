// What `seam info` draws of a system, and what it says of parameters; the order of initialisation of `seam check`.
#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

const std::string mixed = R"(seam: 1
name: mixed
subsystems:
  left: {fmu: two-mass-left.fmu, set: {m: 200 g}}
  right: {model: mass-chain, set: {masses: [0.1 kg], coupling: {kind: force}}}
connections:
  - {from: left.F, to: right.F_in, gain: 2, offset: 1}
  - right.x1 -> left.x_in
  - right.v1 -> left.v_in
experiment: {stop: 1}
plan: {step: 10 ms}
)";

class Mixed : public FmuFolder {
 public:
  Mixed() : FmuFolder(2, "two-mass-left") { write("system.yaml", mixed); }
};

TEST(Info, draws_who_is_connected_to_whom_and_every_port) {
  const Ran ran = Mixed().seam({"info", "system.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* part :
       {"mixed: 2 subsystems, 3 connections, macro step 0.01 s", "  left   two-mass-left.fmu  ──→ right\n",
        "  right  model mass-chain   ──→ left (2)\n", "┌─ left  (two-mass-left.fmu)\n", "│  x_in [m]    ←── right.x1\n",
        "│  F [N]       ──→ right.F_in  (times 2, plus 1)\n", "│  F_in [N]  ←── left.F  (times 2, plus 1)\n",
        "│  nothing feeds f1 [N] = 0\n", "│  no connection reads x1 [m], v1 [m/s], a1 [m/s2]\n", "└─\n"})
    EXPECT_TRUE(says(ran.out, part)) << part << "\n" << ran.out;
}

TEST(Info, of_many_subsystems_is_an_overview_and_all_draws_them) {
  std::string text = "seam: 1\nname: ring\nsubsystems:\n";
  for (int i = 0; i < 50; ++i) text += "  s" + std::to_string(i) + ": {model: gain, set: {k: 0.5}}\n";
  text += "connections:\n";
  for (int i = 0; i < 50; ++i) text += "  - s" + std::to_string(i) + ".y -> s" + std::to_string((i + 1) % 50) + ".u\n";
  const Folder folder("system.yaml", text + "experiment: {stop: 1}\nplan: {step: 10 ms}\n");
  const std::string overview = folder.seam({"info", "system.yaml"}).out;
  EXPECT_TRUE(says(overview, "  s7   model gain  ──→ s8\n")) << overview;
  EXPECT_LT(count(overview, "\n"), 60u);
  const std::string all = folder.seam({"info", "system.yaml", "--all"}).out;
  EXPECT_EQ(count(all, "┌─"), 50u);
  EXPECT_TRUE(says(all, "│  u  ←── s49.y\n")) << all;
}

TEST(Info, names_units_and_maps_on_the_way) {
  FmuFolder folder(3, "types");
  folder.write("system.yaml",
               "seam: 1\nsubsystems:\n  a: {model: mass-chain, set: {masses: [1]}}\n"
               "  b: {model: limiter, set: {low: 0, high: 1, unit: mm}}\n"
               "  c: {fmu: types.fmu}\n  d: {fmu: types.fmu}\n"
               "connections:\n  - a.x1 -> b.u\n"
               "  - {from: c.int32_out, to: d.int32_in, map: {1: 7, 2: 9}}\n"
               "experiment: {stop: 1}\nplan: {step: 10 ms}\n");
  const Ran ran = folder.seam({"info", "system.yaml"});
  EXPECT_TRUE(says(ran.out, "a.x1  (m to mm)")) << ran.out << ran.err;
  EXPECT_TRUE(says(ran.out, "(1 becomes 7, 2 becomes 9)")) << ran.out << ran.err;
}

TEST(Info, dot_is_a_graph_with_a_box_a_subsystem_and_an_arrow_a_connection) {
  const Ran ran = Mixed().seam({"info", "system.yaml", "--dot"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "digraph \"mixed\" {\n  rankdir=LR;\n  node [shape=record];\n"
            "  s0 [label=\"{{<i1> x_in\\ [m]|<i2> v_in\\ [m/s]}|left\\ntwo-mass-left.fmu|{<o3> F\\ [N]}}\"];\n"
            "  s1 [label=\"{{<i1> F_in\\ [N]}|right\\nmodel\\ mass-chain|{<o0> x1\\ [m]|<o1> v1\\ [m/s]}}\"];\n"
            "  s0:o3 -> s1:i1 [label=\"times 2, plus 1\"];\n  s1:o0 -> s0:i1;\n  s1:o1 -> s0:i2;\n}\n");
}

TEST(Info, dot_keeps_signs_of_graphviz_in_names_from_meaning_anything) {
  FmuFolder folder(2, "bad-hostile-names");
  folder.write("system.yaml",
               "seam: 1\nname: 'a \"quoted\" name'\nsubsystems:\n  h: {fmu: bad-hostile-names.fmu}\n"
               "experiment: {stop: 1}\nplan: {step: 10 ms}\n");
  const Ran ran = folder.seam({"info", "system.yaml", "--dot"});
  EXPECT_TRUE(says(ran.out, "digraph \"a \\\"quoted\\\" name\" {")) << ran.out << ran.err;
}

TEST(Info, parameters_come_from_the_fmu_the_model_the_file_or_a_flag) {
  const Ran ran = Mixed().seam({"info", "system.yaml", "--parameters", "--set", "left.k=3", "--set",
                                "right.coupling.kind=force", "--set", "right.x0=[2]"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Value value = json(Mixed().seam({"info", "system.yaml", "--parameters", "--json"}).out);
  EXPECT_NE(value.find("parameters"), nullptr);
  const auto line = [&](const std::string& name) {
    const std::size_t at = ran.out.find("\n  " + name + " ");
    return at == std::string::npos ? "" : ran.out.substr(at + 1, ran.out.find('\n', at + 1) - at - 1);
  };
  EXPECT_TRUE(says(line("m"), "200 g") && line("m").ends_with("  system.yaml:4")) << ran.out;
  EXPECT_TRUE(line("k").ends_with("  --set left.k=3")) << ran.out;
  EXPECT_TRUE(line("kc").ends_with("  default of the FMU")) << ran.out;
  EXPECT_TRUE(line("masses").ends_with("  system.yaml:5")) << ran.out;
  EXPECT_TRUE(line("coupling.kind").ends_with("  --set right.coupling.kind=force")) << ran.out;
  EXPECT_TRUE(line("springs").ends_with("  default of the model")) << ran.out;
}

TEST(Info, parameters_of_a_package_come_from_sets_by_mappings) {
  FmuFolder folder(2, "gain");
  folder.write("p.ssv",
               "<ParameterSet version=\"1.0\" name=\"p\"><Parameters>\n"
               "<Parameter name=\"stiffness\"><Real value=\"5\"/></Parameter>\n"
               "</Parameters></ParameterSet>");
  folder.write("p.ssm",
               "<ParameterMapping version=\"1.0\">\n\n"
               "<MappingEntry source=\"stiffness\" target=\"a.k\"/></ParameterMapping>");
  folder.write("SystemStructure.ssd",
               "<SystemStructureDescription version=\"1.0\" name=\"s\"><System name=\"s\"><ParameterBindings>"
               "<ParameterBinding source=\"p.ssv\"><ParameterMapping source=\"p.ssm\"/></ParameterBinding>"
               "</ParameterBindings><Elements><Component name=\"a\" source=\"gain.fmu\"/></Elements></System>"
               "<DefaultExperiment startTime=\"0\" stopTime=\"1\"/></SystemStructureDescription>");
  const Ran ran = folder.seam({"info", "SystemStructure.ssd", "--parameters", "--step", "10ms"});
  EXPECT_TRUE(says(ran.out, "p.ssv:2 by ")) << ran.out << ran.err;
  EXPECT_TRUE(says(ran.out, "p.ssm:3\n")) << ran.out << ran.err;
}

TEST(Info, dot_and_parameters_are_not_asked_at_once) {
  EXPECT_EQ(Mixed().seam({"info", "system.yaml", "--dot", "--parameters"}).exit_code, 2);
}

TEST(Initialisation, order_and_loops_are_printed) {
  const Folder folder("system.yaml",
                      "seam: 1\nname: chain\nsubsystems:\n"
                      "  source: {model: state-space, set: {A: [[-1]], C: [[2]], x0: [3]}}\n"
                      "  sum: {model: sum, set: {gains: [1, 2]}}\n  back: {model: gain, set: {k: 0.25}}\n"
                      "  sink: {model: gain, set: {k: -1}}\n"
                      "connections: [source.y -> sum.u1, sum.y -> back.u, back.y -> sum.u2, sum.y -> sink.u]\n"
                      "experiment: {stop: 1}\nplan: {step: 10 ms}\n");
  EXPECT_EQ(folder.seam({"check", "system.yaml", "--initialisation"}).out,
            "chain: the outputs at the start follow from each other in 3 stages, with 1 loop\n"
            "    1  source.y\n"
            "    2  loop of 2: sum.y, back.y\n"
            "                  by sum.y -> back.u, back.y -> sum.u2\n"
            "    3  sink.y\n");
  const formats::Value value = json(folder.seam({"check", "system.yaml", "--initialisation", "--json"}).out);
  ASSERT_NE(value.find("blocks"), nullptr);
  ASSERT_EQ(value.find("blocks")->items().size(), 3u);
  EXPECT_EQ(number(value.find("blocks")->items()[1], "stage"), 2.0);
}

TEST(Initialisation, of_fmus_follows_what_they_declare) {
  FmuFolder folder(2, "gain");
  folder.add(3, "integrator");
  folder.write("system.yaml",
               "seam: 1\nname: pair\nsubsystems:\n  g: {fmu: gain.fmu}\n  i: {fmu: integrator.fmu}\n"
               "connections: [g.y -> i.u, i.y -> g.u]\nexperiment: {stop: 1}\nplan: {step: 10 ms}\n");
  EXPECT_EQ(folder.seam({"check", "system.yaml", "--initialisation"}).out,
            "pair: the outputs at the start follow from each other in 2 stages, without a loop\n"
            "    1  i.y\n    2  g.y\n");
}

}  // namespace
}  // namespace seam::cli
