// Packages, plan files and conversion on the command line; built-in models alone, so that no FMU is needed.
#include "cli/command.hpp"
#include "cli/fmu_folder.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

/// A folder with system.yaml, and an FMU cache of its own.
class Lags : public FmuFolder {
 public:
  Lags() { write("system.yaml", two_lags); }
};

/// Where values came from differs, of course; so does the name, which is that of the file.
std::string without_comments(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    result += line.substr(0, line.find("  #")) + "\n";
    at = end + 1;
  }
  return result;
}

TEST(Convert, system_becomes_a_package_and_a_system_file_again_with_one_result) {
  const Lags folder;
  ASSERT_EQ(folder.seam({"convert", "system.yaml", "-o", "made.ssp"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"convert", "made.ssp", "-o", "back.yaml"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "-o", "a.csv"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "made.ssp", "-o", "b.csv"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "back.yaml", "-o", "c.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_EQ(folder.read("a.csv"), folder.read("c.csv"));
  EXPECT_EQ(without_comments(folder.seam({"check", "system.yaml", "--print-resolved"}).out),
            without_comments(folder.seam({"check", "made.ssp", "--print-resolved"}).out));
}

TEST(Convert, says_what_only_seam_reads) {
  const Lags folder;
  const Ran ran = folder.seam({"convert", "system.yaml", "-o", "made.ssp"});
  EXPECT_TRUE(says(ran.err, "built-in models, which other tools see as empty: a, b")) << ran.err;
  const formats::Value value = json(folder.seam({"convert", "system.yaml", "-o", "two.ssp", "--json", "-q"}).out);
  ASSERT_NE(value.find("for_seam_alone"), nullptr);
  EXPECT_EQ(value.find("for_seam_alone")->items().size(), 3u);
}

TEST(Convert, replaces_nothing_without_force) {
  const Lags folder;
  folder.write("made.ssp", "mine");
  EXPECT_TRUE(refuses(folder, {"convert", "system.yaml", "-o", "made.ssp"}, {"is there already", "--force"}));
  EXPECT_EQ(folder.read("made.ssp"), "mine");
  EXPECT_EQ(folder.seam({"convert", "system.yaml", "-o", "made.ssp", "--force"}).exit_code, 0);
  EXPECT_TRUE(refuses(folder, {"convert", "system.yaml", "-o", "made.zip"}, {"names no format"}));
  EXPECT_TRUE(refuses(folder, {"convert", "system.yaml", "-o", "system.yaml", "--force"}, {"what it is made from"}));
}

TEST(PlanFlag, wins_over_the_file_and_flags_win_over_it) {
  const Lags folder;
  folder.write("fast.yaml", "seam: 1\nplan: {step: 50 ms}\n");
  EXPECT_EQ(number(json(folder.seam({"info", "system.yaml", "--json"}).out), "step"), 0.1);
  EXPECT_EQ(number(json(folder.seam({"info", "system.yaml", "--plan", "fast.yaml", "--json"}).out), "step"), 0.05);
  EXPECT_EQ(
      number(json(folder.seam({"info", "system.yaml", "--plan", "fast.yaml", "--step", "20ms", "--json"}).out), "step"),
      0.02);
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--plan", "slow.yaml"}, {"slow.yaml"}));
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--ssd", "x"}, {"--ssd is for packages"}));
}

TEST(Package, plan_inside_is_used_unless_it_is_ignored) {
  const Lags folder;
  ASSERT_EQ(folder.seam({"convert", "system.yaml", "-o", "made.ssp", "--step", "50ms"}).exit_code, 0);
  EXPECT_EQ(number(json(folder.seam({"info", "made.ssp", "--json"}).out), "step"), 0.05);
  EXPECT_EQ(folder.seam({"run", "made.ssp", "--no-embedded-plan"}).exit_code, 1);  // no step is given
}

TEST(Package, result_does_not_replace_the_package) {
  const Lags folder;
  ASSERT_EQ(folder.seam({"convert", "system.yaml", "-o", "made.ssp"}).exit_code, 0);
  EXPECT_TRUE(refuses(folder, {"run", "made.ssp", "-o", "made.ssp"}, {"the result would replace"}));
}

TEST(ConnectFlag, is_for_fmus_alone_and_never_ignored) {
  const Lags folder;
  const Ran ran = folder.seam({"run", "system.yaml", "--connect", "a.y=b.u"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(says(ran.err, "--connect is for FMUs")) << ran.err;
}

TEST(InputFile, feeds_a_system_file_or_is_refused) {
  const Lags folder;
  folder.write("free.yaml",
               "seam: 1\nsubsystems: {m: {model: mass-chain, set: {masses: [2 kg]}}}\nexperiment: {stop: 1}\nplan: "
               "{step: 0.1}\nrecord: {variables: [m.v1]}\n");
  folder.write("force.csv", "time,m.f1 [N]\n0,4\n9,4\n");
  ASSERT_EQ(folder.seam({"run", "free.yaml", "--input-file", "force.csv", "-o", "r.csv"}).exit_code, 0);
  const std::string result = folder.read("r.csv");
  const std::string last = result.substr(result.rfind('\n', result.size() - 2) + 1);
  EXPECT_NEAR(std::stod(last.substr(last.find(',') + 1)), 2.0, 1e-9) << "4 N on 2 kg for 1 s";
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--input-file", "force.csv"}, {"\"m.f1\" names no input"}));
}

}  // namespace
}  // namespace seam::cli
