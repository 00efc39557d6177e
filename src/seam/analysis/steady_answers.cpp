#include "seam/analysis/steady_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace seam::analysis {
namespace {

using lti::Complex;
using lti::ComplexMatrix;
constexpr double pi = std::numbers::pi;

/// How many Chebyshev polynomials follow e^jwt over a period, but not more than `most`: the coefficient of the one with
/// number n is below 2 (x/2)^n/n!, x = w period/2.
Eigen::Index polynomials_for(double angular, double period, Eigen::Index most) {
  Eigen::Index count = 0;
  for (double next = 2.0; count < most && (count < 4 || next > 1e-13);)
    next *= 0.25 * angular * period / static_cast<double>(++count);
  return count;
}

/// A sum of functions of a basis, with amounts that can be changed.
class Mixture final : public ode::TimeSignal {
 public:
  Mixture(const ToneBasis& basis, double rate) : basis_(basis), amounts_(static_cast<std::size_t>(basis.size())), rate_(rate) {}

  void set(std::size_t number, double amount) { amounts_[number] = amount; }
  double at(double t) const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < amounts_.size(); ++i) {
      if (amounts_[i] != 0.0) sum += amounts_[i] * basis_.value(static_cast<Eigen::Index>(i), t);
    }
    return sum;
  }
  double steady_until(double t) const override {
    const bool silent = std::all_of(amounts_.begin(), amounts_.end(), [](double amount) { return amount == 0.0; });
    return silent ? std::numeric_limits<double>::infinity() : t;
  }
  double rate() const override { return rate_; }

 private:
  const ToneBasis& basis_;
  std::vector<double> amounts_;
  double rate_;
};

/// Excites the subsystems of a program for as long as it lives.
class Excited {
 public:
  Excited(const coupling::Program& program, const std::vector<Excitation>& excitations, const ToneBasis& basis,
          double rate)
      : program_(program), excitations_(excitations) {
    for (const Excitation& excitation : excitations) {
      mixtures_.push_back(std::make_unique<Mixture>(basis, rate));
      for (const Excitation::Place& place : excitation.places) subsystem(place).excite(place.number, mixtures_.back().get(), place.factor);
    }
  }
  Excited(const Excited&) = delete;
  Excited& operator=(const Excited&) = delete;
  ~Excited() {
    for (const Excitation& excitation : excitations_) {
      for (const Excitation::Place& place : excitation.places) subsystem(place).excite(place.number, nullptr, 0.0);
    }
  }

  /// One an excitation and function of the basis.
  std::vector<coupling::FurtherArgument> arguments(const ToneBasis& basis) const {
    std::vector<coupling::FurtherArgument> result;
    for (std::size_t e = 0; e < excitations_.size(); ++e) {
      const int lane = lane_of(excitations_[e].places.front().member);
      for (std::size_t i = 0; i < static_cast<std::size_t>(basis.size()); ++i)
        result.push_back({lane, [mixture = mixtures_[e].get(), i](double amount) { mixture->set(i, amount); }});
    }
    return result;
  }

 private:
  assembly::Excitable& subsystem(const Excitation::Place& place) const {
    return *program_.assembly->members[static_cast<std::size_t>(place.member)].subsystem->facets().excitable;
  }
  int lane_of(int member) const {
    const auto own = std::find_if(program_.lanes.begin(), program_.lanes.end(),
                                  [&](const coupling::Lane& lane) { return lane.member == member; });
    return static_cast<int>(own - program_.lanes.begin());
  }

  const coupling::Program& program_;
  const std::vector<Excitation>& excitations_;
  std::vector<std::unique_ptr<Mixture>> mixtures_;
};

/// The first member of the excitations that cannot be excited; empty if there is none.
std::string not_excitable(const coupling::Program& program, const std::vector<Excitation>& excitations) {
  for (const Excitation& excitation : excitations) {
    for (const Excitation::Place& place : excitation.places) {
      const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(place.member)];
      if (!member.subsystem->facets().excitable) return member.name;
    }
  }
  return {};
}

std::vector<lti::Term> terms_of(const lti::Matrix& matrix, double factor) {
  std::vector<lti::Term> terms;
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      if (matrix(row, column) != 0.0) terms.push_back({row, column, factor * matrix(row, column)});
    }
  }
  return terms;
}

/// Above this size the zeros of a step are made use of.
constexpr Eigen::Index large = 150;

}  // namespace

ToneBasis::ToneBasis(double begin, double period, const std::vector<double>& tones) : begin_(begin), period_(period) {
  for (const double tone : tones) angular_.push_back(2.0 * pi * tone);
  const auto own = static_cast<Eigen::Index>(2 * tones.size());
  size_ = polynomials_for(*std::max_element(angular_.begin(), angular_.end()), period, own);
  if (size_ == own) return;
  const auto count = static_cast<double>(size_);
  from_values_.resize(size_, size_);
  nodes_.resize(size_);
  for (Eigen::Index q = 0; q < size_; ++q) {
    const double angle = pi * (static_cast<double>(q) + 0.5) / count;
    nodes_(q) = 0.5 * period * (1.0 + std::cos(angle));
    for (Eigen::Index k = 0; k < size_; ++k)
      from_values_(k, q) = (k == 0 ? 1.0 : 2.0) / count * std::cos(static_cast<double>(k) * angle);
  }
}

double ToneBasis::value(Eigen::Index number, double t) const {
  if (from_values_.size() == 0) {
    const double angle = angular_[static_cast<std::size_t>(number / 2)] * (t - begin_);
    return number % 2 == 0 ? std::cos(angle) : std::sin(angle);
  }
  return std::cos(static_cast<double>(number) * std::acos(std::clamp(2.0 * (t - begin_) / period_ - 1.0, -1.0, 1.0)));
}

Eigen::VectorXcd ToneBasis::shares(std::size_t tone) const {
  if (from_values_.size() > 0)
    return from_values_ * (Complex(0.0, angular_[tone]) * nodes_.array()).exp().matrix();
  Eigen::VectorXcd result = Eigen::VectorXcd::Zero(size_);
  result(static_cast<Eigen::Index>(2 * tone)) = 1.0;
  result(static_cast<Eigen::Index>(2 * tone + 1)) = Complex(0.0, 1.0);
  return result;
}

std::optional<SteadyAnswers> SteadyAnswers::find(const coupling::Program& program,
                                                 const std::vector<Excitation>& excitations, Entrance entrance,
                                                 const std::vector<double>& tones, std::string& reason) {
  if (const std::string name = not_excitable(program, excitations); !name.empty()) {
    reason = "\"" + name + "\" cannot be excited";
    return std::nullopt;
  }
  const coupling::Memory memory = coupling::start(program);
  const double period = program.grid.step * static_cast<double>(program.hyper_period());
  SteadyAnswers result(ToneBasis(program.grid.time(memory.tick), period, tones), tones);
  result.step_ = program.grid.step;
  result.period_ = period;
  result.arrivals_ = analysis::arrivals(program);
  result.excitations_ = static_cast<Eigen::Index>(excitations.size());
  const double rate = entrance == Entrance::exactly ? *std::max_element(tones.begin(), tones.end()) : 0.0;
  const Excited excited(program, excitations, result.basis_, rate);
  auto step = transition(program, memory, reason, {excited.arguments(result.basis_), result.arrivals_});
  if (!step) return std::nullopt;
  if (step->exactness != Exactness::exact) {
    reason = "the step is not affine";
    return std::nullopt;
  }
  if (step->matrix.rows() < large)
    result.dense_ = std::make_shared<const lti::FrequencyResponse>(
        lti::StateSpace{step->matrix, step->further, step->outputs, step->direct}, lti::TimeDomain::discrete);
  result.step_map_ = std::move(*step);
  return result;
}

SteadyAnswers::Solver::Solver(const SteadyAnswers& answers) : answers_(answers) {
  if (answers.dense_) return;
  const lti::Matrix& phi = answers.step_map_.matrix;
  sparse_.emplace(phi.rows());
  terms_ = terms_of(phi, -1.0);
  outputs_ = terms_of(answers.step_map_.outputs, 1.0);
}

ComplexMatrix SteadyAnswers::Solver::solve_sparsely(Complex z, const Eigen::VectorXcd& shares) {
  const Transition& step = answers_.step_map_;
  const auto mixed = [&](const lti::Matrix& columns) {
    ComplexMatrix result(columns.rows(), answers_.excitations_);
    for (Eigen::Index e = 0; e < result.cols(); ++e)
      result.col(e) = columns.middleCols(e * shares.size(), shares.size()) * shares;
    return result;
  };
  std::vector<lti::Term> terms = terms_;
  for (Eigen::Index i = 0; i < step.matrix.rows(); ++i) terms.push_back({i, i, z});
  const ComplexMatrix state = sparse_->solve(terms, mixed(step.further)).transpose();
  ComplexMatrix result = mixed(step.direct).transpose();
  for (const lti::Term& term : outputs_) result.col(term.row) += term.value * state.col(term.column);
  return result.transpose();
}

ComplexMatrix SteadyAnswers::Solver::at(std::size_t tone) {
  const double angular = 2.0 * pi * answers_.tones_[tone];
  const Complex z = std::polar(1.0, angular * answers_.period_);
  const Eigen::VectorXcd shares = answers_.basis_.shares(tone);
  ComplexMatrix result = answers_.dense_ ? answers_.dense_->at_point(z, shares) : solve_sparsely(z, shares);
  for (Eigen::Index row = 0; row < result.rows(); ++row) {
    const auto ticks = static_cast<double>(answers_.arrivals_[static_cast<std::size_t>(row)].ticks);
    result.row(row) *= std::polar(1.0, -angular * answers_.step_ * ticks);
  }
  return result;
}

}  // namespace seam::analysis
