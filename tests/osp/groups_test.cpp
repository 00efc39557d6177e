#include "osp/structure_folder.hpp"

namespace seam::osp {
namespace {

class Groups : public StructureFolder {
 protected:
  /// The first variables are one of each simulator's outputs and inputs, in the same order on both sides.
  static std::string description(const std::string& force, const std::string& velocity) {
    return R"(<OspModelDescription version="1.0"><VariableGroups>
<LinearMechanicalPort name="port"><Force name="force"><Variable ref=")" +
           force + R"("/></Force><LinearVelocity name="velocity"><Variable ref=")" + velocity +
           R"("/></LinearVelocity></LinearMechanicalPort>
<Generic name="outs"><Variable ref="y1"/><Variable ref="y2"/></Generic>
<Generic name="ins"><Variable ref="u1"/><Variable ref="u2"/></Generic>
</VariableGroups></OspModelDescription>)";
  }
};

TEST_F(Groups, are_joined_variable_by_variable_and_the_outputs_are_the_sources) {
  formats::write_text(folder_.file("sub/other.fmu"), model("other").bytes());
  formats::write_text(folder_.file("sub/m_OspModelDescription.xml"), description("y1", "u1"));
  formats::write_text(folder_.file("sub/other_OspModelDescription.xml"), description("u2", "y2"));
  const std::string simulators =
      "<Simulators>" + simulator("a") + R"(<Simulator name="b" source="other.fmu"/></Simulators>)";
  EXPECT_EQ(wires(read_sound(structure(simulators + "<Connections>" + groups("a.port", "b.port") + "</Connections>"))),
            (Wires{"a.y1 -> b.u2", "b.y2 -> a.u1"}));
  EXPECT_EQ(
      wires(read_sound(structure(simulators + "<Connections>" + groups("b.force", "a.force") + "</Connections>"))),
      Wires{"a.y1 -> b.u2"});
}

TEST_F(Groups, are_found_beside_the_system_and_inside_the_fmu_too) {
  const std::string text = pair(groups("a.outs", "b.ins"));
  const Wires joined{"a.y1 -> b.u1", "a.y2 -> b.u2"};
  formats::write_text(folder_.file("sub/m.fmu"),
                      model().add("extra/OspModelDescription.xml", description("y1", "u1")).bytes());
  EXPECT_EQ(wires(read_sound(text)), joined);

  formats::write_text(folder_.file("m.fmu"), model().bytes());
  formats::write_text(folder_.file("sub/m_OspModelDescription.xml"), description("y1", "u1"));
  reach_.opened = {folder_.file("")};
  EXPECT_EQ(wires(read_sound(structure(R"(<Simulators><Simulator name="a" source="../m.fmu"/>
<Simulator name="b" source="../m.fmu"/></Simulators><Connections>)" +
                                       groups("a.outs", "b.ins") + "</Connections>"))),
            joined);
}

TEST_F(Groups, that_nothing_describes_are_a_problem_that_names_the_file) {
  expect_problem(pair(groups("a.outs", "b.ins")), 6, "m_OspModelDescription.xml");
}

TEST_F(Groups, model_name_is_no_way_out_of_the_folder) {
  formats::write_text(folder_.file("x_OspModelDescription.xml"), description("y1", "u1"));
  formats::write_text(folder_.file("sub/m.fmu"), model("../x").bytes());
  read(pair(groups("a.outs", "b.ins")));
  EXPECT_NE(problems_.text().find("nothing says which variables"), std::string::npos) << problems_.text();
}

TEST_F(Groups, that_do_not_fit_are_problems) {
  formats::write_text(folder_.file("sub/m_OspModelDescription.xml"),
                      R"(<OspModelDescription><VariableGroups><Force name="f"><Variable ref="y1"/></Force>
<Generic name="two"><Variable ref="u1"/><Variable ref="u2"/></Generic><Generic name="one"><Variable ref="u1"/></Generic>
</VariableGroups></OspModelDescription>)");
  expect_problem(pair(groups("a.f", "b.one")), 6, "the group \"f\" is a Force, and \"one\" is a Generic");
  expect_problem(pair(groups("a.one", "b.two")), 6, "has 1 variables and 0 groups, and \"two\" has 2 and 0");
  expect_problem(pair(groups("a.tow", "b.two")), 6, "two");
}

TEST_F(Groups, of_a_vector_sum_are_added_element_by_element) {
  formats::write_text(folder_.file("sub/m_OspModelDescription.xml"), description("y1", "u1"));
  const std::string sum = R"(<VectorSum name="s" inputCount="2" dimension="2"/>)";
  const auto d = read_sound(pair(
      signal_group("a.outs", "s.in[0]") + signal_group("b.outs", "s.in[1]") + signal_group("b.ins", "s.out"), sum));
  EXPECT_EQ(wires(d), (Wires{"a.y1 -> s_1.u1", "a.y2 -> s_2.u1", "b.y1 -> s_1.u2", "b.y2 -> s_2.u2", "s_1.y -> b.u1",
                             "s_2.y -> b.u2"}));
}

}  // namespace
}  // namespace seam::osp
