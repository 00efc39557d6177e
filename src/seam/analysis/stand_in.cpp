#include "seam/analysis/stand_in.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::analysis {
namespace {

bool is_call(const StepMap& map, double length, int degree) {
  return map.degree == degree && std::abs(map.step - length) <= 1e-9 * length;
}

/// The same map for polynomials of a smaller degree.
StepMap lowered(const StepMap& map, int degree) {
  const auto columns = Eigen::Index{map.inputs()} * (degree + 1);
  const lti::StateSpace& all = map.matrices;
  return {map.step, degree, {all.A, all.B.leftCols(columns), all.C, all.D.leftCols(columns)}};
}

/// Signals are followed by polynomials of this degree, two a period: to 1e-6.
constexpr int followed_degree = 8;
constexpr double parts_a_period = 2.0;

/// From values at i/degree to coefficients.
const lti::Matrix& interpolation() {
  static const lti::Matrix inverse = [] {
    constexpr int count = followed_degree + 1;
    lti::Matrix powers = lti::Matrix::Ones(count, count);
    for (int i = 0; i < count; ++i) {
      for (int j = 1; j < count; ++j) powers(i, j) = powers(i, j - 1) * i / followed_degree;
    }
    return lti::Matrix(powers.fullPivLu().inverse());
  }();
  return inverse;
}

}  // namespace

StandIn::StandIn(SubsystemModel model, const assembly::Subsystem& original)
    : model_(std::move(model)), can_(original.capabilities()), offered_(assembly::linear_offer_of(original).kind) {
  facets_.equations = this;
  facets_.states = this;
  facets_.excitable = this;
  if (!model_.map) throw base::Error(base::Failure::internal, "there is no map to stand in for " + model_.name);
  told_ = model_.equations;
  follows_known_signals_ = can_.takes_polynomials && (can_.shows_equations || original.facets().excitable);
  can_.can_evaluate = can_.can_evaluate && model_.equations.has_value();
  can_.can_shorten = model_.equations.has_value();
  can_.shows_equations = false;
  can_.shows_micro_points = true;
  can_.divisible_by.reset();
  can_.affine = true;
  for (std::size_t i = 0; i < model_.outputs.size(); ++i) {
    for (std::size_t j = 0; j < model_.inputs.size(); ++j)
      feeds_.push_back(original.feeds_through(static_cast<int>(i), static_cast<int>(j)));
  }
  x_ = next_ = lti::Vector::Zero(model_.map->matrices.states());
}

StandIn::StandIn(const StandIn& other)
    : model_(other.model_),
      can_(other.can_),
      offered_(other.offered_),
      told_(other.told_),
      follows_known_signals_(other.follows_known_signals_),
      feeds_(other.feeds_),
      record_(other.record_),
      x_(lti::Vector::Zero(other.x_.size())),
      next_(x_) {
  facets_.equations = this;
  facets_.states = this;
  facets_.excitable = this;
}

bool StandIn::feeds_through(int output, int input, assembly::Phase /*phase*/) const {
  const std::size_t at = static_cast<std::size_t>(output) * model_.inputs.size() + static_cast<std::size_t>(input);
  return at >= feeds_.size() || feeds_[at];  // beyond the reals nothing is known
}

assembly::StepFunction StandIn::prepare(const assembly::Calls& calls) {
  map_for(calls.length, calls.degree);
  return assembly::StepFunction::of(*this);
}

StepMap StandIn::found(double length, int degree) const {
  const auto of_record = [this](const StepMap& map, const std::vector<StepMap>& others) -> const StepMap& {
    return record_ && *record_ < others.size() ? others[*record_] : map;
  };
  if (degree <= model_.map->degree && is_call(*model_.map, length, model_.map->degree))
    return lowered(of_record(*model_.map, model_.other_maps), degree);
  if (model_.other_calls) {
    if (const auto maps = model_.other_calls->find(length, degree))
      return lowered(of_record(maps->map, maps->others), degree);
  } else if (model_.equations) {
    return step_map(*model_.equations, length, degree);
  }
  throw base::Error(base::Failure::subsystem,
                    fmt::format("calls of {} over {:.6g} s are not known, only those over {:.6g} s", model_.name,
                                length, model_.map->step));
}

// The states are those of one realisation: where a call of another length is made, it starts from rest.
const StepMap& StandIn::map_for(double length, int degree) {
  if (map_ && is_call(*map_, length, degree)) return *map_;
  map_ = found(length, degree);
  of_equations_.clear();
  behind_ = model_.other_calls ? equations_behind(*map_) : model_.equations;
  instant_ = behind_ ? InstantOutputs{behind_->C, behind_->D} : outputs_behind(*map_);
  if (x_.size() != map_->matrices.states()) x_ = next_ = lti::Vector::Zero(map_->matrices.states());
  return *map_;
}

const StepMap& StandIn::equations_for(double length, int degree) {
  const auto found = std::find_if(of_equations_.begin(), of_equations_.end(),
                                  [&](const StepMap& map) { return is_call(map, length, degree); });
  if (found != of_equations_.end()) return *found;
  of_equations_.push_back(step_map(*behind_, length, degree));
  return of_equations_.back();
}

void StandIn::solve_exactly() {
  model_.other_calls.reset();
  model_.map = step_map(*model_.equations, model_.map->step, model_.map->degree);
  x_ = next_ = lti::Vector::Zero(model_.map->matrices.states());
}

void StandIn::initialise(double /*t0*/) { x_.setZero(); }

assembly::Outcome StandIn::advance(const assembly::Step& step, const assembly::InputPolynomials& input,
                                   assembly::Out outputs) {
  const StepMap& map = map_for(step.length, input.degree);
  input_ = Eigen::Map<const lti::Vector>(input.coefficients, map.matrices.inputs());
  const bool excited = step.sources == assembly::Sources::silent;
  for (std::size_t i = 0; excited && i < excited_.size(); ++i) {
    const ode::DrivenInput& one = excited_[i];
    if (is_sampled(*one.signal)) input_(one.input) += one.factor * one.signal->at(step.begin);
  }
  Eigen::Map<lti::Vector> y(outputs.data(), static_cast<Eigen::Index>(outputs.size()));
  y.noalias() = map.matrices.C * x_;
  y.noalias() += map.matrices.D * input_;
  next_.noalias() = map.matrices.A * x_;
  next_.noalias() += map.matrices.B * input_;
  x_.swap(next_);
  for (std::size_t i = 0; excited && i < excited_.size(); ++i) {
    if (!is_sampled(*excited_[i].signal)) follow(excited_[i], step, y);
  }
  return assembly::Outcome::accepted;
}

void StandIn::excite(int input, const ode::TimeSignal* signal, double factor) {
  std::erase_if(excited_, [&](const ode::DrivenInput& one) { return one.input == input; });
  if (signal && input < static_cast<int>(model_.inputs.size()))  // beyond the reals nothing is known
    excited_.push_back({input, signal, factor, 0.0, 1.0});
}

/// Adds what the equations make of the signal alone.
void StandIn::follow(const ode::DrivenInput& excitation, const assembly::Step& step, Eigen::Ref<lti::Vector> outputs) {
  if (!behind_ || step.begin + step.length < excitation.signal->steady_until(step.begin)) return;
  const int parts = std::max(1, static_cast<int>(std::ceil(parts_a_period * excitation.signal->rate() * step.length)));
  const double length = step.length / parts;
  const lti::StateSpace& part = equations_for(length, followed_degree).matrices;
  const Eigen::Index width = behind_->inputs();
  lti::Vector answer = lti::Vector::Zero(x_.size()), values(followed_degree + 1);
  for (int p = 0; p < parts; ++p) {
    for (int i = 0; i <= followed_degree; ++i)
      values(i) = excitation.factor * excitation.signal->at(step.begin + (p + i / double{followed_degree}) * length);
    const lti::Vector coefficients = interpolation() * values;
    answer = part.A * answer;
    for (int j = 0; j <= followed_degree; ++j) answer += part.B.col(j * width + excitation.input) * coefficients(j);
  }
  x_ += answer;
  outputs += behind_->C * answer + behind_->D.col(excitation.input) * values(followed_degree);
}

void StandIn::evaluate(double t, assembly::Sources sources, assembly::In inputs, assembly::Out outputs) {
  lti::Vector u = Eigen::Map<const lti::Vector>(inputs.data(), static_cast<Eigen::Index>(inputs.size()));
  for (std::size_t i = 0; sources == assembly::Sources::silent && i < excited_.size(); ++i)
    u(excited_[i].input) += excited_[i].factor * excited_[i].signal->at(t);
  Eigen::Map<lti::Vector> y(outputs.data(), static_cast<Eigen::Index>(outputs.size()));
  y.setZero();  // where only steps are known: before the first one everything rests
  if (instant_) {
    y = instant_->C * x_ + instant_->D * u;
  } else if (model_.feedthrough) {
    y = *model_.feedthrough * u;
  }
}

assembly::Snapshot StandIn::save() { return {{x_.begin(), x_.end()}, nullptr}; }
void StandIn::restore(const assembly::Snapshot& snapshot) {
  std::copy(snapshot.flat.begin(), snapshot.flat.end(), x_.data());
}

std::optional<assembly::LinearModel> StandIn::linearise(double /*t*/, assembly::In /*inputs*/) {
  if (!model_.equations) return std::nullopt;
  using Origin = assembly::LinearModel::Origin;
  return assembly::LinearModel{*model_.equations,
                               model_.linearity == Linearity::linear ? Origin::exact : Origin::linearised};
}

void StandIn::offer_all() {
  offered_ = assembly::LinearOffer::Kind::fixed;
  told_ = equations_with_solver(model_);
}

assembly::LinearOffer StandIn::linear_offer() const {
  using Kind = assembly::LinearOffer::Kind;
  if (offered_ == Kind::nothing || !told_) return {};
  if (offered_ == Kind::feedthrough) return {Kind::feedthrough};
  return {Kind::fixed, static_cast<int>(told_->states())};
}

bool StandIn::tell_linear(double /*t*/, assembly::In /*inputs*/, const assembly::LinearNumbers& numbers) {
  const lti::StateSpace& known = *told_;
  const auto copy = [](const lti::Matrix& matrix, double* to) { std::copy_n(matrix.data(), matrix.size(), to); };
  copy(known.D, numbers.D);
  if (offered_ == assembly::LinearOffer::Kind::feedthrough) return true;
  copy(known.A, numbers.A);
  copy(known.B, numbers.B);
  copy(known.C, numbers.C);
  return true;
}

}  // namespace seam::analysis
