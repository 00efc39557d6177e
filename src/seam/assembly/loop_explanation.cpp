#include <fmt/format.h>

#include "seam/assembly/loop.hpp"

namespace seam::assembly {
namespace {

constexpr std::size_t most_lines = 12;  // of a long loop the rest is counted

std::string name_of(const Assembly& assembly, const OutputPlace& place) {
  const Member& member = assembly.members[static_cast<std::size_t>(place.member)];
  return member.name + "." + member.outputs[static_cast<std::size_t>(place.output)].name;
}

std::string what_is_wrong(const LoopFailure& failure) {
  switch (failure.reason) {
    case LoopFailure::Reason::contradiction:
      return "its equations are singular and contradict each other: no values fulfil them";
    case LoopFailure::Reason::ambiguity:
      return "its equations are singular: they have many solutions, and nothing says which is meant";
    case LoopFailure::Reason::not_finite:
      return "it does not give finite numbers at the start values";
    case LoopFailure::Reason::no_convergence:
      break;
  }
  return "Newton's method found no solution";
}

std::string values_of(const Assembly& assembly, const LoopFailure& failure) {
  std::string text;
  for (std::size_t i = 0; i < failure.values.size(); ++i) {
    if (i == most_lines) return text + fmt::format("   … and {} more\n", failure.values.size() - i);
    const double value = failure.values[i], computed = failure.computed[i];
    text += fmt::format("   {} = {:.9g}, ", name_of(assembly, failure.loop.outputs[i]), value);
    text += value == computed
                ? "which fits\n"
                : fmt::format("but what follows from it is {:.9g}: off by {:.3g}\n", computed, computed - value);
  }
  return text;
}

/// Empty if it is not about singular equations.
std::string what_is_open(const Assembly& assembly, const LoopFailure& failure) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < failure.undecided.size(); ++i) {
    if (!failure.undecided[i] || ++count > most_lines) continue;
    names += (names.empty() ? "" : ", ") + name_of(assembly, failure.loop.outputs[i]);
  }
  if (count == 0) return {};
  if (count > most_lines) names += fmt::format(" and {} more", count - most_lines);
  return fmt::format("   {} can change {}without any equation noticing (what goes round comes back as it was)\n", names,
                     count > 1 ? "together " : "");
}

const char* how_to_mend(LoopFailure::Reason reason) {
  switch (reason) {
    case LoopFailure::Reason::contradiction:
    case LoopFailure::Reason::ambiguity:
      return "   Try: give one of these outputs a state, break the loop with a delay block, or change a gain in it";
    case LoopFailure::Reason::not_finite:
      return "   Try: other start values of the inputs in the loop";
    case LoopFailure::Reason::no_convergence:
      break;
  }
  return "   Try: start values of the inputs nearer to a solution; if there is none, give one of these outputs a "
         "state, "
         "or break the loop with a delay block";
}

}  // namespace

std::string wires_of(const Assembly& assembly, const InitialisationOrder::Block& loop) {
  std::string text;
  for (std::size_t i = 0; i < loop.wires.size(); ++i) {
    if (i == most_lines) return text + fmt::format(" and {} more", loop.wires.size() - i);
    const Wire& wire = assembly.wires[static_cast<std::size_t>(loop.wires[i])];
    text += (i > 0 ? ", " : "") + assembly.source_name(wire) + " -> " + assembly.sink_name(wire);
  }
  return text;
}

std::string explanation(const Assembly& assembly, const LoopFailure& failure, double t) {
  return fmt::format("the loop of direct feed-through cannot be solved at t = {} s: {}\n   {}\n{}{}{}", t,
                     what_is_wrong(failure), wires_of(assembly, failure.loop), values_of(assembly, failure),
                     what_is_open(assembly, failure), how_to_mend(failure.reason));
}

}  // namespace seam::assembly
