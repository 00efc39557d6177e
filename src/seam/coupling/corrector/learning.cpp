#include "seam/coupling/corrector/learning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/models.hpp"

namespace seam::coupling {
namespace {

/// Where the order is left to the gap of the singular values.
constexpr int most_guessed_states = 6;
constexpr int least_steps = 3;  ///< k of the data matrices

int steps_for(const CorrectorShape& shape, int outputs) {
  return std::max(least_steps, (shape.models.learning.order + outputs - 1) / outputs + 1);
}

/// Of theta^k over one of `count` parts of the step, as it is applied.
double mean_of_power(const CorrectedLane& lane, int k, int part, int count) {
  const double a = static_cast<double>(part) / count, b = static_cast<double>(part + 1) / count;
  if (lane.calls == 0) return k == 0 ? 1.0 : k == 1 ? 0.5 * (a + b) : (a * a + a * b + b * b) / 3.0;
  const int pieces = lane.calls / count;
  double sum = 0.0;
  for (int s = part * pieces; s < (part + 1) * pieces; ++s) sum += std::pow(static_cast<double>(s) / lane.calls, k);
  return sum / pieces;
}

/// Where the sample number `s` of an output lies.
int place_of(const Correction& c, int output, int s) {
  const CorrectedOutput& from = c.outputs[static_cast<std::size_t>(output)];
  return from.point < 0 ? from.raw : from.point + (c.shape.looks - 1 - s) * from.stride;
}

/// The numbers of an account, for both ways.
template <class Account>
auto numbers_of(Account& account) {
  return std::array{&account.steps, &account.used, &account.first_use, &account.changes, &account.reason};
}

}  // namespace

lti::KeeperChoices keeper_choices(const CorrectorShape& shape, int outputs) {
  using Start = ModelNeeds::Learning::Start;
  lti::KeeperChoices choices;
  choices.shape = {shape.looks, steps_for(shape, outputs)};
  choices.window = std::max(shape.models.learning.window, choices.shape.steps);
  choices.most_states = most_guessed_states;
  if (shape.models.learning.order > 0) choices.order = shape.models.learning.order;
  choices.threshold = shape.models.learning.threshold;
  if (shape.models.learning.start == Start::eager) choices.trust = lti::Trust::at_once;
  if (!shape.tracks) choices.states = lti::States::unused;
  return choices;
}

int most_learned_states(const CorrectorShape& shape, int outputs) {
  const lti::KeeperChoices choices = keeper_choices(shape, outputs);
  return std::min(choices.order.value_or(choices.most_states), (choices.shape.steps - 1) * outputs);
}

int least_window(const CorrectorShape& shape, const CorrectedLane& lane) {
  const int k = steps_for(shape, lane.outputs), r = shape.looks;
  const int samples =
      k + k * lane.inputs + most_learned_states(shape, lane.outputs) + (shape.models.learning.order > 0 ? 0 : 1);
  return std::max(k, (samples + r - 1) / r);
}

Learning::LearnedLane::LearnedLane(const Correction& c, int number)
    : lane(number),
      keeper(c.lanes[static_cast<std::size_t>(number)].inputs, c.lanes[static_cast<std::size_t>(number)].outputs,
             keeper_choices(c.shape, c.lanes[static_cast<std::size_t>(number)].outputs)) {
  const CorrectedLane& own = c.lanes[static_cast<std::size_t>(number)];
  const auto samples = static_cast<std::size_t>(c.shape.looks);
  inputs.resize(samples * static_cast<std::size_t>(own.inputs));
  outputs.resize(samples * static_cast<std::size_t>(own.outputs));
  error.resize(static_cast<std::size_t>(own.states));
}

Learning::Learning(const Correction& c) : persistence_(static_cast<int>(c.wires.size())), first_(c.wires.size()) {
  learned_.reserve(c.lanes.size());
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    if (c.lanes[l].known == Known::model) learned_.emplace_back(c, static_cast<int>(l));
  }
}

std::vector<double> Learning::save() const {
  const auto persistence = persistence_.memory();
  std::vector<double> numbers{has_begun_ ? 1.0 : 0.0};
  numbers.insert(numbers.end(), persistence.begin(), persistence.end());
  numbers.insert(numbers.end(), first_.begin(), first_.end());
  for (const LearnedLane& learned : learned_) {
    for (const std::int64_t* number : numbers_of(learned.account)) numbers.push_back(static_cast<double>(*number));
    numbers.resize(numbers.size() + learned.keeper.memory_size());
    learned.keeper.save(std::span(numbers).last(learned.keeper.memory_size()));
  }
  return numbers;
}

bool Learning::load(const std::vector<double>& numbers) {
  if (numbers.size() != save().size()) return false;
  std::span<const double> rest(numbers);
  const auto take = [&](std::size_t count) { return std::exchange(rest, rest.subspan(count)).first(count); };
  has_begun_ = take(1)[0] != 0.0;
  std::ranges::copy(take(persistence_.memory().size()), persistence_.memory().begin());
  std::ranges::copy(take(first_.size()), first_.begin());
  for (LearnedLane& learned : learned_) {
    for (std::int64_t* number : numbers_of(learned.account)) *number = static_cast<std::int64_t>(take(1)[0]);
    learned.keeper.load(take(learned.keeper.memory_size()));
    learned.written = lti::Standing::none;
  }
  return true;
}

void Learning::begin(const CorrectionContext& m) {
  has_begun_ = true;
  persistence_.restart();
  for (std::size_t w = 0; w < first_.size(); ++w) first_[w] = m.values[m.correction.wires[w].corrected];
  persistence_.observe(first_);
}

void Learning::take_samples(const CorrectionContext& m, LearnedLane& learned) const {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(learned.lane)];
  double *input = learned.inputs.data(), *seen = learned.outputs.data();
  for (int s = 0; s < c.shape.looks; ++s) {
    for (int w = lane.first_input; w < lane.first_input + lane.inputs; ++w) {
      const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
      *input = 0.0;
      for (int k = 0; k <= wire.degree; ++k)
        *input += mean_of_power(lane, k, s, c.shape.looks) * m.values[wire.coefficients + k * wire.stride];
      ++input;
    }
    for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o) *seen++ = m.values[place_of(c, o, s)];
  }
}

void Learning::write(CorrectionContext& m, LearnedLane& learned) {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(learned.lane)];
  const lti::ModelKeeper& keeper = learned.keeper;
  const bool changed = keeper.judgement().change != lti::Judgement::Change::none;
  if (learned.written == keeper.judgement().standing && !changed) return;
  learned.written = keeper.judgement().standing;
  if (learned.written == lti::Standing::none) return clear_model(lane, m.models);
  const SampledSteps steps{c.shape.points() > 1 ? keeper.sample_gains() : keeper.step_gains(), keeper.step_gains()};
  write_model(m.program, lane, steps, m.models);
  if (learned.written == lti::Standing::set_aside) mute_model(lane, m.models);
}

/// In the coordinates of the model that is kept; given up where following it would end the run.
void Learning::keep_error(CorrectionContext& m, LearnedLane& learned) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(learned.lane)];
  double* const e = m.values + lane.carried;
  if (learned.keeper.judgement().change == lti::Judgement::Change::other_model) {
    const auto map = learned.keeper.coordinate_change();
    std::fill(learned.error.begin(), learned.error.end(), 0.0);
    add_product(map.data(), static_cast<int>(map.rows()), static_cast<int>(map.cols()), e, learned.error.data());
    std::copy(learned.error.begin(), learned.error.end(), e);
  }
  give_up_error(m, learned);
}

void Learning::give_up_error(CorrectionContext& m, const LearnedLane& learned) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(learned.lane)];
  if (!learned.keeper.can_be_tracked()) std::fill_n(m.values + lane.carried, lane.states, 0.0);
}

bool Learning::all_in_use() const {
  return std::all_of(learned_.begin(), learned_.end(), [](const LearnedLane& learned) { return learned.in_use(); });
}

void Learning::observe(CorrectionContext& m) {
  if (!has_begun_) begin(m);
  bool is_new = false;
  for (LearnedLane& learned : learned_) {
    const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(learned.lane)];
    if (!m.is_here(lane)) continue;
    if (m.part.lane(learned.lane)) {
      take_samples(m, learned);
      learned.keeper.observe({learned.inputs, learned.outputs});
    } else {
      learned.keeper.interrupt(is_tuned(m, lane) ? lti::Interruption::parameter_change : lti::Interruption::event);
    }
    is_new = is_new || (learned.in_use() && learned.account.used == 0);
    write(m, learned);
    if (m.correction.shape.tracks) keep_error(m, learned);
    note(learned, m.now.at_end.tick);
  }
  if (is_new && can_replay(m)) replay(m);
}

// Errors that a first model could have told from the start on are made up for, as long as the windows hold all steps.
bool Learning::can_replay(const CorrectionContext& m) const {
  const Correction& c = m.correction;
  if (!c.shape.tracks || !c.one_rate || !m.all_take_part()) return false;
  const auto is_complete = [&](const LearnedLane& learned) {
    return learned.keeper.window().count() == learned.account.steps * c.shape.looks;
  };
  const auto is_seen = [&](const CorrectedLane& lane) { return lane.outputs == 0 || lane.known == Known::model; };
  const auto is_held = [](const CorrectedWire& wire) { return wire.degree == 0; };
  return std::all_of(learned_.begin(), learned_.end(), is_complete) &&
         std::all_of(c.lanes.begin(), c.lanes.end(), is_seen) && std::all_of(c.wires.begin(), c.wires.end(), is_held);
}

/// A step of the window, as if it had just been made.
void Learning::show(CorrectionContext& m, const LearnedLane& learned, int step) {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(learned.lane)];
  const lti::Samples samples = learned.keeper.window().samples();
  const double* const input = samples.inputs.data() + step * c.shape.looks * lane.inputs;
  const double* const output = samples.outputs.data() + step * c.shape.looks * lane.outputs;
  for (int i = 0; i < lane.inputs; ++i)
    m.values[c.wires[static_cast<std::size_t>(lane.first_input + i)].coefficients] = input[i];
  for (int s = 0; s < c.shape.looks; ++s) {
    for (int o = 0; o < lane.outputs; ++o)
      m.values[place_of(c, lane.first_output + o, s)] = output[s * lane.outputs + o];
  }
}

void Learning::replay(CorrectionContext& m) {
  const Correction& c = m.correction;
  std::copy(first_.begin(), first_.end(), m.work.past);
  std::fill_n(m.values + c.states, c.state_count, 0.0);
  m.points_before = 0;
  m.knows_past = true;
  const int steps = static_cast<int>(learned_.front().account.steps);
  for (int step = 0; step < steps; ++step) {
    for (const LearnedLane& learned : learned_) show(m, learned, step);
    if (step + 1 == steps) break;  // that is the step to be corrected
    c.corrector->correct_outputs(m);
    ++m.points_before;
    for (const LearnedLane& learned : learned_) give_up_error(m, learned);
  }
}

void Learning::note(LearnedLane& learned, base::Tick tick) {
  const lti::Judgement& judgement = learned.keeper.judgement();
  LearningAccount& account = learned.account;
  ++account.steps;
  if (judgement.change == lti::Judgement::Change::other_model) ++account.changes;
  if (!learned.in_use()) {
    account.reason = static_cast<std::int64_t>(judgement.reason);
    return;
  }
  ++account.used;
  if (account.first_use < 0) account.first_use = tick;
}

// Without a model an offset is half of the input's latest change: right while inputs go on as they did, and food for a
// loop that alternates.
void Learning::conclude(CorrectionContext& m) {
  const Correction& c = m.correction;
  const auto here = [&](const CorrectedLane& lane) { return m.is_here(lane); };
  if (std::all_of(c.lanes.begin(), c.lanes.end(), here)) persistence_.observe({m.work.next, c.wires.size()});
  const bool careful = c.shape.models.learning.start == ModelNeeds::Learning::Start::careful;
  if (careful && !all_in_use() && !persistence_.persists()) {
    c.corrector->forget_offsets(m);
    if (c.offset >= 0) std::fill_n(m.offset(), c.wires.size(), 0.0);
  }
}

}  // namespace seam::coupling
