#include "seam/coupling/corrector/prediction_maker.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/prediction_orders.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/input_prediction.hpp"
#include "seam/lti/kalman.hpp"
#include "seam/lti/observer.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::coupling {
namespace {

using Eigen::Index;
using lti::Matrix;
using lti::Vector;

/// Equations over all real ports.
lti::StateSpace equations_of(const CompileTask& task, const Lane& own) {
  if (const GivenModel* given = task.options.model_of(own.member)) return given->equations;
  assembly::Equations* const known = own.subsystem->facets().equations;
  const Index n = known->linear_offer().states;
  lti::StateSpace all{Matrix(n, n), Matrix(n, own.inputs), Matrix(own.outputs, n), Matrix(own.outputs, own.inputs)};
  const std::vector<double> inputs(static_cast<std::size_t>(own.inputs));
  known->tell_linear(task.options.start, inputs, {all.A.data(), all.B.data(), all.C.data(), all.D.data()});
  return all;
}

/// Ports whose polynomials say what the subsystem gets: not corrected, and no known signal unless it is told.
std::vector<int> other_inputs(const CompileTask& task, const CorrectedLane& lane, const Lane& own) {
  const auto& drives = task.assembly.members[static_cast<std::size_t>(own.member)].drives;
  std::vector<int> others;
  for (int port = 0; port < own.inputs; ++port) {
    const bool corrected = std::find(lane.input_ports.begin(), lane.input_ports.end(), port) != lane.input_ports.end();
    const bool driven =
        std::any_of(drives.begin(), drives.end(), [&](const assembly::Drive& drive) { return drive.input == port; });
    const bool told = std::find(lane.driven_ports.begin(), lane.driven_ports.end(), port) != lane.driven_ports.end();
    if (!corrected && (!driven || told)) others.push_back(port);
  }
  return others;
}

/// Columns of the ports of `lane.equations`, of a matrix over all ports.
Matrix columns_of(const CorrectedLane& lane, const std::vector<int>& others, const Matrix& all) {
  Matrix result(all.rows(), lane.inputs + static_cast<Index>(others.size()));
  Index column = 0;
  for (const std::vector<int>* ports : {&lane.input_ports, &others}) {
    for (const int port : *ports) result.col(column++) = all.col(port);
  }
  return result;
}

class PredictionMaker {
 public:
  PredictionMaker(const CompileTask& task, Layout& layout)
      : task_(task), layout_(layout), c_(*layout.correction), models_(layout.initial.models) {}

  bool make();

 private:
  const Lane& own(const CorrectedLane& lane) const { return layout_.lanes[static_cast<std::size_t>(lane.lane)]; }
  int put(const Matrix& matrix) {
    const auto place = static_cast<int>(models_.size());
    models_.insert(models_.end(), matrix.data(), matrix.data() + matrix.size());
    return place;
  }
  lti::PredictedPart part_of(const CorrectedLane& lane) const;
  void write_wiring();
  void find_sizes();
  bool put_observer(const CorrectedLane& lane, lti::PredictedPart& part);
  double stamp_of(const CorrectedLane& lane, int output) const;
  void put_orders(const lti::InputPrediction& inputs);
  InputGains put_gains(const Matrix& inputs, const std::vector<int>& places);
  Matrix polynomials(const Matrix& inputs) const;
  std::vector<int> places_of_columns(const lti::PredictionColumns& columns) const;

  const CompileTask& task_;
  Layout& layout_;
  Correction& c_;
  base::Numbers& models_;
  lti::PredictionTask all_;
  std::vector<SteppedModel> models_of_lanes_;
  std::shared_ptr<Prediction> result_ = std::make_shared<Prediction>();
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
    all_.sizes = Vector::Ones(outputs);
    for (const CorrectedWire& wire : c_.wires) all_.sizes(wire.output) = wire.size / std::abs(wire.gain);
    return;
  }
  Matrix gains = Matrix::Zero(outputs, static_cast<Index>(c_.wires.size()));
  for (std::size_t l = 0; l < c_.lanes.size(); ++l) {
    const CorrectedLane& lane = c_.lanes[l];
    gains.block(lane.first_output, lane.first_input, lane.outputs, lane.inputs) =
        lti::gains_of_step(all_.parts[l].system, lane.inputs, all_.step);
  }
  all_.sizes = lti::natural_sizes(gains.cwiseAbs() * all_.wiring.L.cwiseAbs());
}

/// The observer of a lane, with its places; what the prediction needs of it goes to `part`.
bool PredictionMaker::put_observer(const CorrectedLane& lane, lti::PredictedPart& part) {
  const lti::StateSpace& system = part.system;
  const Lane& own_lane = own(lane);
  const Vector inputs = all_.wiring.L.middleRows(lane.first_input, lane.inputs).cwiseAbs() * all_.sizes;
  const auto observer =
      lti::make_observer({system, inputs, all_.sizes.segment(lane.first_output, lane.outputs), all_.step});
  if (!observer) return false;
  part.metric = observer->metric;
  part.drive = observer->drive;
  const lti::PolynomialStep step = applied_step(system, lane, all_.step, own_lane.degree);
  const Index n = system.states(), p = system.outputs(), powers_used = own_lane.degree + 1;
  Matrix G = Matrix::Zero(n, powers_used * own_lane.inputs), D = Matrix::Zero(p, powers_used * own_lane.inputs);
  std::vector<int> ports = lane.input_ports;
  if (lane.equations) ports.insert(ports.end(), lane.equations->others.begin(), lane.equations->others.end());
  // known signals move inside a call, too, where the subsystem does not sample them
  const bool follows = !lane.driven_ports.empty() && own_lane.subsystem->capabilities().takes_polynomials;
  const lti::PolynomialStep moving = follows ? lti::discretise(system, all_.step, own_lane.degree) : step;
  for (Index k = 0; k < powers_used; ++k) {
    for (std::size_t i = 0; lane.equations && i < ports.size(); ++i) {
      const Index column = k * own_lane.inputs + ports[i], from = static_cast<Index>(i);
      const bool moves =
          follows && std::find(lane.driven_ports.begin(), lane.driven_ports.end(), ports[i]) != lane.driven_ports.end();
      G.col(column) = (moves ? moving : step).G[static_cast<std::size_t>(k)].col(from);
      D.col(column) = (moves ? 1.0 : lane.end[k]) * system.D.col(from);
    }
  }
  ObserverPlaces& at = result_->observers.emplace_back();
  at.A = put(step.Ad);
  at.G = put(G);
  at.C = put(system.C);
  at.D = put(D);
  at.gain = put(observer->gain);
  at.residual = put(Matrix::Identity(p, p) - system.C * observer->gain);
  const lti::PolynomialStep driven = lti::discretise({system.A, observer->drive, {}, {}}, all_.step, 1);
  at.drive = put(system.C * driven.G[0]);
  put(system.C * driven.G[1]);
  models_of_lanes_.push_back({system, *observer, &lane, own_lane.degree});
  constexpr double hardly_shown = 1e-6;
  const Matrix back = n > 0 ? Matrix(observer->metric.inverse()) : Matrix(0, 0);
  const Matrix shown = all_.sizes.segment(lane.first_output, p).cwiseInverse().asDiagonal() * system.C * back;
  at.start = put(back * lti::pseudo_inverse(shown, hardly_shown) *
                 all_.sizes.segment(lane.first_output, p).cwiseInverse().asDiagonal());
  return true;
}

/// Of the columns of composed gains, in Memory::values; -1: it is known to be 0.
std::vector<int> PredictionMaker::places_of_columns(const lti::PredictionColumns& columns) const {
  const CarriedColumns carried{columns.states, columns.outputs, static_cast<int>(c_.shape.output_rows.size())};
  const int rest = columns.count() - columns.other(0, 0);
  std::vector<int> places(static_cast<std::size_t>(carried.behind() + rest), -1);
  const bool in_turn = task_.plan.schedule == system::Schedule::Kind::gauss_seidel;
  int state = 0, other = 0;
  for (const CorrectedLane& lane : c_.lanes) {
    for (int s = 0; s < lane.states; ++s) places[static_cast<std::size_t>(carried.state(state++))] = lane.carried + s;
    if (!lane.equations) continue;
    for (const int port : lane.equations->others) {
      const Lane& sink = own(lane);
      const int place = sink.coefficients + port;
      const bool is_held = sink.now[static_cast<std::size_t>(port)] == place;
      // in turn, what a hold makes of samples is not known before the turn of the sink
      const bool told = std::find(lane.driven_ports.begin(), lane.driven_ports.end(), port) != lane.driven_ports.end();
      const int known = !in_turn || told ? std::min(sink.degree, columns.degrees.others) : is_held ? 0 : -1;
      for (int k = 0; k <= known; ++k) {
        const int column = carried.behind() + columns.other(k, other) - columns.other(0, 0);
        places[static_cast<std::size_t>(column)] = place + k * sink.inputs;
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

/// What is predicted of every input, as the coefficients that its lane has.
Matrix PredictionMaker::polynomials(const Matrix& inputs) const {
  Matrix result = inputs;
  Index row = 0;
  for (const CorrectedWire& wire : c_.wires) {
    const CorrectedLane& lane = c_.lanes[static_cast<std::size_t>(wire.sink)];
    if (lane.in_pieces)
      result.middleRows(row, lane.written) = polynomial_of_pieces(lane.written) * inputs.middleRows(row, lane.written);
    row += lane.written;
  }
  return result;
}

/// Rows without what is 0.
InputGains PredictionMaker::put_gains(const Matrix& inputs, const std::vector<int>& places) {
  InputGains result;
  std::vector<double> gains, constants;
  const Index constant = inputs.cols() - 1;
  for (Index row = 0; row < inputs.rows(); ++row) {
    result.entries.push_back(static_cast<int>(gains.size()));
    constants.push_back(inputs(row, constant));
    for (Index column = 0; column < constant; ++column) {
      const int place = places[static_cast<std::size_t>(column)];
      if (place < 0 || inputs(row, column) == 0.0) continue;
      gains.push_back(inputs(row, column));
      result.places.push_back(place);
    }
  }
  result.entries.push_back(static_cast<int>(gains.size()));
  const auto append = [&](const std::vector<double>& numbers) {
    return put(Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size())));
  };
  result.gains = append(gains);
  result.constants = append(constants);
  return result;
}

/// An output that answers a constant input at once tells of the middle of that constant.
double PredictionMaker::stamp_of(const CorrectedLane& lane, int output) const {
  if (!lane.equations || lane.inputs == 0) return 0.0;
  const bool answers = !lane.equations->system.D.row(output - lane.first_output).leftCols(lane.inputs).isZero(0.0);
  const int constants = lane.calls > 0 ? lane.calls : lane.written == 1 ? 1 : 0;
  return answers && constants > 0 ? 0.5 / constants : 0.0;
}

/// Gains of every order up to the highest. Where one is chosen in the run, only those whose steps are stable as far as
/// those of order 0.
void PredictionMaker::put_orders(const lti::InputPrediction& inputs) {
  constexpr Index most_examined = 200;  // entries of a step's matrix
  std::vector<double> stamps;
  for (const CorrectedOutput& output : c_.outputs)
    stamps.push_back(stamp_of(c_.lanes[static_cast<std::size_t>(output.lane)], static_cast<int>(stamps.size())));
  int row = 0;
  for (const CorrectedWire& wire : c_.wires) {
    result_->rows.push_back(row);
    row += c_.lanes[static_cast<std::size_t>(wire.sink)].written;
  }
  result_->rows.push_back(row);
  const std::vector<int> places = places_of_columns(inputs.columns);
  const CarriedColumns columns{inputs.columns.states, inputs.columns.outputs,
                               static_cast<int>(c_.shape.output_rows.size())};
  const bool examined = columns.states + columns.behind() <= most_examined;
  double stable = 1.0;
  for (int order = 0; order <= c_.shape.order; ++order) {
    const Matrix gains = polynomials(gains_of_order(inputs, order, stamps));
    result_->orders.push_back(put_gains(gains, places));
    if (!c_.shape.chooses_order) continue;
    const double radius = examined ? worst_radius(models_of_lanes_, gains, columns, all_.step) : 0.0;
    if (order == 0) stable = std::max(stable, radius);
    result_->orders.back().allowed = order == 0 || (examined && radius <= stable);
  }
  if (!c_.shape.chooses_order) return;
  for (Index o = 0; o < all_.sizes.size(); ++o) result_->weights.push_back(1.0 / all_.sizes(o));
  result_->errors = put(Matrix::Zero(c_.shape.order + 1, all_.sizes.size() + 1));
  result_->missed_before = put(Matrix::Zero(1, 1));
}

bool PredictionMaker::make() {
  all_.step = layout_.lanes.front().multiple * task_.plan.step;
  for (const CorrectedLane& lane : c_.lanes) {
    all_.parts.push_back(part_of(lane));
    if (lane.equations && !lane.equations->others.empty())
      all_.courses.others = std::max(all_.courses.others, own(lane).degree);
  }
  all_.courses.residual = c_.shape.order;
  all_.courses.drive = c_.shape.order - 1;
  write_wiring();
  find_sizes();
  for (std::size_t l = 0; l < c_.lanes.size(); ++l) {
    if (!put_observer(c_.lanes[l], all_.parts[l])) return false;
  }
  const auto inputs = lti::predict_inputs(all_);
  if (!inputs) return false;
  put_orders(*inputs);
  c_.prediction = result_;
  return true;
}

}  // namespace

std::shared_ptr<const LaneModel> lane_model(const CompileTask& task, const CorrectedLane& lane, const Lane& own) {
  LaneModel model;
  model.others = other_inputs(task, lane, own);
  lti::StateSpace all = equations_of(task, own);
  Matrix C(lane.outputs, all.states()), D(lane.outputs, all.inputs());
  for (int o = 0; o < lane.outputs; ++o) {
    C.row(o) = all.C.row(lane.output_ports[static_cast<std::size_t>(o)]);
    D.row(o) = all.D.row(lane.output_ports[static_cast<std::size_t>(o)]);
  }
  const lti::ObservablePart part =
      lti::observable_part({all.A, columns_of(lane, model.others, all.B), C, columns_of(lane, model.others, D)});
  model.system = part.system;
  model.to_states = part.to_part;
  const GivenModel* const given = task.options.model_of(own.member);
  if (given && given->start) {
    model.start = LaneModel::Start::known;
    model.known = part.to_part * *given->start;
  } else if (own.subsystem->shows_states() &&
             own.subsystem->states().size() == static_cast<std::size_t>(all.states())) {
    model.start = LaneModel::Start::of_states;
  }
  return std::make_shared<const LaneModel>(std::move(model));
}

bool make_prediction(const CompileTask& task, Layout& layout) { return PredictionMaker(task, layout).make(); }

}  // namespace seam::coupling
