// Power bonds: which connections carry power together, which way it flows, and what one unit of their product is.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::system {

/// Finds the connections of the bonds that the files declare and what their sign means; then adds those that are
/// not declared but shown by units or terminals. Needs resolved connections.
void resolve_bonds(SystemDescription& description, base::Problems& problems);

/// Bonds among the connections that belong to none yet. By terminals: both ports of one side belong to one terminal of
/// an FMU, and their product is a power or one of them is a flow there. By units: an effort and a flow of one domain (N
/// with m/s, N.m with rad/s, V with A, Pa with m3/s, K with W/K, J/mol with mol/s) between the same two subsystems, one
/// each way, each a unit of the port that sends it (a controller's output without a unit is no force); where there are
/// several of them, those whose names are most alike, or none if that is not clear.
std::vector<Bond> recognise_bonds(const SystemDescription& description);

/// Effort and flow of a bond count as they were sent: their product times `to_si` is in W and its integral in J, if the
/// units are known and the product is a power; otherwise it is what it is, without a unit.
struct BondUnit {
  double to_si = 1.0;
  bool is_power = false;
};
BondUnit unit_of(const SystemDescription& description, const Bond& bond);

/// The unit of a connection's source, of the port or as the connection gives it.
std::optional<Unit> source_unit(const SystemDescription& description, const Connection& connection);
/// The same; that of the sink where only it is known. None: neither is.
std::optional<Unit> sent_unit(const SystemDescription& description, const Connection& connection);

/// Whether a connection can be half of a bond: continuous reals between two live subsystems, not multiplied by 0.
bool carries_signal(const SystemDescription& description, const Connection& connection);

/// By default an effort acts in the direction of its receiver's flow, so the receiver gets power while the
/// effort as it arrives times its own flow is positive.
Bond::Giver natural_giver(const Connection& effort);

/// Whether the product of the two is of the dimension of W; the radian counts as 1.
bool is_power(const Unit& effort, const Unit& flow);

}  // namespace seam::system
