#include "seam/load/model_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/load/makers.hpp"

namespace seam::load {
namespace {

using system::Setting;
using system::Value;

/// Wherever they were written.
bool are_same(const Value& one, const Value& other) {
  const auto same_entry = [](const auto& a, const auto& b) {
    return a.first == b.first && are_same(a.second, b.second);
  };
  return one.kind == other.kind && one.boolean == other.boolean &&
         (one.number == other.number || (one.number != one.number && other.number != other.number)) &&
         one.unit == other.unit && one.text == other.text &&
         std::equal(one.items.begin(), one.items.end(), other.items.begin(), other.items.end(), are_same) &&
         std::equal(one.entries.begin(), one.entries.end(), other.entries.begin(), other.entries.end(), same_entry);
}

bool are_same(const std::vector<Setting>& one, const std::vector<Setting>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Setting& a, const Setting& b) { return a.name == b.name && are_same(a.value, b.value); });
}

ModelEntry::Needs needs_of(const std::string& model) {
  const auto& catalog = model_catalog();
  const auto entry = std::ranges::find(catalog, model, &ModelEntry::name);
  return entry == catalog.end() ? ModelEntry::Needs::parameters : entry->needs;
}

/// Of two contexts for the same model.
bool are_same(const MakeContext& one, const MakeContext& other, ModelEntry::Needs needs) {
  switch (needs) {
    case ModelEntry::Needs::parameters:
      return true;
    case ModelEntry::Needs::solver_step:
      return one.solver_step == other.solver_step;
    case ModelEntry::Needs::files:
      return one.reach.folder == other.reach.folder && one.reach.opened == other.reach.opened;
  }
  return false;
}

}  // namespace

const std::vector<ModelEntry>& model_catalog() {
  static const std::vector<ModelEntry> catalog = [] {
    std::vector<ModelEntry> all;
    for (auto entries : {block_models(), csv_models(), linear_models(), mass_chain_models(), signal_models()}) {
      for (ModelEntry& entry : entries) all.push_back(std::move(entry));
    }
    std::ranges::sort(all, [](const ModelEntry& a, const ModelEntry& b) { return a.name < b.name; });
    return all;
  }();
  return catalog;
}

std::optional<models::Model> make_model(const system::Subsystem& subsystem, const MakeContext& context,
                                        base::Problems& problems) {
  const auto& catalog = model_catalog();
  const system::BuiltInModel& named = *subsystem.model();
  const base::Location where = named.where.line > 0 ? named.where : subsystem.where;
  const auto entry = std::ranges::find(catalog, named.name, &ModelEntry::name);
  if (entry == catalog.end()) {
    std::vector<std::string> names;
    for (const ModelEntry& known : catalog) names.push_back(known.name);
    std::string mend = base::did_you_mean(named.name, names);
    if (mend.empty()) mend = fmt::format("known: {}", fmt::join(names, ", "));
    problems.add(where, fmt::format("there is no model \"{}\"", named.name), mend);
    return std::nullopt;
  }
  const std::size_t before = problems.size();
  std::vector<ParameterReader::Given> given;
  for (const system::Setting& setting : subsystem.set) given.push_back({setting.name, &setting.value, setting.where});
  ParameterReader parameters({entry->name, where}, std::move(given), entry->parameters, problems);
  std::optional<models::Model> model = entry->make(parameters, context);
  if (problems.size() > before) return std::nullopt;
  return model;
}

std::shared_ptr<const models::Model> ModelCache::model(std::size_t number, const system::Subsystem& subsystem,
                                                       const MakeContext& context, base::Problems& problems) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() <= number) kept_.resize(number + 1);
  Kept& kept = kept_[number];
  const std::string& name = subsystem.model()->name;
  if (kept.model && kept.name == name && are_same(kept.set, subsystem.set) &&
      are_same(kept.context, context, needs_of(name)))
    return kept.model;
  kept = {};
  auto made = make_model(subsystem, context, problems);
  if (!made) return nullptr;
  kept = {name, subsystem.set, context, std::make_shared<const models::Model>(std::move(*made))};
  return kept.model;
}

}  // namespace seam::load
