#include "seam/coupling/catalog.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "coupling/live.hpp"

namespace seam::coupling {
namespace {

TEST(Catalog, every_entry_has_a_name_of_its_own_and_a_summary) {
  std::set<std::pair<Part, std::string>> seen;
  for (const Entry& entry : catalog()) {
    EXPECT_FALSE(entry.name.empty());
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_TRUE(seen.insert({entry.part, entry.name}).second) << entry.name;
    for (const Choice& choice : entry.choices) {
      EXPECT_FALSE(choice.summary.empty()) << entry.name << "." << choice.name;
      EXPECT_GE(choice.values.size(), 2u) << entry.name << "." << choice.name;
    }
  }
}

TEST(Catalog, every_coupling_has_a_page_in_the_docs) {
  for (const std::string& name : names(Part::coupling)) {
    EXPECT_TRUE(std::filesystem::exists(SEAM_SOURCE_DIR "/docs/methods/" + name + ".md")) << name;
  }
}

TEST(Catalog, every_coupling_can_be_said_again_as_it_describes_itself) {
  for (const std::string& name : names(Part::coupling)) {
    for (const char* rest : {"", ",samples=micro"}) {
      if ((name == "zoh" || name == "hinf") && *rest) continue;  // one sample is one sample
      engine::Changes changes;
      changes.coupling = name + rest;
      const engine::System system = engine::open_text(
          "seam: 1\nsubsystems: {a: {model: state-space, set: {A: [[-1]], B: [[1]]}}}\n"
          "connections: [a.y -> a.u]\nplan: {step: 0.1}\n",
          "test.yaml", changes);
      EXPECT_EQ(describe(system.plan.connections[0]), name + rest);
    }
  }
}

system::MethodRequest method(const std::string& name) { return {name, {}, {}}; }

TEST(Catalog, nothing_asked_is_a_zero_order_hold) {
  base::Problems problems;
  const system::Coupling coupling = complete({}, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(coupling.name, "zoh");
  EXPECT_TRUE(is_plain_hold(coupling));
}

TEST(Catalog, a_coupling_can_be_given_by_its_parts) {
  base::Problems problems;
  system::CouplingRequest request;
  request.receiver = method("soh");
  request.emitter = method("fine");
  const system::Coupling coupling = complete(request, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(coupling.receiver.name, "soh");
  EXPECT_EQ(coupling.emitter.name, "fine");
  EXPECT_EQ(coupling.samples, system::Samples::micro);
  EXPECT_FALSE(is_plain_hold(coupling));
}

TEST(Catalog, an_emitter_that_contradicts_the_samples_is_a_problem) {
  base::Problems problems;
  system::CouplingRequest request;
  request.receiver = method("foh");
  request.emitter = method("last");
  request.samples = "micro";
  complete(request, problems);
  EXPECT_EQ(problems.size(), 1u);
}

TEST(Catalog, unknown_names_are_problems_with_the_ones_that_were_meant) {
  base::Problems problems;
  system::CouplingRequest request;
  request.receiver = method("fho");
  request.emitter = method("lst");
  complete(request, problems);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems.text().find("did you mean \"foh\"?"), std::string::npos);
  EXPECT_NE(problems.text().find("did you mean \"last\"?"), std::string::npos);
}

}  // namespace
}  // namespace seam::coupling
