#include "seam/analysis/hold_response.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/filters.hpp"

namespace seam::analysis {
namespace {

using Complex = std::complex<double>;

struct Node {
  double at, weight;
};

/// Gauss-Legendre with 12 points on [0, 1]: exact to rounding for a polynomial of degree 2 times a quarter of a period.
constexpr std::array<Node, 12> nodes = [] {
  constexpr std::array<Node, 6> half = {{{0.1252334085114689, 0.2491470458134028},
                                         {0.3678314989981802, 0.2334925365383548},
                                         {0.5873179542866175, 0.2031674267230659},
                                         {0.7699026741943047, 0.1600783285433462},
                                         {0.9041172563704749, 0.1069393259953184},
                                         {0.9815606342467192, 0.0471753363865118}}};
  std::array<Node, 12> all{};
  for (std::size_t i = 0; i < half.size(); ++i) {
    all[2 * i] = {0.5 * (1.0 - half[i].at), 0.5 * half[i].weight};
    all[2 * i + 1] = {0.5 * (1.0 + half[i].at), 0.5 * half[i].weight};
  }
  return all;
}();

Complex value_at(const std::vector<Complex>& polynomial, double theta) {
  Complex value{};
  for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c) value = value * theta + *c;
  return value;
}

}  // namespace

HoldResponse hold_response(const coupling::Receiver& receiver, const coupling::SampleTiming& timing, double phase,
                           const Reading& reading) {
  const coupling::ReceiverShape shape = receiver.shape();
  const auto rows = static_cast<std::size_t>(shape.history), powers = static_cast<std::size_t>(shape.degree) + 1;
  std::vector<Complex> polynomial(powers);
  std::vector<double> history(rows), coefficients(powers);
  const int column = 0;
  for (std::size_t i = 0; i < rows; ++i) {  // e^jwt seen from the begin of the step, sample by sample
    std::fill(history.begin(), history.end(), 0.0);
    history[i] = 1.0;
    receiver.polynomial(1, shape.history, history.data(), {coefficients.data(), 1, &column});
    const double ago = timing.age + static_cast<double>(i) * timing.spacing;
    for (std::size_t j = 0; j < powers; ++j) polynomial[j] += coefficients[j] * std::polar(1.0, -phase * ago);
  }
  HoldResponse response;
  const int parts = std::max(1, reading.constant_parts);
  const int pieces = parts * (1 + static_cast<int>(std::abs(phase) / (0.5 * std::numbers::pi * parts)));
  const auto read_at = [&](int piece, double theta) {  // a staircase has the value at the begin of its part
    return value_at(polynomial,
                    reading.constant_parts > 0 ? static_cast<double>(piece / (pieces / parts)) / parts : theta);
  };
  for (int piece = 0; piece < pieces; ++piece) {
    for (const Node& node : nodes) {
      const double theta = (piece + node.at) / pieces;
      response.over_step += node.weight / pieces * read_at(piece, theta) * std::polar(1.0, -phase * theta);
    }
  }
  response.at_end = read_at(pieces - 1, 1.0) * std::polar(1.0, -phase);
  return response;
}

double coupling_error(const system::Coupling& coupling, double normalised_frequency) {
  const double phase = 2.0 * std::numbers::pi * normalised_frequency;
  if (coupling::has_filters(coupling)) {
    const auto roots = coupling::read_roots(coupling.emitter);
    if (!roots) throw base::Error(base::Failure::internal, "the plan does not have the compensator of its coupling");
    const Complex p(0.0, phase);
    const auto value = [&](const coupling::Roots& filter) {
      const lti::Rational function = coupling::transfer_function(filter);
      return lti::value_at(function.numerator, p) / lti::value_at(function.denominator, p);
    };
    const Complex held = std::abs(phase) < 1e-9 ? Complex(1.0) : (1.0 - std::exp(-p)) / p;
    return std::abs(value(*roots) * value(coupling::smoothing_filter(coupling.receiver)) * held - 1.0);
  }
  const coupling::SampleTiming timing;
  const auto receiver = coupling::make_receiver(coupling, timing);
  return std::abs(hold_response(*receiver, timing, phase).over_step - 1.0);
}

}  // namespace seam::analysis
