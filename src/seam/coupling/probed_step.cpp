#include "seam/coupling/probed_step.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/micro_rows.hpp"

namespace seam::coupling {
namespace {

/// Adds places that are not among them yet.
void add_places_once(std::vector<int>& places, std::vector<char>& known, int first, int count) {
  for (int place = first; place < first + count; ++place) {
    if (known[static_cast<std::size_t>(place)]) continue;
    known[static_cast<std::size_t>(place)] = 1;
    places.push_back(place);
  }
}

/// Places that a step writes: first what is needed after every step, then what others read after the last.
struct WrittenPlaces {
  std::vector<int> all;
  std::size_t every_step = 0;
};
WrittenPlaces written_places(const Program& program) {
  WrittenPlaces places;
  std::vector<char> known(program.initial.values.size());
  const auto add = [&](int first, int count) { add_places_once(places.all, known, first, count); };
  for (const int place : program.signals) add(place, 1);
  for (const Lane& lane : program.lanes) {
    add(lane.values, lane.outputs);
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
      add(group.rows, static_cast<int>(group.ports.size()));
    }
  }
  if (program.correction) {
    for (const CorrectedWire& wire : program.correction->wires) add(wire.corrected, 1);
  }
  places.every_step = places.all.size();
  if (program.correction) add(program.correction->sent, static_cast<int>(program.correction->outputs.size()));
  for (const Lane& lane : program.lanes) {
    for (const int place : lane.now) add(place, 1);
  }
  for (const StepWatch& watch : program.watches) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(watch.lane)];
    add(watch.polynomials, (lane.degree + 1) * static_cast<int>(watch.inputs.size()));
    if (watch.points >= 0) add(watch.points, lane.segments * static_cast<int>(watch.outputs.size()));
  }
  return places;
}

/// While this lives, every known signal of the program is a constant that can be chosen.
class HeldSignals {
 public:
  explicit HeldSignals(const Program& program) : program_(program) {
    for (const FurtherArgument& signal : all()) signal.set(0.0);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() {
    each([](assembly::Subsystem& subsystem, const assembly::Drive& drive, int) {
      subsystem.facets().tuning->follow(drive.input, drive.factor, drive.offset);
    });
  }
  /// One a signal: what it is held at.
  std::vector<FurtherArgument> all() const {
    std::vector<FurtherArgument> result;
    each([&](assembly::Subsystem& subsystem, const assembly::Drive& drive, int lane) {
      result.push_back({lane, [&](double value) { subsystem.facets().tuning->follow(drive.input, 0.0, value); }});
    });
    return result;
  }

 private:
  template <class Work>
  void each(const Work& work) const {
    for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
      const Lane& lane = program_.lanes[l];
      for (const assembly::Drive& drive : program_.assembly->members[static_cast<std::size_t>(lane.member)].drives)
        work(*lane.subsystem, drive, static_cast<int>(l));
    }
  }
  const Program& program_;
};

Memory settled_memory(const Program& program) {
  Memory memory = program.initial;
  settle(program, memory);
  return memory;
}

/// An output that repeats a state needs no row of its own.
std::vector<int> equal_rows(const ProbedStep& probed) {
  std::vector<int> equal(probed.constants.size());
  std::iota(equal.begin(), equal.end(), 0);
  const auto numbers = [](const ProbedStep::Entry& entry) { return std::pair(entry.column, entry.value); };
  const auto differ = [&](int a, int b) {
    const auto one = static_cast<std::size_t>(a), other = static_cast<std::size_t>(b);
    if (probed.constants[one] != probed.constants[other]) return probed.constants[one] < probed.constants[other];
    return std::ranges::lexicographical_compare(probed.row(one), probed.row(other), {}, numbers, numbers);
  };
  std::set<int, decltype(differ)> seen(differ);
  for (std::size_t row = 0; row < probed.kept; ++row) {
    const int first = *seen.insert(static_cast<int>(row)).first;
    if (row >= probed.carried) equal[row] = first;
  }
  return equal;
}

void sort_by_rows(ProbedStep& probed) {
  probed.first.assign(probed.constants.size() + 1, 0);
  for (const ProbedStep::Entry& entry : probed.entries) ++probed.first[static_cast<std::size_t>(entry.row) + 1];
  std::partial_sum(probed.first.begin(), probed.first.end(), probed.first.begin());
  std::vector<ProbedStep::Entry> sorted(probed.entries.size());
  std::vector<std::size_t> next = probed.first;
  for (const ProbedStep::Entry& entry : probed.entries) sorted[next[static_cast<std::size_t>(entry.row)]++] = entry;
  for (std::size_t row = 0; row < probed.constants.size(); ++row)
    std::ranges::sort(sorted.begin() + static_cast<std::ptrdiff_t>(probed.first[row]),
                      sorted.begin() + static_cast<std::ptrdiff_t>(probed.first[row + 1]), {},
                      &ProbedStep::Entry::column);
  probed.entries = std::move(sorted);
}

}  // namespace

std::optional<ProbedStep> probe_step(const Program& program, const ProbeBudget& budget) {
  ProbedStep result;
  const WrittenPlaces written = written_places(program);
  result.places = written.all;
  for (const MicroRows& rows : program.micro_rows) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
    for (int i = 0; i < lane.segments * rows.width(); ++i)
      result.places.push_back(micro_rows_of_step(rows, lane, 1) + i);
  }
  const HeldSignals held(program);
  const Memory settled = settled_memory(program);
  StepProbe step(
      program, settled, result.places,
      [&](Memory& memory) { advance_by_operations(program, memory, 1, {assembly::Sources::live}); }, held.all());
  auto entries = step.entries(Probing::exact, budget);
  if (!entries) return std::nullopt;
  result.entries = std::move(*entries);
  result.states = static_cast<std::size_t>(step.rows()) - result.places.size();
  result.carried = result.states + program.signals.size();
  result.every_step = result.states + written.every_step;
  result.kept = result.states + written.all.size();
  result.constants = step.constants();
  sort_by_rows(result);
  result.equal = equal_rows(result);
  return result;
}

}  // namespace seam::coupling
