// Packages written by hand to the standard, with FMUs that have a description and no code, and what is read from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "formats/raw_zip.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/assemble.hpp"
#include "seam/ssp/read_system.hpp"
#include "seam/system/resolve.hpp"

namespace seam::ssp {

/// An FMU with these variables; its units are N, kN (defined by itself as kilo) and m.
inline std::string fmu(const std::string& variables) {
  return formats::RawZip()
      .add(
          "modelDescription.xml",
          R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t"><CoSimulation modelIdentifier="m"/>
<UnitDefinitions><Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit></UnitDefinitions>
<ModelVariables><Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>)" +
              variables + "</ModelVariables><ModelStructure/></fmiModelDescription>")
      .add(
          "extra/own.ssv",
          R"(<ParameterSet version="1.0" name="own"><Parameters><Parameter name="k"><Real value="77"/></Parameter></Parameters></ParameterSet>)")
      .bytes();
}

/// u, w -> y, v with the parameters k, n, b, e, s.
inline std::string plain_fmu(const std::string& unit_in = "", const std::string& unit_out = "") {
  const auto unit = [](const std::string& name) { return name.empty() ? "" : " unit=\"" + name + "\""; };
  return fmu(R"(<Float64 name="u" valueReference="1" causality="input" start="0")" + unit(unit_in) + R"(/>
<Float64 name="w" valueReference="2" causality="input" start="0"/>
<Float64 name="y" valueReference="3" causality="output")" +
             unit(unit_out) + R"(/>
<Float64 name="v" valueReference="4" causality="output"/>
<Float64 name="k" valueReference="5" causality="parameter" variability="fixed" start="1" unit="N"/>
<Int32 name="n" valueReference="6" causality="parameter" variability="fixed" start="1"/>
<Boolean name="b" valueReference="7" causality="parameter" variability="fixed" start="false"/>
<String name="s" valueReference="8" causality="parameter" variability="fixed"><Start value="x"/></String>
<Int32 name="i_in" valueReference="9" causality="input" start="0"/>
<Int32 name="i_out" valueReference="10" causality="output"/>
<Float64 name="a" valueReference="11" causality="parameter" variability="fixed" start="0 0"><Dimension start="2"/></Float64>
<Float64 name="au" valueReference="12" causality="input" start="0 0"><Dimension start="2"/></Float64>
<Float64 name="ay" valueReference="13" causality="output"><Dimension start="2"/></Float64>)");
}

inline std::string ssd(const std::string& content, const std::string& rest = "") {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
 xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="case">
<ssd:System name="root">)" +
         content + "</ssd:System>" + rest + "</ssd:SystemStructureDescription>";
}

inline std::string connector(const std::string& name, const std::string& kind, const std::string& unit = "") {
  return "<ssd:Connector name=\"" + name + "\" kind=\"" + kind + "\">" +
         (unit.empty() ? "<ssc:Real/>" : "<ssc:Real unit=\"" + unit + "\"/>") + "</ssd:Connector>";
}

/// A component of resources/a.fmu (or another) with the connectors u, w, y, v.
inline std::string component(const std::string& name, const std::string& rest = "", const std::string& source = "a") {
  return "<ssd:Component name=\"" + name + "\" source=\"resources/" + source + ".fmu\"><ssd:Connectors>" +
         connector("u", "input") + connector("w", "input") + connector("y", "output") + connector("v", "output") +
         "</ssd:Connectors>" + rest + "</ssd:Component>";
}

/// "A.y", "B.u"; without a dot a connector of the system.
inline std::string connection(const std::string& start, const std::string& end, const std::string& more = "",
                              const std::string& content = "") {
  const auto side = [](const std::string& path, const std::string& which) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return which + "Connector=\"" + path + "\" ";
    return which + "Element=\"" + path.substr(0, dot) + "\" " + which + "Connector=\"" + path.substr(dot + 1) + "\" ";
  };
  return "<ssd:Connection " + side(start, "start") + side(end, "end") + more + ">" + content + "</ssd:Connection>\n";
}

inline std::string elements(const std::string& content) { return "<ssd:Elements>" + content + "</ssd:Elements>\n"; }
inline std::string connections(const std::string& content) {
  return "<ssd:Connections>\n" + content + "</ssd:Connections>\n";
}

/// A set of Reals with names.
inline std::string parameter_set(const std::string& parameters) {
  return R"(<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="p"><ssv:Parameters>)" +
         parameters + "</ssv:Parameters></ssv:ParameterSet>";
}
inline std::string real(const std::string& name, const std::string& value, const std::string& more = "") {
  return "<ssv:Parameter name=\"" + name + "\"><ssv:Real value=\"" + value + "\" " + more + "/></ssv:Parameter>";
}
inline std::string binding(const std::string& set, const std::string& attributes = "",
                           const std::string& mapping = "") {
  return "<ssd:ParameterBinding " + attributes + ">" +
         (set.empty() ? "" : "<ssd:ParameterValues>" + set + "</ssd:ParameterValues>") + mapping +
         "</ssd:ParameterBinding>";
}
inline std::string bindings(const std::string& content) {
  return "<ssd:ParameterBindings>" + content + "</ssd:ParameterBindings>";
}

class Packages : public ::testing::Test {
 protected:
  Packages() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~Packages() override { ::unsetenv("XDG_CACHE_HOME"); }

  /// x.ssp with the description, resources/a.fmu and whatever is added.
  void pack(const std::string& description, formats::RawZip zip = {}) const {
    zip.add("SystemStructure.ssd", description).add("resources/a.fmu", plain_fmu());
    formats::write_text(folder_.file("x.ssp"), zip.bytes());
  }

  system::SystemDescription read(const ReadOptions& options = {}) {
    problems_ = {};
    auto description = read_system(folder_.file("x.ssp"), options, problems_);
    return description.value_or(system::SystemDescription{});
  }
  system::SystemDescription read_sound(const ReadOptions& options = {}) {
    auto description = read(options);
    load::describe(description, problems_);
    system::resolve_paths(description, problems_);
    EXPECT_TRUE(problems_.empty()) << problems_.text();
    return description;
  }
  /// Exactly this is said, at this line of a file in the package.
  void expect_problem(const std::string& place, const std::string& what) {
    read();
    EXPECT_NE(problems_.text().find(place), std::string::npos) << problems_.text();
    EXPECT_NE(problems_.text().find(what), std::string::npos) << problems_.text();
  }

  /// "A.y -> B.u", sorted.
  static std::vector<std::string> wires(const system::SystemDescription& description) {
    std::vector<std::string> found;
    for (const system::Connection& c : description.connections) found.push_back(c.from.text + " -> " + c.to.text);
    std::sort(found.begin(), found.end());
    return found;
  }
  static const system::Value& setting(const system::SystemDescription& description, const std::string& subsystem,
                                      const std::string& name) {
    static const system::Value none;
    for (const system::Subsystem& s : description.subsystems) {
      if (s.name != subsystem) continue;
      for (const system::Setting& each : s.set) {
        if (each.name == name) return each.value;
      }
    }
    ADD_FAILURE() << "no value for " << subsystem << "." << name;
    return none;
  }

  using Wires = std::vector<std::string>;
  base::Problems problems_;
  formats::TemporaryFolder folder_, cache_;
};

}  // namespace seam::ssp
