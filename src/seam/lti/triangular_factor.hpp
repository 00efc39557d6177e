// R of A = Q R, for matrices with few columns. Only source files of this room include it.
#pragma once

#include <vector>

namespace seam::lti {

/// Its memory is made once.
class TriangularFactor {
 public:
  explicit TriangularFactor(int most_rows);

  /// A is column-major, with numbers whose squares are numbers, too; rows up to the next whole four are there and zero.
  struct Problem {
    double* A;
    int rows, columns, leading;
  };
  /// R takes the place of A on and above the diagonal; what is below is of no use.
  void compute(const Problem& problem);

 private:
  std::vector<double> mirror_;
};

}  // namespace seam::lti
