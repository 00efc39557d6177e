#include "seam/coupling/corrector/prediction_maker.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/observer_maker.hpp"
#include "seam/lti/input_prediction.hpp"
#include "seam/lti/observer.hpp"

namespace seam::coupling {
namespace {

using Eigen::Index;
using lti::Matrix;
using lti::Vector;

/// Of the inputs over the step of one rate.
struct PredictedRate {
  int multiple = 1;
  lti::InputPrediction inputs;
  std::vector<int> places;  ///< of the columns of composed gains
};

/// Rows without what is 0.
class RowsOfGains {
 public:
  template <class Row>
  void add(const Row& row, const std::vector<int>& places) {
    const Index constant = row.size() - 1;
    rows_.entries.push_back(static_cast<int>(gains_.size()));
    constants_.push_back(row(constant));
    for (Index column = 0; column < constant; ++column) {
      const int place = places[static_cast<std::size_t>(column)];
      if (place < 0 || row(column) == 0.0) continue;
      gains_.push_back(row(column));
      rows_.places.push_back(place);
    }
  }
  Index count() const { return std::ssize(constants_); }
  GainRows put_into(ModelStore& models) {
    rows_.entries.push_back(static_cast<int>(gains_.size()));
    const auto append = [&](const std::vector<double>& numbers) {
      return models.put(Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size())));
    };
    rows_.gains = append(gains_);
    rows_.constants = append(constants_);
    return rows_;
  }

 private:
  GainRows rows_;
  std::vector<double> gains_, constants_;
};

class PredictionMaker {
 public:
  PredictionMaker(const CompileTask& task, Layout& layout)
      : task_(task),
        layout_(layout),
        c_(*layout.correction),
        models_(layout.initial.models),
        observers_(layout, task.plan.step, all_, models_, *result_) {}

  bool make();

 private:
  const Lane& own(const CorrectedLane& lane) const { return layout_.lanes[static_cast<std::size_t>(lane.lane)]; }
  lti::PredictedPart part_of(const CorrectedLane& lane) const;
  void write_wiring();
  void find_sizes();
  double step_of(const CorrectedLane& lane) const { return lane.multiple * task_.plan.step; }
  bool predict(int multiple);
  void put_orders();
  GainRows put_gains(const std::vector<Matrix>& of_rates);
  void put_on_the_way();
  int coefficients(const CorrectedWire& wire, int multiple) const;
  Matrix polynomials(const PredictedRate& rate, const Matrix& inputs) const;
  std::vector<int> places_of_columns(const lti::PredictionColumns& columns, int multiple) const;

  const CompileTask& task_;
  Layout& layout_;
  Correction& c_;
  ModelStore models_;
  lti::PredictionTask all_;
  std::vector<PredictedRate> rates_;
  std::shared_ptr<Prediction> result_ = std::make_shared<Prediction>();
  ObserverMaker observers_;
};

lti::PredictedPart PredictionMaker::part_of(const CorrectedLane& lane) const {
  const Index m = lane.inputs, p = lane.outputs;
  lti::PredictedPart part{{Matrix(0, 0), Matrix(0, m), Matrix(p, 0), Matrix::Zero(p, m)},
                          lane.inputs,
                          {lti::InputForm::Kind::midpoint, 1},
                          Matrix(0, 0),
                          Matrix(0, p)};
  if (lane.equations) part.system = lane.equations->system;
  using Kind = lti::InputForm::Kind;
  if (lane.written > 1) part.form = {lane.in_pieces ? Kind::pieces : Kind::polynomial, lane.written};
  return part;
}

/// u = L y + l over the corrected wires.
void PredictionMaker::write_wiring() {
  const auto wires = static_cast<Index>(c_.wires.size()), outputs = static_cast<Index>(c_.outputs.size());
  all_.wiring = {Matrix::Zero(wires, outputs), Vector::Zero(wires)};
  for (Index w = 0; w < wires; ++w) {
    const CorrectedWire& wire = c_.wires[static_cast<std::size_t>(w)];
    all_.wiring.L(w, wire.output) = wire.gain;
    all_.wiring.l(w) = wire.offset;
  }
}

/// Of the outputs: nominal values where all sinks know theirs, otherwise what the gains of the coupled system suggest.
void PredictionMaker::find_sizes() {
  const auto outputs = static_cast<Index>(c_.outputs.size());
  const bool known = std::all_of(c_.wires.begin(), c_.wires.end(),
                                 [](const CorrectedWire& wire) { return wire.size > 0.0 && wire.gain != 0.0; });
  if (known) {
    all_.log_sizes = Vector::Zero(outputs);
    for (const CorrectedWire& wire : c_.wires) all_.log_sizes(wire.output) = std::log(wire.size / std::abs(wire.gain));
    return;
  }
  Matrix gains = Matrix::Zero(outputs, static_cast<Index>(c_.wires.size()));
  for (std::size_t l = 0; l < c_.lanes.size(); ++l) {
    const CorrectedLane& lane = c_.lanes[l];
    gains.block(lane.first_output, lane.first_input, lane.outputs, lane.inputs) =
        lti::gains_of_step(all_.parts[l].system, lane.inputs, step_of(lane));
  }
  all_.log_sizes = lti::natural_log_sizes(gains.cwiseAbs() * all_.wiring.L.cwiseAbs());
}

/// Of the columns of composed gains, in Memory::values; -1: it is known to be 0.
std::vector<int> PredictionMaker::places_of_columns(const lti::PredictionColumns& columns, int multiple) const {
  const CarriedColumns carried{columns.states, columns.outputs, static_cast<int>(c_.shape.output_rows.size())};
  const int rest = columns.count() - columns.other(0, 0);
  std::vector<int> places(static_cast<std::size_t>(carried.behind() + rest), -1);
  const bool in_turn = task_.plan.schedule == system::Schedule::Kind::gauss_seidel;
  const auto rate = static_cast<int>(std::find(c_.rates.begin(), c_.rates.end(), multiple) - c_.rates.begin());
  int state = 0, other = 0;
  for (const CorrectedLane& lane : c_.lanes) {
    for (int s = 0; s < lane.states; ++s) places[static_cast<std::size_t>(carried.state(state++))] = lane.carried + s;
    const auto column = [&](int k) {
      return static_cast<std::size_t>(carried.behind() + columns.other(k, other) - columns.other(0, 0));
    };
    if (!lane.equations) continue;
    for (const int port : lane.equations->others) {
      const Lane& sink = own(lane);
      const int place = sink.coefficients + port;
      // what a hold makes of samples is known where it makes its step at once, and not in turn; else its newest sample
      const int highest = std::min(sink.degree, columns.degrees.others);
      if (is_driven(lane, port) && lane.multiple != multiple) {
        const auto driven = std::find(lane.driven_ports.begin(), lane.driven_ports.end(), port);
        const auto number = static_cast<int>(driven - lane.driven_ports.begin());
        for (int k = 0; k <= columns.degrees.others; ++k)
          places[column(k)] = lane.signals + (number * static_cast<int>(c_.rates.size()) + rate) * powers + k;
      } else if (is_driven(lane, port) || (!in_turn && lane.multiple == 1 && multiple == 1)) {
        for (int k = 0; k <= highest; ++k) places[column(k)] = place + k * sink.inputs;
      } else {
        places[column(0)] = sink.now[static_cast<std::size_t>(port)];
      }
      ++other;
    }
  }
  for (int row = 0; row < carried.rows; ++row) {
    for (int o = 0; o < columns.outputs; ++o)
      places[static_cast<std::size_t>(carried.row(row, o))] = c_.output_row(row) + o;
  }
  return places;
}

/// From the constants of equal parts of a step to the polynomial that has these values where the parts begin.
Matrix polynomial_of_pieces(int count) {
  Matrix values(count, count);
  for (int s = 0; s < count; ++s) {
    for (int k = 0; k < count; ++k) values(s, k) = std::pow(static_cast<double>(s) / count, k);
  }
  return values.inverse();
}

/// Of an input in the prediction of a rate: only lanes of this rate get what is predicted.
int PredictionMaker::coefficients(const CorrectedWire& wire, int multiple) const {
  const CorrectedLane& lane = c_.lanes[static_cast<std::size_t>(wire.sink)];
  return lane.multiple == multiple ? lane.written : 1;
}

/// What is predicted of every input, as the coefficients that its lane has.
Matrix PredictionMaker::polynomials(const PredictedRate& rate, const Matrix& inputs) const {
  Matrix result = inputs;
  Index row = 0;
  for (const CorrectedWire& wire : c_.wires) {
    const CorrectedLane& lane = c_.lanes[static_cast<std::size_t>(wire.sink)];
    const int count = coefficients(wire, rate.multiple);
    if (lane.in_pieces && lane.multiple == rate.multiple)
      result.middleRows(row, count) = polynomial_of_pieces(count) * inputs.middleRows(row, count);
    row += count;
  }
  return result;
}

/// Each of the prediction of the rate of its sink.
GainRows PredictionMaker::put_gains(const std::vector<Matrix>& of_rates) {
  RowsOfGains rows;
  std::vector<Index> next(rates_.size(), 0);
  for (const CorrectedWire& wire : c_.wires) {
    for (std::size_t r = 0; r < rates_.size(); ++r) {
      const int count = coefficients(wire, rates_[r].multiple);
      if (c_.lanes[static_cast<std::size_t>(wire.sink)].multiple == rates_[r].multiple) {
        for (int k = 0; k < count; ++k) rows.add(of_rates[r].row(next[r] + k), rates_[r].places);
      }
      next[r] += count;
    }
  }
  return rows.put_into(models_);
}

/// Of lanes whose steps take several macro steps.
void PredictionMaker::put_on_the_way() {
  const PredictedRate& macro_step = rates_.front();
  const Matrix motion = gains_of_order({macro_step.inputs.columns, macro_step.inputs.motion, {}}, 0, result_->stamps);
  RowsOfGains rows;
  Index row = 0;
  for (const CorrectedLane& lane : c_.lanes) {
    for (int s = 0; s < lane.states; ++s, ++row) {
      if (lane.multiple > 1) rows.add(motion.row(row), macro_step.places);
    }
  }
  result_->next_states = models_.put(Matrix::Zero(rows.count(), 1));
  result_->on_the_way = rows.put_into(models_);
}

/// Gains of every order up to the highest. Where one is chosen in the run, only those whose steps are stable as far as
/// those of order 0.
void PredictionMaker::put_orders() {
  constexpr Index most_examined = 200;  // entries of a step's matrix
  constexpr double rounding = 1e-6;     // of eigenvalues 1 of integrators
  std::vector<double>& stamps = result_->stamps;
  for (const CorrectedOutput& output : c_.outputs)
    stamps.push_back(stamp_of(c_.lanes[static_cast<std::size_t>(output.lane)], static_cast<int>(stamps.size())));
  int row = 0;
  for (const CorrectedWire& wire : c_.wires) {
    result_->rows.push_back(row);
    row += c_.lanes[static_cast<std::size_t>(wire.sink)].written;
  }
  result_->rows.push_back(row);
  const lti::PredictionColumns& predicted = rates_.front().inputs.columns;
  const CarriedColumns columns{predicted.states, predicted.outputs, static_cast<int>(c_.shape.output_rows.size())};
  const bool examined = columns.states + columns.behind() <= most_examined;
  double stable = 1.0;
  for (int order = 0; order <= c_.shape.order; ++order) {
    std::vector<Matrix> gains;
    for (const PredictedRate& rate : rates_)
      gains.push_back(polynomials(rate, gains_of_order(rate.inputs, order, stamps)));
    result_->orders.push_back(put_gains(gains));
    result_->allowed.push_back(order == 0);
    if (!c_.shape.chooses_order || !examined) continue;
    const double radius = worst_radius(observers_.stepped(), gains.front(), columns, task_.plan.step);
    if (order == 0) stable = std::max(stable, radius);
    result_->allowed.back() = order == 0 || radius <= stable + rounding;
  }
  if (!c_.shape.falls_back) return;
  constexpr double far_beyond = 200.0;  // weights are squared
  for (const double size : all_.log_sizes)
    result_->weights.push_back(std::exp(-std::clamp(size, -far_beyond, far_beyond)));
  result_->errors = models_.put(Matrix::Zero(c_.shape.order + 3 + (c_.shape.order + 2) * all_.log_sizes.size(), 1));
  result_->missed_before = models_.put(Matrix::Zero(1, 1));
}

/// Over the step of the lanes of a rate. What others get is not read from it: it need not be of their form.
bool PredictionMaker::predict(int multiple) {
  lti::PredictionTask task = all_;
  task.step = multiple * task_.plan.step;
  for (std::size_t l = 0; l < c_.lanes.size(); ++l) {
    if (c_.lanes[l].multiple != multiple) task.parts[l].form = {lti::InputForm::Kind::midpoint, 1};
  }
  auto inputs = lti::predict_inputs(task);
  if (!inputs) return false;
  std::vector<int> places = places_of_columns(inputs->columns, multiple);
  rates_.push_back({multiple, std::move(*inputs), std::move(places)});
  return true;
}

bool PredictionMaker::make() {
  for (const CorrectedLane& lane : c_.lanes) {
    all_.parts.push_back(part_of(lane));
    if (lane.equations && !lane.equations->others.empty())
      all_.courses.others = std::max(all_.courses.others, own(lane).degree);
  }
  all_.courses.residual = c_.shape.order;
  all_.courses.drive = c_.shape.order - 1;
  result_->degree_of_signals = all_.courses.others;
  write_wiring();
  find_sizes();
  for (std::size_t l = 0; l < c_.lanes.size(); ++l) {
    if (!observers_.put(c_.lanes[l], all_.parts[l])) return false;
  }
  for (const int multiple : c_.rates) {
    if (!predict(multiple)) return false;
  }
  put_orders();
  put_on_the_way();
  c_.prediction = result_;
  return true;
}

}  // namespace

bool make_prediction(const CompileTask& task, Layout& layout) { return PredictionMaker(task, layout).make(); }

}  // namespace seam::coupling
