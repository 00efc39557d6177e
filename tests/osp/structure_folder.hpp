// A folder with a system structure written by hand and FMUs that have a description and no code, and what is read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/osp/read_system.hpp"

namespace seam::osp {

class StructureFolder : public ::testing::Test {
 protected:
  /// u1, u2, w (rad), n -> y1, y2, v (deg), with the parameters k, count, on and mode.
  static formats::RawZip model(const std::string& name = "m") {
    formats::RawZip zip;
    zip.add("modelDescription.xml", R"(<fmiModelDescription fmiVersion="2.0" modelName=")" + name +
                                        R"(" guid="g"><CoSimulation modelIdentifier="m"/>
<UnitDefinitions><Unit name="rad"><BaseUnit rad="1"/></Unit><Unit name="deg"><BaseUnit rad="1" factor="0.017453292519943295"/></Unit></UnitDefinitions>
<ModelVariables>
<ScalarVariable name="u1" valueReference="1" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="u2" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="w" valueReference="3" causality="input"><Real start="0" unit="rad"/></ScalarVariable>
<ScalarVariable name="y1" valueReference="4" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="y2" valueReference="5" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="v" valueReference="6" causality="output"><Real unit="deg"/></ScalarVariable>
<ScalarVariable name="k" valueReference="7" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
<ScalarVariable name="count" valueReference="1" causality="parameter" variability="fixed"><Integer start="1"/></ScalarVariable>
<ScalarVariable name="on" valueReference="1" causality="parameter" variability="fixed"><Boolean start="false"/></ScalarVariable>
<ScalarVariable name="mode" valueReference="1" causality="parameter" variability="fixed"><String start="x"/></ScalarVariable>
</ModelVariables><ModelStructure/></fmiModelDescription>)");
    return zip;
  }

  void SetUp() override {
    std::filesystem::create_directories(folder_.file("sub"));
    formats::write_text(folder_.file("sub/m.fmu"), model().bytes());
  }

  static std::string simulator(const std::string& name, const std::string& more = "", const std::string& inside = "") {
    return "<Simulator name=\"" + name + "\" source=\"m.fmu\" " + more + ">" + inside + "</Simulator>\n";
  }
  static std::string variables(const std::string& first, const std::string& second, const std::string& more = "") {
    return "<VariableConnection " + more + ">" + end("Variable", "simulator", first) +
           end("Variable", "simulator", second) + "</VariableConnection>\n";
  }
  static std::string signal(const std::string& variable, const std::string& signal) {
    return "<SignalConnection>" + end("Variable", "simulator", variable) + end("Signal", "function", signal) +
           "</SignalConnection>\n";
  }
  static std::string groups(const std::string& first, const std::string& second) {
    return "<VariableGroupConnection>" + end("VariableGroup", "simulator", first) +
           end("VariableGroup", "simulator", second) + "</VariableGroupConnection>\n";
  }
  static std::string signal_group(const std::string& group, const std::string& signal) {
    return "<SignalGroupConnection>" + end("SignalGroup", "function", signal) +
           end("VariableGroup", "simulator", group) + "</SignalGroupConnection>\n";
  }
  /// Simulators a and b, functions and connections.
  static std::string pair(const std::string& connections, const std::string& functions = "") {
    return structure("<Simulators>" + simulator("a") + simulator("b") + "</Simulators>\n" +
                     (functions.empty() ? "" : "<Functions>" + functions + "</Functions>\n") + "<Connections>\n" +
                     connections + "</Connections>");
  }
  static std::string structure(const std::string& content) {
    return R"(<?xml version="1.0" encoding="utf-8"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">)" +
           content + "</OspSystemStructure>";
  }

  system::SystemDescription read(const std::string& text, const load::PlanSections& plan = {}) {
    problems_ = {};
    formats::write_text(folder_.file("sub/OspSystemStructure.xml"), text);
    auto description = read_system(folder_.file("sub/OspSystemStructure.xml"), plan, reach_, problems_);
    return description.value_or(system::SystemDescription{});
  }
  system::SystemDescription read_sound(const std::string& text, const load::PlanSections& plan = {}) {
    auto description = read(text, plan);
    EXPECT_TRUE(problems_.empty()) << problems_.text();
    return description;
  }
  /// Exactly one thing is said, at this line.
  void expect_problem(const std::string& text, int line, const std::string& what) {
    read(text);
    ASSERT_EQ(problems_.size(), 1u) << problems_.text();
    EXPECT_EQ(problems_.all()[0].where.line, line);
    EXPECT_NE(problems_.text().find(what), std::string::npos) << problems_.text();
  }

  /// "a.y1 -> b.u1", as they were added.
  static std::vector<std::string> wires(const system::SystemDescription& description) {
    std::vector<std::string> found;
    for (const system::Connection& c : description.connections) found.push_back(c.from.text + " -> " + c.to.text);
    return found;
  }

  using Wires = std::vector<std::string>;
  base::Problems problems_;
  load::Reach reach_;
  formats::TemporaryFolder folder_;

 private:
  /// "a.y1", "sum.in[0]".
  static std::string end(const std::string& element, const std::string& owner, const std::string& path) {
    const std::size_t dot = path.find('.');
    return "<" + element + " " + owner + "=\"" + path.substr(0, dot) + "\" name=\"" + path.substr(dot + 1) + "\"/>";
  }
};

}  // namespace seam::osp
