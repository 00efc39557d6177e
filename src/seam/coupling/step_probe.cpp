#include "seam/coupling/step_probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace seam::coupling {
namespace {

/// Puts the subsystems back to where they were, also when a step throws.
class Restored {
 public:
  explicit Restored(const Program& program) : program_(program) {
    for (const Lane& lane : program.lanes) kept_.push_back(lane.subsystem->save());
  }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() {
    for (std::size_t i = 0; i < kept_.size(); ++i) program_.lanes[i].subsystem->restore(kept_[i]);
  }

 private:
  const Program& program_;
  std::vector<assembly::Snapshot> kept_;
};

/// The lane that reads each place of Memory::values; -1 for those of the corrector, which reads them all together.
std::vector<int> readers(const Program& program) {
  std::vector<int> reader(program.initial.values.size(), -1);
  const auto mark = [&](int first, int count, int lane) { std::fill_n(reader.begin() + first, count, lane); };
  for (std::size_t l = 0; l < program.lanes.size(); ++l) {
    const Lane& lane = program.lanes[l];
    mark(lane.coefficients, (lane.degree + 1) * lane.inputs, static_cast<int>(l));
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
      mark(group.rows, group.emitter->rows() * static_cast<int>(group.ports.size()), static_cast<int>(l));
    }
  }
  for (const ReceiverGroup& group : program.receivers)
    mark(group.history, group.history_rows * static_cast<int>(group.columns.size()), group.lane);
  return reader;
}

/// A power of two beside which the constant part of a step is below rounding: differences then lose no digits.
double amplitude_beside(const std::vector<double>& constants) {
  double largest = 0.0;
  for (const double value : constants) largest = std::max(largest, std::abs(value));
  return largest == 0.0 ? 1.0 : std::exp2(std::ceil(std::log2(largest)) + 40.0);
}

/// Clusters whose rows do not overlap can be moved in the same step: numbers of such sets of clusters.
template <class Cluster>
std::vector<std::vector<std::size_t>> disjoint_sets(const std::vector<Cluster>& clusters, int rows) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::vector<char>> taken;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::size_t set = 0;
    const auto overlaps = [&](const std::vector<char>& used) {
      return std::any_of(clusters[c].rows.begin(), clusters[c].rows.end(),
                         [&](int row) { return used[static_cast<std::size_t>(row)] != 0; });
    };
    while (set < sets.size() && overlaps(taken[set])) ++set;
    if (set == sets.size()) {
      sets.emplace_back();
      taken.emplace_back(static_cast<std::size_t>(rows));
    }
    sets[set].push_back(c);
    for (const int row : clusters[c].rows) taken[set][static_cast<std::size_t>(row)] = 1;
  }
  return sets;
}

}  // namespace

std::vector<double> read_state(const Program& program, const Memory& memory) {
  std::vector<double> z;
  for (const Lane& lane : program.lanes) {
    const auto x = lane.subsystem->states();
    z.insert(z.end(), x.begin(), x.end());
  }
  for (const int place : program.signals) z.push_back(memory.values[static_cast<std::size_t>(place)]);
  return z;
}

void write_state(const Program& program, Memory& memory, const std::vector<double>& z) {
  auto next = z.begin();
  for (const Lane& lane : program.lanes) {
    for (double& x : lane.subsystem->states()) x = *next++;
  }
  for (const int place : program.signals) memory.values[static_cast<std::size_t>(place)] = *next++;
}

StepProbe::StepProbe(const Program& program, const Memory& settled, std::vector<int> places, Step step,
                     std::vector<FurtherArgument> further)
    : program_(program),
      settled_(settled),
      places_(std::move(places)),
      step_(std::move(step)),
      further_(std::move(further)) {
  for (const Lane& lane : program.lanes) states_ += static_cast<int>(lane.subsystem->states().size());
}

std::vector<double> StepProbe::image(const std::vector<double>& z) {
  ++steps_;
  work_ = settled_;  // events of the experiment may change what is not part of z
  write_state(program_, work_, z);
  for (std::size_t i = 0; i < further_.size(); ++i) further_[i].set(z[z.size() - further_.size() + i]);
  step_(work_);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(rows()));
  for (const Lane& lane : program_.lanes) {
    const auto x = lane.subsystem->states();
    result.insert(result.end(), x.begin(), x.end());
  }
  for (const int place : places_) result.push_back(work_.values[static_cast<std::size_t>(place)]);
  return result;
}

std::vector<StepProbe::Cluster> StepProbe::clusters() const {
  std::vector<Cluster> result(program_.lanes.size() + 1);  // the last is the corrector's
  int entry = 0;
  for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
    for (std::size_t i = 0; i < program_.lanes[l].subsystem->states().size(); ++i) result[l].entries.push_back(entry++);
  }
  const std::vector<int> reader = readers(program_);
  for (const int place : program_.signals) {
    const int lane = reader[static_cast<std::size_t>(place)];
    (lane < 0 ? result.back() : result[static_cast<std::size_t>(lane)]).entries.push_back(entry++);
  }
  for (const FurtherArgument& one : further_) result[static_cast<std::size_t>(one.lane)].entries.push_back(entry++);
  std::erase_if(result, [](const Cluster& cluster) { return cluster.entries.empty(); });
  return result;
}

double StepProbe::step_of(std::size_t entry, Probing probing) const {
  if (probing == Probing::exact) return amplitude_;
  return 1e-6 * std::max(1.0, std::abs(centre_[entry]));
}

/// Moves all entries of some clusters, by amounts that do not cancel.
void StepProbe::move(const Range& range, const std::vector<Cluster>& clusters, Probing probing,
                     std::vector<double>& z) const {
  std::uint64_t random = range.first + 1;  // amounts at regular distances would cancel in the differences of holds
  for (std::size_t c = range.first; c < range.end; ++c) {
    for (const int entry : clusters[c].entries) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const double share = 0.5 + static_cast<double>(random >> 32) / 4294967296.0;
      z[static_cast<std::size_t>(entry)] += share * step_of(static_cast<std::size_t>(entry), probing);
    }
  }
}

/// Halves of ranges with the rows that change when all clusters of a half are moved. Ranges without a common row are
/// moved in the same step.
std::vector<StepProbe::Range> StepProbe::halves_of(const std::vector<Range>& ranges,
                                                   const std::vector<Cluster>& clusters, Probing probing) {
  std::vector<Range> halves;
  for (const std::vector<std::size_t>& set : disjoint_sets(ranges, rows())) {
    for (const bool second : {false, true}) {
      std::vector<double> z = centre_;
      const std::size_t first_half = halves.size();
      for (const std::size_t r : set) {
        const std::size_t middle = (ranges[r].first + ranges[r].end + 1) / 2;
        Range half{second ? middle : ranges[r].first, second ? ranges[r].end : middle, ranges[r].rows};
        if (half.first == half.end) continue;
        move(half, clusters, probing, z);
        halves.push_back(std::move(half));
      }
      if (halves.size() == first_half) continue;
      const std::vector<double> moved = image(z);
      for (std::size_t h = first_half; h < halves.size(); ++h)
        std::erase_if(halves[h].rows, [&](int row) {
          return moved[static_cast<std::size_t>(row)] == at_centre_[static_cast<std::size_t>(row)];
        });
    }
  }
  return halves;
}

bool StepProbe::find_rows(std::vector<Cluster>& clusters, Probing probing, const ProbeBudget& budget) {
  if (clusters.empty()) return true;
  std::vector<Range> ranges{{0, clusters.size(), std::vector<int>(static_cast<std::size_t>(rows()))}};
  std::iota(ranges.front().rows.begin(), ranges.front().rows.end(), 0);
  while (ranges.size() < clusters.size()) {
    ranges = halves_of(ranges, clusters, probing);
    std::size_t least = 0;  // a row that changes has an entry in the range
    for (const Range& range : ranges) least += range.rows.size();
    if (least > budget.entries || steps_ > budget.steps) return false;
  }
  for (Range& range : ranges) clusters[range.first].rows = std::move(range.rows);
  return true;
}

std::optional<std::vector<StepProbe::Entry>> StepProbe::entries(Probing probing, const ProbeBudget& budget) {
  const Restored restored(program_);
  const bool exact = probing == Probing::exact;
  steps_ = 0;
  centre_ = read_state(program_, settled_);
  if (exact) std::fill(centre_.begin(), centre_.end(), 0.0);
  centre_.resize(centre_.size() + further_.size());
  at_centre_ = image(centre_);
  if (exact) amplitude_ = amplitude_beside(at_centre_);
  std::vector<Cluster> all = clusters();
  if (!find_rows(all, probing, budget)) return std::nullopt;
  std::vector<Entry> result;
  for (const std::vector<std::size_t>& set : disjoint_sets(all, rows())) {
    std::size_t longest = 0;
    for (const std::size_t c : set) longest = std::max(longest, all[c].entries.size());
    if (steps_ + longest > budget.steps) return std::nullopt;
    for (std::size_t k = 0; k < longest; ++k) {
      const auto each_moved = [&](const auto& work) {
        for (const std::size_t c : set) {
          if (k < all[c].entries.size()) work(all[c], static_cast<std::size_t>(all[c].entries[k]));
        }
      };
      const auto moved_by = [&](double steps) {
        std::vector<double> z = centre_;
        each_moved([&](const Cluster&, std::size_t entry) { z[entry] += steps * step_of(entry, probing); });
        return image(z);
      };
      const std::vector<double> up = moved_by(1.0), down = exact ? at_centre_ : moved_by(-1.0);
      each_moved([&](const Cluster& cluster, std::size_t entry) {
        const double width = step_of(entry, probing) * (exact ? 1.0 : 2.0);
        for (const int row : cluster.rows) {
          const double change = up[static_cast<std::size_t>(row)] - down[static_cast<std::size_t>(row)];
          if (change != 0.0) result.push_back({row, static_cast<int>(entry), change / width});
        }
      });
    }
  }
  return result;
}

lti::Matrix StepProbe::columns(Probing probing) {
  const std::vector<Entry> all = *entries(probing);
  lti::Matrix result = lti::Matrix::Zero(rows(), static_cast<Eigen::Index>(centre_.size()));
  for (const Entry& entry : all) result(entry.row, entry.column) = entry.value;
  return result;
}

}  // namespace seam::coupling
