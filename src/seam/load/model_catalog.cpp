#include "seam/load/model_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/load/makers_blocks.hpp"
#include "seam/load/makers_csv.hpp"
#include "seam/load/makers_linear.hpp"
#include "seam/load/makers_mass_chain.hpp"
#include "seam/load/makers_signals.hpp"

namespace seam::load {

const std::vector<ModelEntry>& model_catalog() {
  static const std::vector<ModelEntry> catalog = [] {
    std::vector<ModelEntry> all;
    for (auto entries : {block_models(), csv_models(), linear_models(), mass_chain_models(), signal_models()}) {
      for (ModelEntry& entry : entries) all.push_back(std::move(entry));
    }
    std::sort(all.begin(), all.end(), [](const ModelEntry& a, const ModelEntry& b) { return a.name < b.name; });
    return all;
  }();
  return catalog;
}

std::optional<models::Model> make_model(const system::Subsystem& subsystem, const MakeContext& context,
                                        base::Problems& problems) {
  const auto& catalog = model_catalog();
  const system::BuiltInModel& named = *subsystem.model();
  const base::Location where = named.where.line > 0 ? named.where : subsystem.where;
  const auto entry = std::find_if(catalog.begin(), catalog.end(),
                                  [&](const ModelEntry& candidate) { return candidate.name == named.name; });
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

}  // namespace seam::load
