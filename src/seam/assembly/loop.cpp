#include "seam/assembly/loop.hpp"

#include <algorithm>
#include <cmath>

#include "seam/lti/singularity.hpp"

namespace seam::assembly {
namespace {

constexpr double aim = 1e-13;           // relative residual that is a solution
constexpr double acceptable = 1e-9;     // and the one that is, if no step comes nearer
constexpr int most_blind_rounds = 100;  // of values that travel round

std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace

Loop::Loop(const Assembly& assembly, PortEquations& equations, InitialisationOrder::Block block)
    : assembly_(assembly), equations_(equations), block_(std::move(block)), F_(block_.outputs.size()) {
  for (const OutputPlace& place : block_.outputs) {
    if (members_.empty() || members_.back() != place.member) members_.push_back(place.member);
    can_do_without_ = can_do_without_ || equations.can_do_without(place.member);
  }
  for (const int w : block_.wires) {
    InnerWire inner{&assembly.wires[at(w)], -1, {}};
    for (int i = 0; i < count(); ++i) {
      const OutputPlace& place = block_.outputs[at(i)];
      if (place.member == inner.wire->from && place.output == inner.wire->output) inner.from = i;
      if (place.member == inner.wire->to) inner.to.push_back(i);
    }
    wires_.push_back(std::move(inner));
  }
}

double& Loop::input_of(const InnerWire& inner) const {
  return ports_->inputs[at(inner.wire->to)][at(inner.wire->input)];
}

void Loop::place(ode::In y) const {
  for (const InnerWire& inner : wires_) input_of(inner) = inner.wire->gain * y[at(inner.from)] + inner.wire->offset;
}

void Loop::evaluate() const {
  for (const int member : members_) equations_.evaluate(member, *ports_);
}

void Loop::read(std::vector<double>& y) const {
  y.clear();
  for (const OutputPlace& place : block_.outputs) y.push_back(ports_->outputs[at(place.member)][at(place.output)]);
}

ode::RootProblem::Answer Loop::residual(ode::In y, ode::Out F) {
  place(y);
  evaluate();
  Answer answer = Answer::given;
  for (std::size_t i = 0; i < F.size(); ++i) {
    const OutputPlace& place = block_.outputs[i];
    F[i] = y[i] - ports_->outputs[at(place.member)][at(place.output)];
    if (!std::isfinite(F[i])) answer = Answer::refused;
  }
  return answer;
}

/// The size of what travels on the wire; 1 if nothing is known of it.
double Loop::usual_size(const InnerWire& inner) const {
  const double there = std::abs(input_of(inner));
  const double nominal = assembly_.members[at(inner.wire->to)].inputs[at(inner.wire->input)].nominal.value_or(0.0);
  if (const double size = std::max(there, nominal); size > 0.0) return size;
  const OutputPlace& source = block_.outputs[at(inner.from)];
  const double sent = std::abs(inner.wire->gain * ports_->outputs[at(source.member)][at(source.output)]);
  return sent > 0.0 && std::isfinite(sent) ? sent : 1.0;
}

/// By differences only over the inputs of the loop. The difference is a power of two: for a linear feed-through it is
/// then exact, and a singular loop is seen to be one.
lti::Matrix Loop::derivatives_of(int member, bool& exact) const {
  if (auto known = equations_.derivatives(member, *ports_)) return std::move(*known);
  exact = false;
  const Member& m = assembly_.members[at(member)];
  const auto rows = static_cast<Eigen::Index>(system::count_reals(m.outputs));
  lti::Matrix D = lti::Matrix::Zero(rows, static_cast<Eigen::Index>(system::count_reals(m.inputs)));
  equations_.evaluate(member, *ports_);
  const std::vector<double> before = ports_->outputs[at(member)];
  for (const InnerWire& inner : wires_) {
    if (inner.wire->to != member) continue;
    double& input = input_of(inner);
    const double kept = input;
    const double delta = std::exp2(std::ceil(std::log2(usual_size(inner))) - 20.0);
    input = kept + delta;
    equations_.evaluate(member, *ports_);
    for (Eigen::Index i = 0; i < rows; ++i)
      D(i, inner.wire->input) =
          (ports_->outputs[at(member)][static_cast<std::size_t>(i)] - before[static_cast<std::size_t>(i)]) /
          (input - kept);
    input = kept;
  }
  ports_->outputs[at(member)] = before;
  return D;
}

ode::RootProblem::Answer Loop::jacobian(ode::In y, ode::Out J) {
  place(y);
  bool exact = true;
  jacobian_ = lti::Matrix::Identity(count(), count());
  for (const int member : members_) {
    const lti::Matrix D = derivatives_of(member, exact);
    for (const InnerWire& inner : wires_) {
      if (inner.wire->to != member) continue;
      for (const int row : inner.to)
        jacobian_(row, inner.from) -= D(block_.outputs[at(row)].output, inner.wire->input) * inner.wire->gain;
    }
  }
  for (int row = 0; row < count(); ++row) {
    for (int column = 0; column < count(); ++column) J[at(row * count() + column)] = jacobian_(row, column);
  }
  // Differences are right to about ten digits: what they cannot tell from a singular loop is one.
  singular_ = !(lti::reciprocal_condition(jacobian_) > (exact ? 1e-14 : 2e-9));
  is_known_to_be_regular_ = is_known_to_be_regular_ || !singular_;
  return singular_ ? Answer::refused : Answer::given;
}

/// What the residuals at y are made of: y itself, and what each of the others contributes.
std::vector<double> Loop::sizes(const std::vector<double>& y) const {
  std::vector<double> result;
  for (Eigen::Index i = 0; i < count(); ++i) {
    const OutputPlace& place = block_.outputs[static_cast<std::size_t>(i)];
    double size = std::abs(y[static_cast<std::size_t>(i)]);
    if (const double other = std::abs(ports_->outputs[at(place.member)][at(place.output)]); std::isfinite(other))
      size = std::max(size, other);
    for (Eigen::Index j = 0; j < jacobian_.cols(); ++j)
      size = std::max(size, std::abs(jacobian_(i, j) * y[static_cast<std::size_t>(j)]));
    result.push_back(std::isfinite(size) ? size : 1.0);
  }
  return result;
}

double Loop::relative_residual(const std::vector<double>& y) {
  if (residual(y, F_) == Answer::refused) return INFINITY;
  const std::vector<double> scale = sizes(y);
  double largest = 0.0;
  for (std::size_t i = 0; i < F_.size(); ++i) {
    if (F_[i] != 0.0) largest = std::max(largest, std::abs(F_[i]) / scale[i]);
  }
  return largest;
}

/// Where no step comes nearer. An output that is 0 up to rounding has no size of its own; a nominal value tells.
bool Loop::is_good_enough(const std::vector<double>& y) {
  if (residual(y, F_) == Answer::refused) return false;
  const std::vector<double> scale = sizes(y);
  for (std::size_t i = 0; i < F_.size(); ++i) {
    const OutputPlace& place = block_.outputs[i];
    const double nominal = assembly_.members[at(place.member)].outputs[at(place.output)].nominal.value_or(0.0);
    if (std::abs(F_[i]) > std::max(acceptable * scale[i], aim * nominal)) return false;
  }
  return true;
}

/// Whether the values come to rest to the last bit by travelling round: the dependencies were declared, but there are
/// none, or they lead nowhere.
bool Loop::settles_by_itself(const std::vector<double>& start) {
  std::vector<double> y = start, next;
  const int rounds = std::min(count() + 1, most_blind_rounds);
  for (int round = 0; round < rounds; ++round) {
    place(y);
    evaluate();
    read(next);
    if (next == y) return true;
    y.swap(next);
  }
  return false;
}

/// Scales follow from the values, which are known at the end: with those of the solution the residual must hold.
bool Loop::search(std::vector<double>& y, ode::RootStrategy strategy) {
  constexpr int most_scalings = 6;
  double before = INFINITY;
  for (int scaling = 0; scaling < most_scalings; ++scaling) {
    const double now = relative_residual(y);
    if (now <= aim) return true;
    if (!(now < before)) break;
    before = now;
    std::vector<double> equations = sizes(y), unknowns = equations;
    for (std::size_t i = 0; i < equations.size(); ++i) {
      const OutputPlace& place = block_.outputs[i];
      if (!(equations[i] > 0.0)) equations[i] = unknowns[i] = 1.0;
      unknowns[i] = assembly_.members[at(place.member)].outputs[at(place.output)].nominal.value_or(unknowns[i]);
    }
    ode::find_root(*this, {{unknowns, equations}, aim, strategy}, y);
    if (singular_) return false;
  }
  return is_good_enough(y);
}

/// From the start, and from elsewhere in case the equations are singular only there: a limiter behind a gain of 1. The
/// place with the smallest residual, whether it is a solution or not.
std::vector<double> Loop::searched(const std::vector<double>& start, bool& solved) {
  std::vector<double> y = start, best = start;
  double smallest = INFINITY;
  const auto attempt = [&](ode::RootStrategy strategy) {
    singular_ = false;
    solved = search(y, strategy);
    if (const double now = relative_residual(y); solved || now < smallest) {
      smallest = now;
      best = y;
    }
    return solved;
  };
  if (attempt(ode::RootStrategy::line_search)) return best;
  y = start;
  if (attempt(ode::RootStrategy::full_steps)) return best;
  y = start;
  for (int round = 0; round < most_blind_rounds; ++round) {
    place(y);
    evaluate();
    read(y);
  }
  attempt(ode::RootStrategy::line_search);
  return best;
}

std::optional<LoopFailure> Loop::solve(PortValues& ports) {
  ports_ = &ports;
  std::vector<double> kept, start = solution_;
  for (const InnerWire& inner : wires_) kept.push_back(input_of(inner));
  if (start.empty()) {
    evaluate();
    read(start);
  }
  std::vector<double> y = start;
  const bool settled = !is_genuine_ && settles_by_itself(start);
  bool solved = settled;
  if (settled) {
    read(y);
  } else {
    is_genuine_ = true;
    y = searched(start, solved);
  }
  // Values that fit by chance: many solutions are as bad as none, except for members that do without one.
  if (solved && !is_known_to_be_regular_ && !(settled && can_do_without_)) {
    std::vector<double> unused(y.size() * y.size());
    solved = jacobian(y, unused) == Answer::given;
  }
  if (solved) {
    place(y);
    evaluate();
    solution_ = std::move(y);
    return std::nullopt;
  }
  LoopFailure result = failure(start, y);
  for (std::size_t w = 0; w < wires_.size(); ++w) input_of(wires_[w]) = kept[w];
  evaluate();
  return result;
}

/// Linear equations that are singular are so at the start; elsewhere it may be where the search got stuck.
LoopFailure Loop::failure(const std::vector<double>& start, const std::vector<double>& reached) {
  LoopFailure result;
  result.loop = block_;
  result.undecided.assign(start.size(), false);
  const bool finite = residual(start, F_) == Answer::given;
  const std::vector<double> F = F_;
  std::vector<double> unused(start.size() * start.size());
  const bool singular = finite && jacobian(start, unused) == Answer::refused && jacobian_.allFinite();
  if (singular) {
    const lti::NullDirections directions = lti::null_directions(jacobian_);
    double mismatch = 0.0, size = 0.0;
    const std::vector<double> scale = sizes(start);
    for (std::size_t i = 0; i < F.size(); ++i) {
      const double weight = directions.left(static_cast<Eigen::Index>(i));
      mismatch += weight * F[i];
      size += std::abs(weight) * scale[i];
      result.undecided[i] = directions.participation(static_cast<Eigen::Index>(i)) > 1e-6;
    }
    const bool fits = std::abs(mismatch) <= acceptable * size;
    result.reason = fits ? LoopFailure::Reason::ambiguity : LoopFailure::Reason::contradiction;
  } else if (!finite) {
    result.reason = LoopFailure::Reason::not_finite;
  }
  result.values = singular || !finite ? start : reached;
  residual(result.values, F_);
  read(result.computed);
  return result;
}

}  // namespace seam::assembly
