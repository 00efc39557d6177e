// Two hundred random couplings of masses, controllers and filters: what analysis says before a run is what the run
// does.
#include "seam/engine/predict/outlook.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "conformance/outlook_study.hpp"
#include "formats/temporary_folder.hpp"
#include "support/growth.hpp"

namespace seam {
namespace {

using testing::OutlookStudy;
using testing::RandomCoupling;
using testing::RandomCouplings;

constexpr std::uint64_t seed = 20261115;
constexpr int all = 200, some = 20;

engine::Outlook verdict_of(const engine::System& system) {
  engine::OutlookRequest request;
  request.depth = engine::OutlookRequest::Depth::verdict;
  return look_ahead(system, request);
}

std::string describe(int i, const RandomCoupling& coupling) {
  return fmt::format("system {} ({}, {} subsystems, {}, {}, step {:.4g} s)", i, word(coupling.kind),
                     coupling.parts.size(), coupling.coupling, coupling.schedule, coupling.step);
}

double rate_of(const RandomCoupling& coupling, RandomCoupling::Solver solver) {
  return testing::growth_rate(engine::open_text(coupling.native(solver), "random.yaml", {}),
                              coupling.has_structural_eigenvalue() ? 1 : 0);
}

void native_systems(int count) {
  OutlookStudy study(OutlookStudy::Allowed::part);
  RandomCouplings random(seed);
  for (int i = 0; i < count; ++i) {
    const RandomCoupling coupling = random.next();
    const auto outlook =
        verdict_of(engine::open_text(coupling.native(RandomCoupling::Solver::exact), "random.yaml", {}));
    study.take(coupling, outlook, rate_of(coupling, RandomCoupling::Solver::exact), describe(i, coupling));
  }
  study.print(fmt::format("native models, seed {}", seed));
  EXPECT_EQ(study.part_not_known(), 0.0);
  EXPECT_GT(study.stable(), count / 5);
  EXPECT_GT(study.unstable(), count / 5);
}

TEST(NativeOutlook, is_what_a_long_run_does) { native_systems(some); }
TEST(NativeOutlookSlow, is_what_a_long_run_does) { native_systems(all); }

/// FMUs that can do nothing but what a plain run needs, of both versions in turn.
class BlackBoxes : public ::testing::Test {
 protected:
  BlackBoxes() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~BlackBoxes() override { ::unsetenv("XDG_CACHE_HOME"); }

  engine::System of_fmus(const RandomCoupling& coupling, int first_version) const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < coupling.parts.size(); ++i) {
      const int version = 2 + (first_version + static_cast<int>(i)) % 2;
      files.push_back(fmt::format("poor-{}.fmu", version));
      std::filesystem::copy_file(fmt::format("{}/fmus/fmi{}/state-space-4-poor.fmu", SEAM_BINARY_DIR, version),
                                 folder_.file(files.back()), std::filesystem::copy_options::skip_existing);
    }
    return engine::open_text(coupling.of_fmus(files), folder_.file("random.yaml"), {});
  }

  void check(int count) const {
    OutlookStudy study(OutlookStudy::Allowed::part_or_resolution);
    RandomCouplings random(seed);
    for (int i = 0; i < count; ++i) {
      const RandomCoupling coupling = random.next();
      const engine::Outlook outlook = verdict_of(of_fmus(coupling, i));
      study.take(coupling, outlook, rate_of(coupling, RandomCoupling::Solver::as_in_fmus), describe(i, coupling));
    }
    study.print(fmt::format("FMUs without abilities, seed {}", seed));
    EXPECT_LE(study.part_not_known(), 0.1);
    EXPECT_GT(study.stable(), count / 5);
    EXPECT_GT(study.unstable(), count / 5);
  }

  formats::TemporaryFolder folder_, cache_;
};
using BlackBoxOutlook = BlackBoxes;
using BlackBoxOutlookSlow = BlackBoxes;

TEST_F(BlackBoxOutlook, is_what_a_long_run_does) { check(some); }
TEST_F(BlackBoxOutlookSlow, is_what_a_long_run_does) { check(all); }

}  // namespace
}  // namespace seam
