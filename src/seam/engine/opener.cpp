#include "seam/engine/opener.hpp"

#include "seam/engine/changes.hpp"
#include "seam/engine/completion.hpp"

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

/// Those of the coupling alone: nothing looks at them before the plan is completed.
Changes of_coupling(const Changes& all) {
  Changes changes;
  changes.coupling = all.coupling;
  changes.corrector = all.corrector;
  changes.feedthrough = all.feedthrough;
  changes.schedule = all.schedule;
  return changes;
}

/// All the others; of the coupling only what is changed and not to what, since a change takes something away, too.
Changes without_coupling(const Changes& all) {
  Changes changes = all;
  for (auto* const change : {&changes.coupling, &changes.corrector, &changes.feedthrough, &changes.schedule}) {
    if (*change) change->emplace();
  }
  return changes;
}

}  // namespace

Opener::Opener(std::string path) : path_(std::move(path)) {}

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
  const Changes own = without_coupling(changes);
  if (described_ && described_->changes == own) return true;
  described_.reset();
  if (!set(changes)) return false;
  base::Problems problems;
  Stage stage{own, set_->description};
  apply(changes, stage.description, problems);
  engine::describe(changes, stage.description, problems);
  if (problems.empty()) described_ = std::move(stage);
  return problems.empty();
}

System Opener::open(const Changes& changes) {
  if (!describe(changes)) return engine::open(path_, changes);  // which says what is wrong
  base::Problems problems;
  system::SystemDescription description = described_->description;
  Changes rest = of_coupling(changes);
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
