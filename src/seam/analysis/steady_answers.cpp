#include "seam/analysis/steady_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "seam/lti/eigenvalues.hpp"

namespace seam::analysis {
namespace {

using lti::Complex;
using lti::ComplexMatrix;
constexpr double pi = std::numbers::pi;

/// How many Chebyshev polynomials follow e^jwt over a period: the coefficient of the one with number n is below
/// 2 (x/2)^n/n!, x = w period/2.
Eigen::Index polynomials_for(double w, double period) {
  Eigen::Index count = 0;
  for (double next = std::log(2.0); count < 4 || next > std::log(1e-13);)
    next += std::log(0.25 * w * period / static_cast<double>(++count));
  return count;
}

/// A sum of polynomials of a basis, with amounts that can be changed.
class Mixture final : public ode::TimeSignal {
 public:
  Mixture(const ToneBasis& basis, double rate)
      : basis_(basis), amounts_(static_cast<std::size_t>(basis.size())), rate_(rate) {}

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
      for (const Excitation::Place& place : excitation.places)
        subsystem(place).excite(place.number, mixtures_.back().get(), place.factor);
    }
  }
  Excited(const Excited&) = delete;
  Excited& operator=(const Excited&) = delete;
  ~Excited() {
    for (const Excitation& excitation : excitations_) {
      for (const Excitation::Place& place : excitation.places) subsystem(place).excite(place.number, nullptr, 0.0);
    }
  }

  /// One an excitation and polynomial of the basis.
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

/// Above this size the poles of a step are not looked for.
constexpr Eigen::Index large = 150;

}  // namespace

ToneBasis::ToneBasis(double begin, double period, double highest) : begin_(begin), period_(period) {
  const Eigen::Index size = polynomials_for(2.0 * pi * highest, period);
  const auto count = static_cast<double>(size);
  from_values_.resize(size, size);
  nodes_.resize(size);
  for (Eigen::Index q = 0; q < size; ++q) {
    const double angle = pi * (static_cast<double>(q) + 0.5) / count;
    nodes_(q) = 0.5 * period * (1.0 + std::cos(angle));
    for (Eigen::Index k = 0; k < size; ++k)
      from_values_(k, q) = (k == 0 ? 1.0 : 2.0) / count * std::cos(static_cast<double>(k) * angle);
  }
}

double ToneBasis::value(Eigen::Index number, double t) const {
  return std::cos(static_cast<double>(number) * std::acos(std::clamp(2.0 * (t - begin_) / period_ - 1.0, -1.0, 1.0)));
}

Eigen::VectorXcd ToneBasis::shares(double w) const {
  return from_values_ * (Complex(0.0, w) * nodes_.array()).exp().matrix();
}

std::optional<SteadyAnswers> SteadyAnswers::find(const coupling::Program& program,
                                                 const std::vector<Excitation>& excitations, Entrance entrance,
                                                 double highest, std::string& reason) {
  if (const std::string name = not_excitable(program, excitations); !name.empty()) {
    reason = "\"" + name + "\" cannot be excited";
    return std::nullopt;
  }
  const coupling::Memory memory = coupling::start(program);
  const double period = program.grid.step * static_cast<double>(program.hyper_period());
  SteadyAnswers result(ToneBasis(program.grid.time(memory.tick), period, highest));
  result.step_ = program.grid.step;
  result.period_ = period;
  result.arrivals_ = analysis::arrivals(program);
  const Excited excited(program, excitations, result.basis_, entrance == Entrance::exactly ? highest : 0.0);
  auto step = transition(program, memory, reason, {excited.arguments(result.basis_), result.arrivals_});
  if (!step) return std::nullopt;
  if (step->exactness != Exactness::exact) {
    reason = "the step is not affine";
    return std::nullopt;
  }
  result.map_.emplace(lti::StateSpace{step->matrix, step->further, step->outputs, step->direct},
                      lti::TimeDomain::discrete, lti::FrequencyResponse::Solving::by_size);
  result.matrix_ = std::move(step->matrix);
  return result;
}

std::vector<Complex> SteadyAnswers::poles() const {
  std::vector<Complex> result;
  if (matrix_.rows() >= large) return result;
  for (const Complex& z : lti::eigenvalues(matrix_)) {
    if (z != Complex{}) result.push_back(std::log(z) / period_);
  }
  return result;
}

ComplexMatrix SteadyAnswers::at(double w) const {
  ComplexMatrix result = map_->at_point(std::polar(1.0, w * period_), basis_.shares(w));
  for (Eigen::Index row = 0; row < result.rows(); ++row) {
    const auto ticks = static_cast<double>(arrivals_[static_cast<std::size_t>(row)].ticks);
    result.row(row) *= std::polar(1.0, -w * step_ * ticks);
  }
  return result;
}

}  // namespace seam::analysis
