#include "seam/lti/output_prediction.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "seam/lti/least_squares.hpp"
#include "seam/lti/observability.hpp"
#include "seam/lti/small_products.hpp"

namespace seam::lti {

using Block = Eigen::Map<Matrix>;

double relative_error(std::span<const double> seen, std::span<const double> foretold) {
  double squares = 0.0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double difference = std::abs(seen[i] - foretold[i]);
    const double error = difference == 0.0 ? 0.0 : difference / (std::abs(seen[i]) + difference);
    squares += std::isfinite(error) ? error * error : 1.0;
  }
  return std::sqrt(squares / static_cast<double>(seen.size()));
}

struct OutputPrediction::Workspace {
  Workspace(const ModelSize& size_in, const StepShape& shape_in)
      : size(size_in),
        shape(shape_in),
        rows((shape.steps - 1) * size.outputs),
        leading(std::max(rows, std::max(size.states, 1))),
        equations(area(leading, size.states)),
        inverse(area(leading, rows)),
        row(area(size.outputs, size.states)),
        scratch(row.size()),
        last_row(row.size()),
        states(static_cast<std::size_t>(2 * size.states)),
        misses(static_cast<std::size_t>(rows)),
        output(static_cast<std::size_t>(size.outputs)),
        solver(size.states) {}

  ModelSize size;
  StepShape shape;
  int rows, leading;
  bool tells = false;
  std::vector<double> equations, inverse, row, scratch, last_row, states, misses, output;
  LeastSquares solver;
};

OutputPrediction::OutputPrediction(const ModelSize& size, const StepShape& shape) : work_(size, shape) {}

// Rows of the observability matrix at the ends of macro steps, C A^(r m - 1), and their pseudo-inverse.
bool OutputPrediction::prepare(const PairedModel& model, std::span<const double> output_scales) {
  Workspace& w = *work_;
  const int n = model.order(), ny = w.size.outputs;
  const double *const A = model.A().data(), *const C = model.C().data();
  std::copy_n(C, ny * n, w.row.begin());
  std::fill(w.inverse.begin(), w.inverse.end(), 0.0);
  for (int sample = 1; sample < w.shape.total(); ++sample) {
    for (int j = 0; j < ny && sample % w.shape.samples == 0; ++j) {
      const double factor = 1.0 / output_scales[static_cast<std::size_t>(j)];
      const int place = (sample / w.shape.samples - 1) * ny + j;
      for (int i = 0; i < n; ++i)
        w.equations[area(w.leading, i) + static_cast<std::size_t>(place)] =
            factor * w.row[area(ny, i) + static_cast<std::size_t>(j)];
      w.inverse[area(w.leading, place) + static_cast<std::size_t>(place)] = factor;
    }
    write_product({ny, n, n}, w.row.data(), A, w.scratch.data());
    std::swap(w.row, w.scratch);
  }
  w.last_row = w.row;
  const Block last(w.last_row.data(), ny, n), equations(w.equations.data(), w.leading, n);
  w.tells = last.allFinite() && equations.topRows(w.rows).allFinite();
  if (n == 0 || !w.tells) return w.tells;
  w.tells =
      w.rows >= n && w.solver.solve({w.equations.data(), w.inverse.data(), w.rows, n, w.rows, w.leading}, unseen) == n;
  return w.tells;
}

std::span<const double> OutputPrediction::predict(const PairedModel& model, const Samples& steps) {
  Workspace& w = *work_;
  const int n = model.order(), ny = w.size.outputs, nu = w.size.inputs;
  const double *const A = model.A().data(), *const B = model.B().data();
  double *x = w.states.data(), *next = x + n, *const y = w.output.data(), *miss = w.misses.data();
  const double *u = steps.inputs.data(), *seen = steps.outputs.data();
  std::fill_n(x, n, 0.0);
  for (int step = 0; step < w.shape.steps; ++step) {
    for (int sample = 1; sample <= w.shape.samples; ++sample, u += nu, seen += ny) {
      if (sample == w.shape.samples) {
        write_product({ny, nu, 1}, model.D().data(), u, y);
        add_product({ny, n, 1}, model.C().data(), x, y);
        for (int j = 0; j < ny && step + 1 < w.shape.steps; ++j) *miss++ = seen[j] - y[j];
      }
      write_product({n, nu, 1}, B, u, next);  // first, for it need not wait for the state
      add_product({n, n, 1}, A, x, next);
      std::swap(x, next);
    }
  }
  std::fill_n(x, n, 0.0);
  for (int row = 0; row < w.rows; ++row)
    add_product({n, 1, 1}, w.inverse.data() + row * w.leading, w.misses.data() + row, x);
  add_product({ny, n, 1}, w.last_row.data(), x, y);
  return w.output;
}

double OutputPrediction::error(const PairedModel& model, const Samples& steps) {
  const std::size_t needed = area(work_->shape.total(), work_->size.outputs);
  if (!work_->tells || steps.outputs.size() < needed) return std::numeric_limits<double>::infinity();
  const auto ny = static_cast<std::size_t>(work_->size.outputs);
  return relative_error(steps.outputs.subspan(needed - ny, ny), predict(model, steps));
}

}  // namespace seam::lti
