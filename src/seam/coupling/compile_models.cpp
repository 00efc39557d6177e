// What the corrector of a program knows of the subsystems, and how it will know more.
#include <fmt/format.h>

#include <algorithm>

#include "seam/coupling/compiler.hpp"
#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "seam/coupling/corrector/models.hpp"

namespace seam::coupling {

using assembly::LinearOffer;

/// Keepers of models, and a window in which there can be one.
void Compiler::prepare_learning() {
  Correction& c = *program_.correction;
  for (const CorrectedLane& lane : c.lanes) {
    if (lane.known != Known::model) continue;
    const Lane& own = program_.lanes[static_cast<std::size_t>(lane.lane)];
    const int window = c.shape.models.learning.window, least = least_window(c.shape, lane);
    if (window < least)
      problems_.add(
          plan_.corrector.where,
          fmt::format("{} macro steps are not enough to identify a model of \"{}\"", window, member(own.member).name),
          fmt::format("use window: {} or more", least));
    if (own.degree > 0)
      c.notices.push_back(
          fmt::format("corrector: inputs of \"{}\" move within a step; an identified model knows them by their means",
                      member(own.member).name));
  }
  program_.learning = std::make_shared<Learning>(c);
  c.learned = program_.knowledge;
  program_.knowledge += static_cast<int>(program_.learning->size());
}

/// By what the user wants and the subsystem offers; what is missing is said.
Known Compiler::what_is_known(const CorrectedLane& lane, LinearOffer& offer) {
  using Kind = LinearOffer::Kind;
  Correction& c = *program_.correction;
  const ModelNeeds& needs = c.shape.models;
  if (lane.inputs == 0 || lane.outputs == 0 || needs.reads == ModelNeeds::Reads::nothing) return Known::nothing;
  const Lane& own = program_.lanes[static_cast<std::size_t>(lane.lane)];
  const assembly::Member& m = member(own.member);
  if (c.shape.learns()) {
    offer.states = most_learned_states(c.shape, lane.outputs);
    return Known::model;
  }
  offer = assembly::linear_offer_of(*own.subsystem);
  if (const GivenModel* given = given_model(own.member)) {
    offer = {Kind::fixed, static_cast<int>(given->equations.states())};
    return Known::model;
  }
  const bool is_ours = m.equations || offer.kind == Kind::fixed;
  if (needs.source == ModelNeeds::Source::exact && !is_ours) offer = {};
  const auto say = [&](const char* what) {
    c.notices.push_back(fmt::format("corrector: {} of \"{}\" {}", what, m.name,
                                    c.shape.addition != Addition::constant
                                        ? "is known, so nothing is mended there"
                                        : "is known, so only its inputs get offsets"));
  };
  switch (offer.kind) {
    case Kind::nothing:
      say("no linear model");
      return Known::nothing;
    case Kind::feedthrough:
      if (needs.reads != ModelNeeds::Reads::feedthrough)
        c.notices.push_back(fmt::format(
            "corrector: only the direct feed-through of \"{}\" is known, so nothing else is mended there", m.name));
      return Known::feedthrough;
    case Kind::moving:
    case Kind::fixed:
      break;
  }
  return Known::model;
}

const GivenModel* Compiler::given_model(int member) const {
  const auto found = std::find_if(options_.models.begin(), options_.models.end(),
                                  [&](const GivenModel& model) { return model.member == member; });
  return found == options_.models.end() ? nullptr : &*found;
}

/// Models that stay as they are, and what is solved from them.
void Compiler::make_models() {
  if (!program_.correction) return;
  Correction& c = *program_.correction;
  int size = 0;
  for (CorrectedLane& lane : c.lanes) {
    const Lane& own = program_.lanes[static_cast<std::size_t>(lane.lane)];
    size = lay_out_model(own, lane, size);
    const bool moving = !c.shape.learns() && !given_model(own.member) &&
                        assembly::linear_offer_of(*own.subsystem).kind != LinearOffer::Kind::fixed;
    if (lane.known != Known::nothing && moving) {
      lane.refresh = Refresh::every_step;
      lay_out_told(program_, lane);
    }
    c.refreshes = c.refreshes || c.shape.learns() || lane.refresh == Refresh::every_step;
  }
  c.solved = size;
  c.solved_sinks = c.solved + static_cast<int>(c.outputs.size() * c.outputs.size());
  c.sizes = c.solved_sinks + static_cast<int>(c.wires.size() * c.wires.size());
  c.work = c.sizes + static_cast<int>(c.wires.size());
  program_.initial_models.assign(static_cast<std::size_t>(c.work) + CorrectionWorkspace::size(c), 0.0);
  double* const models = program_.initial_models.data();
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const double otherwise = c.refreshes ? 0.0 : 1.0;  // it will be seen, or it is what FMI supposes
    models[c.sizes + static_cast<int>(w)] = c.wires[w].size > 0.0 ? c.wires[w].size : otherwise;
  }
  for (const CorrectedLane& lane : c.lanes) {
    const Lane& own = program_.lanes[static_cast<std::size_t>(lane.lane)];
    if (c.shape.learns() || lane.known == Known::nothing || lane.refresh == Refresh::every_step) continue;
    const std::vector<double> inputs(static_cast<std::size_t>(own.inputs));
    const assembly::LinearNumbers numbers = equations_of(lane, own, models);
    if (const GivenModel* given = given_model(own.member)) {
      const auto copy = [](const lti::Matrix& from, double* to) { std::copy_n(from.data(), from.size(), to); };
      copy(given->equations.A, numbers.A);
      copy(given->equations.B, numbers.B);
      copy(given->equations.C, numbers.C);
      copy(given->equations.D, numbers.D);
    } else {
      own.subsystem->facets().equations->tell_linear(options_.start, inputs, numbers);
    }
    write_model(c, lane, own, models);
  }
  if (!c.refreshes && !solve_models(c, models))
    problems_.add(plan_.corrector.where, "the equations of the corrector have no solution for these subsystems",
                  "direct feed-through closes a loop of gain 1: choose another corrector, or `over` fewer connections");
}

}  // namespace seam::coupling
