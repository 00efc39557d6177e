// The same system as a system file, as a bare SSD, zipped, nested and converted: one result, to the bit.
#include "engine/fmu_workshop.hpp"
#include "formats/raw_zip.hpp"
#include "seam/engine/open/convert.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/resolved_file.hpp"

namespace seam::engine {
namespace {

const std::string head = R"(<?xml version="1.0"?><SystemStructureDescription version="1.0" name="pair">)";
const std::string tail = R"(<DefaultExperiment startTime="0" stopTime="0.5"/></SystemStructureDescription>)";

std::string connectors(const std::string& inputs, const std::string& outputs) {
  std::string text = "<Connectors>";
  const auto add = [&text](const std::string& names, const std::string& kind) {
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find(' ', at), names.size());
      text += "<Connector name=\"" + names.substr(at, end - at) + "\" kind=\"" + kind + "\"><Real/></Connector>";
      at = end + 1;
    }
  };
  add(inputs, "input");
  add(outputs, "output");
  return text + "</Connectors>";
}

const std::string left =
    R"(<Component name="left" source="resources/two-mass-left-2.fmu">)" + connectors("x_in v_in", "F");
const std::string right =
    R"(<Component name="right" source="resources/two-mass-right-2.fmu">)" + connectors("F_in", "x1 v1");

/// start and end in no particular order: the kinds decide.
const std::string direct = R"(<Connections>
<Connection startElement="left" startConnector="F" endElement="right" endConnector="F_in"/>
<Connection startElement="left" startConnector="x_in" endElement="right" endConnector="x1"/>
<Connection startElement="left" startConnector="v_in" endElement="right" endConnector="v1"/></Connections>)";

class SspRun : public FmuWorkshop {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.file("resources"));
    for (const char* name : {"two-mass-left", "two-mass-right", "types"})
      std::filesystem::copy_file(folder_.file(fmu(2, name)), folder_.file(std::string("resources/") + name + "-2.fmu"));
  }

  std::string bytes(const std::string& name) const {
    return formats::read_text(folder_.file(name), std::size_t{64} << 20);
  }

  formats::RawZip with_fmus() const {
    formats::RawZip zip;
    zip.add("resources/two-mass-left-2.fmu", bytes("two-mass-left-2.fmu"));
    zip.add("resources/two-mass-right-2.fmu", bytes("two-mass-right-2.fmu"));
    return zip;
  }
  void write_package(const std::string& name, const std::string& ssd) const {
    formats::write_text(folder_.file(name), with_fmus().add("SystemStructure.ssd", ssd).bytes());
  }

  formats::Table ran(const std::string& file, const Changes& changes = {}) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    EXPECT_EQ(run(open(folder_.file(file), changes), settings).result.ending, stepping::Ending::completed);
    return result();
  }

  void write_yaml() const {
    formats::write_text(folder_.file("pair.yaml"), R"(seam: 1
name: pair
subsystems:
  left: {fmu: resources/two-mass-left-2.fmu, set: {m: 120 g, k: 12}}
  right: {fmu: resources/two-mass-right-2.fmu, set: {x0: 0.5}}
connections:
  - left.F -> right.F_in
  - right.x1 -> left.x_in
  - right.v1 -> left.v_in
experiment: {stop: 0.5 s}
plan: {step: 10 ms, coupling: foh}
)");
  }

  std::string resolved(const std::string& file) const {
    return formats::to_json(load::resolved_value(open(folder_.file(file), {}).description, nullptr));
  }

  static Changes as_planned() {
    Changes changes;
    changes.step = "10ms";
    changes.coupling = "foh";
    return changes;
  }
};

const std::string left_values =
    R"(<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet version="1.0" name="p"><Parameters>
<Parameter name="m"><Real value="120" unit="g"/></Parameter><Parameter name="k"><Real value="12"/></Parameter></Parameters>
<Units><Unit name="g"><BaseUnit kg="1" factor="0.001"/></Unit></Units></ParameterSet></ParameterValues></ParameterBinding></ParameterBindings>)";
const std::string right_values =
    R"(<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet version="1.0" name="p"><Parameters>
<Parameter name="x0"><Real value="0.5"/></Parameter></Parameters></ParameterSet></ParameterValues></ParameterBinding></ParameterBindings>)";

TEST_F(SspRun, system_file_bare_description_package_and_nested_package_agree_to_the_bit) {
  write_yaml();
  const formats::Table yaml = ran("pair.yaml");
  const std::string flat = head + "<System name=\"s\"><Elements>" + left + left_values + "</Component>" + right +
                           right_values + "</Component></Elements>" + direct + "</System>" + tail;
  formats::write_text(folder_.file("pair.ssd"), flat);
  write_package("pair.ssp", flat);
  const formats::Table bare = ran("pair.ssd", as_planned()), packed = ran("pair.ssp", as_planned());
  EXPECT_EQ(yaml.names, bare.names);
  for (const std::string& name : yaml.names) {
    EXPECT_EQ(column(yaml, name), column(bare, name)) << name;
    EXPECT_EQ(column(yaml, name), column(packed, name)) << name;
  }

  // the right mass in a package of its own, whose values come by SSV and SSM from outside
  const std::string inner =
      R"(<?xml version="1.0"?><SystemStructureDescription version="1.0" name="in"><System name="r">)" +
      connectors("force", "x v") + "<Elements>" + right + R"(</Component></Elements><Connections>
<Connection startElement="right" startConnector="F_in" endConnector="force"/>
<Connection startConnector="x" endElement="right" endConnector="x1"/>
<Connection startConnector="v" endElement="right" endConnector="v1"/></Connections></System></SystemStructureDescription>)";
  const std::string outer =
      head + "<System name=\"s\"><Elements>" + left + left_values + "</Component>" +
      R"(<Component name="inner" type="application/x-ssp-package" source="resources/inner.ssp">)" +
      connectors("force", "x v") +
      R"(<ParameterBindings><ParameterBinding source="resources/p.ssv" prefix="a."><ParameterMapping source="resources/p.ssm"/>
</ParameterBinding></ParameterBindings></Component></Elements><Connections>
<Connection startElement="inner" startConnector="force" endElement="left" endConnector="F"/>
<Connection startElement="inner" startConnector="x" endElement="left" endConnector="x_in"/>
<Connection startElement="inner" startConnector="v" endElement="left" endConnector="v_in"/></Connections></System>)" +
      tail;
  formats::RawZip inside = with_fmus(), outside = with_fmus();
  inside.add("SystemStructure.ssd", inner);
  outside.add("SystemStructure.ssd", outer).add("resources/inner.ssp", inside.bytes());
  outside.add(
      "resources/p.ssv",
      R"(<ParameterSet version="1.0" name="p"><Parameters><Parameter name="place"><Real value="50" unit="cm"/></Parameter></Parameters></ParameterSet>)");
  outside.add(
      "resources/p.ssm",
      R"(<ParameterMapping version="1.0"><MappingEntry source="a.place" target="right.x0"/></ParameterMapping>)");
  formats::write_text(folder_.file("nested.ssp"), outside.bytes());
  const formats::Table nested = ran("nested.ssp", as_planned());
  EXPECT_EQ(column(yaml, "left.F"), column(nested, "left.F"));
  EXPECT_EQ(column(yaml, "right.x1"), column(nested, "inner.right.x1"));
}

TEST_F(SspRun, connectors_of_systems_name_ports_in_flags_and_plans) {
  const std::string inner = "<System name=\"in\">" + connectors("force", "x v") + "<Elements>" + right +
                            R"(</Component></Elements><Connections>
<Connection startElement="right" startConnector="F_in" endConnector="force"/>
<Connection startConnector="x" endElement="right" endConnector="x1"/>
<Connection startConnector="v" endElement="right" endConnector="v1"/></Connections></System>)";
  const std::string flat = head + "<System name=\"s\"><Elements>" + left + "</Component>" + inner +
                           R"(</Elements><Connections>
<Connection startElement="left" startConnector="F" endElement="in" endConnector="force"/>
<Connection startElement="in" startConnector="x" endElement="left" endConnector="x_in"/>
<Connection startElement="in" startConnector="v" endElement="left" endConnector="v_in"/></Connections></System>)" +
                           tail;
  write_package("pair.ssp", flat);
  formats::write_text(folder_.file("p.yaml"),
                      "seam: 1\nplan: {step: 10 ms, connections: {in.force: foh}}\nrecord: {variables: [in.x]}\n");
  Changes changes;
  changes.plan_file = folder_.file("p.yaml");
  const System system = open(folder_.file("pair.ssp"), changes);
  EXPECT_EQ(system.plan.connections.at(0).name == "foh" ? system.description.connections[0].to.text : "",
            "in.right.F_in");
  EXPECT_EQ(system.plan.connections.at(1).name, "zoh");
  EXPECT_EQ(system.description.record.variables, std::vector<std::string>{"in.right.x1"});
}

TEST_F(SspRun, map_translates_what_arrives) {
  formats::write_text(folder_.file("types.yaml"), R"(seam: 1
subsystems:
  a: {fmu: types-2.fmu, set: {integer_in: 3}}
  b: {fmu: types-2.fmu}
connections:
  - {from: a.integer_out, to: b.integer_in, map: {3: 9}}
experiment: {stop: 0.1 s}
plan: {step: 10 ms}
)");
  const formats::Table table = ran("types.yaml");
  EXPECT_EQ(column(table, "b.integer_in").back(), 9.0);
}

TEST_F(SspRun, conversion_there_and_back_gives_the_same_resolved_file_and_the_same_result) {
  write_yaml();
  convert({folder_.file("pair.yaml"), folder_.file("made.ssp"), "seam test"}, {});
  std::filesystem::create_directories(folder_.file("back"));
  const Converted back = convert({folder_.file("made.ssp"), folder_.file("back/pair.yaml"), "seam test"}, {});
  EXPECT_EQ(back.files, (std::vector<std::string>{"resources/two-mass-left-2.fmu", "resources/two-mass-right-2.fmu"}));
  EXPECT_EQ(resolved("pair.yaml"), resolved("made.ssp"));
  EXPECT_EQ(resolved("pair.yaml"), resolved("back/pair.yaml"));
  const formats::Table first = ran("pair.yaml"), second = ran("made.ssp"), third = ran("back/pair.yaml");
  for (const std::string& name : first.names) {
    EXPECT_EQ(column(first, name), column(second, name)) << name;
    EXPECT_EQ(column(first, name), column(third, name)) << name;
  }
}

TEST_F(SspRun, built_in_models_and_tables_travel_in_the_package) {
  formats::write_text(folder_.file("f.csv"), "time [s],F [N]\n0,1\n1,2\n");
  formats::write_text(folder_.file("native.yaml"), R"(seam: 1
name: native
subsystems:
  table: {model: csv, set: {file: f.csv}}
  mass: {fmu: resources/two-mass-right-2.fmu}
  gain: {model: gain, set: {k: 3}}
connections:
  - table.F -> mass.F_in
  - {from: mass.x1, to: gain.u, gain: 2, offset: 1}
experiment: {stop: 0.5 s, tolerance: 1e-5}
plan: {step: 10 ms, connections: {gain.u: zoh}}
record: {variables: ["gain.*"]}
)");
  const Converted there = convert({folder_.file("native.yaml"), folder_.file("native.ssp"), "seam test"}, {});
  EXPECT_EQ(there.ours_alone.at(1), "built-in models, which other tools see as empty: table, gain");
  const formats::Table first = ran("native.yaml"), second = ran("native.ssp");
  EXPECT_EQ(first.names, second.names);
  for (const std::string& name : first.names) EXPECT_EQ(column(first, name), column(second, name)) << name;
}

TEST_F(SspRun, conversion_replaces_nothing_unless_it_is_told_to) {
  write_yaml();
  formats::write_text(folder_.file("made.ssp"), "mine");
  EXPECT_THROW(convert({folder_.file("pair.yaml"), folder_.file("made.ssp"), "seam test"}, {}), base::ProblemsFound);
  EXPECT_EQ(bytes("made.ssp"), "mine");
  EXPECT_THROW(convert({folder_.file("pair.yaml"), folder_.file("made.txt"), "seam test"}, {}), base::ProblemsFound);
}

}  // namespace
}  // namespace seam::engine
