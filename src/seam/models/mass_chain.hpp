// N masses in a row, springs and dampers between neighbours and to ground, and couplings to other subsystems.
#pragma once

#include <string>
#include <vector>

#include "seam/models/model.hpp"

namespace seam::models {

/// One place where the chain is coupled to a partner.
///   spring           owns the coupling spring-damper: takes x_in, v_in, gives F = k (x - x_in) + d (v - v_in) and
///   feels -F spring_velocity  the same, but takes v_in only and integrates the partner's displacement in the state
///   x_partner force            takes F_in and feels +F_in
struct ChainCoupling {
  enum class Kind { spring, spring_velocity, force };
  Kind kind = Kind::spring;
  int mass = 0;  ///< which mass, from 0
  double k = 0.0, d = 0.0;
  double x_partner0 = 0.0;
  std::string suffix;  ///< of the port and state names
};

/// SI units. springs[i] and dampers[i] lie between mass i and i + 1; every other list has one entry a mass.
struct MassChain {
  std::vector<double> masses, springs, dampers, ground_springs, ground_dampers, x0, v0;
  std::vector<ChainCoupling> couplings;
};

/// Inputs f1..fN (forces, 0 while unconnected), then those of the couplings; outputs x1, v1, a1, …, xN, vN, aN, then
/// the coupling forces; states x1..xN, v1..vN, then the integrated displacements. The lists must fit the number of
/// masses.
Model mass_chain(const MassChain& chain);

}  // namespace seam::models
