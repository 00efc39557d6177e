// What a worker of a study keeps from one point to the next, and what its rows say.
#include "seam/study/measure.hpp"

#include <malloc.h>

#include "study/study_folder.hpp"

namespace seam::study {
namespace {

class Measure : public StudyFolder {
 protected:
  /// Bytes in use; 0 where a sanitizer replaces malloc.
  static std::size_t memory_in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }
};

// Two thousand rows of six columns are 96 kB a run, and each point makes three or four runs.
TEST_F(Measure, the_memory_of_a_worker_does_not_grow_with_the_number_of_points) {
  for (const char* reference : {"monolithic", "{plan.coupling: soh}"}) {
    const Prepared study =
        prepared(std::string("samples: 40\nseed: 1\nset: {left.masses: \"[{mass}]\", plan.step: 0.1 ms}\n"
                             "vary: {mass: {uniform: [0.1, 0.2]}}\nmetrics: [nrmse_range]\nreference: ") +
                 reference + "\n");
    PointRunner runner(study.study, study.sheet, nullptr);
    for (std::size_t point = 0; point < 5; ++point) runner.run(point);
    const std::size_t before = memory_in_use();
    for (std::size_t point = 5; point < 40; ++point)
      ASSERT_EQ(runner.run(point).front().ending, Ending::done) << reference;
    EXPECT_LT(memory_in_use(), before + 100'000) << reference;
  }
}

TEST_F(Measure, a_reference_that_diverges_is_told_with_the_port_that_did) {
  const StudyResult result =
      run(prepared("growth_limit: 5\nmetrics: [nrmse_range]\nreference: {plan.step: 5 ms}\n"), "r.csv");
  EXPECT_EQ(result.rows.front().reason, "there is no reference: left.F diverged at 0.005 s");
}

}  // namespace
}  // namespace seam::study
