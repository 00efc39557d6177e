#include "seam/models/signals.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace seam::models {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Grid times are this near to what they mean, as a part of the solver step.
constexpr double grid_tolerance = 1e-9;

/// Of finite numbers: the operator also looks for those that are not.
std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double corner_at(double time, double t) { return time > t ? time : never; }

/// area/width on [begin, begin + width), edges to the grid's tolerance.
class Pulse final : public ode::TimeSignal {
 public:
  Pulse(double area, double begin, double width)
      : value_(area / width), begin_{begin, grid_tolerance * width}, end_{begin + width, grid_tolerance * width} {}
  double at(double t) const override { return begin_.reached(t) && !end_.reached(t) ? value_ : 0.0; }
  double before(double t) const override { return begin_.passed(t) && !end_.passed(t) ? value_ : 0.0; }
  double next_corner(double t) const override { return std::min(corner_at(begin_.time, t), corner_at(end_.time, t)); }
  double steady_until(double t) const override { return begin_.steady_until(t, end_.steady_until(t, never)); }

 private:
  double value_;
  Edge begin_, end_;
};

}  // namespace

double StepSignal::next_corner(double t) const { return corner_at(edge_.time, t); }

std::shared_ptr<const ode::TimeSignal> StepSignal::fitted(double solver_step) const {
  return std::make_shared<StepSignal>(Edge{edge_.time, grid_tolerance * solver_step}, low_, high_);
}

double ImpulseSignal::next_corner(double t) const { return corner_at(time_, t); }

std::shared_ptr<const ode::TimeSignal> ImpulseSignal::fitted(double solver_step) const {
  return std::make_shared<Pulse>(area_, time_, solver_step);
}

double SineSignal::running(double t) const {
  return sine_.offset +
         sine_.amplitude * std::sin(2.0 * std::numbers::pi * sine_.frequency * (t - sine_.start) + sine_.phase);
}

double SineSignal::at(double t) const { return edge_.reached(t) ? running(t) : sine_.offset; }
double SineSignal::before(double t) const { return edge_.passed(t) ? running(t) : sine_.offset; }
double SineSignal::next_corner(double t) const { return corner_at(sine_.start, t); }

std::shared_ptr<const ode::TimeSignal> SineSignal::fitted(double solver_step) const {
  return std::make_shared<SineSignal>(sine_, grid_tolerance * solver_step);
}

double ChirpSignal::at(double t) const {
  const double T = chirp_.duration;
  const double swept = std::clamp(t, 0.0, T);
  const double slope = (chirp_.f1 - chirp_.f0) / (2.0 * T);
  const double turns =
      chirp_.f0 * swept + slope * swept * swept + chirp_.f1 * std::max(t - T, 0.0) + chirp_.f0 * std::min(t, 0.0);
  return chirp_.amplitude * std::sin(2.0 * std::numbers::pi * turns);
}

double ChirpSignal::next_corner(double t) const { return std::min(corner_at(0.0, t), corner_at(chirp_.duration, t)); }

// The phases form a square of k, so tone follows tone by a turn that itself turns by -2 pi/tones; both begin anew now
// and then, since their rounding errors grow with the square of k.
double MultisineSignal::at(double t) const {
  using std::numbers::pi;
  constexpr int by_turns = 32;
  const auto [from, to, rms, tones] = multisine_;
  const double apart = (to - from) / tones;
  const std::complex<double> turn_of_turn = std::polar(1.0, -2.0 * pi / tones);
  double sum = 0.0;
  for (int first = 0; first < tones; first += by_turns) {
    const double k = first;
    std::complex<double> tone = std::polar(1.0, 2.0 * pi * (from + apart * (k + 0.5)) * t - pi * k * (k + 1.0) / tones);
    std::complex<double> turn = std::polar(1.0, 2.0 * pi * (apart * t - (k + 1.0) / tones));
    for (int n = first; n < std::min(tones, first + by_turns); ++n) {
      sum += tone.imag();
      tone = product(tone, turn);
      turn = product(turn, turn_of_turn);
    }
  }
  return rms * std::sqrt(2.0 / tones) * sum;
}

TableSignal::TableSignal(std::vector<double> times, std::vector<double> values, Piecewise::Between between)
    : table_(std::make_shared<Piecewise>(std::move(times), std::move(values), between, Piecewise::Outside::clamp)),
      jumps_(std::ranges::adjacent_find(table_->x()) != table_->x().end()),
      between_(between) {}

int TableSignal::jump_at(double t) const {
  if (!jumps_) return -1;
  const auto& times = table_->x();
  const auto first = std::ranges::lower_bound(times, t - tolerance_);
  const bool here = times.end() - first > 1 && *first <= t + tolerance_ && first[1] == *first;
  return here ? static_cast<int>(first - times.begin()) : -1;
}

double TableSignal::at(double t) const {
  if (between_ == Piecewise::Between::hold) return table_->value(t + tolerance_);
  const int jump = jump_at(t);
  return jump < 0 ? table_->value(t) : table_->y()[static_cast<std::size_t>(jump) + 1];
}

double TableSignal::before(double t) const {
  if (between_ == Piecewise::Between::hold) return table_->value(std::nextafter(t - tolerance_, -never));
  const int jump = jump_at(t);
  return jump < 0 ? table_->value(t) : table_->y()[static_cast<std::size_t>(jump)];
}

double TableSignal::next_corner(double t) const {
  const auto& times = table_->x();
  const auto next = std::ranges::upper_bound(times, t);
  return next == times.end() ? never : *next;
}

std::shared_ptr<const ode::TimeSignal> TableSignal::fitted(double solver_step) const {
  if (between_ == Piecewise::Between::linear && !jumps_) return nullptr;
  auto signal = std::make_shared<TableSignal>(*this);
  signal->tolerance_ = grid_tolerance * solver_step;
  return signal;
}

Model source(std::shared_ptr<const ode::TimeSignal> signal, const std::string& unit) {
  Model model;
  model.outputs.push_back({"y", unit, std::nullopt});
  model.signals.push_back(std::move(signal));
  return model;
}

}  // namespace seam::models
