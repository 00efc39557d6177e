#include "seam/engine/open/opener.hpp"

#include "seam/engine/open/changes.hpp"
#include "seam/engine/open/completion.hpp"

namespace seam::engine {

Opener::Opener(std::string path) : path_(std::move(path)) {}

void Opener::read(const std::string& design) {
  if (design_ == design) return;
  read_problems_ = {};
  Changes files;
  files.design = design;
  description_ = read_description(path_, files, read_problems_);
  design_ = design;
}

void Opener::set(const ValueChanges& changes) {
  read(changes.design);
  problems_ = read_problems_;
  if (!description_) return;
  described_ = *description_;
  change_settings(changes.set, described_, problems_);
  apply(changes.coupling, described_);
  record_variables(changes.variables, described_);
  describe({}, described_, problems_, &shelf_);
}

System Opener::open(const CouplingChanges& coupling) {
  if (!design_) set({});
  if (!description_) throw base::ProblemsFound(problems_);
  base::Problems problems = problems_;
  system::SystemDescription description = std::move(spare_.description);
  description = described_;
  apply(coupling, description);
  return planned(std::move(description), {}, problems);
}

}  // namespace seam::engine
