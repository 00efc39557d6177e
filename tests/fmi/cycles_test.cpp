// Loading and unloading again and again: nothing may be left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "fmi/built_fmu.hpp"
#include "seam/fmi/co_simulation/co_simulation.hpp"

namespace seam::fmi {
namespace {

std::size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

std::size_t lines_of(const std::string& path) {
  std::ifstream file(path);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
}

std::size_t open_files() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

class CyclesSlow : public BuiltFmus, public ::testing::WithParamInterface<std::pair<int, const char*>> {
 protected:
  void one_life() {
    FmuSetup setup;
    setup.name = "it";
    setup.fmu = fmu_;
    const auto subsystem = make_co_simulation(std::move(setup));
    const assembly::StepFunction function = subsystem->prepare({0.1});
    const Ports ports = ports_of(fmu_->description, {});
    std::vector<double> inputs(ports.inputs.size()), outputs(ports.outputs.size());
    subsystem->initialise(0.0);
    subsystem->evaluate(0.0, assembly::Sources::live, inputs, outputs);
    subsystem->begin_steps(outputs);
    const auto state = subsystem->save();
    assembly::InputPolynomials input{inputs.data(), 0, static_cast<int>(inputs.size())};
    for (int n = 0; n < 10; ++n) function.advance({0.1 * n, 0.1}, input, outputs);
    subsystem->restore(state);
    if (assembly::Persistence* const persistence = subsystem->facets().persistence) {
      const std::string bytes = persistence->serialise();
      persistence->resume(0.0, bytes);
    }
  }
  std::shared_ptr<const Fmu> fmu_ = open(GetParam().first, GetParam().second);
};
INSTANTIATE_TEST_SUITE_P(Fmi, CyclesSlow,
                         ::testing::Values(std::pair{2, "two-mass-left"}, std::pair{3, "two-mass-left"},
                                           std::pair{2, "types"}, std::pair{3, "types"}, std::pair{2, "strict"},
                                           std::pair{3, "strict"}));

TEST_P(CyclesSlow, a_thousand_lives_leave_no_memory_no_mapping_and_no_file_behind) {
  for (int warm = 0; warm < 100; ++warm) one_life();
  const std::size_t pages = resident_pages(), mappings = lines_of("/proc/self/maps"), files = open_files();
  for (int life = 0; life < 1000; ++life) one_life();
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
  EXPECT_LE(resident_pages(), pages + 64) << "a quarter of a megabyte more than after the first hundred";
  EXPECT_LE(lines_of("/proc/self/maps"), mappings + 2);
#endif
  EXPECT_EQ(open_files(), files);
  EXPECT_FALSE(saw_illegal_calls());
}

}  // namespace
}  // namespace seam::fmi
