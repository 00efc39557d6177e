// Systems inside a system file.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/fmu_workshop.hpp"
#include "formats/raw_zip.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

const std::string run_and_record =
    "experiment: {stop: 0.5}\nplan: {step: 1 ms, coupling: foh}\nrecord: {variables: [\"**\"]}\n";

class NestedSystems : public FmuWorkshop {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    formats::write_text(folder_.file(name), text);
    return folder_.file(name);
  }
  /// All that a run records, without the names.
  std::string recorded(const std::string& path) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    run(open(path, {}), settings);
    const std::string text = formats::read_text(settings.file);
    return text.substr(text.find('\n'));
  }
  static std::string problems_of(const std::string& path) {
    try {
      open(path, {});
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return "none";
  }

  const std::string left_ =
      "model: mass-chain, set: {masses: [10], to_ground: {k: 1e4, d: 1}, coupling: {kind: force}, x0: [0.1]}";
  const std::string right_ =
      "model: mass-chain, set: {masses: [5], to_ground: {k: 2e4, d: 2}, coupling: {kind: spring, k: 1e3, d: 5}}";
};

TEST_F(NestedSystems, run_as_the_same_system_written_flat) {
  const std::string ends = "connections: [LEFT.x1 -> right.x_in, LEFT.v1 -> right.v_in, right.F -> LEFT.F_in]\n";
  const auto with = [&](std::string name) {
    std::string text = ends;
    for (std::size_t at = text.find("LEFT"); at != std::string::npos; at = text.find("LEFT")) text.replace(at, 4, name);
    return text;
  };
  const std::string flat = write("flat.yaml", "seam: 1\nsubsystems:\n  left: {" + left_ + "}\n  right: {" + right_ +
                                                  "}\n" + with("left") + run_and_record);
  write("parts/inner/left.yaml", "seam: 1\nsubsystems:\n  left: {" + left_ + "}\n");
  write("parts/half.yaml", "seam: 1\nsubsystems:\n  deep: {system: inner/left.yaml}\n");
  const std::string nested =
      write("nested.yaml", "seam: 1\nsubsystems:\n  half: {system: parts/half.yaml}\n  right: {" + right_ + "}\n" +
                               with("half.deep.left") + run_and_record);
  EXPECT_EQ(recorded(nested), recorded(flat));
}

TEST_F(NestedSystems, bring_their_connections_bonds_and_units_and_take_settings) {
  write("pair.yaml", "seam: 1\nunits: {dm: {base: {m: 1}, factor: 0.1}}\nsubsystems:\n  left: {" + left_ +
                         "}\n  right: {" + right_ +
                         "}\nconnections:\n  - left.x1 -> right.x_in\n  - {bond: tie, effort: right.F -> left.F_in, "
                         "flow: left.v1 -> right.v_in, positive: right -> left}\n");
  const std::string path =
      write("outer.yaml",
            "seam: 1\nsubsystems:\n  a: {system: pair.yaml}\n  b: {system: pair.yaml, set: {left.x0: [0.3]}}\n" +
                run_and_record);
  const System system = open(path, {});
  ASSERT_EQ(system.description.subsystems.size(), 4U);
  EXPECT_EQ(system.description.subsystems[2].name, "b.left");
  ASSERT_EQ(system.description.bonds.size(), 2U);
  EXPECT_EQ(system.description.bonds[1].name, "b-tie");
  EXPECT_EQ(system.description.units.size(), 1U);
  const Live live = make_live(system, {Horizon::experiment});
  coupling::Memory memory = coupling::start(live.program);
  EXPECT_EQ(live.assembly->members[0].subsystem->states()[0], 0.1);
  EXPECT_EQ(live.assembly->members[2].subsystem->states()[0], 0.3);
}

TEST_F(NestedSystems, take_entries_of_maps_and_paths_of_the_outer_file) {
  write("sub/pair.yaml",
        "seam: 1\nsubsystems:\n  right: {" + right_ + "}\n  road: {model: csv, set: {file: road.csv}}\n");
  write("sub/road.csv", "time,y\n0,1\n1,1\n");
  write("road.csv", "time,y\n0,2\n1,2\n");
  const System system =
      open(write("outer.yaml",
                 "seam: 1\nsubsystems:\n  a: {system: sub/pair.yaml}\n  b:\n    system: sub/pair.yaml\n"
                 "    set: {right.to_ground.k: 7, right.coupling: {k: 9}, road.file: road.csv}\n"
                 "connections: [a.road.y -> a.right.x_in, a.road.y -> a.right.v_in, b.road.y -> b.right.x_in, b.road.y "
                 "-> b.right.v_in]\n" +
                     run_and_record),
           {});
  const auto& parts = system.description.subsystems;
  ASSERT_EQ(parts.size(), 4U);
  const auto set = [&](std::size_t part, const std::string& name) {
    for (const system::Setting& setting : parts[part].set) {
      if (setting.name == name) return setting.value;
    }
    return system::Value{};
  };
  EXPECT_EQ(set(0, "to_ground").entries[0].second.number, 2e4);
  EXPECT_EQ(set(2, "to_ground").entries[0].second.number, 7.0);
  EXPECT_EQ(set(2, "to_ground").entries[1].second.number, 2.0) << "what is not named stays";
  EXPECT_EQ(set(2, "coupling").entries[1].second.number, 9.0);
  EXPECT_EQ(set(1, "file").text, "sub/road.csv");
  EXPECT_EQ(set(3, "file").text, "road.csv");
}

TEST_F(NestedSystems, of_fmus_find_them_beside_their_own_file) {
  std::filesystem::create_directories(folder_.file("parts"));
  std::filesystem::rename(folder_.file(fmu(3, "integrator")), folder_.file("parts/integrator.fmu"));
  write("parts/one.yaml", "seam: 1\nsubsystems:\n  i: {fmu: integrator.fmu, set: {k: 2}}\n");
  const std::string nested =
      write("ring.yaml",
            "seam: 1\nsubsystems:\n  a: {system: parts/one.yaml}\n  b: {system: parts/one.yaml, set: {i.k: -2}}\n"
            "connections: [a.i.y -> b.i.u, b.i.y -> a.i.u]\n" +
                run_and_record);
  const std::string flat = write(
      "flat-ring.yaml",
      "seam: 1\nsubsystems:\n  a: {fmu: parts/integrator.fmu, set: {k: 2}}\n  b: {fmu: parts/integrator.fmu, set: {k: "
      "-2}}\nconnections: [a.y -> b.u, b.y -> a.u]\n" +
          run_and_record);
  EXPECT_EQ(recorded(nested), recorded(flat));
}

TEST_F(NestedSystems, may_be_packages_whose_inputs_are_named_by_their_connectors) {
  const std::string ssd =
      R"(<?xml version="1.0"?><SystemStructureDescription version="1.0" name="one"><System name="root">)"
      R"(<Connectors><Connector name="push" kind="input"><Real/></Connector></Connectors>)"
      R"(<Elements><Component name="i" source="resources/integrator.fmu"><Connectors>)"
      R"(<Connector name="u" kind="input"><Real/></Connector><Connector name="y" kind="output"><Real/></Connector>)"
      R"(</Connectors></Component></Elements><Connections>)"
      R"(<Connection startConnector="push" endElement="i" endConnector="u"/></Connections>)"
      R"(</System></SystemStructureDescription>)";
  const std::string integrator = fmu(3, "integrator");
  formats::RawZip zip;
  zip.add("resources/integrator.fmu", formats::read_text(folder_.file(integrator), std::size_t{64} << 20));
  formats::write_text(folder_.file("one.ssp"), zip.add("SystemStructure.ssd", ssd).bytes());
  const auto system = [&](const std::string& a, const std::string& ends) {
    return "seam: 1\nsubsystems:\n  a: {" + a + "}\n  b: {fmu: " + integrator + ", set: {k: -2}}\nconnections: [" +
           ends + "]\n" + run_and_record;
  };
  const std::string nested = write("nested.yaml", system("system: one.ssp", "a.i.y -> b.u, b.y -> a.push"));
  const std::string flat = write("flat.yaml", system("fmu: " + integrator, "a.y -> b.u, b.y -> a.u"));
  EXPECT_EQ(recorded(nested), recorded(flat));
}

TEST_F(NestedSystems, that_contain_themselves_are_a_problem) {
  write("a.yaml", "seam: 1\nsubsystems:\n  b: {system: b.yaml}\n");
  write("b.yaml", "seam: 1\nsubsystems:\n  a: {system: a.yaml}\n");
  EXPECT_NE(problems_of(folder_.file("a.yaml")).find("\"a.yaml\" contains itself: a.yaml -> b.yaml -> a.yaml"),
            std::string::npos);
  write("own.yaml", "seam: 1\nsubsystems:\n  me: {system: own.yaml}\n");
  EXPECT_NE(problems_of(write("outer.yaml", "seam: 1\nsubsystems:\n  o: {system: own.yaml}\n"))
                .find("\"own.yaml\" contains itself: own.yaml -> own.yaml"),
            std::string::npos);
}

TEST_F(NestedSystems, that_double_at_every_level_end) {
  for (int i = 0; i < 25; ++i) {
    const std::string next = "level" + std::to_string(i + 1) + ".yaml";
    write("level" + std::to_string(i) + ".yaml",
          "seam: 1\nsubsystems:\n  a: {system: " + next + "}\n  b: {system: " + next + "}\n");
  }
  write("level25.yaml", "seam: 1\nsubsystems: {left: {model: gain}}\n");
  EXPECT_NE(problems_of(folder_.file("level0.yaml")).find("more than 10000 systems in one"), std::string::npos);
}

TEST_F(NestedSystems, are_among_the_files_that_a_result_must_not_replace) {
  write("parts/left.yaml", "seam: 1\nsubsystems: {left: {model: state-space, set: {A: [[-1]], x0: [1]}}}\n");
  write("half.yaml", "seam: 1\nsubsystems:\n  deep: {system: parts/left.yaml}\n");
  const System system =
      open(write("outer.yaml", "seam: 1\nsubsystems:\n  a: {system: half.yaml}\n" + run_and_record), {});
  EXPECT_EQ(input_files(system),
            (std::vector{folder_.file("outer.yaml"), folder_.file("parts/left.yaml"), folder_.file("half.yaml")}));
}

TEST_F(NestedSystems, that_are_wrong_are_told_with_the_place_in_their_own_file) {
  write("inner.yaml", "seam: 1\nsubsystems:\n  m: {modle: gain}\n");
  const std::string path = write("outer.yaml",
                                 "seam: 1\nsubsystems:\n  a: {system: inner.yaml, set: {n.k: 1}, solver: rk4}\n"
                                 "  b: {system: missing.yaml}\n  c: {system: ../elsewhere.yaml}\n" +
                                     run_and_record);
  const std::string text = problems_of(path);
  for (const char* const part :
       {"inner.yaml:3", "\"modle\" is not a key of a subsystem", "\"n.k\" is no variable of a part of \"a\"",
        "\"solver\" is for models, and \"a\" is a whole system", "\"missing.yaml\" cannot be read",
        "\"../elsewhere.yaml\" leads out of the folder"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace seam::engine
