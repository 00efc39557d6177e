// Events on the grid of communication points: what each variable is made to be, and from which tick to which.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "seam/base/grid.hpp"
#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::system {

/// What one event makes of one variable. A real moves from `first` to `last`; of a set and an override the two are the
/// same.
struct Piece {
  static constexpr base::Tick lasting = std::numeric_limits<base::Tick>::max();

  base::Tick begin = 0;         ///< the first communication point that shows it
  base::Tick settled = 0;       ///< the first that shows `last`
  base::Tick end = lasting;     ///< the first that no longer shows it
  double from = 0.0, to = 0.0;  ///< s, as asked: a ramp keeps its line, whatever the grid
  double first = 0.0, last = 0.0;
  DiscreteValue discrete_value = {};

  double at(base::Tick tick, double t) const;
  bool moves_at(base::Tick tick) const { return tick == begin || (tick > begin && tick <= settled && first != last); }
};

/// One variable and its pieces in order of time; no two act at once.
struct Course {
  int subsystem = -1;
  int input = -1;      ///< number of the port, or
  int parameter = -1;  ///< number among tuned_parameters
  PortType type = PortType::real;
  Feed feed = Feed::none;
  std::vector<Piece> pieces;

  /// The piece that counts at a tick, or nullptr.
  const Piece* at(base::Tick tick) const;
};

/// The events must be resolved. Those before the start of the grid count as having happened.
std::vector<Course> courses_of(const SystemDescription& description, const base::Grid& grid);

/// Events of one variable that contradict each other, overrides that no communication point sees, events before the
/// start.
void check_events(const SystemDescription& description, const base::Grid& grid, base::Problems& problems);

/// The parameters of a subsystem that events change, each once.
std::vector<std::string> tuned_parameters(const SystemDescription& description, int subsystem);

/// Where an event falls on the communication points: those of the grid and the stop time.
struct Landing {
  std::string words;                         ///< "set ecu.gain to 0.8"
  double asked = 0.0, landed = 0.0;          ///< s
  double asked_end = 0.0, landed_end = 0.0;  ///< s; of a set the same as its begin
  base::Tick tick = 0;
  enum class Fate {
    happens,
    comes_too_late  ///< after the stop time
  } fate = Fate::happens;
  /// What a person should know of it; empty if it happens when it was asked for.
  std::string remark;
};
std::vector<Landing> landings(const Experiment& experiment, const base::Grid& grid);

}  // namespace seam::system
