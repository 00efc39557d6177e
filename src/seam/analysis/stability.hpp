// Whether a coupling is stable, decided by the spectral radius of the step that will be run.
#pragma once

#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/transition.hpp"

namespace seam::analysis {

using Complex = std::complex<double>;

/// An eigenvalue 1 that the coupled equations themselves have: an equilibrium that may lie anywhere, such as the
/// displacement a subsystem integrates from an exchanged velocity. It neither grows nor decays, at any step.
struct StructuralEigenvalue {
  Complex value;
  std::string meaning;
};

struct Stability {
  double period = 0.0;               ///< s; of the map: one macro step, or until all steps meet again
  double spectral_radius = 0.0;      ///< without the structural eigenvalues
  std::vector<Complex> eigenvalues;  ///< all but the structural ones, by falling magnitude
  std::vector<StructuralEigenvalue> structural;
  std::vector<std::optional<Complex>> poles;  ///< log(z)/period of each eigenvalue, 1/s; none for z = 0
  std::optional<std::vector<Complex>> monolithic_poles;
  std::string monolithic_reason;  ///< why there are none
  Exactness exactness = Exactness::exact;

  /// Within rounding of the probed matrix a mode at the limit neither grows nor decays: it is not called stable.
  bool marginal() const { return std::abs(spectral_radius - 1.0) <= 1e-12; }
  bool stable() const { return spectral_radius < 1.0 && !marginal(); }
  /// The pole of the coupled equations that grows fastest, if one does not decay: then no coupling is stable but by its
  /// error. Poles at zero apart, which are structural.
  std::optional<Complex> undamped_pole() const;
};

/// The poles of the coupled equations, whatever the coupling.
struct EquationPoles {
  std::optional<std::vector<Complex>> all;  ///< 1/s
  std::string reason;                       ///< why there are none
  int at_zero = 0;
  std::vector<std::string> kept;  ///< what each pole at zero keeps, as far as that can be told
  /// Columns of states that stay where they are, as many as there are poles at zero; none if chains are among them.
  lti::Matrix equilibria;
  std::vector<std::string> states;  ///< names of the rows
};
/// At time t, around the present states.
EquationPoles equation_poles(assembly::Assembly& assembly, double t);

/// A model that was identified from a record does not tell from standing still what moves by less a step.
inline constexpr double unsure_when_identified = 1e-7;

/// None, with the reason, if it cannot be known. Eigenvalues as near to 1 as `unsure` are structural where the coupled
/// equations have such a slow pole, too.
std::optional<Stability> stability(const coupling::Program& program, const coupling::Memory& around,
                                   std::string& reason, double unsure = 0.0);

/// The same of a step that is known, in a system whose equations are known.
std::optional<Stability> stability(const Transition& step, double period, const EquationPoles& equations,
                                   std::string& reason, double unsure = 0.0);

/// s, of the map that `transition` finds.
double period_of(const coupling::Program& program);

/// What a search over many steps wants of each.
struct StepModes {
  StepModes(double spectral_radius, std::vector<Complex> all = {})
      : radius(spectral_radius), eigenvalues(std::move(all)) {}

  double radius = 0.0;               ///< without the structural eigenvalues
  std::vector<Complex> eigenvalues;  ///< the same, by falling magnitude; none where only the radius was found
};
/// The coupled equations stay the same while steps are tried.
std::optional<StepModes> step_modes(const coupling::Program& program, const coupling::Memory& around,
                                    const EquationPoles& equations, double unsure);

}  // namespace seam::analysis
