#include "seam/coupling/filter_coupling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "seam/base/error.hpp"
#include "seam/coupling/emitter/compensator.hpp"
#include "seam/coupling/filters.hpp"
#include "seam/coupling/parameters.hpp"
#include "seam/coupling/receiver/smoother.hpp"

namespace seam::coupling {
namespace {

constexpr const char* coupling_name = "hinf";
constexpr const char* euler_suffix = "-euler";
constexpr const char* filter_need = "a source and a sink that are called every micro step";

Number jump_limit() {
  return {
      "jump_limit", {}, {0.0, 1e300},        "change of an output over a macro step beyond which it is sent as it is",
      "",           "", Affinity::linearised};
}

bool is_euler(const system::Coupling& coupling) { return coupling.emitter.name.ends_with(euler_suffix); }

/// A compensator that is given must be one: proper, and every pole decays.
void check_roots(const Roots& roots, const base::Location& where, base::Problems& problems) {
  if (roots.zeros.size() > roots.poles.size())
    problems.add(where, "the compensator has more zeros than poles", "give at least as many poles");
  if (roots.poles.size() > most_filter_states)
    problems.add(where, fmt::format("the compensator has {} poles, and at most {} are possible", roots.poles.size(),
                                    most_filter_states));
  constexpr double slowest = 1e-9;  // of a macro step: beyond that a filter is an integrator
  if (std::any_of(roots.poles.begin(), roots.poles.end(), [&](const auto& pole) { return !(pole.real() < -slowest); }))
    problems.add(where, "the compensator is unstable: a pole does not decay",
                 "all poles must have a negative real part");
}

/// Roots are counted from 1, each by its real part, and mean nothing without a gain.
void check_every_root_counts(const system::Method& asked, const base::Location& where, base::Problems& problems) {
  system::Method counted;
  if (const auto roots = read_roots(asked)) write_roots(*roots, counted);
  for (const auto& [name, value] : asked.parameters) {
    const bool says_nothing = name.ends_with("_im") && value == 0.0;
    if (!is_root_name(name) || says_nothing || number(counted, name)) continue;
    problems.add(where, fmt::format("\"{}\" would not count", name),
                 "give the gain, and number zeros and poles from 1 on without a gap, each with its real part");
  }
}

double usual_weight(double order) { return order == 1.0 ? 0.01 : order == 2.0 ? 0.03 : 0.06; }

/// How to find a compensator, as its parameters.
void write_design(const Parameters& asked, system::Method& emitter) {
  const double order = asked.choice("order")[0] - '0';
  auto& design = emitter.parameters;
  design.emplace_back("weight_order", order);
  design.emplace_back("weight_cutoff", asked.number("weight").value_or(usual_weight(order)));
  design.emplace_back("radius", *asked.number("radius"));
  if (const auto limit = asked.number("gain_limit")) design.emplace_back("gain_limit", *limit);
  if (asked.choice("static_gain") == "one") design.emplace_back("static_gain", 1.0);
}

system::Coupling compose_filters(const Parameters& asked, base::Problems& problems) {
  const std::string rule = asked.choice("solver") == "euler" ? euler_suffix : "";
  system::Coupling result{coupling_name, {"compensator" + rule, {}}, {"smoother" + rule, {}}, system::Samples::macro};
  result.receiver.parameters = {{"order", 2.0}, {"cutoff", *asked.number("smoother")}};
  if (const auto limit = asked.number(jump_limit().name))
    result.emitter.parameters.emplace_back(jump_limit().name, *limit);
  const system::Method numbers{coupling_name, asked.numbers};
  check_every_root_counts(numbers, asked.where, problems);
  const auto given = read_roots(numbers);
  if (!given) {
    write_design(asked, result.emitter);
    return result;
  }
  check_roots(*given, asked.where, problems);
  for (const char* name : {"order", "static_gain", "weight", "radius", "gain_limit"}) {
    if (asked.is_given(name))
      problems.add(asked.where, fmt::format("\"{}\" has no meaning here: the compensator is given", name),
                   "leave it out, or leave gain, zeros and poles out");
  }
  write_roots(*given, result.emitter);
  return result;
}

/// A compensator and a smoother go together, followed in the same way.
void check_filter_parts(const system::Coupling& coupling, const base::Location& where, base::Problems& problems) {
  const Entry *emitter = find(Part::emitter, coupling.emitter.name),
              *receiver = find(Part::receiver, coupling.receiver.name);
  const bool are_filters =
      emitter && receiver && emitter->coupling == coupling_name && receiver->coupling == coupling_name;
  if (!are_filters || is_euler(coupling) != coupling.receiver.name.ends_with(euler_suffix))
    problems.add(where, "a compensator and a smoother must be used together, and followed in the same way",
                 "write {emitter: compensator…, receiver: smoother…} or {emitter: compensator-euler…, receiver: "
                 "smoother-euler…}");
  else if (!read_roots(coupling.emitter) && !number(coupling.emitter, "weight_order"))
    problems.add(where, "the compensator has neither a gain with zeros and poles nor a weight to be found for",
                 "write coupling: hinf, or give gain, zero1, … and pole1, …");
  check_every_root_counts(coupling.emitter, where, problems);
  if (const auto given = read_roots(coupling.emitter)) check_roots(*given, where, problems);
}

std::string describe_filters(const system::Coupling& coupling) {
  const Entry& entry = *find(Part::coupling, coupling_name);
  const system::Method& emitter = coupling.emitter;
  const auto order = number(emitter, "weight_order");
  Parameters said;
  said.choices = {{"order", fmt::format("{}", order.value_or(1.0))},
                  {"solver", is_euler(coupling) ? "euler" : "exact"},
                  {"static_gain", number(emitter, "static_gain").value_or(0.0) == 1.0 ? "one" : "free"}};
  const auto add = [&](const std::string& name, const std::optional<double>& value) {
    if (value) said.numbers.emplace_back(name, *value);
  };
  add("smoother", number(coupling.receiver, "cutoff"));
  const auto weight = number(emitter, "weight_cutoff");
  add("weight", weight == usual_weight(order.value_or(1.0)) ? std::nullopt : weight);
  for (const char* name : {"radius", "gain_limit", "jump_limit"}) add(name, number(emitter, name));
  for (const auto& [name, value] : emitter.parameters) {
    if (!order && is_root_name(name)) add(name, value);
  }
  return changed_choices(entry, said.choices) + changed_numbers(entry, said.numbers);
}

/// A filter that is made for the same numbers as the one before is a copy of it: in a study they are the same for every
/// point, and finding them takes as long as a short run.
template <class Filter, class Numbers, class Make>
std::unique_ptr<Filter> like_the_last(const Numbers& numbers, const Make& make) {
  struct Made {
    Numbers numbers;
    Filter filter;
  };
  static thread_local std::optional<Made> last;
  if (!last || last->numbers != numbers) last.emplace(Made{numbers, make()});
  return std::make_unique<Filter>(last->filter);
}

Roots roots_of(const system::Method& emitter) {
  auto roots = read_roots(emitter);
  if (!roots) throw base::Error(base::Failure::internal, "the plan does not have the compensator of its coupling");
  return *roots;
}

Entry filter_coupling_entry() {
  Entry entry{Part::coupling,
              coupling_name,
              "H-infinity: a compensator before the sampler and a smoother behind the hold",
              {{"order", {"1", "2", "3"}, "of the weight, by which the error falls with the frequency"},
               {"solver", {"exact", "euler"}, "how the filters are followed from one micro step to the next"},
               {"static_gain", {"free", "one"}, "one: a constant arrives unchanged"}},
              {filter_need}};
  entry.numbers = {
      {"smoother", 0.5, {0.0, 10.0}, "cut-off of the smoother times the macro step"},
      {"weight", {}, {0.0, 1.0}, "cut-off of the weight times the macro step", "0.01, 0.03 or 0.06 by the order"},
      {"radius", 0.95, {0.0, 0.9999}, "of the disc |1 + h lambda| for the poles of the compensator"},
      {"gain_limit", {}, {0.0, 1e9}, "of what the compensator makes of jumps and noise", "by the closed form"},
      jump_limit(),
      {"gain",
       {},
       {-1e300, 1e300},
       "of a compensator of your own, with zero1, zero1_im, …, pole1, pole1_im, …",
       "found"}};
  entry.takes_number = is_root_name;
  entry.compose = compose_filters;
  entry.check_parts = check_filter_parts;
  entry.describe = describe_filters;
  return entry;
}

Entry compensator_entry(FilterSolver solver) {
  const bool euler = solver == FilterSolver::euler;
  Entry entry{Part::emitter,
              euler ? "compensator-euler" : "compensator",
              euler ? "the same, followed by Euler's rule"
                    : "sends the outputs through a filter: gain, zero1, zero1_im, …, pole1, …",
              {},
              {filter_need}};
  entry.numbers = {jump_limit(),
                   {"weight_order",
                    {},
                    {1.0, 3.0, Range::Low::included},
                    "as the coupling's order",
                    "",
                    "",
                    Affinity::affine,
                    Number::Kind::whole},
                   {"weight_cutoff", {}, {0.0, 1.0}, "as the coupling's weight"},
                   {"radius", {}, {0.0, 0.9999}, "as the coupling's"},
                   {"gain_limit", {}, {0.0, 1e9}, "as the coupling's"},
                   {"static_gain", {}, {-1.0, 1.0}, "1: exactly one"},
                   {"micro_steps", {}, {0.0, 1e9}, "in a macro step, for which the compensator was found"}};
  entry.takes_number = is_root_name;
  entry.coupling = coupling_name;
  entry.make_emitter = [solver](const system::Method& emitter, const OutputTiming& timing) {
    const Roots roots = roots_of(emitter);
    return like_the_last<Compensator>(std::tuple(emitter, solver, timing.micro_step), [&] {
      return Compensator(lti::realise_in_sections(roots), timing.micro_step, solver,
                         number(emitter, jump_limit().name));
    });
  };
  if (!euler) return entry;
  entry.fault = [](const system::Method& emitter, double micro_step) -> std::optional<Fault> {
    const Roots roots = roots_of(emitter);
    const bool grows = std::any_of(roots.poles.begin(), roots.poles.end(),
                                   [&](const auto& pole) { return std::abs(1.0 + micro_step * pole) >= 1.0; });
    if (!grows) return std::nullopt;
    return Fault{"its compensator grows under Euler's rule", "use solver=exact or a shorter micro step"};
  };
  return entry;
}

Entry smoother_entry(FilterSolver solver) {
  const bool euler = solver == FilterSolver::euler;
  Entry entry{Part::receiver,
              euler ? "smoother-euler" : "smoother",
              euler ? "the same, followed by Euler's rule" : "holds the last value and smooths it by a low-pass filter",
              {},
              {filter_need}};
  entry.numbers = {{"order",
                    2.0,
                    {1.0, 6.0, Range::Low::included},
                    "of Butterworth's filter",
                    "",
                    "",
                    Affinity::affine,
                    Number::Kind::whole},
                   {"cutoff", 0.5, {0.0, 10.0}, "times the macro step"}};
  entry.coupling = coupling_name;
  entry.pace = Pace::micro_steps;
  entry.make_receiver = [solver](const system::Method& receiver, const SampleTiming& timing) {
    const std::tuple numbers(receiver, solver, timing.age, timing.sink_step, timing.sink_segments);
    return like_the_last<Smoother>(
        numbers, [&] { return Smoother(lti::realise_in_sections(smoothing_filter(receiver)), timing, solver); });
  };
  return entry;
}

}  // namespace

std::vector<Entry> filter_entries() {
  return {filter_coupling_entry(), compensator_entry(FilterSolver::exact), compensator_entry(FilterSolver::euler),
          smoother_entry(FilterSolver::exact), smoother_entry(FilterSolver::euler)};
}

}  // namespace seam::coupling
