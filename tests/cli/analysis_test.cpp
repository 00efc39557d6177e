// analyze, check and methods as a program reads them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/two_lags.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::cli {
namespace {

using formats::Value;

bool is_pair(const Value& value) {
  return value.is(Value::Kind::array) && value.items().size() == 2 && value.items()[0].is(Value::Kind::real) &&
         value.items()[1].is(Value::Kind::real);
}

TEST(Analysis, json_has_every_field_and_complex_numbers_are_pairs) {
  const Folder folder("system.yaml", two_lags);
  const Value value = json(folder.seam({"analyze", "system.yaml", "--json"}).out);
  EXPECT_EQ(number(value, "macro_step"), 0.1);
  ASSERT_TRUE(value.find("coupling") && value.find("feedthrough") && value.find("stable"));
  EXPECT_EQ(value.find("coupling")->string(), "zoh");
  EXPECT_EQ(value.find("feedthrough")->string(), "held");
  EXPECT_TRUE(value.find("stable")->boolean());
  for (const char* key : {"eigenvalues", "structural_eigenvalues", "monolithic_poles"}) {
    ASSERT_TRUE(value.find(key)) << key;
    for (const Value& entry : value.find(key)->items()) EXPECT_TRUE(is_pair(entry)) << key;
  }
  ASSERT_TRUE(value.find("poles"));
  EXPECT_EQ(value.find("poles")->items().size(), value.find("eigenvalues")->items().size());
}

// With held inputs x+ = diag(e^-H, e^-2H) x + diag(1 - e^-H, (1 - e^-2H)/2) u and u+ = swapped x+: the four
// eigenvalues of (x, u) are two zeros and those of [[e^-H, 1 - e^-H], [(1 - e^-2H)/2, e^-2H]].
TEST(Analysis, radius_and_poles_are_those_of_the_step_worked_out_by_hand) {
  const Folder folder("system.yaml", two_lags);
  const Value value = json(folder.seam({"analyze", "system.yaml", "--json"}).out);
  const double h = 0.1, p = std::exp(-h), q = std::exp(-2 * h);
  const double off = (1 - p) * 0.5 * (1 - q);
  const double radius = 0.5 * (p + q) + std::sqrt(0.25 * (p - q) * (p - q) + off);
  EXPECT_NEAR(number(value, "spectral_radius"), radius, 1e-14);
  const auto& poles = value.find("poles")->items();
  ASSERT_EQ(poles.size(), 4u);
  EXPECT_NEAR(poles[0].items()[0].number(), std::log(radius) / h, 1e-12);
  EXPECT_TRUE(poles[2].is(Value::Kind::null));
  EXPECT_TRUE(poles[3].is(Value::Kind::null));
  // The coupled equations: s^2 + 3 s + 1.
  const auto& exact = value.find("monolithic_poles")->items();
  ASSERT_EQ(exact.size(), 2u);
  const double sum = exact[0].items()[0].number() + exact[1].items()[0].number();
  const double product = exact[0].items()[0].number() * exact[1].items()[0].number();
  EXPECT_NEAR(sum, -3.0, 1e-13);
  EXPECT_NEAR(product, 1.0, 1e-13);
}

TEST(Analysis, the_british_and_the_other_names_of_verbs_are_the_same_verbs) {
  const Folder folder("system.yaml", two_lags);
  EXPECT_EQ(folder.seam({"analyse", "system.yaml"}).out, folder.seam({"analyze", "system.yaml"}).out);
  EXPECT_EQ(folder.seam({"validate", "system.yaml"}).out, folder.seam({"check", "system.yaml"}).out);
}

TEST(Analysis, needs_no_stop_time) {
  const Folder folder("system.yaml", with("experiment: {stop: 1 s}\n", ""));
  EXPECT_EQ(folder.seam({"analyze", "system.yaml"}).exit_code, 0);
  EXPECT_EQ(folder.seam({"check", "system.yaml"}).exit_code, 0);
}

/// Every example, coupled by one method each, in turn: an analysis takes a second.
TEST(Check, resolved_file_loads_again_and_has_the_same_radius_to_the_bit) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SEAM_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".yaml" && entry.path().stem().extension() != ".scenario")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const Words methods = {"zoh", "foh", "soh", "foh,samples=micro"};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Folder folder;
    const std::string &file = files[i], &method = methods[i % methods.size()];
    const Ran resolved = folder.seam({"check", file, "--coupling", method, "--print-resolved"});
    ASSERT_EQ(resolved.exit_code, 0) << file << resolved.err;
    folder.write("again.yaml", resolved.out);
    const Ran again = folder.seam({"analyze", "again.yaml", "--json"});
    ASSERT_EQ(again.exit_code, 0) << file << again.err;
    const Value first = json(folder.seam({"analyze", file, "--coupling", method, "--json"}).out);
    EXPECT_EQ(number(json(again.out), "spectral_radius"), number(first, "spectral_radius")) << file << " " << method;
  }
}

TEST(Check, resolved_file_of_a_resolved_file_is_the_same_but_for_where_things_came_from) {
  const Folder folder("system.yaml", two_lags);
  const auto without_comments = [](std::string text) {
    for (std::size_t at = text.find("  #"); at != std::string::npos; at = text.find("  #")) {
      text.erase(at, text.find('\n', at) - at);
    }
    return text;
  };
  const std::string once = folder.seam({"check", "system.yaml", "--print-resolved"}).out;
  folder.write("once.yaml", once);
  EXPECT_EQ(without_comments(folder.seam({"check", "once.yaml", "--print-resolved"}).out), without_comments(once));
}

TEST(Check, writes_nothing) {
  const Folder folder("system.yaml", two_lags);
  EXPECT_EQ(folder.seam({"check", "system.yaml"}).exit_code, 0);
  EXPECT_EQ(folder.names(), Words{"system.yaml"});
}

TEST(Methods, every_entry_of_the_catalog_is_listed_and_explained) {
  const Folder folder;
  const std::string all = folder.seam({"methods"}).out;
  const Value listed = json(folder.seam({"methods", "--json"}).out);
  ASSERT_TRUE(listed.find("methods"));
  EXPECT_EQ(listed.find("methods")->items().size(), coupling::catalog().size());
  for (const coupling::Entry& entry : coupling::catalog()) {
    EXPECT_NE(all.find(entry.summary), std::string::npos) << entry.name;
    const Ran one = folder.seam({"methods", entry.name});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_NE(one.out.find(entry.summary), std::string::npos) << entry.name;
  }
}

TEST(Methods, every_model_that_is_listed_is_explained) {
  const Folder folder;
  const Value listed = json(folder.seam({"methods", "--json"}).out);
  ASSERT_TRUE(listed.find("models"));
  for (const Value& model : listed.find("models")->items()) {
    const std::string& name = model.find("name")->string();
    const Ran one = folder.seam({"methods", name});
    EXPECT_EQ(one.exit_code, 0) << name;
    for (const auto& parameter : model.find("parameters")->entries()) {
      EXPECT_NE(one.out.find(parameter.key), std::string::npos) << name << "." << parameter.key;
    }
  }
}

TEST(Methods, unknown_name_is_answered_with_the_one_that_was_meant) {
  const Ran ran = Folder().seam({"methods", "fohh"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("did you mean \"foh\"?"), std::string::npos) << ran.err;
}

// The headline of the connections was lost where there were more than a person reads, and a motion that many share had
// no name.
TEST(AnalyzeMany, what_is_too_much_to_read_is_counted) {
  constexpr int count = 12;
  std::string subsystems, connections;
  for (int i = 0; i < count; i += 2) {
    const int next = (i + 1) % count;
    subsystems += fmt::format(
        "  s{}: {{model: mass-chain, set: {{masses: [0.1], to_ground: {{k: 10, d: 0.1}}, coupling: {{kind: spring, k: "
        "10, d: 0.1}}}}}}\n  s{}: {{model: mass-chain, set: {{masses: [0.1], to_ground: {{k: 10, d: 0.1}}, coupling: "
        "{{kind: force}}}}}}\n",
        i, next);
    connections +=
        fmt::format("  - s{0}.F -> s{1}.F_in\n  - s{1}.x1 -> s{0}.x_in\n  - s{1}.v1 -> s{0}.v_in\n", i, next);
  }
  const Folder folder("ring.yaml", "seam: 1\nsubsystems:\n" + subsystems + "connections:\n" + connections +
                                       "experiment: {stop: 1}\nplan: {step: 5 ms}\n");
  const Ran ran = folder.seam({"analyze", "ring.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(cli::count(ran.out, "from the most to the least sensitive connection:"), 1u) << ran.out;
  EXPECT_EQ(cli::count(ran.out, "… and 12 more"), 1u) << ran.out;  // connections
  EXPECT_EQ(cli::count(ran.out, "… and 6 more"), 1u) << ran.out;   // loops
  EXPECT_EQ(cli::count(ran.out, "all 12 sides are passive"), 1u) << ran.out;
  EXPECT_EQ(cli::count(ran.out, "it is a motion of \n"), 0u) << ran.out;
}

}  // namespace
}  // namespace seam::cli
