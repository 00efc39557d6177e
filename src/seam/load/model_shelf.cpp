#include "seam/load/model_shelf.hpp"

#include <algorithm>

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

bool needs_parameters_only(const std::string& model) {
  const auto& catalog = model_catalog();
  return std::any_of(catalog.begin(), catalog.end(), [&](const ModelEntry& entry) {
    return entry.name == model && entry.needs == ModelEntry::Needs::parameters;
  });
}

}  // namespace

std::shared_ptr<const models::Model> ModelShelf::model(std::size_t number, const system::Subsystem& subsystem,
                                                       const MakeContext& context, base::Problems& problems) {
  if (kept_.size() <= number) kept_.resize(number + 1);
  Kept& kept = kept_[number];
  const std::string& name = subsystem.model()->name;
  if (kept.model && kept.name == name && are_same(kept.set, subsystem.set)) return kept.model;
  kept = {};
  auto made = make_model(subsystem, context, problems);
  if (!made) return nullptr;
  auto model = std::make_shared<const models::Model>(std::move(*made));
  if (needs_parameters_only(name)) kept = {name, subsystem.set, model};
  return model;
}

}  // namespace seam::load
