#include "seam/coupling/corrector/learning.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "seam/coupling/corrector/mending.hpp"
#include "seam/coupling/corrector/models.hpp"

namespace seam::coupling {
namespace {

/// Where the order is left to the gap of the singular values.
constexpr int most_guessed_states = 6;
constexpr int least_steps = 3;  ///< k of the data matrices
constexpr std::size_t account_size = 5;

int steps_for(const CorrectorSettings& settings, int outputs) {
  return std::max(least_steps, (settings.learning.order + outputs - 1) / outputs + 1);
}

/// Of theta^k over one of `count` parts of the step, as it is heard.
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
  return from.point < 0 ? from.raw : from.point + (c.looks() - 1 - s) * from.stride;
}

LearningAccount read_account(const std::int64_t* from) { return {from[0], from[1], from[2], from[3], from[4]}; }
void write_account(const LearningAccount& account, std::int64_t* to) {
  for (const std::int64_t number : {account.steps, account.used, account.first_use, account.changes, account.reason})
    *to++ = number;
}
void copy_bits(const std::int64_t* from, std::span<double> to) {
  std::memcpy(to.data(), from, to.size() * sizeof(double));
}

}  // namespace

lti::KeeperChoices keeper_choices(const CorrectorSettings& settings, int outputs) {
  using Start = CorrectorSettings::Learning::Start;
  lti::KeeperChoices choices;
  choices.shape = {settings.micro_outputs, steps_for(settings, outputs)};
  choices.window = std::max(settings.learning.window, choices.shape.steps);
  choices.most_states = most_guessed_states;
  if (settings.learning.order > 0) choices.order = settings.learning.order;
  choices.threshold = settings.learning.threshold;
  if (settings.learning.start == Start::eager) choices.trust = lti::Trust::at_once;
  if (settings.outputs != CorrectorSettings::Outputs::tracked) choices.states = lti::States::unused;
  return choices;
}

int most_learned_states(const CorrectorSettings& settings, int outputs) {
  const lti::KeeperChoices choices = keeper_choices(settings, outputs);
  return std::min(choices.order.value_or(choices.most_states), (choices.shape.steps - 1) * outputs);
}

int least_window(const CorrectorSettings& settings, const CorrectedLane& lane) {
  const int k = steps_for(settings, lane.outputs), r = settings.micro_outputs;
  const int samples =
      k + k * lane.inputs + most_learned_states(settings, lane.outputs) + (settings.learning.order > 0 ? 0 : 1);
  return std::max(k, (samples + r - 1) / r);
}

Learning::Pupil::Pupil(const Correction& c, int number)
    : lane(number),
      keeper(c.lanes[static_cast<std::size_t>(number)].inputs, c.lanes[static_cast<std::size_t>(number)].outputs,
             keeper_choices(c.settings, c.lanes[static_cast<std::size_t>(number)].outputs)),
      saved(keeper.memory_size()) {
  const CorrectedLane& own = c.lanes[static_cast<std::size_t>(number)];
  const auto samples = static_cast<std::size_t>(c.looks());
  inputs.resize(samples * static_cast<std::size_t>(own.inputs));
  outputs.resize(samples * static_cast<std::size_t>(own.outputs));
  error.resize(static_cast<std::size_t>(own.states));
}

std::size_t Learning::Pupil::size() const { return account_size + saved.size(); }

Learning::Learning(const Correction& c) : persistence_(static_cast<int>(c.wires.size())), first_(c.wires.size()) {
  pupils_.reserve(c.lanes.size());
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    if (c.lanes[l].known == Known::model) pupils_.emplace_back(c, static_cast<int>(l));
  }
}

std::size_t Learning::size() const {
  std::size_t size = 1 + persistence_.memory().size() + first_.size();
  for (const Pupil& pupil : pupils_) size += pupil.size();
  return size;
}

// A fresh memory is all zeros, and so is what a keeper that has seen nothing remembers.
void Learning::load(Mending& m) {
  const std::int64_t* place = m.memory.knowledge.data() + m.correction.learned;
  if (*place == stamp_) return;
  const bool fresh = *place++ == 0;
  copy_bits(place, persistence_.memory());
  place += persistence_.memory().size();
  copy_bits(place, first_);
  place += first_.size();
  for (Pupil& pupil : pupils_) {
    if (fresh)
      pupil.account = {};
    else
      pupil.account = read_account(place);
    place += account_size;
    copy_bits(place, pupil.saved);
    pupil.keeper.load(pupil.saved);
    place += pupil.saved.size();
    clear_model(m.correction.lanes[static_cast<std::size_t>(pupil.lane)], m.models);
    pupil.written = lti::Standing::none;
  }
  if (!fresh) return;
  persistence_.restart();
  for (std::size_t w = 0; w < first_.size(); ++w) first_[w] = m.values[m.correction.wires[w].corrected];
  persistence_.observe(first_);
}

void Learning::save(Mending& m) {
  std::int64_t* place = m.memory.knowledge.data() + m.correction.learned;
  *place++ = stamp_ = ++stamps_;
  std::memcpy(place, persistence_.memory().data(), persistence_.memory().size() * sizeof(double));
  place += persistence_.memory().size();
  std::memcpy(place, first_.data(), first_.size() * sizeof(double));
  place += first_.size();
  for (Pupil& pupil : pupils_) {
    write_account(pupil.account, place);
    place += account_size;
    pupil.keeper.save(pupil.saved);
    std::memcpy(place, pupil.saved.data(), pupil.saved.size() * sizeof(double));
    place += pupil.saved.size();
  }
}

void Learning::take_samples(const Mending& m, Pupil& pupil) const {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(pupil.lane)];
  double *input = pupil.inputs.data(), *seen = pupil.outputs.data();
  for (int s = 0; s < c.looks(); ++s) {
    for (int w = lane.first_input; w < lane.first_input + lane.inputs; ++w) {
      const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
      *input = 0.0;
      for (int k = 0; k <= wire.degree; ++k)
        *input += mean_of_power(lane, k, s, c.looks()) * m.values[wire.coefficients + k * wire.stride];
      ++input;
    }
    for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o) *seen++ = m.values[place_of(c, o, s)];
  }
}

void Learning::write(Mending& m, Pupil& pupil) {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(pupil.lane)];
  const lti::ModelKeeper& keeper = pupil.keeper;
  const bool changed = keeper.judgement().change != lti::Judgement::Change::none;
  if (pupil.written == keeper.judgement().standing && !changed) return;
  pupil.written = keeper.judgement().standing;
  if (pupil.written == lti::Standing::none) return clear_model(lane, m.models);
  const SampledSteps steps{c.points() > 1 ? keeper.sample_gains() : keeper.step_gains(), keeper.step_gains()};
  write_model(m.program, lane, steps, m.models);
  if (pupil.written == lti::Standing::set_aside) mute_model(lane, m.models);
}

/// In the coordinates of the model that is kept; given up where following it would end the run.
void Learning::keep_error(Mending& m, Pupil& pupil) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(pupil.lane)];
  double* const e = m.values + lane.error;
  if (pupil.keeper.judgement().change == lti::Judgement::Change::other_model) {
    const auto map = pupil.keeper.coordinate_change();
    std::fill(pupil.error.begin(), pupil.error.end(), 0.0);
    add_product(map.data(), static_cast<int>(map.rows()), static_cast<int>(map.cols()), e, pupil.error.data());
    std::copy(pupil.error.begin(), pupil.error.end(), e);
  }
  give_up_error(m, pupil);
}

void Learning::give_up_error(Mending& m, const Pupil& pupil) {
  const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(pupil.lane)];
  if (!pupil.keeper.can_be_tracked()) std::fill_n(m.values + lane.error, lane.states, 0.0);
}

bool Learning::all_in_use() const {
  return std::all_of(pupils_.begin(), pupils_.end(), [](const Pupil& pupil) { return pupil.in_use(); });
}

void Learning::observe(Mending& m) {
  load(m);
  bool is_new = false;
  for (Pupil& pupil : pupils_) {
    const CorrectedLane& lane = m.correction.lanes[static_cast<std::size_t>(pupil.lane)];
    if (!m.is_here(lane)) continue;
    if (m.part.lane(pupil.lane)) {
      take_samples(m, pupil);
      pupil.keeper.observe({pupil.inputs, pupil.outputs});
    } else {
      pupil.keeper.interrupt(is_tuned(m, lane) ? lti::Interruption::parameter_change : lti::Interruption::event);
    }
    is_new = is_new || (pupil.in_use() && pupil.account.used == 0);
    write(m, pupil);
    if (m.correction.tracks()) keep_error(m, pupil);
    note(pupil, m.now.at_end.tick);
  }
  if (is_new && can_replay(m)) replay(m);
}

// Errors that a first model could have told from the start on are made up for, as long as the windows hold all steps.
bool Learning::can_replay(const Mending& m) const {
  const Correction& c = m.correction;
  if (!c.tracks() || !c.one_rate || !m.all_take_part()) return false;
  const auto is_complete = [&](const Pupil& pupil) {
    return pupil.keeper.window().count() == pupil.account.steps * c.looks();
  };
  const auto is_seen = [&](const CorrectedLane& lane) { return lane.outputs == 0 || lane.known == Known::model; };
  const auto is_held = [](const CorrectedWire& wire) { return wire.degree == 0; };
  return std::all_of(pupils_.begin(), pupils_.end(), is_complete) &&
         std::all_of(c.lanes.begin(), c.lanes.end(), is_seen) && std::all_of(c.wires.begin(), c.wires.end(), is_held);
}

/// A step of the window, as if it had just been made.
void Learning::show(Mending& m, const Pupil& pupil, int step) {
  const Correction& c = m.correction;
  const CorrectedLane& lane = c.lanes[static_cast<std::size_t>(pupil.lane)];
  const lti::Samples samples = pupil.keeper.window().samples();
  const double* const input = samples.inputs.data() + step * c.looks() * lane.inputs;
  const double* const output = samples.outputs.data() + step * c.looks() * lane.outputs;
  for (int i = 0; i < lane.inputs; ++i)
    m.values[c.wires[static_cast<std::size_t>(lane.first_input + i)].coefficients] = input[i];
  for (int s = 0; s < c.looks(); ++s) {
    for (int o = 0; o < lane.outputs; ++o)
      m.values[place_of(c, lane.first_output + o, s)] = output[s * lane.outputs + o];
  }
}

void Learning::replay(Mending& m) {
  const Correction& c = m.correction;
  std::copy(first_.begin(), first_.end(), m.room.past);
  std::fill_n(m.values + c.errors, c.error_count, 0.0);
  m.memory.knowledge[static_cast<std::size_t>(c.seen)] = 0;
  m.knows_past = true;
  const int steps = static_cast<int>(pupils_.front().account.steps);
  for (int step = 0; step < steps; ++step) {
    for (const Pupil& pupil : pupils_) show(m, pupil, step);
    if (step + 1 == steps) break;  // that is the step to be mended
    mend_points(m);
    for (const Pupil& pupil : pupils_) give_up_error(m, pupil);
  }
}

void Learning::note(Pupil& pupil, base::Tick tick) {
  const lti::Judgement& judgement = pupil.keeper.judgement();
  LearningAccount& account = pupil.account;
  ++account.steps;
  if (judgement.change == lti::Judgement::Change::other_model) ++account.changes;
  if (!pupil.in_use()) {
    account.reason = static_cast<std::int64_t>(judgement.reason);
    return;
  }
  ++account.used;
  if (account.first_use < 0) account.first_use = tick;
}

// Without a model an offset is half of the input's latest change: right while inputs go on as they did, and food for a
// loop that alternates.
void Learning::conclude(Mending& m) {
  const Correction& c = m.correction;
  const auto here = [&](const CorrectedLane& lane) { return m.is_here(lane); };
  if (std::all_of(c.lanes.begin(), c.lanes.end(), here)) persistence_.observe({m.room.next, c.wires.size()});
  const bool careful = c.settings.learning.start == CorrectorSettings::Learning::Start::careful;
  if (careful && !all_in_use() && !persistence_.persists()) {
    if (c.owed >= 0) std::fill_n(m.values + c.owed, c.wires.size(), 0.0);
    if (c.offset >= 0) std::fill_n(m.values + c.offset, c.wires.size(), 0.0);
  }
  save(m);
}

LearningAccount Learning::account(std::size_t number, const Correction& c, const Memory& memory) const {
  const std::int64_t* place = memory.knowledge.data() + c.learned;
  if (*place == 0) return {};
  place += 1 + persistence_.memory().size() + first_.size();
  for (std::size_t i = 0; i < number; ++i) place += pupils_[i].size();
  return read_account(place);
}

}  // namespace seam::coupling
