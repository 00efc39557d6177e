#include "seam/engine/opener.hpp"

#include "seam/engine/changes.hpp"
#include "seam/engine/completion.hpp"
#include "seam/load/assemble.hpp"

namespace seam::engine {
namespace {

/// Whether the same files are read, and the same of them.
bool same_files(const Changes& one, const Changes& other) {
  return one.plan_file == other.plan_file && one.design == other.design && one.opened_folders == other.opened_folders &&
         one.ssd == other.ssd && one.embedded_plan == other.embedded_plan;
}

bool same_settings(const Changes& one, const Changes& other) { return same_files(one, other) && one.set == other.set; }

bool is_auto(const std::optional<std::string>& text) { return text && text->starts_with(system::auto_word); }

}  // namespace

Opener::Opener(std::string path) : path_(std::move(path)) {}

bool Opener::is_step_late(const Changes& all) const { return !describes_by_step_ && !is_auto(all.step); }

/// Those that nothing looks at before the plan is completed.
Changes Opener::late(const Changes& all) const {
  Changes changes;
  changes.coupling = all.coupling;
  changes.corrector = all.corrector;
  changes.feedthrough = all.feedthrough;
  changes.schedule = all.schedule;
  if (is_step_late(all)) changes.step = all.step;
  return changes;
}

/// All the others.
void Opener::leave_early(Changes& all) const {
  if (is_step_late(all)) all.step.reset();
  all.coupling.reset();
  all.corrector.reset();
  all.feedthrough.reset();
  all.schedule.reset();
}

bool Opener::read(const Changes& changes) {
  if (read_.valid && same_files(read_.changes, changes)) return true;
  read_.valid = false;
  base::Problems problems;
  auto description = read_description(path_, changes, problems);
  if (!description || !problems.empty()) return false;
  read_ = Stage{true, changes, std::move(*description)};
  return true;
}

bool Opener::set(const Changes& changes) {
  if (set_.valid && same_settings(set_.changes, changes)) return true;
  set_.valid = false;
  if (!read(changes)) return false;
  base::Problems problems;
  set_.changes = changes;
  set_.description = read_.description;
  change_settings(changes, set_.description, problems);
  describes_by_step_ = load::describes_by_step(set_.description);
  return set_.valid = problems.empty();
}

bool Opener::describe(const Changes& changes) {
  if (!set(changes)) return false;
  early_ = changes;
  leave_early(early_);
  if (described_.valid && described_.changes == early_) return true;
  described_.valid = false;
  base::Problems problems;
  described_.changes = early_;
  described_.description = set_.description;
  apply(early_, described_.description, problems);
  engine::describe(changes, described_.description, problems, &shelf_);
  return described_.valid = problems.empty();
}

System Opener::open(const Changes& changes) {
  if (!describe(changes)) return engine::open(path_, changes);  // which says what is wrong
  base::Problems problems;
  system::SystemDescription description = std::move(spare_.description);
  description = described_.description;
  Changes rest = late(changes);
  if (rest.coupling) {
    auto known = couplings_.find(*rest.coupling);
    if (known == couplings_.end())
      known = couplings_.emplace(*rest.coupling, parse_coupling(*rest.coupling, problems)).first;
    apply_coupling(known->second, description);
    if (!problems.empty()) couplings_.erase(known);
  }
  rest.coupling.reset();
  apply(rest, description, problems);
  if (!problems.empty()) return engine::open(path_, changes);
  return planned(std::move(description), changes, problems);
}

}  // namespace seam::engine
