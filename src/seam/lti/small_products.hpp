// Products of small matrices, column-major and without gaps: at two or three rows a library costs more than it saves.
// Only source files of this room include it.
#pragma once

namespace seam::lti {

/// Of A, rows x count, and what it is multiplied by, count x columns.
struct ProductShape {
  int rows, count, columns;
};

/// to += A from.
inline void add_product(const ProductShape& shape, const double* A, const double* from, double* to) {
  for (int c = 0; c < shape.columns; ++c, from += shape.count) {
    for (int i = 0; i < shape.rows; ++i) {
      double sum = *to;
      for (int k = 0; k < shape.count; ++k) sum += A[k * shape.rows + i] * from[k];
      *to++ = sum;
    }
  }
}

/// to = A from.
inline void write_product(const ProductShape& shape, const double* A, const double* from, double* to) {
  for (int c = 0; c < shape.columns; ++c, from += shape.count) {
    for (int i = 0; i < shape.rows; ++i) {
      double sum = 0.0;
      for (int k = 0; k < shape.count; ++k) sum += A[k * shape.rows + i] * from[k];
      *to++ = sum;
    }
  }
}

}  // namespace seam::lti
