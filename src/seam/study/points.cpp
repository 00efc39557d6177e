#include "seam/study/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "seam/base/names.hpp"
#include "seam/study/study_values.hpp"
#include "seam/study/value_template.hpp"

namespace seam::study {
namespace {

bool is_path(const std::string& name) { return name.find('.') != std::string::npos || name == "design"; }

void change(const std::string& path, const system::Value& value, const base::Location& where,
            engine::ValueChanges& changes) {
  if (path == "design") {
    changes.design = value.text;
  } else if (is_path(path)) {
    changes.set.push_back({path, value, where});
    if (!value.where.source) changes.set.back().value.where = where;
  }
}

/// The names that have a value, and who was asked for.
class Names {
 public:
  /// A value with a unit has no number of its own: 1 ms is neither 1 nor 0.001 before the variable that takes it is
  /// known.
  void give(const std::string& name, const system::Value& value) {
    const bool plain = value.kind == system::Value::Kind::number && value.unit.empty();
    numbers_[name] = plain ? std::optional(value.number) : std::nullopt;
  }

  std::optional<double> operator()(const std::string& name) {
    asked_.insert(name);
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : found->second;
  }

  bool has(const std::string& name) const { return numbers_.contains(name); }
  std::map<std::string, double> plain_numbers() const {
    std::map<std::string, double> plain;
    for (const auto& [name, number] : numbers_) {
      if (number) plain.emplace(name, *number);
    }
    return plain;
  }
  bool was_asked_for(const std::string& name) const { return asked_.contains(name); }
  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const auto& [name, number] : numbers_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, std::optional<double>> numbers_;
  std::set<std::string> asked_;
};

/// The template with the numbers of the names.
template <typename Template>
Template filled(const Assignment& assignment, Template value, Names& names) {
  ExpressionProblem problem;
  if (fill(
          value, [&](const std::string& name) { return names(name); }, problem))
    return value;
  base::Problems problems;
  std::string mend = problem.unknown.empty() ? "" : base::did_you_mean(problem.unknown, names.all());
  if (names.has(problem.unknown))
    mend = "its value is no plain number: leave its unit out, and write it behind the brace";
  problems.add(assignment.where, fmt::format("in \"{}\": {}", assignment.text, problem.what), std::move(mend));
  throw base::ProblemsFound(problems);
}

void apply(const Assignment& assignment, Names& names, engine::ValueChanges& changes) {
  if (!is_method_path(assignment.path)) {
    const system::Value value = filled(assignment, assignment.value, names);
    names.give(assignment.path, value);
    change(assignment.path, value, assignment.where, changes);
    return;
  }
  engine::CouplingChanges more = filled(assignment, assignment.coupling, names);
  if (more.coupling) changes.coupling.coupling = std::move(more.coupling);
  if (more.corrector) changes.coupling.corrector = std::move(more.corrector);
  if (more.feedthrough) changes.coupling.feedthrough = more.feedthrough;
  if (more.schedule) changes.coupling.schedule = std::move(more.schedule);
}

/// The value of one draw. That of B has a stream and a dimension of its own.
system::Value drawn(const Study& study, std::size_t number, const Point& point) {
  const Draw& one = study.draws[number];
  const bool from_second = point.variant == 1 || point.variant == number + 2;
  const DrawKey key{study.seed.value_or(0), point.sample, from_second ? one.path + " (B)" : one.path};
  switch (study.sampling) {
    case Sampling::latin_hypercube:
      return value_at(one.distribution, latin_hypercube_number(key, study.samples));
    case Sampling::sobol:
      return value_at(one.distribution, sobol_number(key, from_second ? study.draws.size() + number : number));
    case Sampling::random:
      break;
  }
  return draw(one.distribution, key);
}

void apply_point(const Study& study, const Point& point, Names& names, engine::ValueChanges& changes) {
  std::size_t i = 0;
  const auto vary = [&](const std::string& path, const base::Location& where) {
    names.give(path, point.values[i]);
    change(path, point.values[i++], where, changes);
  };
  for (const Axis& axis : study.axes) {
    for (const std::string& path : axis.paths) vary(path, axis.where);
  }
  for (const Draw& draw : study.draws) vary(draw.path, draw.where);
  for (const Assignment& assignment : study.assignments) apply(assignment, names, changes);
}

}  // namespace

std::vector<std::string> varied_paths(const Study& study) {
  std::vector<std::string> paths;
  for (const Axis& axis : study.axes) paths.insert(paths.end(), axis.paths.begin(), axis.paths.end());
  for (const Draw& draw : study.draws) paths.push_back(draw.path);
  return paths;
}

std::size_t variants_of_a_sample(const Study& study) {
  return study.sensitivities.empty() ? 1 : study.draws.size() + 2;
}

std::size_t count_points(const Study& study) {
  std::size_t count = study.samples * variants_of_a_sample(study);
  for (const Axis& axis : study.axes) count *= axis.values.size();
  return count;
}

Point point_of(const Study& study, std::size_t number) {
  Point point;
  point.number = number;
  const std::size_t variants = variants_of_a_sample(study);
  point.variant = number % variants;
  point.sample = number / variants % study.samples;
  std::size_t left = number / variants / study.samples;
  std::vector<std::size_t> chosen(study.axes.size());
  for (std::size_t i = study.axes.size(); i-- > 0; left /= study.axes[i].values.size())
    chosen[i] = left % study.axes[i].values.size();
  const auto add = [&](system::Value value) {
    point.texts.push_back(value.text);
    point.values.push_back(std::move(value));
  };
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    for (const system::Value& value : study.axes[i].values[chosen[i]]) add(value);
  }
  for (std::size_t i = 0; i < study.draws.size(); ++i) add(drawn(study, i, point));
  return point;
}

engine::ValueChanges changes_of(const Study& study, const Point& point) {
  engine::ValueChanges changes;
  Names names;
  apply_point(study, point, names, changes);
  changes.variables = study.recorded.empty() ? study.variables : study.recorded;
  return changes;
}

std::map<std::string, double> numbers_of(const Study& study, const Point& point) {
  engine::ValueChanges unheard;
  Names names;
  apply_point(study, point, names, unheard);
  return names.plain_numbers();
}

engine::ValueChanges reference_changes_of(const Study& study, const Point& point) {
  engine::ValueChanges changes;
  Names names;
  apply_point(study, point, names, changes);
  for (const Assignment& assignment : study.reference.assignments) apply(assignment, names, changes);
  changes.variables = study.variables;
  return changes;
}

std::vector<std::string> unused_names(const Study& study) {
  engine::ValueChanges unheard;
  Names names;
  apply_point(study, point_of(study, 0), names, unheard);
  for (const Assignment& assignment : study.reference.assignments) apply(assignment, names, unheard);
  for (const OwnMetric& metric : study.own_metrics) {
    for (const Expression::Name& name : metric.of.names()) names(name.text);
  }
  std::vector<std::string> unused;
  const std::vector<std::string> by = study.summary.by.value_or(std::vector<std::string>{});
  for (const std::string& name : names.all()) {
    const bool names_a_group = std::ranges::find(by, name) != by.end();
    if (!is_path(name) && !names.was_asked_for(name) && !names_a_group) unused.push_back(name);
  }
  return unused;
}

}  // namespace seam::study
