// From samples to A and C: data matrices, LQ factorisation, singular values, shift structure.
#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/lti/fours.hpp"
#include "seam/lti/householder.hpp"
#include "seam/lti/identification_workspace.hpp"

namespace seam::lti {
namespace {

using Block = Eigen::Map<Matrix>;

std::size_t area(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

int most_equations(const IdentificationSize& size) {
  const int k = size.block_rows;
  const int unknowns = size.states + size.inputs * (size.states + size.outputs);
  return std::max({size.samples * size.outputs, k * size.outputs * k * size.inputs, unknowns});
}

int most_unknowns(const IdentificationSize& size) {
  return std::max(size.states + size.inputs * (size.states + size.outputs), 1);
}

/// Channels one after the other, each with room for the most samples.
struct Channels {
  double* numbers;
  int count, samples, room;

  double* channel(int c) const { return numbers + c * room; }
  void take(std::span<const double> mixed) const {
    for (int c = 0; c < count; ++c) {
      const double* from = mixed.data() + c;
      for (int i = 0; i < samples; ++i, from += count) channel(c)[i] = *from;
    }
  }
  /// Root mean squares; 1 where that is 0. False if one of them is no number.
  bool find_scales(double* scales) const {
    bool finite = true;
    for (int c = 0; c < count; ++c) {
      scales[c] = std::sqrt(dot(channel(c), channel(c), samples) / samples);
      if (scales[c] == 0.0) scales[c] = 1.0;
      finite = finite && std::isfinite(scales[c]);
    }
    return finite;
  }
  /// The reciprocal of a scale is a number, too: a scale is the root of one.
  void divide(const double* scales) const {
    for (int c = 0; c < count; ++c) {
      const double factor = 1.0 / scales[c];
      for (int i = 0; i < samples; ++i) channel(c)[i] *= factor;
    }
  }
};

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

Identification::Workspace::Workspace(const IdentificationSize& size)
    : inputs(size.inputs),
      outputs(size.outputs),
      most_samples(size.samples),
      block_rows(size.block_rows),
      most_states(std::min(size.states, (size.block_rows - 1) * size.outputs)),
      input_scale(static_cast<std::size_t>(inputs)),
      output_scale(static_cast<std::size_t>(outputs)),
      hankel_leading(most_samples),
      hankel(area(hankel_leading, block_rows * (inputs + outputs))),
      triangle(
          std::max(area(block_rows * inputs, block_rows * inputs), area(block_rows * outputs, block_rows * outputs))),
      A(area(most_states, most_states)),
      B(area(most_states, inputs)),
      C(area(outputs, most_states)),
      D(area(outputs, inputs)),
      x0(static_cast<std::size_t>(most_states)),
      B_seen(B.size()),
      C_seen(C.size()),
      D_seen(D.size()),
      equation_rows(most_equations(size)),
      equations(area(most_equations(size), most_unknowns(size))),
      right_side(area(most_equations(size), std::max(most_states, 1))),
      column_norms(static_cast<std::size_t>(most_unknowns(size))),
      filters(area(std::max(most_states, outputs), std::max(most_states, 1))),
      scratch(filters.size()),
      state(static_cast<std::size_t>(2 * most_states)),
      projector(area(block_rows * outputs, block_rows * most_states)),
      errors(static_cast<std::size_t>(outputs)),
      singular(block_rows * std::max(inputs, outputs), block_rows * std::max(inputs, outputs)),
      least_squares(most_unknowns(size)) {
  for (Record* record : {&fitted, &fresh}) {
    record->u.resize(area(most_samples, inputs));
    record->y.resize(area(most_samples, outputs));
  }
}

void Identification::Workspace::sort_into(const Samples& samples, Record& record) const {
  const auto nu = static_cast<std::size_t>(inputs), ny = static_cast<std::size_t>(outputs);
  const std::size_t count = samples.inputs.size() / nu;
  if (samples.inputs.size() != count * nu || samples.outputs.size() != count * ny ||
      count > static_cast<std::size_t>(most_samples)) {
    throw base::Error(base::Failure::internal, "identification: samples of another size than announced");
  }
  record.count = static_cast<int>(count);
  Channels{record.u.data(), inputs, record.count, most_samples}.take(samples.inputs);
  Channels{record.y.data(), outputs, record.count, most_samples}.take(samples.outputs);
}

void Identification::Workspace::scale(Record& record) const {
  Channels{record.u.data(), inputs, record.count, most_samples}.divide(input_scale.data());
  Channels{record.y.data(), outputs, record.count, most_samples}.divide(output_scale.data());
}

bool Identification::Workspace::take(const Samples& samples) {
  sort_into(samples, fitted);
  const Channels u{fitted.u.data(), inputs, fitted.count, most_samples};
  const Channels y{fitted.y.data(), outputs, fitted.count, most_samples};
  const bool finite_inputs = u.find_scales(input_scale.data()), finite_outputs = y.find_scales(output_scale.data());
  // squares may be too large where the numbers are not
  if (!(finite_inputs || all_finite(samples.inputs)) || !(finite_outputs || all_finite(samples.outputs))) return false;
  scale(fitted);
  return true;
}

/// The data matrices, transposed: what a channel showed, and then the same from one sample later on.
void Identification::Workspace::write_hankel() {
  double* column = hankel.data();
  const auto write = [&](const double* samples) {
    std::copy_n(samples, hankel_rows, column);
    column += hankel_leading;
  };
  for (int i = 0; i < block_rows; ++i) {
    for (int c = 0; c < inputs; ++c) write(fitted.u.data() + area(most_samples, c) + i);
  }
  for (int i = 0; i < block_rows; ++i) {
    for (int c = 0; c < outputs; ++c) write(fitted.y.data() + area(most_samples, c) + i);
  }
}

// [U; Y] = [L11 0; L21 L22] Q^T, as the QR factorisation of the transposed: R11 = L11^T, R12 = L21^T, R22 = L22^T.
// The inputs tell the model from others only if L11 is regular; L22 has the column space of the observability matrix.
Finding Identification::Workspace::factorise(const IdentificationChoices& choices) {
  const int k = block_rows;
  hankel_rows = fitted.count - k + 1;
  excitation = 0.0;
  if (hankel_rows < input_rows() + 1) return Finding::too_few_samples;
  write_hankel();
  make_triangular({hankel.data(), hankel_rows, data_columns(), hankel_leading});

  Block inputs_own(triangle.data(), input_rows(), input_rows());
  for (int j = 0; j < input_rows(); ++j) {
    for (int i = 0; i < input_rows(); ++i) inputs_own(i, j) = i <= j ? hankel_at(i, j) : 0.0;
  }
  using Vectors = SingularValues::Vectors;
  if (!singular.compute(triangle.data(), input_rows(), input_rows(), Vectors::none)) return Finding::not_finite;
  const double largest = singular.values().front();
  weakest_input = singular.values()[static_cast<std::size_t>(input_rows() - 1)];
  excitation = largest > 0.0 ? weakest_input / largest : 0.0;
  if (!(excitation >= choices.least_excitation)) return Finding::not_exciting;

  const int rows_of_R = std::min(hankel_rows, data_columns());
  const int columns = rows_of_R - input_rows();
  Block outputs_own(triangle.data(), output_rows(), columns);
  double squares = 0.0;
  for (int i = 0; i < output_rows(); ++i) {
    const int column = input_rows() + i;
    for (int row = 0; row <= std::min(column, rows_of_R - 1); ++row) {
      const double number = hankel_at(row, column);
      squares += number * number;
    }
    for (int j = 0; j < columns; ++j)
      outputs_own(i, j) = input_rows() + j <= column ? hankel_at(input_rows() + j, column) : 0.0;
  }
  data_size = std::sqrt(squares);
  if (!singular.compute(triangle.data(), output_rows(), columns, Vectors::left)) return Finding::not_finite;
  singular_count = std::min(output_rows(), columns);
  return Finding::identified;
}

// Noise of size s in every sample leaves about s sqrt(spare columns) as the first singular value that is no state. It
// moves N^T L21 of eq. 26 by about s, and turns N by s over the weakest state's singular value, which lets so much of
// L21 through; the response is wrong by that over the smallest singular value of L11.
void Identification::Workspace::judge(IdentificationReport& report) const {
  const auto n = static_cast<std::size_t>(order);
  const double weakest_state = order > 0 ? singular.values()[n - 1] : data_size;
  report.prominence = data_size > 0.0 ? report.gap * weakest_state / data_size : 0.0;
  report.uncertainty = std::numeric_limits<double>::infinity();
  if (report.spare_columns <= 0 || !(weakest_input > 0.0) || !(weakest_state > 0.0)) return;
  const double noise = order < singular_count ? singular.values()[n] / std::sqrt(report.spare_columns) : 0.0;
  report.uncertainty = noise / weakest_input * (1.0 + data_size / weakest_state);
}

Finding Identification::Workspace::choose_order(const IdentificationChoices& choices, double& gap) {
  const auto& values = singular.values();
  const double floor = std::max(choices.rounding * data_size, std::numeric_limits<double>::min());
  const auto value = [&](int i) {  // counted from 1, as states are
    if (i == 0) return data_size;
    return i <= singular_count ? std::max(values[static_cast<std::size_t>(i - 1)], floor) : floor;
  };
  const int limit = std::min(most_states, singular_count);
  order = 0;
  gap = value(0) / value(1);
  if (choices.order) {
    order = std::clamp(*choices.order, 0, most_states);
    gap = value(order) / value(order + 1);
    if (order != *choices.order) return Finding::too_few_block_rows;
    return order > 0 && value(order) <= floor ? Finding::fewer_states_moved : Finding::identified;
  }
  if (value(1) <= floor) return Finding::identified;
  gap = 0.0;
  for (int n = 1; n <= limit && value(n) > floor; ++n) {
    const double ratio = value(n) / value(n + 1);
    if (ratio <= gap) continue;
    gap = ratio;
    order = n;
  }
  return Finding::identified;
}

// Gamma = U S^1/2 (eq. 24), C its first block row, and Gamma without its last block row times A is Gamma without its
// first (eq. 25). Solved for the orthonormal U, so that the rank found does not depend on how strongly a state was
// moved.
bool Identification::Workspace::find_dynamics() {
  const int n = order, rows = output_rows() - outputs;
  const Eigen::Map<const Matrix> U(singular.left(), output_rows(), output_rows());
  const int leading = std::max(rows, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < rows; ++i) {
      equations[area(j, leading) + static_cast<std::size_t>(i)] = U(i, j);
      right_side[area(j, leading) + static_cast<std::size_t>(i)] = U(i + outputs, j);
    }
  }
  if (least_squares.solve({equations.data(), right_side.data(), rows, n, n, leading}, 1e-9) < n) return false;
  Block dynamics(A.data(), n, n), seen(C.data(), outputs, n);
  for (int j = 0; j < n; ++j) {
    const double column = std::sqrt(singular.values()[static_cast<std::size_t>(j)]);
    for (int i = 0; i < n; ++i) {
      const double row = std::sqrt(singular.values()[static_cast<std::size_t>(i)]);
      dynamics(i, j) = right_side[area(j, leading) + static_cast<std::size_t>(i)] * column / row;
    }
    for (int i = 0; i < outputs; ++i) seen(i, j) = U(i, j) * column;
  }
  return true;
}

void Identification::Workspace::unscale() {
  Block b(B_seen.data(), order, inputs), c(C_seen.data(), outputs, order), d(D_seen.data(), outputs, inputs);
  b = Block(B.data(), order, inputs);
  c = Block(C.data(), outputs, order);
  d = Block(D.data(), outputs, inputs);
  for (int j = 0; j < inputs; ++j) {
    b.col(j) /= input_scale[static_cast<std::size_t>(j)];
    d.col(j) /= input_scale[static_cast<std::size_t>(j)];
  }
  for (int i = 0; i < outputs; ++i) {
    c.row(i) *= output_scale[static_cast<std::size_t>(i)];
    d.row(i) *= output_scale[static_cast<std::size_t>(i)];
  }
}

}  // namespace seam::lti
