#include "seam/study/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "seam/base/names.hpp"
#include "seam/formats/number.hpp"
#include "seam/study/expression.hpp"

namespace seam::study {
namespace {

bool is_path(const std::string& name) { return name.find('.') != std::string::npos || name == "design"; }

void change(const std::string& path, const std::string& text, engine::Changes& changes) {
  if (path == "plan.step") {
    changes.step = text;
  } else if (path == "plan.coupling") {
    changes.coupling = text;
  } else if (path == "plan.corrector") {
    changes.corrector = text;
  } else if (path == "plan.feedthrough") {
    changes.feedthrough = text;
  } else if (path == "plan.schedule") {
    changes.schedule = text;
  } else if (path == "design") {
    changes.design = text;
  } else if (path == "experiment.start") {
    changes.start = text;
  } else if (path == "experiment.stop") {
    changes.stop = text;
  } else if (path == "record.every") {
    changes.every = text;
  } else if (is_path(path)) {
    changes.set.push_back(path + "=" + text);
  }
}

/// The names that have a value, and who was asked for.
class Names {
 public:
  void give(const std::string& name, const std::string& text) { texts_[name] = text; }

  /// A value with a unit has no number of its own: 1 ms is neither 1 nor 0.001 before somebody takes it.
  std::optional<double> operator()(const std::string& name) {
    asked_.insert(name);
    const auto found = texts_.find(name);
    if (found == texts_.end()) return std::nullopt;
    const formats::NumberRead read = formats::read_number(found->second);
    if (read.reading != formats::Reading::number) return std::nullopt;
    return read.number;
  }

  bool has(const std::string& name) const { return texts_.contains(name); }
  bool was_asked_for(const std::string& name) const { return asked_.contains(name); }
  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const auto& [name, text] : texts_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, std::string> texts_;
  std::set<std::string> asked_;
};

std::string filled(const Assignment& assignment, Names& names) {
  ExpressionProblem problem;
  const auto text = substitute(
      assignment.text, [&](const std::string& name) { return names(name); }, problem);
  if (text) return *text;
  base::Problems problems;
  std::string mend = problem.unknown.empty() ? "" : base::did_you_mean(problem.unknown, names.all());
  if (names.has(problem.unknown))
    mend = "its value is no plain number: leave its unit out, and write it behind the brace";
  problems.add(assignment.where, fmt::format("in \"{}\": {}", assignment.text, problem.what), std::move(mend));
  throw base::ProblemsFound(problems);
}

void apply_point(const Study& study, const Point& point, Names& names, engine::Changes& changes) {
  const std::vector<std::string> paths = varied_paths(study);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    names.give(paths[i], point.texts[i]);
    change(paths[i], point.texts[i], changes);
  }
  for (const Assignment& assignment : study.assignments) {
    const std::string text = filled(assignment, names);
    names.give(assignment.path, text);
    change(assignment.path, text, changes);
  }
  changes.variables = study.variables;
}

}  // namespace

std::vector<std::string> varied_paths(const Study& study) {
  std::vector<std::string> paths;
  for (const Axis& axis : study.axes) paths.insert(paths.end(), axis.paths.begin(), axis.paths.end());
  for (const Draw& draw : study.draws) paths.push_back(draw.path);
  return paths;
}

std::size_t count_points(const Study& study) {
  std::size_t count = study.samples;
  for (const Axis& axis : study.axes) count *= axis.values.size();
  return count;
}

Point point_of(const Study& study, std::size_t number) {
  Point point;
  point.number = number;
  point.sample = number % study.samples;
  std::size_t left = number / study.samples;
  std::vector<std::size_t> chosen(study.axes.size());
  for (std::size_t i = study.axes.size(); i-- > 0; left /= study.axes[i].values.size())
    chosen[i] = left % study.axes[i].values.size();
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    const auto& values = study.axes[i].values[chosen[i]];
    point.texts.insert(point.texts.end(), values.begin(), values.end());
  }
  for (const Draw& draw : study.draws)
    point.texts.push_back(draw_text(draw.distribution, {study.seed.value_or(0), point.sample, draw.path}));
  return point;
}

engine::Changes changes_of(const Study& study, const Point& point) {
  engine::Changes changes;
  Names names;
  apply_point(study, point, names, changes);
  return changes;
}

void couple_by(const Method& method, const engine::Changes& point, engine::Changes& changes) {
  changes.coupling = method.coupling ? method.coupling : point.coupling;
  changes.feedthrough = method.feedthrough ? method.feedthrough : point.feedthrough;
  changes.corrector = method.corrector ? method.corrector : point.corrector;
  changes.schedule = method.schedule ? method.schedule : point.schedule;
}

engine::Changes changes_of(const Study& study, const Point& point, const Method& method) {
  engine::Changes changes = changes_of(study, point);
  couple_by(method, engine::Changes(changes), changes);
  return changes;
}

PointChanges all_changes_of(const Study& study, const Point& point) {
  PointChanges all;
  Names names;
  apply_point(study, point, names, all.own);
  all.reference = all.own;
  for (const Assignment& assignment : study.reference.assignments)
    change(assignment.path, filled(assignment, names), all.reference);
  return all;
}

std::vector<std::string> unused_names(const Study& study) {
  engine::Changes unheard;
  Names names;
  apply_point(study, point_of(study, 0), names, unheard);
  for (const Assignment& assignment : study.reference.assignments) filled(assignment, names);
  std::vector<std::string> unused;
  const std::vector<std::string> by = study.summary.by.value_or(std::vector<std::string>{});
  for (const std::string& name : names.all()) {
    const bool names_a_group = std::find(by.begin(), by.end(), name) != by.end();
    if (!is_path(name) && !names.was_asked_for(name) && !names_a_group) unused.push_back(name);
  }
  return unused;
}

}  // namespace seam::study
