// Random couplings of masses, controllers and filters, as native models and as FMUs that compute the same.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::testing {

enum class CouplingKind { force_displacement, displacement, velocity, control, filters };
inline constexpr CouplingKind all_kinds[] = {CouplingKind::force_displacement, CouplingKind::displacement,
                                             CouplingKind::velocity, CouplingKind::control, CouplingKind::filters};
const char* word(CouplingKind kind);

/// Two or three linear subsystems of at most four states, inputs u1 and u2, outputs y1 (which may feed through), y2 and
/// y3.
struct RandomCoupling {
  CouplingKind kind;
  std::vector<lti::StateSpace> parts;
  std::vector<std::string> connections;  ///< as a system file has them
  std::string coupling, schedule;
  double step = 0.0;

  /// Displacements are integrated on both sides of an exchanged velocity: their difference may be anything.
  bool has_structural_eigenvalue() const { return kind == CouplingKind::velocity; }

  enum class Solver { exact, as_in_fmus };  ///< FMUs: one classical Runge–Kutta step a call, inputs held in it
  std::string native(Solver solver) const;
  /// `files`: one FMU a part, with the matrices as its parameters.
  std::string of_fmus(const std::vector<std::string>& files) const;
};

class RandomCouplings {
 public:
  explicit RandomCouplings(std::uint64_t seed) : generator_(seed) {}

  /// The kinds in turn; the macro step is of the order of the fastest time constant.
  RandomCoupling next();
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1.0p-53;
  }

 private:
  double spread(double low, double high);  ///< evenly in the logarithm
  bool chance(double part) { return uniform(0.0, 1.0) < part; }
  struct Spring {
    double k = 0.0, d = 0.0;
  };
  Spring spring();
  Spring ground();
  lti::StateSpace mass(int forces);
  lti::StateSpace mass_on_springs(const std::vector<Spring>& couplings);
  lti::StateSpace owner_of_spring();
  lti::StateSpace owner_by_velocity();
  lti::StateSpace spring_by_velocities();
  lti::StateSpace controller();
  lti::StateSpace filter(double gain);
  void force_displacement(RandomCoupling& coupling, int count);
  void displacement(RandomCoupling& coupling, int count);
  void velocity(RandomCoupling& coupling, int count);
  void control(RandomCoupling& coupling, int count);
  void filters(RandomCoupling& coupling, int count);

  std::mt19937_64 generator_;
  int made_ = 0;
};

}  // namespace seam::testing
