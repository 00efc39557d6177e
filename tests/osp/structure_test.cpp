#include "osp/structure_folder.hpp"

namespace seam::osp {
namespace {

using Structures = StructureFolder;

TEST_F(Structures, times_steps_and_initial_values_are_as_written) {
  const auto d =
      read_sound(structure(R"(<StartTime>0.5</StartTime><EndTime> 2 </EndTime><BaseStepSize>1e-4</BaseStepSize>
<Algorithm>FixedStep</Algorithm><Simulators>)" +
                           simulator("a", "stepSize=\"3e-4\"", R"(<InitialValues>
<InitialValue variable="k"><Real value="2.5"/></InitialValue><InitialValue variable="count"><Integer value="7"/></InitialValue>
<InitialValue variable="on"><Boolean value="1"/></InitialValue><InitialValue variable="mode"><String value=" two words"/></InitialValue>
</InitialValues>)") + simulator("b", "stepSize=\"1e-4\"") +
                           "</Simulators>"));
  EXPECT_EQ(d.name, "OspSystemStructure");
  EXPECT_EQ(d.experiment.start, 0.5);
  EXPECT_EQ(d.experiment.stop, 2.0);
  EXPECT_EQ(d.plan.step, 1e-4);
  ASSERT_EQ(d.subsystems.size(), 2u);
  EXPECT_EQ(d.subsystems[0].fmu()->path, folder_.file("sub/m.fmu"));
  ASSERT_EQ(d.subsystems[0].set.size(), 4u);
  EXPECT_EQ(d.subsystems[0].set[0].value.number, 2.5);
  EXPECT_EQ(d.subsystems[0].set[1].value.text, "7");
  EXPECT_TRUE(d.subsystems[0].set[2].value.boolean);
  EXPECT_EQ(d.subsystems[0].set[3].value.text, " two words");
  ASSERT_EQ(d.plan.subsystems.size(), 1u) << "a step equal to the base step says nothing";
  EXPECT_EQ(d.plan.subsystems[0].pattern, "a");
  EXPECT_NEAR(*d.plan.subsystems[0].step, 3e-4, 1e-18);
  EXPECT_TRUE(d.notices.empty());
}

TEST_F(Structures, step_that_is_no_whole_number_of_base_steps_is_rounded_down_and_told) {
  const auto d =
      read_sound(structure("<BaseStepSize>1e-4</BaseStepSize><Simulators>" + simulator("a", "stepSize=\"2.9e-4\"") +
                           simulator("b", "stepSize=\"1e-5\"") + "</Simulators>"));
  ASSERT_EQ(d.plan.subsystems.size(), 1u);
  EXPECT_NEAR(*d.plan.subsystems[0].step, 2e-4, 1e-18);
  ASSERT_EQ(d.notices.size(), 2u);
  EXPECT_NE(d.notices[0].find("0.0001 s instead of 1e-05 s"), std::string::npos) << d.notices[0];
  EXPECT_NE(d.notices[1].find("0.0002 s instead of 0.00029 s"), std::string::npos) << d.notices[1];
}

TEST_F(Structures, steps_that_are_rounded_alike_are_told_in_one_line) {
  const auto d =
      read_sound(structure("<BaseStepSize>1e-4</BaseStepSize><Simulators>" + simulator("a", "stepSize=\"2.9e-4\"") +
                           simulator("b", "stepSize=\"2.9e-4\"") + "</Simulators>"));
  ASSERT_EQ(d.notices.size(), 1u);
  EXPECT_EQ(d.notices[0].find("the step of a, b is 0.0002 s instead of 0.00029 s"), 0u) << d.notices[0];
}

TEST_F(Structures, output_is_the_source_whichever_is_written_first) {
  EXPECT_EQ(wires(read_sound(pair(variables("a.y1", "b.u1") + variables("a.u1", "b.y2")))),
            (Wires{"a.y1 -> b.u1", "b.y2 -> a.u1"}));
}

TEST_F(Structures, linear_transformation_is_gain_and_offset_of_every_connection_through_it) {
  const auto d = read_sound(pair(signal("a.y1", "f.in") + signal("b.u1", "f.out") + signal("b.u2", "f.out"),
                                 R"(<LinearTransformation name="f" factor="0.1" offset="123.4"/>)"));
  EXPECT_EQ(wires(d), (Wires{"a.y1 -> b.u1", "a.y1 -> b.u2"}));
  EXPECT_EQ(d.connections[1].gain, 0.1);
  EXPECT_EQ(d.connections[1].offset, 123.4);
  EXPECT_EQ(d.subsystems.size(), 2u);
}

TEST_F(Structures, numbers_are_taken_as_they_are_where_units_differ_and_that_is_told) {
  const auto d = read_sound(pair(variables("a.v", "b.w") + signal("b.v", "f.in") + signal("a.w", "f.out"),
                                 R"(<LinearTransformation name="f" factor="0.017453292519943295"/>)"));
  ASSERT_EQ(d.connections.size(), 2u);
  for (const system::Connection& c : d.connections) EXPECT_EQ(c.units, system::UnitConversion::suppressed);
  ASSERT_EQ(d.notices.size(), 2u);
  EXPECT_NE(d.notices[0].find("\"a.v\" is in deg, \"b.w\" is in rad"), std::string::npos) << d.notices[0];
}

TEST_F(Structures, sum_is_a_subsystem_that_is_computed_at_the_communication_point) {
  const auto d = read_sound(pair(signal("a.y1", "s.in[0]") + signal("b.y1", "s.in[1]") + signal("b.u1", "s.out"),
                                 R"(<Sum name="s" inputCount="2"/>)"));
  EXPECT_EQ(wires(d), (Wires{"a.y1 -> s.u1", "b.y1 -> s.u2", "s.y -> b.u1"}));
  ASSERT_EQ(d.subsystems.size(), 3u);
  EXPECT_EQ(d.subsystems[2].model()->name, "sum");
  EXPECT_EQ(d.subsystems[2].set.at(0).value.items.size(), 2u);
  ASSERT_EQ(d.plan.subsystems.size(), 1u);
  EXPECT_EQ(d.plan.subsystems[0].feedthrough, system::Feedthrough::fresh);
}

TEST_F(Structures, plan_file_wins_where_it_says_something_and_the_rest_stays) {
  const auto plan = load::read_plan_text(
      "seam: 1\nplan: {coupling: foh, subsystems: {a: {step: 4 ms}}}\nexperiment: {stop: 9}\n", "p.yaml", problems_);
  const auto d =
      read_sound(structure("<StartTime>1</StartTime><EndTime>2</EndTime><BaseStepSize>1e-3</BaseStepSize><Simulators>" +
                           simulator("a", "stepSize=\"2e-3\"") + simulator("b", "stepSize=\"2e-3\"") + "</Simulators>"),
                 plan);
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 9.0);
  EXPECT_EQ(d.plan.step, 1e-3);
  EXPECT_EQ(d.plan.coupling->coupling->name, "foh");
  ASSERT_EQ(d.plan.subsystems.size(), 2u);
  EXPECT_EQ(d.plan.subsystems[0].step, 4e-3);
  EXPECT_EQ(d.plan.subsystems[1].step, 2e-3);
}

TEST_F(Structures, power_bonds_and_names_that_are_not_ours_are_told) {
  const auto d =
      read_sound(structure("<Simulators>" + simulator("my crane") + simulator("b") + "</Simulators><Connections>" +
                           variables("my crane.y1", "b.u1", "powerBond=\"p\"") + "</Connections>"));
  EXPECT_EQ(wires(d), Wires{"my_crane.y1 -> b.u1"});
  ASSERT_EQ(d.notices.size(), 2u);
  EXPECT_NE(d.notices[0].find("the connections of p"), std::string::npos) << d.notices[0];
  EXPECT_NE(d.notices[1].find("is called my_crane here"), std::string::npos) << d.notices[1];
}

TEST_F(Structures, what_cannot_be_expressed_is_a_problem_at_its_line) {
  expect_problem(structure("\n<Algorithm>ecco</Algorithm><Simulators>" + simulator("a") + "</Simulators>"), 3,
                 "steps are constant here");
  expect_problem(structure("\n<Algorithm>rk</Algorithm><Simulators>" + simulator("a") + "</Simulators>"), 3,
                 "\"rk\" is not known");
  expect_problem(structure("<Simulators>" + simulator("a") + "</Simulators>\n\n<Scenario/>"), 5,
                 "<Scenario> is not known here");
  expect_problem(structure("\n<BaseStepSize>soon</BaseStepSize><Simulators>" + simulator("a") + "</Simulators>"), 3,
                 "must be a time in seconds");
  expect_problem(pair("", "\n<Product name=\"p\"/>"), 6, "<Product> is not known here");
}

TEST_F(Structures, ends_that_do_not_exist_are_problems_with_a_suggestion) {
  expect_problem(pair(variables("aa.y1", "b.u1")), 6, "there is no simulator \"aa\"");
  const std::string sum = R"(<Sum name="s" inputCount="1"/>)";
  const std::string fed = signal("a.y1", "s.in[0]");
  expect_problem(pair(fed + signal("b.u1", "t.out"), sum), 8, "there is no function \"t\"");
  for (const char* name : {"s.in[1]", "s.in", "s.in[-1]", "s.in[0", "s.out[0]", "s.in[99999999999]"})
    expect_problem(pair(fed + signal("b.u1", name), sum), 8, "it has in[0] to in[0] and out");
}

TEST_F(Structures, inputs_of_functions_that_nothing_feeds_are_problems) {
  expect_problem(pair(signal("a.y1", "s.in[1]") + signal("b.u1", "s.out"), R"(<Sum name="s" inputCount="3"/>)"), 5,
                 "2 of 3 inputs of the function \"s\" are not connected");
  expect_problem(pair(signal("b.u1", "f.out"), R"(<LinearTransformation name="f"/>)"), 5,
                 "1 of 1 inputs of the function \"f\"");
  expect_problem(pair(signal("a.y1", "f.in") + signal("b.y1", "f.in") + signal("b.u1", "f.out"),
                      R"(<LinearTransformation name="f"/>)"),
                 8, "has two sources");
}

TEST_F(Structures, sources_lie_below_the_file_unless_another_folder_is_opened) {
  formats::write_text(folder_.file("m.fmu"), model().bytes());
  const std::string text = structure("\n<Simulators><Simulator name=\"a\" source=\"../m.fmu\"/></Simulators>");
  expect_problem(text, 3, "leads upwards");
  EXPECT_NE(problems_.text().find("--allow-path"), std::string::npos);
  reach_.opened = {folder_.file("")};
  EXPECT_EQ(read_sound(text).subsystems.at(0).fmu()->path, std::filesystem::canonical(folder_.file("m.fmu")).string());
  reach_.opened = {folder_.file("elsewhere")};
  expect_problem(text, 3, "leads upwards");
  expect_problem(structure("\n<Simulators><Simulator name=\"a\" source=\"proxyfmu://host?file=m.fmu\"/></Simulators>"),
                 3, "is an address of proxyfmu");
  expect_problem(
      structure("\n<Simulators><Simulator name=\"a\" source=\"fmu-proxy://host:9090?file=m.fmu\"/></Simulators>"), 3,
      "is an address of proxyfmu");
  reach_.elsewhere = load::Elsewhere::read;
  EXPECT_EQ(read_sound(text).subsystems.size(), 1u);
  EXPECT_NE(problems_.mended_words().find("../m.fmu"), std::string::npos) << problems_.mended_words();
}

TEST_F(Structures, simulator_that_cannot_be_opened_is_told_once) {
  expect_problem(structure("\n<Simulators><Simulator name=\"a\" source=\"none.fmu\"/>" + simulator("b") +
                           "</Simulators><Connections>" + variables("a.y1", "b.u1") + "</Connections>"),
                 3, "there is no file");
}

TEST_F(Structures, what_is_no_structure_is_refused) {
  expect_problem("<a/>", 1, "this is no system structure");
  expect_problem("<OspSystemStructure version=\"0.1\"/>", 1, "this is no system structure");
  expect_problem("<OspSystemStructure version=\"2\"><Simulators/></OspSystemStructure>", 1, "version \"2\"");
  read("<OspSystemStructure");
  EXPECT_EQ(problems_.size(), 1u);
}

TEST_F(Structures, sums_that_are_too_large_are_refused_before_they_are_made) {
  expect_problem(pair("", R"(<VectorSum name="v" inputCount="10000" dimension="10000"/>)"), 5,
                 "more than 100000 inputs");
  read(pair("", R"(<Sum name="v" inputCount="100000"/>)"));
  EXPECT_NE(problems_.text().find("inputCount must be a whole number from 1 to 10000"), std::string::npos);
}

}  // namespace
}  // namespace seam::osp
