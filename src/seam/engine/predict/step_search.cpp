#include "seam/engine/predict/step_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/base/grid.hpp"
#include "seam/engine/predict/short_run.hpp"

namespace seam::engine {
namespace {

/// A step of which half the way to the limit of stability is left.
constexpr double room = 0.5;

/// To numbers that are easy to read and at most 5 % apart: 1, 1.05, … 2, 2.1, … 5, 5.2, …
double rounded_down(double step) {
  const double decade = std::pow(10.0, std::floor(std::log10(step) + 1e-12)), first = step / decade;
  const double unit = decade * (first < 2.0 ? 0.05 : first < 5.0 ? 0.1 : 0.2);
  return std::stod(fmt::format("{:.3g}", std::floor(step / unit * (1.0 + 1e-9)) * unit));
}

/// A multiple of the steps that are given, if there are such.
double rounded_down(const Rehearsal& rehearsal, double step) {
  const double unit = rehearsal.step_unit().value_or(0.0);
  return unit > 0.0 ? std::floor(step / unit * (1.0 + 1e-12)) * unit : rounded_down(step);
}

/// A little shorter, if the experiment and what is recorded are whole multiples of it then. Subsystems that cannot end
/// an experiment with a shorter step need that.
double fitted_to_experiment(const Rehearsal& rehearsal, double step) {
  const system::SystemDescription& description = rehearsal.system().description;
  const system::Experiment& experiment = description.experiment;
  const auto& every = description.record.every;
  const double unit = rehearsal.step_unit().value_or(0.0);
  const double digit = unit > 0.0 ? unit : std::pow(10.0, std::floor(std::log10(step)) - 2.0);
  const double least = rehearsal.can_shorten() ? 0.95 : 0.6;  // the step is not to depend on the stop time
  for (double shorter = step; shorter > least * step; shorter -= digit) {
    const double candidate = std::stod(fmt::format("{:.{}g}", shorter, unit > 0.0 ? 15 : 3));
    const bool fits_stop = !experiment.stop || base::divide(*experiment.stop - experiment.start, candidate).exact;
    if (fits_stop && (!every || base::divide(*every, candidate).exact)) return candidate;
  }
  return step;
}

/// What probes at a plan's own step, and a short run of it, say against its goal; empty: nothing. The point is what
/// they say of it, in the band that was asked for or in which the equations probed there move.
std::string objection_to(const System& written, double goal, const OutlookRequest& asked, SweepPoint& point) {
  constexpr double far = 0.1;  // of linear models; what is not linear is told in words
  OutlookRequest request = asked;
  request.depth = OutlookRequest::Depth::verdict;
  const Outlook outlook = look_ahead(written, request);
  if (!outlook.unknown.empty()) return outlook.unknown.front();
  if (outlook.verdict() != Outlook::Verdict::stable) return "probed there it is not known to be stable";
  const Rehearsal models = linear_rehearsal(written, outlook);
  point = outlook_of(models, written.plan, band_for(written, *outlook.stability, asked.band));
  if (!point.error) return "probed there its error is not known";
  if (*point.error > goal) return fmt::format("probed there it is {}", percent(*point.error));
  point.in_a_short_run = distance_in_a_short_run(written, models, asked.time);
  if (point.in_a_short_run.value_or(0.0) <= far || models.is_nonlinear()) return "";
  return fmt::format("in a short run there the FMUs answer otherwise than their models, by {}",
                     percent(*point.in_a_short_run));
}

}  // namespace

system::Plan plan_for_search(const Rehearsal& rehearsal, const analysis::Band& band) {
  constexpr double samples_a_period = 20.0;
  double step = 1.0 / (samples_a_period * band.to);
  const auto unit = rehearsal.step_unit();
  if (unit && *unit > 0.0) step = *unit * std::max(1.0, std::round(step / *unit));
  return rehearsal.with_step(step);
}

StepFound largest_accurate_step(const Rehearsal& rehearsal, const StepSearch& search) {
  StepFound result;
  const auto limit = search.steps ? search.steps->first_loss() : std::nullopt;
  if (!limit) return result;
  // below what was examined it stays stable, most likely: every step that is tried is looked at
  const double smallest =
      std::max(search.steps->examined.from / 30.0, rehearsal.step_unit().value_or(0.0)) * (1.0 - 1e-9);
  const auto reaches = [&](double step) -> std::optional<SweepPoint> {
    if (step <= 0.0) return std::nullopt;
    const SweepPoint point = outlook_of(rehearsal, search.plan_at(step), search.band);
    if (!point.error) return std::nullopt;
    if (!result.nearest || *point.error < *result.nearest->error) result.nearest = point;
    return *point.error <= search.goal ? std::optional(point) : std::nullopt;
  };
  // The error grows with the step: from above, first in strides of seven times 5 %, then one by one.
  constexpr int stride = 7;
  const auto step_at = [&](int i) { return room * *limit * std::pow(0.95, i); };
  const auto reaches_at = [&](int i) { return reaches(rounded_down(rehearsal, step_at(i))); };
  int last = 0;
  result.point = reaches_at(0);
  while (!result.point && step_at(last) >= smallest) result.point = reaches_at(last += stride);
  if (!result.point) return result;
  for (int i = std::max(last - stride + 1, 0); i < last; ++i) {
    if (const auto larger = reaches_at(i)) {
      result.point = larger;
      break;
    }
  }
  const double step = result.point->step, fitted = fitted_to_experiment(rehearsal, step);
  if (const auto shorter = fitted < step ? reaches(fitted) : std::nullopt) result.point = shorter;
  return result;
}

std::string words_of_nearest(const std::vector<std::pair<std::string, std::optional<SweepPoint>>>& searches) {
  const std::pair<std::string, std::optional<SweepPoint>>* least = nullptr;
  for (const auto& search : searches) {
    if (search.second && (!least || *search.second->error < *least->second->error)) least = &search;
  }
  if (!least) return "";
  return fmt::format("the smallest is {} ({}{}{:.3g} s)", percent(*least->second->error), least->first,
                     least->first.empty() ? "" : ", ", least->second->step);
}

Confirmation confirm(const Rehearsal& rehearsal, const StepSearch& search, const SweepPoint& found,
                     const OutlookRequest& asked) {
  if (!rehearsal.probes()) return {found, ""};
  constexpr int most_attempts = 8;
  Confirmation result;
  double step = found.step;
  for (int i = 0; i < most_attempts && step > 0.0; ++i) {
    base::Problems problems;
    System written = rehearsal.system();
    written.plan = rehearsal.with_compensators(search.plan_at(step), problems);
    base::require_none(problems);
    SweepPoint point{step, {}, {}};
    const std::string objection = objection_to(written, search.goal, asked, point);
    if (objection.empty()) return {point, ""};
    if (i == 0)
      result.why_not = fmt::format("at {:.3g} s {} is expected from what is known of other steps, but {}", step,
                                   percent(*found.error), objection);
    step = rounded_down(rehearsal, 0.8 * step);
    if (step > 0.0) step = fitted_to_experiment(rehearsal, step);
  }
  return result;
}

}  // namespace seam::engine
