#include "seam/coupling/march.hpp"

#include <algorithm>

#include "seam/assembly/marcher.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

/// Micro steps in one call: enough to forget the call, few enough for the cache.
constexpr int most_at_once = 64;

/// Whether outputs that are evaluated at the communication point are read there for the first time.
bool read_at_point_only(const Program& program, system::Schedule::Kind schedule) {
  return schedule == system::Schedule::Kind::jacobi && !program.correction && program.interventions.empty() &&
         program.event_lanes.empty() && program.events == system::Events::local;
}

assembly::MarchWish wish_of(const Program& program, const Lane& lane) {
  assembly::MarchWish wish;
  wish.length = lane.multiple * program.grid.step / lane.segments;
  wish.degree = lane.degree;
  if (lane.crossing == Crossing::constant_segments) wish.parts = assembly::MarchWish::Parts::constants;
  wish.most = std::min(lane.segments, most_at_once);
  if (lane.micro_rows >= 0) {
    const MicroRows& rows = program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
    wish.begin_outputs = rows.outputs;
    wish.begin_inputs = rows.inputs;
  }
  for (const int e : lane.emitters) {
    const std::vector<int>& ports = program.emitters[static_cast<std::size_t>(e)].ports;
    wish.end_outputs.insert(wish.end_outputs.end(), ports.begin(), ports.end());
  }
  for (const int g : lane.smoothers) {
    const std::vector<int>& columns = program.receivers[static_cast<std::size_t>(g)].columns;
    wish.given_each.insert(wish.given_each.end(), columns.begin(), columns.end());
  }
  return wish;
}

/// Whoever watches micro points, or notes outputs as they were said before, wants one step after the other.
bool may_march(const Program& program, const Lane& lane) {
  if (lane.crossing == Crossing::whole || lane.watch >= 0) return false;
  return lane.micro_rows < 0 || program.micro_rows[static_cast<std::size_t>(lane.micro_rows)].can_ask;
}

int polynomial_size(const Lane& lane) { return (lane.degree + 1) * lane.inputs; }

void smooth_ahead(const Program& program, const Lane& lane, int count, double* values) {
  for (const int g : lane.smoothers) {
    const ReceiverGroup& group = program.receivers[static_cast<std::size_t>(g)];
    group.receiver->segments(static_cast<int>(group.columns.size()), {count, polynomial_size(lane)},
                             values + group.history, {values + lane.march.smoothed, lane.inputs, group.columns.data()});
  }
}

void observe_all(const Program& program, const Lane& lane, int count, double* values) {
  const double* outputs = values + lane.march.ends;
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = static_cast<int>(group.ports.size());
    group.emitter->observe_all(ports, {count, lane.march.ends_width}, outputs, values + group.rows);
    std::copy_n(outputs + (count - 1) * lane.march.ends_width, ports, values + group.gathered);
    outputs += ports;
  }
}

/// What evaluations at the communication point need to know, and steps that are one micro step long.
void lay_out_point(Lane& lane) {
  March& march = lane.march;
  march.alone = lane.segments == 1 && lane.multiple == 1 && lane.emitters.empty() && lane.smoothers.empty();
  march.in_place = true;
  for (int i = 0; i < lane.inputs; ++i)
    march.in_place = march.in_place && lane.now[static_cast<std::size_t>(i)] == lane.coefficients + i;
}

}  // namespace

void lay_out_marches(Program& program, system::Schedule::Kind schedule) {
  const bool later = read_at_point_only(program, schedule);
  for (Lane& lane : program.lanes) {
    if (!may_march(program, lane)) continue;
    assembly::MarchWish wish = wish_of(program, lane);
    for (int output = 0; output < lane.outputs; ++output) {
      const auto stage = static_cast<std::size_t>(lane.stages[static_cast<std::size_t>(output)]);
      if (wish.evaluated.size() <= stage) wish.evaluated.resize(stage + 1);
      wish.evaluated[stage].push_back(output);
      if (later && stage > 0) wish.evaluated_later.push_back(output);
    }
    auto marcher = lane.subsystem->marcher(wish);
    if (!marcher) continue;
    lane.march.marcher = marcher.get();
    lane.march.macro_step = lane.multiple * program.grid.step;
    lane.march.micro_step = wish.length;
    lane.march.at_once = wish.most;
    lane.march.ends_width = static_cast<int>(wish.end_outputs.size());
    if (!lane.emitters.empty()) lane.march.ends = add_places(program, wish.most * lane.march.ends_width);
    if (!lane.smoothers.empty()) lane.march.smoothed = add_places(program, wish.most * polynomial_size(lane));
    lay_out_point(lane);
    program.owned_marchers.push_back(std::move(marcher));
  }
}

void pair_marches(Program& program) {
  for (std::size_t i = 0; i + 1 < program.operations.size(); ++i) {
    Operation& operation = program.operations[i];
    const Operation& next = program.operations[i + 1];
    const auto splits = [](const Operation& o) { return o.action == Action::step_in_segments; };
    if (!splits(operation) || !splits(next) || operation.multiple != next.multiple) continue;
    Lane& lane = program.lanes[static_cast<std::size_t>(operation.first)];
    const Lane& other = program.lanes[static_cast<std::size_t>(next.first)];
    if (!lane.march.marcher || !other.march.marcher || lane.segments != other.segments || lane.march.alone) continue;
    if (!lane.march.pair) {
      auto pair = lane.march.marcher->beside(*other.march.marcher);
      if (!pair) continue;
      lane.march.pair = pair.get();
      lane.march.partner = next.first;
      program.owned_pairs.push_back(std::move(pair));
    }
    if (lane.march.partner != next.first) continue;
    operation.count = 2;
    ++i;
  }
}

namespace {

/// A lane on its way through a macro step.
class Way {
 public:
  Way(const Program& program, const Lane& lane, const Now& now, double* values)
      : program_(program),
        lane_(lane),
        values_(values),
        rows_(lane.micro_rows < 0 ? nullptr : &program.micro_rows[static_cast<std::size_t>(lane.micro_rows)]),
        first_row_(rows_ ? micro_rows_of_step(*rows_, lane, now.at_end.tick) : 0) {
    stretch.begin = now.step.begin;
    stretch.length = lane.march.micro_step;
    stretch.sources = now.step.sources;
    stretch.input = {values + lane.coefficients, lane.degree, lane.inputs};
    stretch.parts = lane.segments;
    stretch.given = values + lane.march.smoothed;
    notes = {nullptr, values + lane.march.ends, values + lane.values};
  }

  bool has_arrived() const { return marched.made == lane_.segments; }
  void prepare() {
    stretch.first = marched.made;
    stretch.count = std::min(lane_.march.at_once, lane_.segments - marched.made);
    if (rows_) notes.begins = values_ + first_row_ + stretch.first * rows_->width();
    if (!lane_.smoothers.empty()) smooth_ahead(program_, lane_, stretch.count, values_);
    marched.smoothed += stretch.count;
  }
  void conclude() {
    if (!lane_.emitters.empty()) observe_all(program_, lane_, stretch.count, values_);
    marched.made += stretch.count;
  }

  assembly::Marcher::Stretch stretch;
  assembly::Marcher::Notes notes;
  Marched marched;

 private:
  const Program& program_;
  const Lane& lane_;
  double* values_;
  const MicroRows* rows_;
  int first_row_;
};

}  // namespace

Marched march(const Program& program, const Lane& lane, const Now& now, double* values) {
  Way way(program, lane, now, values);
  while (!way.has_arrived()) {
    way.prepare();
    if (!lane.march.marcher->march(way.stretch, way.notes)) break;
    way.conclude();
  }
  return way.marched;
}

std::array<Marched, 2> march_together(const Program& program, const Lane& lane, const Now& now, double* values) {
  Way first(program, lane, now, values);
  Way second(program, program.lanes[static_cast<std::size_t>(lane.march.partner)], now, values);
  for (bool together = true; together && !first.has_arrived();) {
    first.prepare();
    second.prepare();
    const auto marched = lane.march.pair->march({first.stretch, second.stretch}, {first.notes, second.notes});
    if (marched[0]) first.conclude();
    if (marched[1]) second.conclude();
    together = marched[0] && marched[1];
  }
  return {first.marched, second.marched};
}

void take_smoothed(const Program& program, const Lane& lane, int segment, double* values) {
  const double* const from = values + lane.march.smoothed + segment % lane.march.at_once * polynomial_size(lane);
  for (const int g : lane.smoothers) {
    for (const int column : program.receivers[static_cast<std::size_t>(g)].columns) {
      for (int j = 0; j <= lane.degree; ++j)
        values[lane.segment + j * lane.inputs + column] = from[j * lane.inputs + column];
    }
  }
}

}  // namespace seam::coupling
