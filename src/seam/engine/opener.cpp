#include "seam/engine/opener.hpp"

#include "seam/engine/changes.hpp"
#include "seam/engine/completion.hpp"
#include "seam/load/assemble.hpp"

namespace seam::engine {
namespace {

/// Those that say which files are read, and what of them.
Changes of_files(const Changes& all) {
  Changes changes;
  changes.plan_file = all.plan_file;
  changes.design = all.design;
  changes.opened_folders = all.opened_folders;
  changes.ssd = all.ssd;
  changes.embedded_plan = all.embedded_plan;
  return changes;
}

Changes of_settings(const Changes& all) {
  Changes changes = of_files(all);
  changes.set = all.set;
  return changes;
}

bool is_auto(const std::optional<std::string>& text) { return text && text->starts_with(system::auto_word); }

}  // namespace

Opener::Opener(std::string path) : path_(std::move(path)) {}

/// Those that nothing looks at before the plan is completed.
Changes Opener::late(const Changes& all) const {
  Changes changes;
  changes.coupling = all.coupling;
  changes.corrector = all.corrector;
  changes.feedthrough = all.feedthrough;
  changes.schedule = all.schedule;
  if (!load::describes_by_step(set_->description) && !is_auto(all.step)) changes.step = all.step;
  return changes;
}

/// All the others; of the coupling only what is changed and not to what, since a change takes something away, too.
Changes Opener::early(const Changes& all) const {
  Changes changes = all;
  for (auto* const change : {&changes.coupling, &changes.corrector, &changes.schedule}) {
    if (*change) change->emplace();
  }
  changes.feedthrough.reset();
  if (late(all).step) changes.step.reset();
  return changes;
}

bool Opener::read(const Changes& changes) {
  const Changes own = of_files(changes);
  if (read_ && read_->changes == own) return true;
  read_.reset();
  base::Problems problems;
  auto description = read_description(path_, own, problems);
  if (!description || !problems.empty()) return false;
  read_ = Stage{own, std::move(*description)};
  return true;
}

bool Opener::set(const Changes& changes) {
  const Changes own = of_settings(changes);
  if (set_ && set_->changes == own) return true;
  set_.reset();
  if (!read(changes)) return false;
  base::Problems problems;
  Stage stage{own, read_->description};
  change_settings(own, stage.description, problems);
  if (problems.empty()) set_ = std::move(stage);
  return problems.empty();
}

bool Opener::describe(const Changes& changes) {
  if (!set(changes)) return false;
  const Changes own = early(changes);
  if (described_ && described_->changes == own) return true;
  described_.reset();
  base::Problems problems;
  Stage stage{own, set_->description};
  Changes known = own;
  known.coupling = changes.coupling;
  known.corrector = changes.corrector;
  known.schedule = changes.schedule;
  apply(known, stage.description, problems);
  engine::describe(changes, stage.description, problems);
  if (problems.empty()) described_ = std::move(stage);
  return problems.empty();
}

System Opener::open(const Changes& changes) {
  if (!describe(changes)) return engine::open(path_, changes);  // which says what is wrong
  base::Problems problems;
  system::SystemDescription description = described_->description;
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
