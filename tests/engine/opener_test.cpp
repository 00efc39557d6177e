#include "seam/engine/open/opener.hpp"

#include <gtest/gtest.h>

#include "formats/temporary_folder.hpp"
#include "seam/base/problem.hpp"
#include "seam/engine/open/completion.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/overrides.hpp"
#include "seam/load/resolved_file.hpp"

namespace seam::engine {
namespace {

const char* const pair_text =
    "seam: 1\nsubsystems:\n"
    "  one: {model: mass-chain, solver: euler, set: {masses: [2 kg], coupling: {kind: spring-velocity, k: 3, d: 1}}}\n"
    "  two: {model: mass-chain, solver: rk4, set: {masses: [5 kg], coupling: {kind: force}}}\n"
    "connections: [one.F -> two.F_in, two.v1 -> one.v_in]\n"
    "experiment: {stop: 1 s}\n"
    "plan:\n  step: 10 ms\n  connections: {two.F_in: soh}\n"
    "designs:\n  heavy: {subsystems: {two: {set: {masses: [50 kg]}}}}\n";

/// The same with steps of their own, and with a model that needs to know its step.
std::string with_solver_steps() {
  std::string text = pair_text;
  for (const char* const solver : {"solver: euler", "solver: rk4"})
    text.replace(text.find(solver), std::string(solver).size(), solver + std::string(", solver_step: 1 ms"));
  return text;
}
std::string with_delay() {
  std::string text = with_solver_steps();
  return text.replace(text.find("connections: ["), 14,
                      "  late: {model: delay, set: {time: 1 s}}\nconnections: [two.v1 -> late.u, ");
}

std::string words(const System& system) { return load::resolved_text(system.description, &system.plan); }

std::string complaint(const std::function<System()>& open) {
  try {
    open();
  } catch (const base::ProblemsFound& found) {
    return found.problems().text();
  }
  return {};
}

/// The same as values.
ValueChanges values_of(const Changes& changes) {
  base::Problems problems;
  ValueChanges values;
  for (const std::string& argument : changes.set) values.set.push_back(*load::read_override(argument, problems));
  values.variables = changes.variables;
  values.design = changes.design;
  EXPECT_TRUE(problems.empty()) << problems.text();
  return values;
}
CouplingChanges coupling_of(const Changes& changes) {
  base::Problems problems;
  CouplingChanges coupling = read_coupling_changes(changes, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return coupling;
}

System open_with(Opener& opener, const Changes& changes) {
  opener.set(values_of(changes));
  return opener.open(coupling_of(changes));
}

/// All kinds of changes, one after the other and back again.
std::vector<Changes> many_changes() {
  std::vector<Changes> all(17);
  all[1].set = {"one.masses=[7]"};
  for (std::size_t i = 2; i < 6; ++i) all[i].set = {"one.masses=[7]", "two.coupling.kind=force"};
  all[2].coupling = "foh";
  all[3].coupling = "soh,samples=micro";
  all[4].feedthrough = "fresh";
  all[5].set.push_back("plan.step=5 ms");
  all[5].coupling = "zoh";
  all[6].schedule = "gauss-seidel";
  all[7].coupling = "foh";
  all[7].schedule = "gauss-seidel";
  all[8].set = {"experiment.stop=2 s"};
  all[9].set = {"plan.step=20 ms"};
  all[10].corrector = "plc";
  all[11].variables = {"one.F"};
  all[12].coupling = "foh";
  all[13].set = {"record.every=20 ms"};
  all[14].set = {"plan.step=5 ms"};
  all[14].feedthrough = "fresh";
  all[15].set = {"plan.step=2 ms", "record.every=20 ms"};
  all[15].design = "heavy";
  all[16].feedthrough = "held";
  return all;
}

TEST(Opener, gives_what_a_file_that_is_read_anew_gives_whatever_was_opened_before) {
  for (const std::string& text : {std::string(pair_text), with_solver_steps(), with_delay()}) {
    const formats::TemporaryFolder folder;
    const std::string file = folder.file("system.yaml");
    formats::write_text(file, text);
    Opener opener(file);
    const std::vector<Changes> all = many_changes();
    for (std::size_t round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Changes& changes = all[(i * (2 * round + 1)) % all.size()];
        System opened = open_with(opener, changes);
        EXPECT_EQ(words(opened), words(open(file, changes))) << round << ' ' << i;
        if (round == 0) continue;
        opened.description.subsystems.clear();  // whatever became of it, only its memory counts
        opened.description.name = "another";
        opener.take_back(std::move(opened));
      }
    }
  }
}

TEST(Opener, opens_the_values_that_were_set_with_one_coupling_after_the_other) {
  const formats::TemporaryFolder folder;
  const std::string file = folder.file("system.yaml");
  formats::write_text(file, pair_text);
  Opener opener(file);
  Changes changes;
  changes.set = {"one.masses=[7]"};
  opener.set(values_of(changes));
  for (const char* const coupling : {"foh", "zoh", "soh,samples=micro"}) {
    changes.coupling = coupling;
    EXPECT_EQ(words(opener.open(coupling_of(changes))), words(open(file, changes)));
  }
  changes.coupling.reset();
  EXPECT_EQ(words(opener.open()), words(open(file, changes)));
}

TEST(Opener, says_the_same_problems_and_goes_on_after_them) {
  const formats::TemporaryFolder folder;
  const std::string file = folder.file("system.yaml");
  formats::write_text(file, pair_text);
  Opener opener(file);
  std::vector<Changes> wrong(5);
  wrong[0].coupling = "fo";
  wrong[1].set = {"one.mases=[7]"};
  wrong[2].set = {"one.masses=[-1]"};
  wrong[3].set = {"plan.step=-1 s"};
  wrong[4].set = {"one.masses=[-1]", "three.k=1", "plan.step=1 kg"};
  wrong[4].coupling = "fo";
  for (const Changes& changes : wrong) {
    const std::string expected = complaint([&] { return open(file, changes); });
    EXPECT_NE(expected, "");
    EXPECT_EQ(complaint([&] { return open_with(opener, changes); }), expected);
    EXPECT_EQ(complaint([&] { return opener.open(coupling_of(changes)); }), expected) << "once more";
    EXPECT_EQ(words(open_with(opener, {})), words(open(file, {})));
  }
}

TEST(Opener, of_a_file_that_is_not_there_says_so) {
  Opener opener("nowhere/system.yaml");
  EXPECT_NE(complaint([&] { return opener.open(); }), "");
}

TEST(Opener, reads_its_file_once) {
  const formats::TemporaryFolder folder;
  const std::string file = folder.file("system.yaml");
  formats::write_text(file, pair_text);
  Opener opener(file);
  const std::string before = words(opener.open());
  formats::write_text(file, "seam: 1\n");
  EXPECT_EQ(words(opener.open()), before);
}

}  // namespace
}  // namespace seam::engine
