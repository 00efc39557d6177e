#include "seam/engine/predict/designs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/error.hpp"

namespace seam::engine {
namespace {

DesignOutlook look_at(const std::string& path, const Changes& changes, const OutlookRequest& request) {
  DesignOutlook result;
  result.name = changes.design;
  try {
    OutlookRequest brief = request;
    brief.depth = OutlookRequest::Depth::plan;
    const Outlook outlook = look_ahead(open(path, changes), brief);
    if (!outlook.stability) {
      result.problem = outlook.unknown.front();
      return result;
    }
    result.radius = outlook.stability->spectral_radius;
    if (const auto& steps = outlook.methods.front().steps) {
      result.limit = steps->first_loss();
      result.stable_throughout = steps->throughout();
    }
    result.loop_gain = result.loop_gain_in_band = std::numeric_limits<double>::infinity();
    for (const analysis::Loop& loop : outlook.loops) {
      result.loop_gain = std::min(result.loop_gain, loop.peak.norm);
      result.loop_gain_in_band = std::min(result.loop_gain_in_band, loop.in_band);
    }
  } catch (const base::ProblemsFound& found) {
    result.problem = found.problems().all().front().what;
  }
  return result;
}

DesignComparison::Rule rule_of(const std::vector<DesignOutlook>& designs, int recommended) {
  const double of_recommended = designs[static_cast<std::size_t>(recommended)].loop_gain_in_band;
  bool compared = false;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (static_cast<int>(i) == recommended || !designs[i].limit) continue;
    if (!std::isfinite(designs[i].loop_gain_in_band) || !std::isfinite(of_recommended))
      return DesignComparison::Rule::not_known;
    if (designs[i].loop_gain_in_band < of_recommended) return DesignComparison::Rule::fails;
    compared = true;
  }
  return compared ? DesignComparison::Rule::holds : DesignComparison::Rule::not_known;
}

}  // namespace

DesignComparison compare_designs(const std::string& path, const Changes& changes, const OutlookRequest& request) {
  DesignComparison result;
  std::vector<std::string> names = open(path, changes).description.designs;
  names.insert(names.begin(), "");
  for (const std::string& name : names) {
    Changes own = changes;
    own.design = name;
    result.designs.push_back(look_at(path, own, request));
  }
  for (std::size_t i = 0; i < result.designs.size(); ++i) {
    const auto& limit = result.designs[i].limit;
    if (!limit) continue;
    if (result.recommended < 0 || *limit > *result.designs[static_cast<std::size_t>(result.recommended)].limit)
      result.recommended = static_cast<int>(i);
  }
  if (result.recommended >= 0) result.rule = rule_of(result.designs, result.recommended);
  return result;
}

}  // namespace seam::engine
