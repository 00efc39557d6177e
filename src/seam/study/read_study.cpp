#include "seam/study/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "seam/base/names.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/system_values.hpp"
#include "seam/study/study_values.hpp"
#include "seam/study/value_template.hpp"

namespace seam::study {
namespace {

using formats::Node;

const std::vector<std::string> keys = {"study",   "name",         "description", "system",      "set",
                                       "vary",    "cases",        "samples",     "sampling",    "sensitivities",
                                       "seed",    "compare",      "compare_at",  "reference",   "exclude",
                                       "metrics", "trajectories", "summarise",   "growth_limit"};

/// What all rows follow from, apart from files: how they are summarised is no part of it.
std::string identity_of(const Node& root) {
  formats::Sha256 hash;
  for (const std::string& key : keys) {
    const Node* const node = root.find(key);
    if (!node || key == "name" || key == "description" || key == "summarise") continue;
    hash.add(key + ": " + value_text(*node) + "\n");
  }
  return hash.finish();
}

/// A value of one of the paths that say how to couple, and not what.
struct Choice {
  std::optional<std::string> text, name;  ///< none: as the system says; as the text says
  engine::CouplingChanges changes = {};
};
using Choices = std::vector<Choice>;

Choices read_choices(const Node& vary, const char* path, base::Problems& problems) {
  const Node* const node = vary.find(path);
  if (!node) return {Choice{}};
  Choices choices;
  if (!load::expect(*node, Node::Kind::sequence, path, problems)) return {Choice{}};
  for (const auto& item : node->items) {
    Choice choice{coupling_text(*item), coupling_name(*item, problems), read_coupling_template(path, *item, problems)};
    const std::string& said = choice.name ? *choice.name : *choice.text;
    if (std::ranges::any_of(choices, [&](const Choice& other) {
          return other.text == choice.text || (other.name ? *other.name : *other.text) == said;
        }))
      problems.add(item->where, fmt::format("\"{}\" stands here twice", said));
    choices.push_back(std::move(choice));
  }
  if (choices.empty()) {
    problems.add(node->where, fmt::format("\"{}\" has no value", path));
    choices.emplace_back();
  }
  return choices;
}

/// One choice a path, in their order.
Method method_of(const std::vector<Choice>& choices) {
  Method method;
  method.name = choices[0].name.value_or(choices[0].text.value_or("as planned"));
  for (std::size_t i = 1; i < choices.size(); ++i) {
    if (choices[i].text) method.name += " " + choices[i].name.value_or(*choices[i].text);
  }
  method.coupling = choices[2].changes;
  method.coupling.coupling = choices[0].changes.coupling;
  method.coupling.corrector = choices[1].changes.corrector;
  method.coupling.schedule = choices[3].changes.schedule;
  method.coupling.schedule_where = choices[3].changes.schedule_where;
  return method;
}

/// Every combination that begins with what is chosen, the last path moving first.
void combine(const std::vector<Choices>& all, std::vector<Choice> chosen, std::vector<Method>& methods) {
  if (chosen.size() == all.size()) {
    methods.push_back(method_of(chosen));
    return;
  }
  for (const Choice& choice : all[chosen.size()]) {
    std::vector<Choice> more = chosen;
    more.push_back(choice);
    combine(all, std::move(more), methods);
  }
}

bool is_plain_hold(const Method& method) {
  const auto& [coupling, corrector] = std::tie(method.coupling.coupling, method.coupling.corrector);
  return coupling && coupling->coupling && coupling->coupling->name == "zoh" &&
         coupling->coupling->parameters.empty() && (!corrector || corrector->name == "none");
}

/// Every combination. Where errors are asked for, a zero-order hold and a run without any coupling stand beside them:
/// an error says little by itself.
void make_methods(const Node* vary, Study& study, base::Problems& problems) {
  const Node nothing;
  const Node& map = vary ? *vary : nothing;
  std::vector<Choices> all;
  for (const std::string& path : method_paths()) all.push_back(read_choices(map, path.c_str(), problems));
  combine(all, {}, study.methods);
  if (!study.wants_reference()) return;
  engine::CouplingChanges hold;
  hold.coupling.emplace().coupling = system::MethodRequest{"zoh", {}, {}};
  hold.corrector = system::MethodRequest{"none", {}, {}};
  if (std::ranges::none_of(study.methods, is_plain_hold)) {
    all[0] = {{"zoh", std::nullopt, hold}};
    all[1] = {{std::nullopt, std::nullopt, hold}};
    combine(all, {}, study.methods);
  }
  Method control;
  control.name = "no coupling";
  control.coupling = hold;
  control.exchange = Method::Exchange::none;
  study.methods.push_back(std::move(control));
}

struct Texts {
  std::vector<std::string> names;
  std::vector<base::Location> where;
};

Texts read_texts(const Node* node, const char* what, base::Problems& problems) {
  Texts texts;
  if (!node || !load::expect(*node, Node::Kind::sequence, what, problems)) return texts;
  for (const auto& item : node->items) {
    texts.names.push_back(item->text);
    texts.where.push_back(item->where);
  }
  return texts;
}

void read_metrics(const Node* node, Study& study, base::Problems& problems) {
  study.metrics = {Metric::nrmse_range, Metric::nrmse_deviation, Metric::radius};
  if (!node) return;
  study.metrics.clear();
  if (!load::expect(*node, Node::Kind::sequence, "metrics", problems)) return;
  for (const auto& item : node->items) {
    if (item->kind == Node::Kind::map) {
      for (const Node::Entry& entry : item->entries) read_own_metric(entry, study, problems);
      continue;
    }
    const auto word = load::read_word(*item, "a metric", metric_words(), problems);
    if (!word) continue;
    const auto metric = static_cast<Metric>(*word);
    if (study.wants(metric)) problems.add(item->where, fmt::format("\"{}\" stands here twice", item->text));
    study.metrics.push_back(metric);
  }
  if (study.metrics.empty() && !study.wants_rows() && problems.empty())
    problems.add(node->where, "nothing is measured",
                 fmt::format("metrics: {}; or one of your own, as in  - peak: {{max: VARIABLE}}",
                             fmt::join(metric_words(), ", ")));
}

void read_reference(const Node* node, Study& study, base::Problems& problems) {
  using Solution = engine::ReferenceRequest::Solution;
  if (!node) return;
  if (node->kind == Node::Kind::map) {
    study.reference.kind = ReferenceChoice::Kind::run;
    study.reference.assignments = read_assignments(*node, "reference", problems);
    return;
  }
  const auto word = load::read_word(*node, "reference", {"automatic", "monolithic", "halving"}, problems);
  if (word)
    study.reference.request.solution = std::vector{Solution::automatic, Solution::monolithic, Solution::halving}[*word];
}

/// Both say something of the reference that only a run has.
void read_comparison(const Node& root, Study& study, base::Problems& problems) {
  const bool has_run = study.reference.kind == ReferenceChoice::Kind::run;
  const char* const mend =
      "write what is different in the run that serves as reference, as in  reference: {plan.step: 1 ms}";
  if (const Node* at = root.find("compare_at")) {
    const auto word = load::read_word(*at, "compare_at", {"communication-points", "micro-steps"}, problems);
    if (word == 1) study.compared_at = Study::ComparedAt::micro_steps;
    if (word == 1 && !has_run) problems.add(at->where, "only a run has micro steps to compare with", mend);
    if (word == 1 && study.variables.empty())
      problems.add(at->where, "nothing says what is compared at micro steps", "write  compare: [\"*.outputs\"]");
  }
  const Node* const exclude = root.find("exclude");
  if (!exclude || !load::expect(*exclude, Node::Kind::map, "exclude", problems)) return;
  load::check_keys(*exclude, "exclude", {{"reference_radius"}}, problems);
  if (const Node* radius = exclude->find("reference_radius")) {
    study.excluded_radius = load::read_finite(*radius, "reference_radius", problems);
    if (!has_run) problems.add(radius->where, "only a run has a step with a radius", mend);
  }
}

void read_summary(const Node* node, Study& study, base::Problems& problems) {
  if (!node || !load::expect(*node, Node::Kind::map, "summarise", problems)) return;
  load::check_keys(*node, "summarise", {{"by", "over", "quantiles"}}, problems);
  if (const Node* by = node->find("by")) {
    Texts paths = read_texts(by, "by", problems);
    study.summary.by = std::move(paths.names);
    study.summary.by_where = std::move(paths.where);
  }
  if (const Node* over = node->find("over"); over && load::expect(*over, Node::Kind::map, "over", problems)) {
    for (const Node::Entry& entry : over->entries) {
      Threshold threshold{entry.key, {}, entry.key_where};
      const bool several = entry.value->kind == Node::Kind::sequence;
      const auto items = several ? entry.value->items : std::vector{entry.value};
      for (const auto& item : items) {
        if (const auto limit = load::read_finite(*item, "a threshold", problems)) threshold.limits.push_back(*limit);
      }
      study.summary.over.push_back(std::move(threshold));
    }
  }
  const Node* const quantiles = node->find("quantiles");
  if (!quantiles || !load::expect(*quantiles, Node::Kind::sequence, "quantiles", problems)) return;
  study.summary.quantiles.clear();
  for (const auto& item : quantiles->items) {
    const auto share = load::read_finite(*item, "a quantile", problems);
    if (share && (*share < 0.0 || *share > 1.0)) problems.add(item->where, "a quantile lies between 0 and 1");
    if (share) study.summary.quantiles.push_back(*share);
  }
}

/// A list of metrics; those columns are checked when all are known.
void read_sensitivities(const Node* node, Study& study, base::Problems& problems) {
  const Texts columns = read_texts(node, "sensitivities", problems);
  for (std::size_t i = 0; i < columns.names.size(); ++i)
    study.sensitivities.push_back({columns.names[i], columns.where[i]});
  if (!study.sensitivities.empty() && study.draws.empty())
    problems.add(node->where, "nothing is drawn: there is no variance to share out", "vary a path by a distribution");
}

void check_sobol(const Study& study, base::Problems& problems) {
  const std::size_t dimensions = study.draws.size() * (study.sensitivities.empty() ? 1 : 2);
  if (study.sampling != Sampling::sobol || dimensions <= sobol_dimensions) return;
  problems.add(study.draws.back().where,
               fmt::format("the Sobol sequence has {} dimensions, and {} are needed", sobol_dimensions, dimensions),
               study.sensitivities.empty() ? "write  sampling: latin-hypercube"
                                           : "each draw needs two for sensitivities; write  sampling: latin-hypercube");
}

void read_variations(const Node& root, Study& study, base::Problems& problems) {
  if (const Node* vary = root.find("vary"); vary && load::expect(*vary, Node::Kind::map, "vary", problems)) {
    for (const Node::Entry& entry : vary->entries) {
      if (!is_method_path(entry.key)) read_variation(entry, study, problems);
    }
  }
  if (const Node* cases = root.find("cases")) read_cases(*cases, study, problems);
  if (const Node* samples = root.find("samples"))
    study.samples = read_count(*samples, "samples", 1, problems).value_or(1);
  if (const Node* sampling = root.find("sampling")) {
    const auto word = load::read_word(*sampling, "sampling", sampling_words(), problems);
    study.sampling = static_cast<Sampling>(word.value_or(0));
  }
  read_sensitivities(root.find("sensitivities"), study, problems);
  if (const Node* seed = root.find("seed")) study.seed = read_count(*seed, "seed", 0, problems);
  if (!study.draws.empty() && !study.seed)
    problems.add(study.draws.front().where, "values are drawn, and there is no seed", "write  seed: 1");
  if (study.draws.empty() && root.find("samples"))
    problems.add(root.find("samples")->where, "nothing is drawn: all samples would be the same",
                 "vary a path by a distribution, or leave samples out");
  check_sobol(study, problems);
  std::set<std::string> seen;
  const auto once = [&](const std::string& path, const base::Location& where) {
    if (!seen.insert(path).second) problems.add(where, fmt::format("\"{}\" varies twice", path));
  };
  for (const Axis& axis : study.axes) {
    for (const std::string& path : axis.paths) once(path, axis.where);
  }
  for (const Draw& draw : study.draws) once(draw.path, draw.where);
  for (const Assignment& assignment : study.assignments) once(assignment.path, assignment.where);
}

/// The paths of a study that are no settings of the plan or the file.
void check_method_paths(const Study& study, base::Problems& problems) {
  for (const Axis& axis : study.axes) {
    for (const std::string& path : axis.paths) {
      if (is_method_path(path))
        problems.add(axis.where, fmt::format("\"{}\" cannot stand in a list of cases", path),
                     "put it under vary: every case is run with each of its values, beside the same reference");
    }
  }
}

}  // namespace

std::optional<Study> read_study(const std::string& path, base::Problems& problems) {
  return read_study_text(formats::read_text(path), path, problems);
}

std::optional<Study> read_study_text(const std::string& text, const std::string& path, base::Problems& problems) {
  const auto root = formats::read_yaml(text, path, problems);
  if (!root || !load::expect(*root, Node::Kind::map, "a study", problems)) return std::nullopt;
  load::check_keys(*root, "a study", {keys}, problems);
  const Node* const version = root->find("study");
  const Node* const system = root->find("system");
  if (!version)
    problems.add(root->where, "this is no study file: the key \"study\" is missing",
                 "write  study: 1  as its first line");
  else if (version->text != "1")
    problems.add(version->where, fmt::format("version \"{}\" of the format is not known", version->text), "write 1");
  if (!system) {
    problems.add(root->where, "the system is missing", "write  system: FILE");
    return std::nullopt;
  }
  Study study;
  study.path = path;
  study.where = root->where;
  study.name = std::filesystem::path(path).stem().string();
  if (const Node* name = root->find("name")) study.name = load::read_text(*name, "name", problems).value_or(study.name);
  const std::string file = load::read_text(*system, "system", problems).value_or("");
  study.system = (std::filesystem::path(path).parent_path() / file).lexically_normal().string();
  if (!std::filesystem::is_regular_file(study.system))
    problems.add(system->where, fmt::format("there is no file \"{}\"", study.system),
                 "it is looked for beside the study");
  if (const Node* set = root->find("set")) study.assignments = read_assignments(*set, "set", problems);
  study.variables = read_texts(root->find("compare"), "compare", problems).names;
  const Texts kept = read_texts(root->find("trajectories"), "trajectories", problems);
  study.trajectories = kept.names;
  study.trajectories_where = kept.where;
  read_metrics(root->find("metrics"), study, problems);
  read_reference(root->find("reference"), study, problems);
  read_variations(*root, study, problems);
  check_method_paths(study, problems);
  make_methods(root->find("vary"), study, problems);
  read_comparison(*root, study, problems);
  if (const Node* limit = root->find("growth_limit"))
    study.growth_limit = load::read_finite(*limit, "growth_limit", problems).value_or(study.growth_limit);
  read_summary(root->find("summarise"), study, problems);
  study.identity = identity_of(*root);
  return study;
}

const std::vector<std::string>& metric_words() {
  static const std::vector<std::string> words = {
      "nrmse_range", "nrmse_deviation", "nrmse_range_each", "nrmse_deviation_each", "states_range", "states_deviation",
      "radius",      "energy_added",    "wall_time"};
  return words;
}

bool is_accuracy(Metric metric) { return metric <= Metric::states_deviation; }

bool Study::wants(Metric metric) const { return std::ranges::find(metrics, metric) != metrics.end(); }

bool Study::gives(const std::string& asked) const {
  if (asked.find('.') != std::string::npos) return false;
  const auto is_named = [&](const auto& one) { return one.path == asked; };
  return std::ranges::any_of(
             axes, [&](const Axis& axis) { return std::ranges::find(axis.paths, asked) != axis.paths.end(); }) ||
         std::ranges::any_of(draws, is_named) || std::ranges::any_of(assignments, is_named);
}

bool Study::wants_reference() const { return std::ranges::any_of(metrics, is_accuracy); }

}  // namespace seam::study
