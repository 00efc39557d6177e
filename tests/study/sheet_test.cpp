#include "seam/study/sheet.hpp"

#include <cmath>
#include <limits>

#include "study/study_folder.hpp"

namespace seam::study {
namespace {

using Sheets = StudyFolder;

TEST_F(Sheets, a_row_reads_back_to_the_same_bits) {
  const Prepared study = prepared("vary: {plan.step: [1 ms, 2 ms], left.x0: [[1], [2]]}\n");
  const Row row{3,
                1,
                {"2 ms", "[2]"},
                Ending::ended,
                {0.1 + 0.2, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min()},
                "he said \"stop\", and so it did"};
  const std::string line = study.sheet.line(row);
  const auto back = study.sheet.row(std::string_view(line).substr(0, line.size() - 1));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->point, row.point);
  EXPECT_EQ(back->method, row.method);
  EXPECT_EQ(back->ending, row.ending);
  EXPECT_EQ(back->metrics, row.metrics);
  EXPECT_EQ(back->reason, row.reason);
  EXPECT_EQ(study.sheet.line(*back), line);
}

TEST_F(Sheets, what_is_not_known_stays_so) {
  const Prepared study = prepared("metrics: [radius]\n");
  const std::string line = study.sheet.line({0, 0, {}, Ending::failed, {std::nan("")}, "why"});
  EXPECT_EQ(line, "1,1,\"as planned\",\"failed\",nan,\"why\"\n");
  EXPECT_TRUE(std::isnan(study.sheet.row("1,1,\"as planned\",\"failed\",nan,\"why\"")->metrics[0]));
}

TEST_F(Sheets, times_are_in_seconds_and_a_common_unit_goes_to_the_header) {
  const Prepared study = prepared(
      "metrics: [radius]\nvary: {plan.step: [1 ms, 0.002], left.to_ground.k: [10 N/m, 20 N/m], left.to_ground.d: [1, 2 "
      "N.s/m]}\n");
  EXPECT_EQ(study.sheet.header(),
            "case,point,method,plan.step [s],left.to_ground.k [N/m],left.to_ground.d,ending,radius,reason\n");
  EXPECT_EQ(study.sheet.line({7, 0, point_of(study.study, 7).texts, Ending::done, {1.0}, ""}),
            "8,8,\"as planned\",0.002,20,\"2 N.s/m\",\"done\",1,\"\"\n");
}

TEST_F(Sheets, a_line_of_something_else_is_no_row) {
  const Sheet sheet = prepared("metrics: [radius]\n").sheet;
  for (const char* line : {"", "1", "1,1,\"other\",\"done\",1,\"\"", "1,1,\"as planned\",\"odd\",1,\"\"",
                           "1,1,\"as planned\",\"done\",x,\"\"", "2,1,\"as planned\",\"done\",1,\"\"",
                           "1,0,\"as planned\",\"done\",1,\"\"", "1,1,\"as planned\",\"done\",1"})
    EXPECT_FALSE(sheet.row(line)) << line;
}

}  // namespace
}  // namespace seam::study
