// What the coupling that runs answers to tones once it has settled: from one real hyper-period that is driven by them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/transition.hpp"
#include "seam/lti/frequency_response.hpp"

namespace seam::analysis {

/// One tone, at all these places at once.
struct Excitation {
  struct Place {
    int member = 0;
    int number = 0;  ///< of the input; of a sampled signal, of the output
    double factor = 1.0;
  };
  std::vector<Place> places;
};

/// How tones enter.
enum class Entrance {
  as_known_signals,  ///< as the subsystems read these
  exactly            ///< without an error of their own
};

/// Chebyshev polynomials over a hyper-period: tones are sums of them.
class ToneBasis {
 public:
  /// For tones up to this frequency, Hz.
  ToneBasis(double begin, double period, double highest);

  Eigen::Index size() const { return nodes_.size(); }
  double value(Eigen::Index number, double t) const;
  /// The share of each polynomial in e^jw(t - begin).
  Eigen::VectorXcd shares(double w) const;

 private:
  double begin_, period_;
  lti::Matrix from_values_;  // coefficients by values at the nodes
  lti::Vector nodes_;        // s, after the begin
};

/// The steady state of z+ = Phi z + Gamma(w) under e^jwt, T the hyper-period, is (e^jwT I - Phi)^-1 Gamma(w). Phi and
/// Gamma are those of the step that runs: with its holds, images, correctors and solvers.
class SteadyAnswers {
 public:
  /// To tones up to the highest, Hz. None, with the reason, if the step is not known or not affine.
  static std::optional<SteadyAnswers> find(const coupling::Program& program, const std::vector<Excitation>& excitations,
                                           Entrance entrance, double highest, std::string& reason);

  /// log(z)/T of the step's eigenvalues, 1/s; none where there are too many.
  std::vector<std::complex<double>> poles() const;
  /// Outputs at the ends of the steps of their subsystems: the rows of an answer.
  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  /// A row an arrival, a column an excitation: the output there over e^jwt.
  lti::ComplexMatrix at(double w) const;

 private:
  explicit SteadyAnswers(ToneBasis basis) : basis_(std::move(basis)) {}

  ToneBasis basis_;
  double step_ = 0.0, period_ = 0.0;  // s
  std::vector<Arrival> arrivals_;
  lti::Matrix matrix_;                         // Phi
  std::optional<lti::FrequencyResponse> map_;  // from the polynomials of each excitation to the outputs
};

}  // namespace seam::analysis
