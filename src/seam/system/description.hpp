// What is coupled, for how long, how, and what is kept: plain values, with the place in the user's file each came from.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/system/column_names.hpp"
#include "seam/system/origin.hpp"
#include "seam/system/port_list.hpp"
#include "seam/system/threads.hpp"
#include "seam/system/units.hpp"

namespace seam::system {

enum class InputSignal {
  signal,  ///< the solver sees the input as a function of time
  stepped  ///< the input is constant within each micro step, as for a plain FMU
};

/// What a simulator suggests for its own experiment, s.
struct SuggestedTimes {
  std::optional<double> start, stop, step;
  std::optional<double> step_unit;  ///< its steps are multiples of this
};

struct Subsystem {
  std::string name;
  Origin origin;
  SuggestedTimes suggested;  ///< filled by load
  std::vector<Setting> set;
  std::optional<std::string> solver;  ///< none: chosen by the model
  std::optional<double> solver_step;  ///< s; none: the macro step
  InputSignal input_signal = InputSignal::signal;
  PortList inputs, outputs;                                        ///< filled by load
  std::vector<std::pair<std::string, std::string>> left_out = {};  ///< outputs it would have, and why it has not
  bool is_signal = false;  ///< outputs are known ahead of time: no lane, the sinks read them at every solver step
  base::Location where, solver_where, solver_step_where, input_signal_where;

  /// Null: it is of another kind.
  const BuiltInModel* model() const { return std::get_if<BuiltInModel>(&origin); }
  const FmuFile* fmu() const { return std::get_if<FmuFile>(&origin); }
  FmuFile* fmu() { return std::get_if<FmuFile>(&origin); }
  const SystemFile* system() const { return std::get_if<SystemFile>(&origin); }
};

inline bool is_fmu(const Subsystem& subsystem) { return subsystem.fmu() != nullptr; }

/// subsystem and port as indices into the description, filled when the path is resolved.
struct PortPath {
  std::string text;
  int subsystem = -1;
  int port = -1;
  base::Location where;
};

/// Whole numbers may be translated on their way; one that no entry names stays as it is.
struct MapEntry {
  std::int64_t from = 0, to = 0;
};

enum class UnitConversion {
  automatic,  ///< where both ends have a unit
  suppressed  ///< the numbers are taken as they are
};

/// value at the sink = gain * value at the source + offset. Until the paths are resolved gain and offset are what the
/// user wrote; then the unit conversion is in them too, and asked_* keeps what was written.
struct Connection {
  PortPath from, to;
  double gain = 1.0;
  double offset = 0.0;
  base::Location where;
  double asked_gain = 1.0;
  double asked_offset = 0.0;
  std::string from_unit, to_unit;  ///< as written in the connection; empty: those of the ports
  base::Location unit_where;
  UnitConversion units = UnitConversion::automatic;
  std::vector<MapEntry> map = {};  ///< of whole numbers
};

/// Two connections between two subsystems that carry power: an effort one way, a flow the other.
struct Bond {
  /// Who says that these two belong together.
  enum class Origin { file, units, terminals };
  /// Who gives power while effort times flow is positive.
  enum class Giver { effort_sender, effort_receiver };
  struct Ends {
    PortPath from, to;
  };

  std::string name;
  Origin origin = Origin::file;
  int effort = -1, flow = -1;                  ///< connections of the description
  std::optional<Ends> effort_ends, flow_ends;  ///< of a plan file: by which the two connections are found
  std::optional<std::pair<std::string, std::string>> positive;  ///< giver and receiver as written
  Giver giver = Giver::effort_sender;                           ///< what `positive` means
  base::Location where, positive_where;
};

/// What gives an input its value while nothing intervenes; none: it keeps what it was last set to.
enum class Feed { none, connection, known_signal };

/// One variable an event changes.
struct EventTarget {
  std::string path;  ///< subsystem.variable
  Value value;       ///< as written; a ramp may have [begin, end]
  base::Location where;

  // Filled by load.
  int subsystem = -1;
  int input = -1;         ///< number of the port; -1: a parameter, or not found
  std::string parameter;  ///< of an FMU, tunable; empty: an input
  PortType type = PortType::real;
  Feed feed = Feed::none;
  std::optional<double> before;       ///< the value at the start, where it is known
  std::optional<double> first;        ///< of a ramp; none: the value the variable has then
  double number = 0.0;                ///< of a real; the end of a ramp
  DiscreteValue discrete_value = {};  ///< of everything else
};

enum class EventKind {
  set,      ///< from then on, until it is set again
  replace,  ///< `override`: instead of what arrives, for a while
  ramp      ///< moves linearly
};

struct Event {
  EventKind kind = EventKind::set;
  double from = 0.0;  ///< s
  double to = 0.0;    ///< s; of a set the same
  std::vector<EventTarget> targets;
  base::Location where;
};

/// Values of inputs that nothing is connected to.
struct FreeInputs {
  std::string file;                 ///< a table with a column for each, named after it; empty: none
  NameMap map;                      ///< columns with other names
  std::vector<EventTarget> values;  ///< from the start on
  base::Location where;
};

struct Experiment {
  double start = 0.0;               ///< s
  std::optional<double> stop;       ///< s
  std::optional<double> tolerance;  ///< relative, of the solvers inside subsystems; none: their own
  base::Location start_where, stop_where, tolerance_where;
  std::vector<Event> events = {};  ///< of the file and of a scenario, in the order they were read
  FreeInputs inputs = {};
};

/// A method of the catalog with the parameters the user gave it.
struct MethodRequest {
  std::string name;
  std::vector<Setting> parameters;
  base::Location where;
};

/// In the place of a value: analysis chooses it before the plan is compiled.
inline constexpr const char* auto_word = "auto";

/// How one connection (or all of them) is coupled, as far as the user said: a name for the whole, or its parts.
struct CouplingRequest {
  std::optional<MethodRequest> coupling, emitter, receiver;
  std::optional<std::string> samples;  ///< macro | micro
  base::Location where, samples_where;

  bool is_auto() const { return coupling && coupling->name == auto_word; }
};

enum class Feedthrough { held, fresh };

/// Who steps when, with whose samples.
struct Schedule {
  enum class Kind {
    jacobi,        ///< all with the samples of the last communication point
    gauss_seidel,  ///< one after the other, each with what those before it have just sent
    automatic      ///< asked for only: analysis chooses one of the others
  };
  Kind kind = Kind::jacobi;
  std::vector<std::string> order;  ///< of all subsystems that step; none: chosen from the connections
  std::vector<base::Location> order_where;
};

/// Who sees an event inside a macro step when it happens: the subsystem that has it, or all.
enum class Events { local, shared };

struct SubsystemPlanRequest {
  std::string pattern;
  std::optional<double> micro_step;  ///< s
  std::optional<Feedthrough> feedthrough;
  base::Location where, micro_step_where = {}, feedthrough_where = {};
  std::optional<double> step = {};  ///< s; its own macro step
  base::Location step_where = {};
  std::optional<Via> via = {};
  base::Location via_where = {};
};

struct ConnectionPlanRequest {
  std::string pattern;  ///< a sink, exactly or with stars, or a bond
  CouplingRequest coupling;
  base::Location where;
};

/// A macro step that analysis chooses: the largest that is accurate enough.
struct AutoStep {
  double target = 0.01;          ///< expected error (NRMSE) of the worst output
  std::optional<double> around;  ///< s, where the search begins
};

/// An entry of a plan that was `auto`.
struct ChosenEntry {
  std::string entry;  ///< as the plan names it: "step", "coupling", "connections.SINK", …
  std::string value;
  std::string why;  ///< one sentence
};

/// What the user asked for; everything may be missing.
struct PlanRequest {
  std::optional<double> step;  ///< s
  std::optional<CouplingRequest> coupling;
  std::optional<Feedthrough> feedthrough;
  std::optional<Events> events;
  std::optional<Schedule> schedule;
  std::optional<Threads> threads;
  std::vector<SubsystemPlanRequest> subsystems;
  std::vector<ConnectionPlanRequest> connections;
  std::optional<MethodRequest> corrector;  ///< of `over` the value is a list of sinks, bonds and patterns
  base::Location step_where, feedthrough_where, schedule_where, events_where, threads_where;
  std::optional<AutoStep> auto_step = {};  ///< then `step` is only where the search begins
  std::vector<ChosenEntry> chosen = {};    ///< what analysis has put in the place of `auto`

  /// Whether analysis has still something to choose.
  bool has_auto() const;
};

/// What of the coupling itself is recorded.
enum class CouplingRecord { defect, energy, correction, feedthrough };

struct RecordRequest {
  std::optional<std::string> file;
  std::optional<double> every;  ///< s
  std::vector<std::string> variables;
  base::Location where, every_where;
  std::vector<base::Location> variables_where;
  base::Location file_where;
  std::vector<CouplingRecord> coupling = {};
  base::Location coupling_where = {};
  std::vector<std::string> micro = {};  ///< patterns of ports to record at every micro step
  std::vector<base::Location> micro_where = {};

  bool wants(CouplingRecord what) const { return std::ranges::find(coupling, what) != coupling.end(); }
};

/// A unit that the file defines: its meaning wins over what the name usually means.
struct UnitDefinition {
  std::string name;
  Unit unit;
};

/// Another name for ports: a connector of a system around them. An input may lead to several.
struct PortAlias {
  std::string name;
  std::vector<std::string> ports;
  /// Of an input that nothing feeds: what lies between it (or `name[2]` of an array) and each of the ports.
  std::vector<Connection> ways = {};
};

struct SystemDescription {
  std::string name;
  std::string description;
  std::string folder;                       ///< of the file: paths inside it are relative to this
  std::vector<std::string> opened_folders;  ///< by the user: paths may lead there too
  std::vector<Subsystem> subsystems;
  std::vector<Connection> connections;
  std::vector<Bond> bonds;
  std::vector<UnitDefinition> units;
  std::vector<PortAlias> aliases;
  Experiment experiment;
  PlanRequest plan;
  RecordRequest record;
  std::vector<std::string> inside;   ///< files of the systems that were put in the place of subsystems
  std::vector<std::string> designs;  ///< names of those in the file
  std::vector<std::string> notices;  ///< what was decided for the user, to be said once
  base::Location where;
};

inline bool has_fmus(const SystemDescription& description) {
  return std::ranges::any_of(description.subsystems, is_fmu);
}

}  // namespace seam::system
