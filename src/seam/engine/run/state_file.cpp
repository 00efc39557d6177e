#include "seam/engine/run/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/system/timetable.hpp"

namespace seam::engine {
namespace {

using formats::Value;

constexpr const char* any_version = "seam state ";
constexpr const char* first_line = "seam state 5\n";  // to be counted on when Memory is laid out differently
constexpr std::size_t largest_state = std::size_t{1} << 32;

std::string written(const system::Value& value) {
  std::string text = value.text;
  for (const system::Value& item : value.items) text += (text.empty() ? "[" : ", ") + written(item);
  for (const auto& [name, item] : value.entries) text += (text.empty() ? "{" : ", ") + name + ": " + written(item);
  return text;
}

/// An FMU is known by its token, not by its path.
std::string origin_of(const system::Subsystem& subsystem) {
  if (const auto* model = subsystem.model()) return model->name;
  if (const auto* added = std::get_if<system::AddedKind>(&subsystem.origin))
    return added->key + " " + written(added->content);
  const auto fmu = load::fmu_of(subsystem);
  return "FMU " + (fmu ? fmu->description.token : std::string());
}

/// Whether a connection remembers numbers that lie a micro step of this subsystem apart.
bool remembers_micro_steps(const System& system, int subsystem) {
  for (std::size_t i = 0; i < system.description.connections.size(); ++i) {
    const system::Connection& connection = system.description.connections[i];
    const system::Coupling& coupling = system.plan.connections[i];
    const bool sends = connection.from.subsystem == subsystem, gets = connection.to.subsystem == subsystem;
    if (sends && coupling.samples == system::Samples::micro) return true;
    if ((sends || gets) && coupling::has_filters(coupling)) return true;
  }
  return false;
}

/// What may not change between saving and going on.
std::vector<std::string> layout_of(const System& system, const base::Grid& grid, double time) {
  std::vector<std::string> lines;
  int index = 0;
  const auto ports = [](const std::vector<system::Port>& list) {
    std::string text;
    for (const system::Port& port : list) text += fmt::format(" {}:{}", port.name, system::word(port.type));
    return text;
  };
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    lines.push_back(fmt::format("{} is {} with inputs{} and outputs{}", subsystem.name, origin_of(subsystem),
                                ports(subsystem.inputs), ports(subsystem.outputs)));
    for (const system::Setting& setting : subsystem.set)
      lines.push_back(fmt::format("{}.{} is set to {}", subsystem.name, setting.name, written(setting.value)));
    const system::SubsystemPlan& plan = system.plan.subsystems[static_cast<std::size_t>(index)];
    lines.push_back(fmt::format("{} is stepped by {} steps via {}, feed-through {}", subsystem.name, plan.multiple,
                                system::word(plan.via),
                                plan.feedthrough == system::Feedthrough::held ? "held" : "fresh"));
    if (remembers_micro_steps(system, index++))
      lines.push_back(fmt::format("{} has a micro_step of {} s", subsystem.name, plan.micro_step));
    if (const system::FmuFile* fmu = subsystem.fmu()) {
      lines.push_back(
          fmt::format("{} is used for {}, event_mode {}{}", subsystem.name,
                      fmu->interface == system::FmuInterface::model_exchange ? "model exchange" : "co-simulation",
                      system::word(fmu->event_mode), fmu->retries > 0 ? ", with retries" : ""));
    }
  }
  for (const int next : system.plan.order)
    lines.push_back("then steps " + system.description.subsystems[static_cast<std::size_t>(next)].name);
  if (!system.plan.corrector.name.empty()) lines.push_back("corrected by " + coupling::describe(system.plan.corrector));
  if (system.plan.events == system::Events::shared) lines.push_back("events are shared");
  for (std::size_t i = 0; i < system.description.connections.size(); ++i) {
    const system::Connection& c = system.description.connections[i];
    lines.push_back(fmt::format("{} -> {} by {}, gain {}, offset {}", c.from.text, c.to.text,
                                coupling::describe(system.plan.connections[i]), c.gain, c.offset));
  }
  system::Experiment past = system.description.experiment;  // what comes later may differ
  past.stop = time;
  for (const system::Landing& event : system::landings(past, grid)) {
    if (event.fate == system::Landing::Fate::happens)
      lines.push_back(fmt::format("until {} s: from {} s to {} s {}", time, event.asked, event.asked_end, event.words));
  }
  return lines;
}

template <class Numbers>
std::string bytes_of(const Numbers& numbers) {
  std::string bytes(numbers.size() * sizeof(numbers[0]), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

[[noreturn]] void broken(const std::string& path, const std::string& why) {
  throw base::Error(base::Failure::file, fmt::format("\"{}\" is no state that seam has saved: {}", path, why));
}

/// Reads what write_state wrote, never past its end.
class Reader {
 public:
  Reader(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {}

  std::string take(std::uint64_t size) {
    if (size > text_.size() - at_) broken(path_, "it ends too early");
    at_ += size;
    return text_.substr(at_ - size, size);
  }
  template <class Number>
  std::vector<Number> numbers(std::uint64_t count) {
    if (count > text_.size() / sizeof(Number)) broken(path_, "it ends too early");
    const std::string bytes = take(count * sizeof(Number));
    std::vector<Number> result(count);
    if (count > 0) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
  std::uint64_t size() { return numbers<std::uint64_t>(1)[0]; }
  bool at_end() const { return at_ == text_.size(); }

 private:
  std::string text_, path_;
  std::size_t at_ = 0;
};

[[noreturn]] void does_not_fit(const std::string& path, const std::string& what, const std::string& mend) {
  base::Problems problems;
  problems.add({std::make_shared<base::Source>(base::Source{path, {}}), 0, 0, 1}, what, mend);
  throw base::ProblemsFound(problems);
}

/// What the file holds, without its checksum.
std::string checked(std::string text, const std::string& path) {
  constexpr std::size_t digits = 64;
  if (!text.starts_with(any_version)) broken(path, "it begins with something else");
  if (text.size() < std::strlen(first_line) + digits) broken(path, "it ends too early");
  if (!text.starts_with(first_line))
    throw base::Error(base::Failure::file,
                      fmt::format("\"{}\" was saved by another version of seam: save it again with this one", path));
  const std::string written = text.substr(text.size() - digits);
  text.resize(text.size() - digits);
  formats::Sha256 checksum;
  checksum.add(text);
  if (checksum.finish() != written) broken(path, "it was changed or cut off");
  return text;
}

base::Numbers lined_up(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

std::string sized(const std::string& bytes) { return bytes_of(std::vector<std::uint64_t>{bytes.size()}) + bytes; }

}  // namespace

void require_states_can_be_saved(const System& system, const Live& live) {
  base::Problems problems;
  for (const coupling::Lane& lane : live.program.lanes) {
    if (lane.subsystem->facets().persistence) continue;
    const system::Subsystem& subsystem = system.description.subsystems[static_cast<std::size_t>(lane.member)];
    problems.add(subsystem.where, fmt::format("the state of \"{}\" cannot be saved to a file", subsystem.name),
                 "the FMU does not offer to serialise its state (canSerializeFMUState; FMI 1.0 has no such thing)");
  }
  base::require_none(problems);
}

SavedState frozen(const System& system, const Live& live, const coupling::Memory& memory, double time) {
  SavedState state;
  state.start = live.program.grid.start;
  state.step = live.program.grid.step;
  state.time = time;
  state.memory = memory;
  state.memory.values.resize(live.program.kept_values);
  state.memory.discrete_values.resize(live.program.kept_discrete_values);
  if (memory.learning) state.learned = memory.learning->save();
  state.layout = layout_of(system, live.program.grid, time);
  for (const coupling::Lane& lane : live.program.lanes)
    state.states.push_back(lane.subsystem->facets().persistence->serialise());
  return state;
}

void write_state(const std::string& path, const SavedState& state) {
  const coupling::Memory& memory = state.memory;
  const Value header = Value::object({{"layout", Value::array(state.layout)},
                                      {"values", memory.values.size()},
                                      {"knowledge", memory.knowledge.size()},
                                      {"models", memory.models.size()},
                                      {"learned", state.learned.size()},
                                      {"parcels", memory.discrete_values.size()},
                                      {"states", state.states.size()}});
  std::string text = first_line + sized(formats::to_json(header, -1));
  text += bytes_of(std::vector<double>{state.start, state.step, state.time});
  text += bytes_of(std::vector<std::int64_t>{memory.tick});
  text += bytes_of(memory.values) + bytes_of(memory.knowledge) + bytes_of(memory.models) + bytes_of(state.learned);
  for (const system::DiscreteValue& discrete_value : memory.discrete_values)
    text += bytes_of(std::vector<std::int64_t>{discrete_value.integer}) + sized(discrete_value.text);
  for (const std::string& bytes : state.states) text += sized(bytes);
  formats::Sha256 checksum;
  checksum.add(text);
  formats::write_text(path, text + checksum.finish());
}

SavedState read_state(const std::string& path) {
  Reader reader(checked(formats::read_text(path, largest_state), path), path);
  reader.take(std::strlen(first_line));
  const Value header = formats::parse_json(reader.take(reader.size()), path);
  const auto count = [&](const char* key) {
    const Value* value = header.find(key);
    if (!value || !value->is(Value::Kind::integer) || value->integer() < 0) broken(path, "its header is damaged");
    return static_cast<std::uint64_t>(value->integer());
  };
  SavedState state;
  const Value* layout = header.find("layout");
  if (!layout || !layout->is(Value::Kind::array)) broken(path, "its header is damaged");
  for (const Value& line : layout->items()) {
    if (!line.is(Value::Kind::string)) broken(path, "its header is damaged");
    state.layout.push_back(line.string());
  }
  const std::vector<double> times = reader.numbers<double>(3);
  state.start = times[0];
  state.step = times[1];
  state.time = times[2];
  state.memory.tick = reader.numbers<std::int64_t>(1)[0];
  state.memory.values = lined_up(reader.numbers<double>(count("values")));
  state.memory.knowledge = reader.numbers<std::int64_t>(count("knowledge"));
  state.memory.models = lined_up(reader.numbers<double>(count("models")));
  state.learned = reader.numbers<double>(count("learned"));
  for (std::uint64_t left = count("parcels"); left > 0; --left) {
    const std::int64_t integer = reader.numbers<std::int64_t>(1)[0];
    state.memory.discrete_values.push_back({integer, reader.take(reader.size())});
  }
  for (std::uint64_t left = count("states"); left > 0; --left) state.states.push_back(reader.take(reader.size()));
  if (!reader.at_end()) broken(path, "it goes on after its end");
  return state;
}

System continued(const System& system, const SavedState& state, const std::string& path) {
  const std::vector<std::string> layout = layout_of(system, {state.start, state.step}, state.time);
  for (std::size_t i = 0; i < std::max(layout.size(), state.layout.size()); ++i) {
    const std::string here = i < layout.size() ? layout[i] : "nothing";
    const std::string saved = i < state.layout.size() ? state.layout[i] : "nothing";
    if (here != saved)
      does_not_fit(path, "this state is of another system",
                   fmt::format("saved was: {}\n   here is:   {}\n   go on with the system and plan it was saved with",
                               saved, here));
  }
  System result = system;
  system::Experiment& experiment = result.description.experiment;
  if (experiment.start_where.source && experiment.start != state.start && experiment.start != state.time) {
    does_not_fit(path,
                 fmt::format("the state is of {} s, and the run is to start at {} s", state.time, experiment.start),
                 "leave the start time out: the run goes on where the state is");
  }
  const base::Grid grid{state.start, state.step};
  const bool on_grid = grid.time(state.memory.tick) == state.time && system.plan.step == state.step;
  experiment.start = on_grid ? state.start : state.time;
  if (experiment.stop && *experiment.stop <= state.time) {
    does_not_fit(path,
                 fmt::format("the stop time {} s is not after the state's time {} s", *experiment.stop, state.time),
                 fmt::format("give --stop a time after {} s", state.time));
  }
  return result;
}

coupling::Memory resumed(const System& system, const Live& live, const SavedState& state, const std::string& path) {
  const coupling::Program& program = live.program;
  coupling::Memory memory = state.memory;
  memory.learning = program.initial.learning;
  const bool fits = state.memory.values.size() == program.kept_values &&
                    state.memory.knowledge.size() == program.initial.knowledge.size() &&
                    state.memory.models.size() == program.initial.models.size() &&
                    state.memory.discrete_values.size() == program.kept_discrete_values &&
                    state.states.size() == program.lanes.size() &&
                    (memory.learning ? memory.learning->load(state.learned) : state.learned.empty());
  if (!fits)
    does_not_fit(path, "this state is of another plan, or the experiment has other events",
                 "give the step, micro steps, coupling, corrector and events it was saved with");
  if (program.correction && !program.correction->learns_in_runs())
    memory.models = program.initial.models;  // of this build
  if (system.description.experiment.start != state.start || system.plan.step != state.step) {
    if (!program.receivers.empty() || program.correction) {
      does_not_fit(path,
                   fmt::format("the holds or the corrector of this system remember samples {} s apart that end at {} s",
                               state.step, state.time),
                   fmt::format("give --step {}s, and save the state at a whole number of steps", state.step));
    }
    memory.tick = 0;
  }
  for (std::size_t i = 0; i < program.lanes.size(); ++i)
    program.lanes[i].subsystem->facets().persistence->resume(program.grid.time(memory.tick), state.states[i]);
  memory.values.resize(program.initial.values.size());
  memory.discrete_values.resize(program.initial.discrete_values.size());
  coupling::intervene_after_resuming(program, memory);
  return memory;
}

}  // namespace seam::engine
