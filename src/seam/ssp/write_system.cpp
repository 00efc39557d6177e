#include "seam/ssp/write_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "seam/formats/number.hpp"
#include "seam/formats/yaml_writer.hpp"
#include "seam/formats/zip.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/reach.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/ssp/flatten.hpp"
#include "seam/ssp/write_parameters.hpp"

namespace seam::ssp {
namespace {

namespace fs = std::filesystem;
using formats::Value;
using system::Connection;
using system::Port;
using system::Subsystem;

/// A port as a connector: arrays are one connector, and an element is told by its indices.
struct Place {
  std::string connector, indices;
};

/// What is written of a connector.
struct Plug {
  std::string kind, type, unit;
  std::vector<std::size_t> sizes;
};

class Writer {
 public:
  Writer(const system::SystemDescription& description, std::string tool, base::Problems& problems)
      : description_(description), tool_(std::move(tool)), problems_(problems), plugs_(description.subsystems.size()) {}

  PackageRemarks write(const std::string& path) {
    for (const Subsystem& subsystem : description_.subsystems) {
      fmus_.push_back(load::fmu_of(subsystem));
      if (!fmus_.back() || version_needed(subsystem, fmus_.back()->description) == Version::ssp2)
        version_ = Version::ssp2;
    }
    for (const Connection& connection : description_.connections) collect(connection);
    collect_files();
    if (!problems_.empty()) return remarks_;
    const formats::ZipText ssd{"SystemStructure.ssd", description_text()};
    const formats::ZipText plan{plan_name, plan_text()};
    const formats::ZipText subsystems{subsystems_name, subsystems_text()};
    formats::write_zip(path, files_, {ssd, plan, subsystems});
    return remarks_;
  }

 private:
  const Subsystem& subsystem(const system::PortPath& path) const {
    return description_.subsystems[static_cast<std::size_t>(path.subsystem)];
  }

  /// The variable an element belongs to.
  Place place(const system::PortPath& path, const Port& port) const {
    const auto& fmu = fmus_[static_cast<std::size_t>(path.subsystem)];
    const std::size_t bracket = port.name.rfind('[');
    if (!fmu || fmu->description.find(port.name) || bracket == std::string::npos) return {port.name, ""};
    std::string indices = port.name.substr(bracket + 1, port.name.size() - bracket - 2);
    std::ranges::replace(indices, ',', ' ');
    return {port.name.substr(0, bracket), indices};
  }

  const Port& source(const Connection& c) const {
    return subsystem(c.from).outputs[static_cast<std::size_t>(c.from.port)];
  }
  const Port& sink(const Connection& c) const { return subsystem(c.to).inputs[static_cast<std::size_t>(c.to.port)]; }

  void collect(const Connection& connection) {
    plug(connection.from, source(connection), "output", connection.from_unit, connection);
    plug(connection.to, sink(connection), "input", connection.to_unit, connection);
  }

  static std::string type_of(const Port& port) {
    using system::PortType;
    if (port.type == PortType::real) return "Real";
    if (port.type == PortType::int32) return "Integer";
    // the items of an enumeration and the kind of a clock are what the FMU says
    return port.type == PortType::enumeration || port.type == PortType::clock ? "" : system::word(port.type);
  }

  void plug(const system::PortPath& path, const Port& port, const std::string& kind, const std::string& written_unit,
            const Connection& connection) {
    const Place where = place(path, port);
    Plug& plug = plugs_[static_cast<std::size_t>(path.subsystem)][where.connector];
    plug.kind = kind;
    plug.type = type_of(port);
    if (!where.indices.empty()) {
      version_ = Version::ssp2;
      plug.sizes.resize(static_cast<std::size_t>(std::ranges::count(where.indices, ' ')) + 1);
    }
    static const std::vector<std::string> first{"", "Real", "Integer", "Boolean", "String", "Binary"};
    if (std::ranges::find(first, plug.type) == first.end()) version_ = Version::ssp2;
    const std::string unit = port.unit.empty() ? written_unit : "";
    if (unit.empty()) return;
    if (!plug.unit.empty() && plug.unit != unit) {
      problems_.add(connection.where,
                    fmt::format("\"{}\" is in {} in one connection and in {} in another, and a connector has one unit",
                                path.text, plug.unit, unit));
    }
    plug.unit = unit;
  }

  /// FMUs, and the tables that built-in models read.
  void collect_files() {
    std::map<std::string, std::string> taken;
    const auto add = [&](const std::string& written, const std::string& file) {
      const std::string name = resources + written;
      const auto [known, is_new] = taken.emplace(name, file);
      if (is_new) files_.push_back({name, file});
      if (known->second != file)
        problems_.add({},
                      fmt::format("\"{}\" would be two files in the package: {} and {}", name, known->second, file));
    };
    for (const Subsystem& subsystem : description_.subsystems) {
      if (subsystem.fmu()) add(packed_name(*subsystem.fmu()), subsystem.fmu()->path);
      for (const system::Setting& setting : subsystem.set) {
        if (subsystem.fmu() || setting.name != "file" || setting.value.kind != system::Value::Kind::text) continue;
        if (load::stays_below(setting.value.text))
          add(setting.value.text, (fs::path(description_.folder) / setting.value.text).string());
        else
          problems_.add(setting.where,
                        fmt::format("the table \"{}\" lies elsewhere and cannot be packed", setting.value.text),
                        "copy it into the folder of the system file, and give its path from there");
      }
    }
  }

  static std::string packed_name(const system::FmuFile& fmu) {
    const fs::path written(fmu.shown());
    const bool inside =
        !written.is_absolute() && std::ranges::none_of(written, [](const fs::path& part) { return part == ".."; });
    return inside ? written.lexically_normal().generic_string() : written.filename().string();
  }

  static std::string uri(const std::string& path) {
    std::string result;
    for (const char c : path) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         std::string_view("/._-~").find(c) != std::string_view::npos;
      result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
  }

  std::string description_text() {
    XmlText xml;
    xml.open("ssd:SystemStructureDescription",
             {{"xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription"},
              {"xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon"},
              {"xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues"},
              {"version", version_ == Version::ssp2 ? "2.0" : "1.0"},
              {"name", description_.name},
              {"description", description_.description},
              {"generationTool", tool_}});
    xml.open("ssd:System", {{"name", "root"}});
    xml.open("ssd:Elements");
    for (std::size_t i = 0; i < description_.subsystems.size(); ++i) write_component(i, xml);
    xml.close();
    if (!description_.connections.empty()) {
      xml.open("ssd:Connections");
      for (const Connection& connection : description_.connections) write_connection(connection, xml);
      xml.close();
    }
    xml.close();
    write_units(xml);
    const system::Experiment& experiment = description_.experiment;
    xml.single("ssd:DefaultExperiment", {{"startTime", formats::number_text(experiment.start)},
                                         {"stopTime", experiment.stop ? formats::number_text(*experiment.stop) : ""}});
    xml.close();
    return xml.text();
  }

  void write_component(std::size_t index, XmlText& xml) {
    const Subsystem& subsystem = description_.subsystems[index];
    const system::FmuFile* const fmu = fmus_[index] ? subsystem.fmu() : nullptr;
    const bool exchange = fmu && fmu->interface == system::FmuInterface::model_exchange;
    xml.open("ssd:Component", {{"name", subsystem.name},
                               {"source", fmu ? uri(resources + packed_name(*fmu)) : ""},
                               {"implementation", !fmu ? "" : (exchange ? "ModelExchange" : "CoSimulation")}});
    if (!plugs_[index].empty()) {
      xml.open("ssd:Connectors");
      for (const auto& [name, plug] : plugs_[index]) write_connector(name, plug, xml);
      xml.close();
    }
    if (fmu && !subsystem.set.empty()) {
      xml.open("ssd:ParameterBindings");
      xml.open("ssd:ParameterBinding");
      xml.open("ssd:ParameterValues");
      write_parameter_set(subsystem, fmus_[index]->description, xml);
      for (int i = 0; i < 3; ++i) xml.close();
    }
    xml.close();
  }

  void write_connector(const std::string& name, const Plug& plug, XmlText& xml) {
    xml.open("ssd:Connector", {{"name", name}, {"kind", plug.kind}});
    if (!plug.type.empty()) xml.single("ssc:" + plug.type, {{"unit", plug.unit}});
    // the sizes are those of the FMU's variable: left open here
    for (std::size_t i = 0; i < plug.sizes.size(); ++i) xml.single("ssc:Dimension");
    xml.close();
    if (!plug.unit.empty()) units_.insert(plug.unit);
  }

  void write_connection(const Connection& connection, XmlText& xml) {
    const Place from = place(connection.from, source(connection)), to = place(connection.to, sink(connection));
    const bool as_is = connection.units == system::UnitConversion::suppressed;
    xml.open("ssd:Connection", {{"startElement", subsystem(connection.from).name},
                                {"startConnector", from.connector},
                                {"startIndices", from.indices},
                                {"endElement", subsystem(connection.to).name},
                                {"endConnector", to.connector},
                                {"endIndices", to.indices},
                                {"suppressUnitConversion", as_is ? "true" : ""}});
    if (connection.asked_gain != 1.0 || connection.asked_offset != 0.0) {
      xml.single("ssc:LinearTransformation", {{"factor", formats::number_text(connection.asked_gain)},
                                              {"offset", formats::number_text(connection.asked_offset)}});
    }
    if (!connection.map.empty()) write_map(connection, xml);
    xml.close();
  }

  void write_map(const Connection& connection, XmlText& xml) {
    const bool truth = source(connection).type == system::PortType::boolean;
    const auto word = [&](std::int64_t number) {
      return truth ? (number != 0 ? std::string("true") : std::string("false")) : std::to_string(number);
    };
    xml.open(truth ? "ssc:BooleanMappingTransformation" : "ssc:IntegerMappingTransformation");
    for (const system::MapEntry& entry : connection.map)
      xml.single("ssc:MapEntry", {{"source", word(entry.from)}, {"target", word(entry.to)}});
    xml.close();
  }

  void write_units(XmlText& xml) {
    if (units_.empty() && description_.units.empty()) return;
    xml.open("ssd:Units");
    for (const system::UnitDefinition& definition : description_.units) {
      write_unit(definition.name, definition.unit, xml);
      units_.erase(definition.name);
    }
    for (const std::string& name : units_) {
      if (const auto unit = system::parse_unit(name)) write_unit(name, *unit, xml);
    }
    xml.close();
  }

  std::string plan_text() {
    const Value whole = load::resolved_value(description_, nullptr);
    Value file = Value::object({{"seam", 1}});
    Value experiment = Value::object();
    for (const Value::Entry& entry : whole.find("experiment")->entries()) {
      const bool standard = entry.key == "start" || entry.key == "stop";  // the description has these
      if (!standard) experiment.add(entry.key, entry.value);
    }
    if (!experiment.entries().empty()) file.add("experiment", std::move(experiment));
    for (const char* section : {"plan", "record"}) {
      if (const Value* value = whole.find(section)) file.add(section, *value);
    }
    if (Value bonds = load::bonds_value(description_); !bonds.items().empty()) {
      file.add("bonds", std::move(bonds));
      remarks_.ours_alone.push_back("which connections are bonds");
    }
    remarks_.ours_alone.push_back("the plan, the list of recorded variables");
    return formats::to_yaml(file);
  }

  std::string subsystems_text() {
    const Value whole = load::resolved_value(description_, nullptr);
    Value list = Value::object();
    std::string models;
    for (const Value::Entry& entry : whole.find("subsystems")->entries()) {
      const bool fmu = entry.value.find("fmu") != nullptr;
      Value kept = Value::object();
      for (const Value::Entry& key : entry.value.entries()) {
        if (!fmu || (key.key != "set" && key.key != "interface")) kept.add(key.key, key.value);
      }
      list.add(entry.key, std::move(kept));
      if (!fmu) models += (models.empty() ? "" : ", ") + entry.key;
    }
    if (!models.empty()) remarks_.ours_alone.push_back("built-in models, which other tools see as empty: " + models);
    remarks_.ours_alone.push_back("retries, private, copies, serial, event_mode and via of FMUs");
    return formats::to_yaml(Value::object({{"seam", 1}, {"subsystems", std::move(list)}}));
  }

  const system::SystemDescription& description_;
  std::string tool_;
  base::Problems& problems_;
  std::vector<std::shared_ptr<const fmi::Fmu>> fmus_;
  std::vector<std::map<std::string, Plug>> plugs_;
  std::set<std::string> units_;  ///< of connectors
  std::vector<formats::ZipAddition> files_;
  Version version_ = Version::ssp1;
  PackageRemarks remarks_;
};

}  // namespace

PackageRemarks write_package(const system::SystemDescription& description, const std::string& path,
                             const std::string& tool, base::Problems& problems) {
  return Writer(description, tool, problems).write(path);
}

}  // namespace seam::ssp
