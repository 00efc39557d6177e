#include "seam/study/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/record/compare.hpp"

namespace seam::study {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter < ' '; }, ' ');
  return text;
}

std::string first_of(const base::Problems& problems) {
  const base::Problem& first = problems.all().front();
  std::string text = first.what;
  if (!first.mend.empty()) text += " (" + first.mend + ")";
  if (problems.size() > 1) text += fmt::format("; and {} more", problems.size() - 1);
  return text;
}

/// What every method of a point is compared with.
struct Reference {
  std::vector<formats::Table> tables;  ///< one, or one a subsystem at its micro steps
  formats::Table states;
  std::vector<record::ReferenceFacts> facts;  ///< of the tables
  record::ReferenceFacts states_facts;
  std::string excluded;  ///< why its point does not count; empty: it does
  std::string missing;   ///< why there is none; empty: there is
  std::string remark;    ///< what should be known of it
  bool interrupted = false;
};

class Measuring {
 public:
  /// What does not belong to one point alone.
  struct Tools {
    engine::Opener& opener;
    std::vector<formats::Table>& spare;
    MetricEvaluator& own_metrics;
    const std::atomic<bool>* stop_asked = nullptr;
  };
  Measuring(const Study& study, const Sheet& sheet, std::size_t point, const Tools& tools)
      : study_(study),
        sheet_(sheet),
        point_(point_of(study, point)),
        opener_(tools.opener),
        spare_(tools.spare),
        own_metrics_(tools.own_metrics) {
    settings_.growth_limit = study.growth_limit;
    settings_.stop_asked = tools.stop_asked;
  }

  std::vector<Row> operator()() {
    if (study_.wants_reference() || study_.excluded_radius) find_reference();
    std::vector<Row> rows;
    for (std::size_t method = 0; method < study_.methods.size() && !stopped(); ++method) rows.push_back(row_of(method));
    if (stopped()) rows.clear();
    // tables of another origin would pile up: no run takes so many
    if (study_.reference.kind == ReferenceChoice::Kind::run) give_back(std::move(reference_.tables));
    return rows;
  }

 private:
  bool stopped() const { return settings_.stop_asked && settings_.stop_asked->load(std::memory_order_relaxed); }

  /// Whatever goes wrong in `work` becomes a text; empty if nothing did.
  template <typename Work>
  static std::string complaint_of(const Work& work) {
    try {
      work();
    } catch (const base::ProblemsFound& found) {
      return on_one_line(first_of(found.problems()));
    } catch (const base::Error& error) {
      return on_one_line(error.what());
    } catch (const std::exception& error) {
      return on_one_line(fmt::format("internal error: {}", error.what()));
    }
    return {};
  }

  void find_reference() {
    reference_.missing = complaint_of([&] {
      opener_.set(reference_changes_of(study_, point_));
      engine::System system = recorded(opener_.open());
      if (study_.excluded_radius) exclude_by_radius(system);
      if (!reference_.excluded.empty()) return;
      if (study_.reference.kind == ReferenceChoice::Kind::run) {
        engine::MemoryRun run =
            engine::run_in_memory(system, settings_, {kept(RunOf::reference), &spare_, &opener_.cache()});
        if (run.result.ending != stepping::Ending::completed)
          throw base::Error(base::Failure::subsystem, end_words(run));
        reference_.states = std::move(run.states);
        reference_.tables = tables_of(std::move(run));
        opener_.take_back(std::move(system));
        return;
      }
      engine::ReferenceTable found = engine::reference_in_memory(system, settings_, study_.reference.request);
      if (!found.summary.diverged.empty())
        throw base::Error(base::Failure::subsystem, "it diverges: " + found.summary.diverged);
      reference_.remark = on_one_line(found.summary.disagreement);
      reference_.tables = {std::move(found.table)};
      reference_.states = std::move(found.states);
    });
    if (!reference_.missing.empty()) reference_.missing = "there is no reference: " + reference_.missing;
  }

  /// Micro steps are recorded where they are compared; what bonds do costs time and is watched only if it is asked for.
  engine::System recorded(engine::System system) const {
    if (!study_.wants(Metric::energy_added)) system.description.bonds.clear();
    if (study_.compared_at == Study::ComparedAt::micro_steps) system.description.record.micro = study_.variables;
    return system;
  }

  enum class RunOf { reference, a_case };
  /// Only what is compared, or measured of every case.
  engine::Kept kept(RunOf run) const {
    if (study_.wants(Metric::states_range) || study_.wants(Metric::states_deviation))
      return engine::Kept::ports_and_states;
    const bool compared = study_.wants_reference() && study_.compared_at != Study::ComparedAt::micro_steps;
    const bool measured = run == RunOf::a_case && study_.wants_rows();
    return compared || measured ? engine::Kept::ports : engine::Kept::nothing;
  }

  void give_back(std::vector<formats::Table> tables) {
    spare_.insert(spare_.end(), std::make_move_iterator(tables.begin()), std::make_move_iterator(tables.end()));
  }

  std::vector<formats::Table> tables_of(engine::MemoryRun run) const {
    if (study_.compared_at == Study::ComparedAt::micro_steps) return std::move(run.micro);
    return {std::move(run.table)};
  }

  void exclude_by_radius(const engine::System& system) {
    const double radius = radius_of(system);
    if (std::isnan(radius)) throw base::Error(base::Failure::subsystem, std::exchange(remark_, {}));
    if (radius >= *study_.excluded_radius)
      reference_.excluded = fmt::format("the radius of the reference's step is {:.9g}", radius);
  }

  static std::string end_words(const engine::MemoryRun& run) {
    using stepping::Ending;
    const std::string& who = run.ended_by;
    switch (run.result.ending) {
      case Ending::diverged:
        return fmt::format("{} diverged at {:.9g} s", who, run.result.time);
      case Ending::ended_by_subsystem:
        return fmt::format("{} asked to end at {:.9g} s", who, run.result.time);
      case Ending::rejected:
        return fmt::format("{} rejected the step at {:.9g} s{}{}", who, run.result.time,
                           run.complaint.empty() ? "" : ": ", run.complaint);
      case Ending::failed:
        return fmt::format("{} failed at {:.9g} s: {}", who, run.result.time, run.complaint);
      case Ending::interrupted:
        return "interrupted";
      case Ending::completed:
        break;
    }
    return {};
  }

  static Ending ending_of(stepping::Ending ending) {
    switch (ending) {
      case stepping::Ending::completed:
        return Ending::done;
      case stepping::Ending::ended_by_subsystem:
        return Ending::ended;
      case stepping::Ending::diverged:
        return Ending::diverged;
      default:
        return Ending::failed;
    }
  }

  Row row_of(std::size_t method) {
    Row row{
        point_.number, method, point_.texts, Ending::done, std::vector<double>(sheet_.metrics.size(), not_known), {}};
    if (!reference_.excluded.empty()) {
      row.ending = Ending::excluded;
      row.reason = reference_.excluded;
      return row;
    }
    row.reason = complaint_of([&] { measure(study_.methods[method], row); });
    if (!row.reason.empty()) row.ending = Ending::failed;
    if (row.reason.empty()) row.reason = std::move(remark_);
    remark_.clear();
    if (row.ending == Ending::failed) std::ranges::fill(row.metrics, not_known);
    return row;
  }

  void measure(const Method& method, Row& row) {
    if (!is_set_) opener_.set(changes_of(study_, point_));
    is_set_ = true;
    engine::System system = recorded(opener_.open(method.coupling));
    const bool control = method.exchange == Method::Exchange::none;
    if (control) system = engine::without_exchange(std::move(system), &opener_.cache());
    if (!reference_.missing.empty()) throw base::Error(base::Failure::subsystem, reference_.missing);
    const bool needs_run = study_.wants_reference() || study_.wants_rows() || study_.wants(Metric::energy_added) ||
                           study_.wants(Metric::wall_time);
    if (needs_run) {
      engine::MemoryRun run =
          engine::run_in_memory(system, settings_, {kept(RunOf::a_case), &spare_, &opener_.cache()});
      row.ending = ending_of(run.result.ending);
      remark_ = on_one_line(end_words(run));
      if (row.ending == Ending::failed) throw base::Error(base::Failure::subsystem, remark_);
      tell_rest(run, row);
      tell_own_metrics(run.table, row);
      keep_trajectories(run.table, row);
      if (study_.wants_reference())
        tell_errors(std::move(run), row);
      else if (study_.wants_rows())
        spare_.push_back(std::move(run.table));
    }
    if (study_.wants(Metric::radius)) set(row, "radius", radius_of(system));
    opener_.take_back(std::move(system));
  }

  void tell_own_metrics(const formats::Table& table, Row& row) {
    if (study_.own_metrics.empty() || row.ending == Ending::diverged) return;
    std::vector<std::string> remarks;
    const Lookup given = [&](const std::string& name) -> std::optional<double> {
      if (numbers_.empty()) numbers_ = numbers_of(study_, point_);
      const auto found = numbers_.find(name);
      return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    };
    const std::vector<double> values = own_metrics_(table, given, remarks);
    for (std::size_t i = 0; i < values.size(); ++i) set(row, study_.own_metrics[i].name, values[i]);
    for (const std::string& remark : remarks) add_remark(remark);
  }

  void keep_trajectories(const formats::Table& table, Row& row) const {
    if (study_.trajectories.empty()) return;
    row.trajectories.push_back(table.columns[0]);
    for (const std::string& name : study_.trajectories) row.trajectories.push_back(*table.find(name));
  }

  void add_remark(const std::string& remark) { remark_ += (remark_.empty() ? "" : "; ") + remark; }

  void set(Row& row, const std::string& column, double value) const {
    const std::size_t number = sheet_.metric(column);
    if (number < row.metrics.size()) row.metrics[number] = value;
  }

  void tell_errors(engine::MemoryRun run, Row& row) {
    if (row.ending == Ending::diverged) {
      for (std::size_t i = 0; i < row.metrics.size(); ++i) {
        const std::string& name = sheet_.metrics[i];
        if (name.starts_with("nrmse_") || name.starts_with("states_")) row.metrics[i] = infinite;
      }
      return;
    }
    const formats::Table run_states = std::move(run.states);
    std::vector<formats::Table> tables = tables_of(std::move(run));
    const record::Comparison ports = compared(tables, reference_.tables, reference_.facts);
    give_back(std::move(tables));
    if (!reference_.remark.empty()) add_remark(reference_.remark);
    if (ports.interpolated) add_remark("the reference has other times and was interpolated");
    set(row, "nrmse_range", ports.overall_range.value_or(not_known));
    set(row, "nrmse_deviation", ports.overall_deviation.value_or(not_known));
    for (const record::VariableError& error : ports.variables) {
      if (!error.nrmse_range) add_remark("the reference of " + error.name + " is constant");
      set(row, "nrmse_range " + error.name, error.nrmse_range.value_or(not_known));
      set(row, "nrmse_deviation " + error.name, error.nrmse_deviation.value_or(not_known));
    }
    if (!study_.wants(Metric::states_range) && !study_.wants(Metric::states_deviation)) return;
    if (reference_.states.names.size() < 2)
      throw base::Error(base::Failure::subsystem, "the reference shows no states to compare");
    base::Problems problems;
    const record::Comparison states = record::compare(run_states, reference_.states, reference_.states_facts, problems);
    base::require_none(problems);
    set(row, "states_range", states.overall_range.value_or(not_known));
    set(row, "states_deviation", states.overall_deviation.value_or(not_known));
  }

  static record::Comparison compared(const std::vector<formats::Table>& results,
                                     const std::vector<formats::Table>& references,
                                     std::vector<record::ReferenceFacts>& facts) {
    base::Problems problems;
    facts.resize(references.size());
    std::vector<record::Comparison> parts;
    for (std::size_t i = 0; i < std::min(results.size(), references.size()); ++i)
      parts.push_back(record::compare(results[i], references[i], facts[i], problems));
    base::require_none(problems);
    return record::together(parts);
  }

  void tell_rest(const engine::MemoryRun& run, Row& row) const {
    set(row, "wall_time", run.wall_time);
    if (run.bonds.empty()) return;
    double added = 0.0;
    for (const stepping::BondEnergy& bond : run.bonds) added += bond.added();
    set(row, "energy_added", added);
  }

  /// Of the step that was run. Where it cannot be known the case is done all the same.
  double radius_of(const engine::System& system) {
    double radius = not_known;
    const std::string complaint = complaint_of([&] {
      if (!system::has_fmus(system.description)) {
        radius = engine::analyse(system).spectral_radius;
        return;
      }
      engine::OutlookRequest request;
      request.depth = engine::OutlookRequest::Depth::verdict;
      const engine::Outlook outlook = engine::look_ahead(system, request);
      if (!outlook.stability) throw base::Error(base::Failure::subsystem, outlook.unknown.front());
      radius = outlook.stability->spectral_radius;
    });
    if (!complaint.empty()) add_remark("the radius is not known: " + complaint);
    return radius;
  }

  const Study& study_;
  const Sheet& sheet_;
  const Point point_;
  engine::Opener& opener_;
  std::vector<formats::Table>& spare_;
  MetricEvaluator& own_metrics_;
  bool is_set_ = false;                    ///< the opener, to the values of the point
  std::map<std::string, double> numbers_;  ///< of the point, once a metric asks for them
  engine::RunSettings settings_;
  Reference reference_;
  std::string remark_;  ///< of the case that is measured
};

}  // namespace

PointRunner::PointRunner(const Study& study, const Sheet& sheet, const std::atomic<bool>* stop_asked)
    : study_(study), sheet_(sheet), stop_asked_(stop_asked), opener_(study.system), own_metrics_(study.own_metrics) {}

std::vector<Row> PointRunner::run(std::size_t point) {
  return Measuring(study_, sheet_, point, {opener_, spare_, own_metrics_, stop_asked_})();
}

std::vector<Row> failed_rows(const Study& study, const Sheet& sheet, std::size_t point, const std::string& reason) {
  std::vector<Row> rows;
  for (std::size_t method = 0; method < study.methods.size(); ++method)
    rows.push_back({point, method, point_of(study, point).texts, Ending::failed,
                    std::vector<double>(sheet.metrics.size(), not_known), on_one_line(reason)});
  return rows;
}

}  // namespace seam::study
