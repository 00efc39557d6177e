#include "seam/engine/predict/shown_equations.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/engine/predict/interface_check.hpp"

namespace seam::engine {
namespace {

using coupling::Lane;

/// The outputs that were sent last.
std::vector<double> outputs_of(const OperatingPoint& at, const Lane& lane) {
  std::vector<double> values;
  for (int i = 0; i < lane.outputs; ++i)
    values.push_back(at.memory.values[static_cast<std::size_t>(at.program().output_place(lane.member, i))]);
  return values;
}

/// Which states are reached from the start, where a state moves another if the matrix has an entry for it.
std::vector<bool> reached(const lti::Matrix& moves, std::vector<bool> from) {
  for (bool more = true; more;) {
    more = false;
    for (Eigen::Index i = 0; i < moves.rows(); ++i) {
      for (Eigen::Index j = 0; j < moves.cols(); ++j) {
        if (moves(i, j) == 0.0 || from[static_cast<std::size_t>(i)] || !from[static_cast<std::size_t>(j)]) continue;
        from[static_cast<std::size_t>(i)] = more = true;
      }
    }
  }
  return from;
}

/// Without states that no input moves or no output shows, such as a meter of energy: the coupling does not see them.
void leave_out_unseen_states(analysis::SubsystemModel& model) {
  const lti::StateSpace& all = *model.equations;
  std::vector<bool> by_inputs, by_outputs;
  for (Eigen::Index i = 0; i < all.states(); ++i) {
    by_inputs.push_back(!all.B.row(i).isZero(0.0));
    by_outputs.push_back(!all.C.col(i).isZero(0.0));
  }
  by_inputs = reached(all.A, std::move(by_inputs));
  by_outputs = reached(all.A.transpose(), std::move(by_outputs));
  std::vector<Eigen::Index> kept;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < by_inputs.size(); ++i) {
    if (!by_inputs[i] || !by_outputs[i]) continue;
    kept.push_back(static_cast<Eigen::Index>(i));
    if (i < model.states.size()) names.push_back(model.states[i]);
  }
  const lti::StateSpace seen{all.A(kept, kept), all.B(kept, Eigen::all), all.C(Eigen::all, kept), all.D};
  model.equations = seen;
  model.states = std::move(names);
}

std::optional<ShownEquations> shown_by(const System& system, const OperatingPoint& at, const Lane& lane,
                                       const Calls& calls) {
  ShownEquations shown{known_model(system, at, lane), outputs_of(at, lane)};
  if (!shown.model.equations) return std::nullopt;
  leave_out_unseen_states(shown.model);
  shown.model.source = analysis::ModelSource::exchange;
  shown.model.map = analysis::step_map(*shown.model.equations, calls.length, calls.degree);
  shown.model.how = "model exchange: its equations as the FMU shows them, which its calls by co-simulation bear out";
  std::vector<double> inputs = at.inputs_of(lane);
  for (const int input : at.driven_inputs_of(lane))
    lane.subsystem->facets().tuning->follow(input, 0.0, inputs[static_cast<std::size_t>(input)]);
  shown.next.resize(static_cast<std::size_t>(lane.outputs));
  const assembly::StepFunction function = lane.subsystem->prepare({calls.length, 0});
  for (const double begin : {at.time(), at.time() + calls.length}) {  // a probe lets the first call pass, too
    const auto outcome = function.advance({begin, calls.length}, {inputs.data(), 0, lane.inputs}, shown.next);
    if (outcome != base::Outcome::accepted) return std::nullopt;
  }
  return shown;
}

void show(const System& system, const LinearModelRequest& request, const std::vector<ShownBy>& wanted,
          std::vector<ShownEquations>& found) {
  std::vector<std::size_t> numbers;
  for (const ShownBy& one : wanted) numbers.push_back(one.subsystem);
  const System solved = with_equations_of(system, numbers);
  OperatingPoint at = reach(solved, request);
  for (const Lane& lane : at.program().lanes) {
    const auto by = std::ranges::find(wanted, static_cast<std::size_t>(lane.member), &ShownBy::subsystem);
    if (by == wanted.end()) continue;
    if (auto shown = shown_by(solved, at, lane, by->calls)) found.push_back(std::move(*shown));
  }
}

/// Nothing if it cannot be done: then co-simulation is all that is known.
std::optional<std::vector<ShownEquations>> tried(const System& system, const LinearModelRequest& request,
                                                 const std::vector<ShownBy>& wanted) {
  std::vector<ShownEquations> found;
  try {
    show(system, request, wanted, found);
    return found;
  } catch (const base::ProblemsFound&) {  // no library for this machine, for example
  } catch (const base::Error&) {          // it did not come to the operating point
  }
  return std::nullopt;
}

}  // namespace

std::vector<ShownEquations> shown_equations(const System& system, const LinearModelRequest& request,
                                            const std::vector<ShownBy>& wanted) {
  std::vector<ShownEquations> all;
  if (wanted.empty()) return all;
  if (auto together = tried(system, request, wanted)) return std::move(*together);
  for (const ShownBy& one : wanted) {
    if (wanted.size() == 1) break;
    if (auto alone = tried(system, request, {one})) std::ranges::move(*alone, std::back_inserter(all));
  }
  return all;
}

bool starts_alike(const ShownEquations& shown, const ProbeCandidate& candidate) {
  constexpr double tolerance = 1e-3;  // of solvers on the way to this point
  const auto& rest = candidate.kept->record(analysis::Trial::rest);
  const auto& first = candidate.kept->record(analysis::Trial::first);
  const auto all = static_cast<std::size_t>(candidate.all_outputs);
  for (const int output : candidate.outputs) {
    const auto o = static_cast<std::size_t>(output);
    double answer = 0.0;
    for (std::size_t i = o; i < rest.size(); i += all) answer = std::max(answer, std::abs(first[i] - rest[i]));
    // in long calls of a solver of low order both go different ways
    const double moved = std::max(std::abs(shown.next[o] - shown.now[o]), std::abs(rest[o + all] - rest[o]));
    if (!(std::abs(rest[o] - shown.next[o]) <= moved + answer + tolerance * std::abs(rest[o]))) return false;
  }
  return true;
}

}  // namespace seam::engine
