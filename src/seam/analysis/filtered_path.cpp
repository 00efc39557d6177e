#include "seam/analysis/filtered_path.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "seam/coupling/catalog.hpp"

namespace seam::analysis {
namespace {

using lti::Complex;
using lti::Matrix;

/// The rows an emitter carries on, and what it sends, by the output at the next micro point.
lti::StateSpace probed(const coupling::Emitter& emitter) {
  const coupling::RowRange carried = emitter.carried(1);
  const auto first = static_cast<std::size_t>(carried.first);
  const Eigen::Index n = carried.count;
  lti::StateSpace result{Matrix(n, n), Matrix(n, 1), Matrix(1, n), Matrix(1, 1)};
  for (Eigen::Index column = 0; column <= n; ++column) {
    std::vector<double> rows(static_cast<std::size_t>(emitter.rows()));
    const double output = column == n ? 1.0 : 0.0;
    if (column < n) rows[first + static_cast<std::size_t>(column)] = 1.0;
    emitter.observe(1, &output, rows.data());
    const Eigen::Map<const lti::Vector> next(rows.data() + first, n);
    if (column < n) {
      result.A.col(column) = next;
      result.C(0, column) = rows[0];
    } else {
      result.B.col(0) = next;
      result.D(0, 0) = rows[0];
    }
  }
  return result;
}

/// Over one interval with a new sample: the history at its end, and three coefficients a micro step.
struct Interval {
  lti::Vector history, coefficients;
};

Interval cross(const coupling::Receiver& receiver, int micro_steps, std::vector<double> history, double sample) {
  const coupling::ReceiverShape shape = receiver.shape();
  const int column = 0;
  Interval result;
  result.coefficients = lti::Vector::Zero(3 * micro_steps);
  receiver.make_room(1, 1, history.data());
  history[static_cast<std::size_t>(shape.newest)] = sample;
  std::vector<double> polynomial(static_cast<std::size_t>(shape.degree) + 1);
  receiver.polynomial(1, shape.history, history.data(), {polynomial.data(), 1, &column});
  for (int s = 0; s < micro_steps; ++s)
    receiver.segment(1, history.data(), {result.coefficients.data() + 3 * s, 1, &column});
  result.history = Eigen::Map<const lti::Vector>(history.data(), static_cast<Eigen::Index>(history.size()));
  return result;
}

/// Integral of theta^power e^(-j phase theta) over [0, 1].
Complex moment(int power, double phase) {
  if (std::abs(phase) > 2.0) {  // by parts; where the phase is small that would cancel, and the series is short
    const Complex end = std::polar(1.0, -phase), slope(0.0, phase);
    Complex value = (1.0 - end) / slope;
    for (int k = 1; k <= power; ++k) value = (static_cast<double>(k) * value - end) / slope;
    return value;
  }
  Complex sum{}, factor = 1.0;
  for (int k = 0; k < 60; ++k) {
    sum += factor / static_cast<double>(power + k + 1);
    factor *= Complex(0.0, -phase) / static_cast<double>(k + 1);
    if (std::abs(factor) < 1e-18) break;
  }
  return sum;
}

}  // namespace

FilteredPath::FilteredPath(const system::Coupling& coupling, MicroSteps steps, Sink sink) : steps_(steps), sink_(sink) {
  const auto emitter = coupling::make_emitter(coupling::linearised(coupling), 1.0 / steps.of_source);
  sent_ = std::make_unique<lti::FrequencyResponse>(probed(*emitter), lti::TimeDomain::discrete);
  probe_receiver(coupling);
}

void FilteredPath::probe_receiver(const system::Coupling& coupling) {
  coupling::SampleTiming timing;
  timing.sink_segments = steps_.of_sink;
  const auto receiver = coupling::make_receiver(coupling, timing);
  const Eigen::Index rows = receiver->shape().history, outputs = 3 * steps_.of_sink;
  lti::StateSpace map{Matrix(rows, rows), Matrix(rows, 1), Matrix(outputs, rows), Matrix(outputs, 1)};
  for (Eigen::Index column = 0; column <= rows; ++column) {
    std::vector<double> history(static_cast<std::size_t>(rows));
    if (column < rows) history[static_cast<std::size_t>(column)] = 1.0;
    const Interval one = cross(*receiver, steps_.of_sink, std::move(history), column == rows ? 1.0 : 0.0);
    (column < rows ? map.A.col(column) : map.B.col(0)) = one.history;
    (column < rows ? map.C.col(column) : map.D.col(0)) = one.coefficients;
  }
  received_ = std::make_unique<lti::FrequencyResponse>(map, lti::TimeDomain::discrete);
}

HoldResponse FilteredPath::at(double phase) const {
  const Complex sent = sent_->at(phase / steps_.of_source)(0, 0);
  const lti::ComplexMatrix polynomials = received_->at(phase);
  const double n = steps_.of_sink, part = phase / n;
  const int powers = sink_ == Sink::signal ? 3 : 1;
  HoldResponse response;
  Complex at_end{};
  for (int s = 0; s < steps_.of_sink; ++s) {
    Complex over{};
    at_end = 0.0;
    for (int j = 0; j < powers; ++j) {
      over += polynomials(3 * s + j, 0) * moment(j, part);
      at_end += polynomials(3 * s + j, 0);
    }
    response.over_step += sent * over * std::polar(1.0 / n, -part * s);
  }
  response.at_end = sent * at_end * std::polar(1.0, -phase);
  return response;
}

}  // namespace seam::analysis
