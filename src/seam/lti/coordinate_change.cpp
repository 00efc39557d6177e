// The state of one model in the coordinates of another, by their observability matrices.
#include <algorithm>

#include "seam/lti/least_squares.hpp"
#include "seam/lti/observability.hpp"
#include "seam/lti/output_prediction.hpp"

namespace seam::lti {

using Block = Eigen::Map<Matrix>;

struct CoordinateChange::Workspace {
  Workspace(const ModelSize& size_in, int samples_in)
      : size(size_in),
        samples(samples_in),
        leading(std::max((samples + 1) * size.outputs, std::max(size.states, 1))),
        after(area(leading, size.states)),
        before(after.size()),
        row(area(size.outputs, size.states)),
        scratch(row.size()),
        map(area(size.states, size.states)),
        gains(size),
        solver(size.states) {}

  ModelSize size;
  int samples, leading;
  int from = 0, to = 0;
  std::vector<double> after, before, row, scratch, map;
  StepGains gains;
  LeastSquares solver;

  void write(const PairedModel& model, std::span<const double> scales, std::vector<double>& place);
};

CoordinateChange::CoordinateChange(const ModelSize& size, int samples) : work_(size, samples) {}

/// The output now, and then those of one sample after the other.
void CoordinateChange::Workspace::write(const PairedModel& model, std::span<const double> scales,
                                        std::vector<double>& place) {
  const int n = model.order(), ny = size.outputs;
  Block rows(place.data(), leading, n), row_now(row.data(), ny, n), next(scratch.data(), ny, n);
  gains.derive(model, 1);
  rows.setZero();
  for (int j = 0; j < ny; ++j) rows.row(j) = gains.C().row(j) / scales[static_cast<std::size_t>(j)];
  row_now = model.C();
  for (int sample = 1; sample <= samples; ++sample) {
    for (int j = 0; j < ny; ++j) rows.row(sample * ny + j) = row_now.row(j) / scales[static_cast<std::size_t>(j)];
    next.noalias() = row_now.lazyProduct(model.A());
    row_now = next;
  }
}

bool CoordinateChange::find(const PairedModel& before, const PairedModel& after,
                            std::span<const double> output_scales) {
  Workspace& w = *work_;
  w.from = before.order();
  w.to = after.order();
  w.write(before, output_scales, w.before);
  w.write(after, output_scales, w.after);
  Block map(w.map.data(), w.to, w.from);
  map.setZero();
  if (w.from == 0 || w.to == 0) return true;
  const int rows = (w.samples + 1) * w.size.outputs;
  const Block left(w.after.data(), w.leading, w.to), right(w.before.data(), w.leading, w.from);
  if (!left.allFinite() || !right.allFinite() || rows < w.to) return false;
  if (w.solver.solve({w.after.data(), w.before.data(), rows, w.to, w.from, w.leading}, unseen) < w.to) return false;
  map = right.topRows(w.to);
  return true;
}

Eigen::Map<const Matrix> CoordinateChange::map() const { return {work_->map.data(), work_->to, work_->from}; }

}  // namespace seam::lti
