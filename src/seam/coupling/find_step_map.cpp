// How the map of a macro step is made of its rows: those that read the same stand in one group.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "seam/coupling/probed_step.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {
namespace {

/// By how much the operations must cost more than the lanes' own tables: large tables are as good as the map.
constexpr double least_gain = 1.2;
/// That are made to find the map.
constexpr std::size_t most_steps = 512;
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

/// Rows with the same columns side by side, those of neighbouring lanes next to each other.
std::vector<Cluster> clusters_of(const ProbedStep& probed, std::size_t first, std::size_t end) {
  std::map<std::vector<int>, std::vector<int>> rows_of_pattern;
  for (std::size_t row = first; row < end; ++row) {
    if (probed.equal[row] != static_cast<int>(row)) continue;
    std::vector<int> pattern;
    for (const ProbedStep::Entry& entry : probed.row(row)) pattern.push_back(entry.column);
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

lti::AffineMap map_of(const Cluster& cluster, const ProbedStep& probed, const std::vector<int>& place_of_column,
                      const std::vector<double>& limits) {
  const std::vector<int> order = in_two_chains(cluster.columns);
  lti::AffineMap map;
  map.columns =
      lti::Matrix::Zero(static_cast<Eigen::Index>(cluster.rows.size()), static_cast<Eigen::Index>(order.size()));
  std::vector<Eigen::Index> place_in_order(cluster.columns.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    map.from.push_back(order[k] < 0 ? place_of_column.front() : place_of_column[static_cast<std::size_t>(order[k])]);
    if (order[k] < 0) continue;
    const auto number = std::ranges::lower_bound(cluster.columns, order[k]) - cluster.columns.begin();
    place_in_order[static_cast<std::size_t>(number)] = static_cast<Eigen::Index>(k);
  }
  for (std::size_t r = 0; r < cluster.rows.size(); ++r) {
    const auto row = static_cast<std::size_t>(cluster.rows[r]);
    auto column = cluster.columns.begin();
    for (const ProbedStep::Entry& entry : probed.row(row)) {
      column = std::lower_bound(column, cluster.columns.end(), entry.column);
      const auto k = place_in_order[static_cast<std::size_t>(column - cluster.columns.begin())];
      map.columns(static_cast<Eigen::Index>(r), k) = entry.value;
    }
    map.constants.push_back(probed.constants[row]);
    map.magnitudes.push_back(limits[row]);
  }
  return map;
}

/// Beyond which a row is not sound: outputs and what is sent have the limit of growth, the rest must be numbers.
std::vector<double> limits_of(const Program& program, const ProbedStep& probed) {
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

/// What a step costs: its operations one by one, and the tables of the lanes alone, if each were used once.
struct StepCosts {
  std::size_t operations = 0, tables = 0;
};
StepCosts costs_of(const Program& program) {
  StepCosts costs{program.operations.size() * cost_of_operation, 0};
  for (const Lane& lane : program.lanes) {
    const std::size_t n = lane.subsystem->states().size();
    const auto inputs = static_cast<std::size_t>((lane.degree + 1) * lane.inputs);
    const std::size_t table = cost_of(n + static_cast<std::size_t>(lane.outputs), n + inputs);
    costs.operations += static_cast<std::size_t>(lane.segments) * (cost_of_operation + table);
    costs.tables += table;
  }
  if (!program.correction) return costs;
  const std::size_t outputs = program.correction->outputs.size(), wires = program.correction->wires.size();
  costs.operations += outputs * outputs + wires * wires;
  return costs;
}

std::vector<StepMap::Home> homes_of_states(const Program& program) {
  std::vector<StepMap::Home> homes;
  for (const Lane& lane : program.lanes) {
    for (double& x : lane.subsystem->states()) homes.push_back({0, &x, -1});
  }
  return homes;
}

/// Groups of the rows that stay in z, the first of them for every step, which give every row and column its place.
std::vector<int> lay_out(const Program& program, const ProbedStep& probed, const std::vector<Cluster>& clusters,
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

Cluster micro_cluster(const ProbedStep& probed, std::size_t first, std::size_t count) {
  Cluster cluster;
  std::set<int> columns;
  for (std::size_t row = first; row < first + count; ++row) {
    cluster.rows.push_back(static_cast<int>(row));
    for (const ProbedStep::Entry& entry : probed.row(row)) columns.insert(entry.column);
  }
  cluster.columns.assign(columns.begin(), columns.end());
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
  const StepCosts costs = costs_of(program);
  if (static_cast<double>(costs.operations) < least_gain * static_cast<double>(costs.tables)) return std::nullopt;
  const auto found = probe_step(program, {costs.operations * lti::rows_a_block, most_steps});
  if (!found || found->carried == 0) return std::nullopt;
  const ProbedStep& probed = *found;
  std::vector<Cluster> clusters = clusters_of(probed, 0, probed.every_step);
  const std::size_t every_step = clusters.size();
  std::size_t cost = 0;  // micro samples cost less than the micro steps that they are taken in
  for (const Cluster& cluster : clusters) cost += cost_of(cluster);
  if (cost > costs.operations) return std::nullopt;
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
