// Inputs that nothing is connected to, fed by tables and constants of the experiment.
#include "engine/fmu_workshop.hpp"
#include "formats/raw_zip.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

const std::string integrator =
    "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], D: [[0]], x0: [0], inputs: "
    "[u], outputs: [y]}}\n";

class FreeInputs : public FmuWorkshop {
 protected:
  void write(const std::string& name, const std::string& text) const { formats::write_text(folder_.file(name), text); }

  formats::Table ran(const std::string& file, const Changes& changes = {}) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    EXPECT_EQ(run(open(folder_.file(file), changes), settings).result.ending, stepping::Ending::completed);
    return result();
  }

  std::string problems_of(const std::string& file, const Changes& changes = {}) const {
    try {
      open(folder_.file(file), changes);
    } catch (const base::ProblemsFound& found) {
      return found.what();
    }
    return {};
  }
};

// y' = t, known ahead of time: y(1) = 1/2.
TEST_F(FreeInputs, table_of_the_experiment_feeds_what_its_columns_name) {
  write("u.csv", "time,a.u\n0,0\n2,2\n");
  write("system.yaml", integrator +
                           "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n"
                           "record: {variables: [a.y]}\n");
  EXPECT_NEAR(column(ran("system.yaml"), "a.y").back(), 0.5, 1e-12);
}

TEST_F(FreeInputs, flag_wins_over_the_file_and_may_name_any_place) {
  write("u.csv", "time,a.u\n0,0\n2,2\n");
  std::filesystem::create_directories(folder_.file("sub"));
  write("sub/system.yaml", integrator +
                               "experiment: {stop: 1, inputs: none.csv}\nplan: {step: 0.1}\n"
                               "record: {variables: [a.y]}\n");
  Changes changes;
  changes.input_file = folder_.file("u.csv");
  EXPECT_NEAR(column(ran("sub/system.yaml", changes), "a.y").back(), 0.5, 1e-12);
}

// y' = 3 from the start on, 5 from t = 0.5 on.
TEST_F(FreeInputs, constants_hold_from_the_start_until_an_event) {
  write("system.yaml", integrator +
                           "experiment: {start: 1, stop: 2, inputs: {a.u: 3}, events: [{at: 1.5, set: {a.u: "
                           "5}}]}\nplan: {step: 0.1}\nrecord: {variables: [a.y]}\n");
  EXPECT_NEAR(column(ran("system.yaml"), "a.y").back(), 1.5 + 2.5, 1e-12);
}

TEST_F(FreeInputs, column_in_another_unit_is_converted) {
  write("u.csv", "time [s],m.f1 [kN]\n0,0.002\n9,0.002\n");
  write("system.yaml",
        "seam: 1\nsubsystems: {m: {model: mass-chain, set: {masses: [2 kg]}}}\n"
        "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\nrecord: {variables: [m.v1]}\n");
  EXPECT_NEAR(column(ran("system.yaml"), "m.v1").back(), 1.0, 1e-12) << "2 N on 2 kg for 1 s";
}

TEST_F(FreeInputs, columns_that_name_no_input_and_inputs_with_a_source_are_problems) {
  write("u.csv", "time,a.x\n0,0\n");
  write("system.yaml", integrator + "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n");
  EXPECT_NE(problems_of("system.yaml").find("the column \"a.x\" names no input"), std::string::npos);
  write("u.csv", "time,a.u\n0,0\n");
  write("system.yaml",
        integrator + "connections: [a.y -> a.u]\nexperiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n");
  EXPECT_NE(problems_of("system.yaml").find("\"a.u\" is for an input that is connected"), std::string::npos);
}

// A table as another tool writes its results: only what is needed is taken, and the rest is said.
TEST_F(FreeInputs, columns_that_are_not_needed_are_a_notice) {
  write("u.csv",
        "iterations, time, a::u[REAL], a::y[REAL], b::mode[STR], gap\n0, 0, 0, 0, idle, nan\n1, 2, 2, 0, run, 1\n");
  write("system.yaml", integrator +
                           "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n"
                           "record: {variables: [a.y]}\n");
  EXPECT_NEAR(column(ran("system.yaml"), "a.y").back(), 0.5, 1e-12);
  const auto notices = open(folder_.file("system.yaml"), {}).description.notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0], "2 columns of u.csv feed no input: iterations, a::y");
}

TEST_F(FreeInputs, column_with_a_gap_is_a_problem_where_it_is_needed) {
  write("u.csv", "time,a.u,b\n0,1,1\n1,nan,1\n");
  write("system.yaml", integrator + "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n");
  EXPECT_NE(problems_of("system.yaml").find("the column \"a.u\" cannot be used: row 2 of its column is not a finite"),
            std::string::npos);
}

TEST_F(FreeInputs, names_are_found_without_the_subsystem_or_with_more_or_by_the_map) {
  write("system.yaml", integrator + "experiment: {stop: 1}\nplan: {step: 0.1}\nrecord: {variables: [a.y]}\n");
  Changes changes;
  changes.input_file = folder_.file("u.csv");
  for (const char* name : {"u", "model.root.a.u", "a::u"}) {
    write("u.csv", std::string("time,") + name + "\n0,0\n2,2\n");
    EXPECT_NEAR(column(ran("system.yaml", changes), "a.y").back(), 0.5, 1e-12) << name;
  }
  write("u.csv", "time,force\n0,0\n2,2\n");
  EXPECT_NE(problems_of("system.yaml", changes).find("the column \"force\" names no input"), std::string::npos);
  changes.map = {"force=a.u"};
  EXPECT_NEAR(column(ran("system.yaml", changes), "a.y").back(), 0.5, 1e-12);
  changes.map = {"force=a.v"};
  EXPECT_NE(problems_of("system.yaml", changes).find("there is no input \"a.v\""), std::string::npos);
  changes.map = {"farce=a.u"};
  EXPECT_NE(problems_of("system.yaml", changes).find("did you mean \"force\"?"), std::string::npos);
}

TEST_F(FreeInputs, name_that_may_mean_several_is_a_problem) {
  write("u.csv", "time,u\n0,0\n2,2\n");
  write("system.yaml", integrator + "  b: {model: state-space, set: {A: [[0]], B: [[1]], C: [[1]], inputs: [u]}}\n" +
                           "experiment: {stop: 1, inputs: u.csv}\nplan: {step: 0.1}\n");
  EXPECT_NE(problems_of("system.yaml").find("the column \"u\" may be a.u or b.u"), std::string::npos);
}

TEST_F(FreeInputs, table_of_a_file_may_lie_elsewhere_and_that_is_said_unless_the_folder_is_opened) {
  std::filesystem::create_directories(folder_.file("sub"));
  write("u.csv", "time,a.u\n0,0\n2,2\n");
  write("sub/system.yaml", integrator +
                               "experiment: {stop: 1, inputs: ../u.csv}\nplan: {step: 0.1}\n"
                               "record: {variables: [a.y]}\n");
  EXPECT_NEAR(column(ran("sub/system.yaml"), "a.y").back(), 0.5, 1e-12);
  EXPECT_EQ(open(folder_.file("sub/system.yaml"), {}).description.notices.at(0),
            "read leniently (--strict refuses it): files outside the folder of the file (--allow-path DIR silences "
            "this): ../u.csv");
  Changes changes;
  changes.opened_folders = {folder_.file("")};
  EXPECT_NEAR(column(ran("sub/system.yaml", changes), "a.y").back(), 0.5, 1e-12);
  EXPECT_TRUE(open(folder_.file("sub/system.yaml"), changes).description.notices.empty());
  changes.opened_folders.clear();
  changes.fmu_descriptions = Changes::FmuDescriptions::strict;
  EXPECT_NE(problems_of("sub/system.yaml", changes).find("--allow-path"), std::string::npos);
}

/// An integrator behind an input "in" of the whole package.
std::string package(const std::string& fmu, const std::string& connector, const std::string& transformation) {
  return formats::RawZip()
      .add("resources/i.fmu", fmu)
      .add(
          "SystemStructure.ssd",
          R"(<SystemStructureDescription version="1.0" name="s"><System name="root"><Connectors><Connector name="in" kind="input">)" +
              connector +
              R"(</Connector></Connectors><Elements><Component name="I" source="resources/i.fmu"><Connectors>
<Connector name="u" kind="input"><Real/></Connector></Connectors></Component></Elements><Connections>
<Connection startConnector="in" endElement="I" endConnector="u">)" +
              transformation + "</Connection></Connections></System></SystemStructureDescription>")
      .bytes();
}

TEST_F(FreeInputs, input_of_a_package_is_fed_through_what_lies_behind_it) {
  const std::string bytes = formats::read_text(folder_.file(fmu(2, "integrator")), std::size_t{64} << 20);
  write("u.csv", "time,in\n0,2\n9,2\n");
  Changes changes;
  changes.input_file = folder_.file("u.csv");
  changes.stop = "1";
  changes.step = "0.1";
  changes.set = {"I.k=1"};
  changes.variables = {"I.u"};
  write("plain.ssp", package(bytes, "<Real/>", ""));
  EXPECT_EQ(column(ran("plain.ssp", changes), "I.u").back(), 2.0);
  write("scaled.ssp", package(bytes, "<Real/>", "<LinearTransformation factor=\"3\" offset=\"1\"/>"));
  EXPECT_EQ(column(ran("scaled.ssp", changes), "I.u").back(), 7.0);
  changes.input_file.clear();
  changes.set = {"in=2"};
  EXPECT_EQ(problems_of("plain.ssp", changes), "");
  EXPECT_NE(problems_of("scaled.ssp", changes).find("\"in\" is converted on its way to \"I.u\""), std::string::npos);
}

TEST_F(FreeInputs, fmu_elsewhere_is_coupled_and_that_is_said_unless_the_folder_is_opened) {
  std::filesystem::create_directories(folder_.file("sub"));
  write("sub/system.yaml", "seam: 1\nsubsystems: {i: {fmu: ../" + fmu(2, "integrator") +
                               ", set: {u: 2, k: 1}}}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n"
                               "record: {variables: [\"i.outputs\"]}\n");
  EXPECT_EQ(ran("sub/system.yaml").rows(), 11u);
  EXPECT_NE(open(folder_.file("sub/system.yaml"), {}).description.notices.at(0).find("../integrator-2.fmu"),
            std::string::npos);
  Changes changes;
  changes.fmu_descriptions = Changes::FmuDescriptions::strict;
  EXPECT_NE(problems_of("sub/system.yaml", changes).find("without --strict it is read"), std::string::npos);
  changes.opened_folders = {folder_.file("")};
  EXPECT_EQ(ran("sub/system.yaml", changes).rows(), 11u);
  EXPECT_TRUE(open(folder_.file("sub/system.yaml"), changes).description.notices.empty());
}

/// A package whose description brings a table of ours along: a model csv.
std::string package_with_table(const std::string& file) {
  return formats::RawZip()
      .add("SystemStructure.ssd",
           R"(<SystemStructureDescription version="1.0" name="s" generationTool="seam 1"><System name="root"><Elements>
<Component name="t"/></Elements></System><DefaultExperiment stopTime="1"/></SystemStructureDescription>)")
      .add("resources/x", "")
      .add("extra/org.seam-cosim/subsystems.yaml",
           "seam: 1\nsubsystems: {t: {model: csv, set: {file: " + file + "}}}\n")
      .bytes();
}

// An archive comes from elsewhere, and so does what it brings along: neither reads files of ours.
TEST_F(FreeInputs, archives_and_what_they_bring_along_read_nothing_outside) {
  write("secret.csv", "time,y\n0,1\n1,2\n");
  for (const std::string& path : {folder_.file("secret.csv"), std::string("../../../../../../secret.csv")}) {
    write("x.ssp", package_with_table(path));
    EXPECT_NE(problems_of("x.ssp").find("is not a file inside the folder"), std::string::npos) << path;
    write("outer.yaml", "seam: 1\nsubsystems: {p: {system: x.ssp}}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
    EXPECT_NE(problems_of("outer.yaml").find("is not a file inside the package"), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace seam::engine
