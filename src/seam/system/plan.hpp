// The complete plan: every choice made and every number in it, one entry a subsystem and one a connection of the
// description.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "seam/system/description.hpp"

namespace seam::system {

/// One part of a coupling: a name of the catalog and its parameters, all of them.
struct Method {
  std::string name;
  std::vector<std::pair<std::string, double>> parameters;

  bool operator==(const Method&) const = default;
};

enum class Samples { macro, micro };

struct Coupling {
  std::string name;  ///< as the user may say it again: zoh, foh, …
  Method emitter, receiver;
  Samples samples = Samples::macro;
};

/// What mends the samples at communication points: a name of the catalog with all its parameters.
struct Corrector {
  std::string name;  ///< empty: none
  std::vector<std::pair<std::string, std::string>> choices;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::string> over;  ///< as written; empty: all connections
  std::vector<bool> connections;  ///< one a connection: whether it is mended
  base::Location where;

  bool operator()(int connection) const {
    return !name.empty() && (connections.empty() || connections[static_cast<std::size_t>(connection)]);
  }
};

struct SubsystemPlan {
  int multiple = 1;         ///< its macro step in steps of the plan
  double micro_step = 0.0;  ///< s; how finely the master may split a macro step
  Feedthrough feedthrough = Feedthrough::held;
  base::Location feedthrough_where;
  Via via = Via::automatic;  ///< of an FMU: one of the others; a built-in model follows the signal itself
  enum class ViaChoice { of_seam, of_the_user } via_choice = ViaChoice::of_seam;
};

struct Plan {
  double step = 0.0;  ///< s; the macro step H, of which all others are whole multiples
  Schedule::Kind schedule = Schedule::Kind::jacobi;
  std::vector<int> order;  ///< Gauss-Seidel: all subsystems that step, the first first
  Events events = Events::local;
  base::Location events_where;
  Threads threads;
  std::vector<SubsystemPlan> subsystems;
  std::vector<Coupling> connections;
  Corrector corrector;
};

}  // namespace seam::system
