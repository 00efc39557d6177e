// How the map of a macro step is found: by making the step from unit vectors.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/step_map.hpp"
#include "seam/coupling/step_probe.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

/// Above so many entries a lane's own table is as good, and probing would be dear.
constexpr std::size_t most_entries = 512;
/// What calling a group costs, in vectors of four products.
constexpr std::size_t cost_of_call = 20;
/// What an operation or a micro step costs beside its arithmetic, in the same unit.
constexpr std::size_t cost_of_operation = 60;

/// Rows of the map with the same columns, on their way to a group.
struct Cluster {
  std::vector<int> rows;
  std::vector<int> columns;  ///< sorted
};

std::size_t blocks_of(std::size_t rows) { return (rows + lti::rows_a_block - 1) / lti::rows_a_block; }
std::size_t cost_of(std::size_t rows, std::size_t columns) { return blocks_of(rows) * columns + cost_of_call; }
std::size_t cost_of(const Cluster& cluster) { return cost_of(cluster.rows.size(), cluster.columns.size()); }

Cluster merged(const Cluster& one, const Cluster& other) {
  Cluster both;
  both.rows = one.rows;
  both.rows.insert(both.rows.end(), other.rows.begin(), other.rows.end());
  std::set_union(one.columns.begin(), one.columns.end(), other.columns.begin(), other.columns.end(),
                 std::back_inserter(both.columns));
  return both;
}

/// Neighbours are joined as long as that makes the map cheaper.
std::vector<Cluster> joined(std::vector<Cluster> clusters) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Cluster> next;
    for (Cluster& cluster : clusters) {
      if (!next.empty()) {
        Cluster both = merged(next.back(), cluster);
        if (cost_of(both) < cost_of(next.back()) + cost_of(cluster)) {
          next.back() = std::move(both);
          changed = true;
          continue;
        }
      }
      next.push_back(std::move(cluster));
    }
    clusters = std::move(next);
  }
  return clusters;
}

/// The map before it has its places: rows are the states, then places; columns the entries of z, then known signals.
struct Probed {
  std::vector<int> places;  ///< of the rows behind the states
  std::size_t states = 0;
  std::size_t carried = 0;     ///< rows that are read by the next step, too
  std::size_t every_step = 0;  ///< these, and rows with a limit of growth
  std::size_t kept = 0;        ///< these, and what others read; micro samples stand behind them
  lti::Matrix columns;
  std::vector<double> constants;
  std::vector<int> equal;  ///< to each row: itself, or the first of those with the same numbers if no step reads it
};

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
std::vector<int> equal_rows(const Probed& probed) {
  std::vector<int> equal(probed.constants.size());
  std::iota(equal.begin(), equal.end(), 0);
  const auto is_equal = [&](std::size_t a, std::size_t b) {
    return probed.constants[a] == probed.constants[b] && (probed.columns.row(static_cast<Eigen::Index>(a)).array() ==
                                                          probed.columns.row(static_cast<Eigen::Index>(b)).array())
                                                             .all();
  };
  for (std::size_t row = probed.carried; row < probed.kept; ++row) {
    std::size_t first = 0;
    while (first < row && !is_equal(first, row)) ++first;
    equal[row] = static_cast<int>(first);
  }
  return equal;
}

Probed probe(const Program& program) {
  Probed result;
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
  result.columns = step.columns(Probing::exact);
  result.states = static_cast<std::size_t>(step.rows()) - result.places.size();
  result.carried = result.states + program.signals.size();
  result.every_step = result.states + written.every_step;
  result.kept = result.states + written.all.size();
  result.constants = step.constants();
  result.equal = equal_rows(result);
  return result;
}

/// Rows with the same columns side by side, those of neighbouring lanes next to each other.
std::vector<Cluster> clusters_of(const Probed& probed, std::size_t first, std::size_t end) {
  std::map<std::vector<int>, std::vector<int>> rows_of_pattern;
  for (std::size_t row = first; row < end; ++row) {
    if (probed.equal[row] != static_cast<int>(row)) continue;
    std::vector<int> pattern;
    for (Eigen::Index k = 0; k < probed.columns.cols(); ++k) {
      if (probed.columns(static_cast<Eigen::Index>(row), k) != 0.0) pattern.push_back(static_cast<int>(k));
    }
    rows_of_pattern[std::move(pattern)].push_back(static_cast<int>(row));
  }
  std::vector<Cluster> clusters;
  for (auto& [columns, rows] : rows_of_pattern) clusters.push_back({std::move(rows), columns});
  return joined(std::move(clusters));
}

/// Columns in the order in which the kernel adds them up: those with even numbers in one chain, those with odd numbers
/// in the other, so that a row is summed in the same way whatever rows stand beside it. -1: nothing to add.
std::vector<int> in_two_chains(const std::vector<int>& columns) {
  std::vector<int> chains[2];
  for (const int column : columns) chains[column % 2].push_back(column);
  const std::size_t length = std::max(chains[0].size(), chains[1].size());
  std::vector<int> result;
  for (std::size_t i = 0; i < length; ++i) {
    for (const std::vector<int>& chain : chains) result.push_back(i < chain.size() ? chain[i] : -1);
  }
  if (!result.empty() && result.back() < 0) result.pop_back();
  return result;
}

lti::AffineMap map_of(const Cluster& cluster, const Probed& probed, const std::vector<int>& place_of_column,
                      const std::vector<double>& limits) {
  const std::vector<int> order = in_two_chains(cluster.columns);
  lti::AffineMap map;
  map.columns =
      lti::Matrix::Zero(static_cast<Eigen::Index>(cluster.rows.size()), static_cast<Eigen::Index>(order.size()));
  for (std::size_t k = 0; k < order.size(); ++k) {
    map.from.push_back(order[k] < 0 ? place_of_column.front() : place_of_column[static_cast<std::size_t>(order[k])]);
    for (std::size_t r = 0; order[k] >= 0 && r < cluster.rows.size(); ++r)
      map.columns(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) =
          probed.columns(cluster.rows[r], order[k]);
  }
  for (const int row : cluster.rows) {
    map.constants.push_back(probed.constants[static_cast<std::size_t>(row)]);
    map.magnitudes.push_back(limits[static_cast<std::size_t>(row)]);
  }
  return map;
}

/// Beyond which a row is not sound: outputs and what is sent have the limit of growth, the rest must be numbers.
std::vector<double> limits_of(const Program& program, const Probed& probed) {
  std::vector<double> limits(probed.constants.size(), std::numeric_limits<double>::max());
  std::vector<double> of_place(program.initial.values.size(), std::numeric_limits<double>::max());
  for (const Lane& lane : program.lanes) {
    std::fill_n(of_place.begin() + lane.values, lane.outputs, program.growth_limit);
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
      std::fill_n(of_place.begin() + group.rows, group.ports.size(), program.growth_limit);
    }
  }
  if (program.correction) {
    for (const CorrectedWire& wire : program.correction->wires)
      of_place[static_cast<std::size_t>(wire.corrected)] = program.growth_limit;
  }
  for (std::size_t i = 0; i < probed.places.size(); ++i)
    limits[probed.states + i] = of_place[static_cast<std::size_t>(probed.places[i])];
  for (std::size_t row = 0; row < limits.size(); ++row) {
    double& shared = limits[static_cast<std::size_t>(probed.equal[row])];
    shared = std::min(shared, limits[row]);
  }
  return limits;
}

/// What the operations one by one cost.
std::size_t cost_of_operations(const Program& program) {
  std::size_t cost = program.operations.size() * cost_of_operation;
  for (const Lane& lane : program.lanes) {
    const std::size_t n = lane.subsystem->states().size();
    const auto inputs = static_cast<std::size_t>((lane.degree + 1) * lane.inputs);
    cost += static_cast<std::size_t>(lane.segments) *
            (cost_of_operation + cost_of(n + static_cast<std::size_t>(lane.outputs), n + inputs));
  }
  if (!program.correction) return cost;
  const std::size_t outputs = program.correction->outputs.size(), wires = program.correction->wires.size();
  return cost + outputs * outputs + wires * wires;
}

std::vector<StepMap::Home> homes_of_states(const Program& program) {
  std::vector<StepMap::Home> homes;
  for (const Lane& lane : program.lanes) {
    for (double& x : lane.subsystem->states()) homes.push_back({0, &x, -1});
  }
  return homes;
}

/// Groups of the rows that stay in z, the first of them for every step, which give every row and column its place.
std::vector<int> lay_out(const Program& program, const Probed& probed, const std::vector<Cluster>& clusters,
                         std::size_t every_step, StepMap& map) {
  std::vector<StepMap::Home> homes = homes_of_states(program);
  for (const int place : probed.places) homes.push_back({0, nullptr, place});
  for (const Cluster& cluster : clusters) {
    for (std::size_t r = 0; r < cluster.rows.size(); ++r)
      homes[static_cast<std::size_t>(cluster.rows[r])].at = map.size + static_cast<int>(r);
    (&cluster < clusters.data() + every_step ? map.groups : map.observed).push_back({{}, map.size});
    map.size += static_cast<int>(blocks_of(cluster.rows.size())) * lti::rows_a_block;
  }
  for (std::size_t row = 0; row < probed.kept; ++row) {
    homes[row].at = homes[static_cast<std::size_t>(probed.equal[row])].at;
    map.written.push_back(homes[row]);
  }
  std::vector<int> place_of_column;
  for (std::size_t row = 0; row < probed.carried; ++row) {
    map.read.push_back(homes[row]);
    place_of_column.push_back(homes[row].at);
  }
  for (const Lane& lane : program.lanes) {
    for (const assembly::Drive& drive : program.assembly->members[static_cast<std::size_t>(lane.member)].drives) {
      map.signals.push_back({&drive, map.size});
      place_of_column.push_back(map.size++);
    }
  }
  return place_of_column;
}

/// How many numbers the micro samples of a lane are in a macro step.
std::size_t micro_entries(const Program& program, const MicroRows& rows) {
  return static_cast<std::size_t>(program.lanes[static_cast<std::size_t>(rows.lane)].segments * rows.width());
}

Cluster micro_cluster(const Probed& probed, std::size_t first, std::size_t count) {
  Cluster cluster;
  for (std::size_t i = 0; i < count; ++i) cluster.rows.push_back(static_cast<int>(first + i));
  const auto rows = probed.columns.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count));
  for (Eigen::Index k = 0; k < rows.cols(); ++k) {
    if ((rows.col(k).array() != 0.0).any()) cluster.columns.push_back(static_cast<int>(k));
  }
  return cluster;
}

std::vector<double> shares_of_lanes(const Program& program) {
  std::vector<double> shares;
  double all = 0.0;
  for (const Lane& lane : program.lanes) {
    const auto n = static_cast<double>(lane.subsystem->states().size());
    shares.push_back((n + lane.outputs) * (n + lane.inputs + 1.0) * lane.segments);
    all += shares.back();
  }
  for (double& share : shares) share /= std::max(all, 1.0);
  return shares;
}

}  // namespace

std::optional<StepMap> find_step_map(const Program& program) {
  std::size_t entries = program.signals.size();
  for (const Lane& lane : program.lanes) entries += lane.subsystem->states().size();
  if (entries > most_entries || entries == 0) return std::nullopt;
  const Probed probed = probe(program);
  std::vector<Cluster> clusters = clusters_of(probed, 0, probed.every_step);
  const std::size_t every_step = clusters.size();
  std::size_t cost = 0;  // micro samples cost less than the micro steps that they are taken in
  for (const Cluster& cluster : clusters) cost += cost_of(cluster);
  if (cost > cost_of_operations(program)) return std::nullopt;
  for (Cluster& cluster : clusters_of(probed, probed.every_step, probed.kept)) clusters.push_back(std::move(cluster));

  StepMap map;
  const std::vector<double> limits = limits_of(program, probed);
  const std::vector<int> place_of_column = lay_out(program, probed, clusters, every_step, map);
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    StepMap::Group& group = g < every_step ? map.groups[g] : map.observed[g - every_step];
    group.rows = lti::AffineRows(map_of(clusters[g], probed, place_of_column, limits));
  }
  for (std::size_t r = 0, first = probed.kept; r < program.micro_rows.size(); ++r) {
    const Cluster cluster = micro_cluster(probed, first, micro_entries(program, program.micro_rows[r]));
    map.micro.push_back({lti::AffineRows(map_of(cluster, probed, place_of_column, limits)), static_cast<int>(r)});
    first += cluster.rows.size();
  }
  map.lane_share = shares_of_lanes(program);
  return map;
}

}  // namespace seam::coupling
