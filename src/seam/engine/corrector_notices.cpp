#include "seam/engine/corrector_notices.hpp"

#include <fmt/format.h>

#include "seam/coupling/corrector/learning.hpp"

namespace seam::engine {
namespace {

std::string times(std::int64_t number) { return number == 1 ? "once" : fmt::format("{} times", number); }
std::string steps(std::int64_t number) { return number == 1 ? "1 step" : fmt::format("{} steps", number); }

/// When models were taken into use, and why they were not.
void tell_of_learning(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary) {
  const coupling::Learning& learning = *program.learning;
  for (std::size_t i = 0; i < learning.count(); ++i) {
    const coupling::LearningAccount account = learning.account(i, *program.correction, memory);
    const int lane = program.correction->lanes[static_cast<std::size_t>(learning.lane(i))].lane;
    const int member = program.lanes[static_cast<std::size_t>(lane)].member;
    const std::string& name = program.assembly->members[static_cast<std::size_t>(member)].name;
    if (account.first_use < 0) {
      summary.notices.push_back(fmt::format("corrector: no identified model of {} was taken into use, in {}: {}", name,
                                            steps(account.steps), lti::words(account.why_not())));
      continue;
    }
    std::string text = fmt::format("corrector: a model of {} was identified and taken into use at {:.6g} s", name,
                                   program.grid.time(account.first_use));
    if (account.changes > 0) text += fmt::format(", later replaced {}", times(account.changes));
    if (account.used < account.steps)
      text += fmt::format("; {} of {} went without, the last because {}", account.steps - account.used,
                          steps(account.steps), lti::words(account.why_not()));
    summary.notices.push_back(text);
  }
}

}  // namespace

void tell_of_corrector(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary) {
  const coupling::Correction& correction = *program.correction;
  const auto count = [&](int first, std::size_t i) { return memory.knowledge[static_cast<std::size_t>(first) + i]; };
  if (program.learning) tell_of_learning(program, memory, summary);
  for (const std::string& notice : correction.notices) summary.notices.push_back(notice);
  for (std::size_t w = 0; w < correction.wires.size(); ++w) {
    const assembly::Wire& wire = program.assembly->wires[static_cast<std::size_t>(correction.wires[w].wire)];
    const std::string sink = program.assembly->sink_name(wire);
    if (const std::int64_t clamped = count(correction.clamped, w); clamped > 0)
      summary.notices.push_back(
          fmt::format("corrector: {} would have left its limits {} and was kept there", sink, times(clamped)));
    if (const std::int64_t cut = count(correction.cut, w); cut > 0)
      summary.notices.push_back(
          fmt::format("corrector: the offset of {} was held back by its limits {}", sink, times(cut)));
  }
  for (std::size_t l = 0; l < correction.lanes.size(); ++l) {
    const int member = program.lanes[static_cast<std::size_t>(correction.lanes[l].lane)].member;
    const std::string& name = program.assembly->members[static_cast<std::size_t>(member)].name;
    if (const std::int64_t skipped = count(correction.skipped, l); skipped > 0)
      summary.notices.push_back(
          fmt::format("corrector: nothing was mended at {} in steps with an event, {}", name, times(skipped)));
    if (const std::int64_t untold = count(correction.untold, l); untold > 0)
      summary.notices.push_back(
          fmt::format("corrector: {} did not tell its derivatives {}; the ones before were used", name, times(untold)));
  }
  if (const std::int64_t unsolved = count(correction.unsolved, 0); unsolved > 0)
    summary.notices.push_back(fmt::format(
        "corrector: nothing was mended {}, because the equations of the corrector had no solution", times(unsolved)));
}

}  // namespace seam::engine
