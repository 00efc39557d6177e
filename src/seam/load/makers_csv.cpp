#include "seam/load/makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/formats/table.hpp"
#include "seam/models/signals.hpp"
#include "seam/system/column_names.hpp"
#include "seam/system/units.hpp"

namespace seam::load {
namespace {

using formats::Table;
using models::Piecewise;
namespace fs = std::filesystem;

/// The file as it can be opened; a problem if the text leads out of reach, links included.
std::optional<std::string> path_in_reach(const ParameterReader& parameters, const Reach& reach) {
  const std::string file = parameters.text("file");
  if (!parameters.ok()) return std::nullopt;
  const fs::path root = reach.folder.empty() ? "." : reach.folder;
  const std::string path = (root / file).string();
  const bool inside = stays_below(file) && lies_in(path, {root.string()});
  if (file.empty() || (!inside && !lies_in(path, reach.opened))) {
    parameters.refuse("file", fmt::format("\"{}\" is not a file inside the folder of the system file", file),
                      fmt::format("copy it there and give its path from there; {}", how_to_reach));
    return std::nullopt;
  }
  return path;
}

std::optional<Table> read_table(const ParameterReader& parameters, const std::string& path) {
  base::Problems found;
  Table table;
  try {
    table = formats::read_table(path, found);
  } catch (const base::Error& error) {
    parameters.refuse("file", error.what());
    return std::nullopt;
  }
  for (const base::Problem& problem : found.all()) parameters.report(problem);
  if (!parameters.ok()) return std::nullopt;
  if (table.rows() == 0 || table.names.size() < 2) {
    parameters.refuse(
        "file", fmt::format("\"{}\" has {} columns of numbers and {} rows", path, table.names.size(), table.rows()),
        "it needs a column of times, one of values, and a row");
    return std::nullopt;
  }
  system::settle_columns(table.names, table.units);
  std::vector<std::string> units(table.left_out.size());
  system::settle_columns(table.left_out, units);
  return table;
}

std::optional<std::size_t> time_column(const ParameterReader& parameters, const Table& table) {
  if (!parameters.given("time")) return formats::time_column(table);
  const std::string name = parameters.text("time");
  const auto found = std::ranges::find(table.names, name);
  if (found != table.names.end()) return static_cast<std::size_t>(found - table.names.begin());
  parameters.refuse("time", fmt::format("the file has no column \"{}\"", name), base::did_you_mean(name, table.names));
  return std::nullopt;
}

/// The times in seconds, checked not to fall.
std::vector<double> times_of(const ParameterReader& parameters, const Table& table, std::size_t column) {
  std::vector<double> times = table.columns[column];
  if (const std::string& text = table.units[column]; !text.empty()) {
    const auto unit = system::parse_unit(text);
    if (!unit || !system::same_dimension(*unit, system::second)) {
      parameters.refuse(
          "file", fmt::format("the time column \"{}\" is in \"{}\", which is not a time", table.names[column], text),
          "name the right column with time:, or mend its unit");
      return times;
    }
    for (double& time : times) time = system::convert(time, *unit, system::second);
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool finite = std::isfinite(times[i]);
    if (finite && (i == 0 || times[i] >= times[i - 1])) continue;
    parameters.refuse("file",
                      fmt::format("the times must not fall, but row {} has {}{}", i + 1, times[i],
                                  i > 0 ? fmt::format(" after {}", times[i - 1]) : ""),
                      "sort the rows by time, or name the right column with time:");
    break;
  }
  return times;
}

/// Of several rows at one time the first and the last count: the value before a jump, and the one after it.
std::vector<std::size_t> rows_that_count(const std::vector<double>& times) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool inside = i > 0 && i + 1 < times.size() && times[i] == times[i - 1] && times[i] == times[i + 1];
    if (!inside) rows.push_back(i);
  }
  return rows;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> result;
  for (const std::size_t row : rows) result.push_back(values[row]);
  return result;
}

/// Why a column cannot be an output; empty if it can.
std::string why_not(const std::vector<double>& values) {
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return {};
  return fmt::format("row {} of its column is not a finite number", bad - values.begin() + 1);
}

std::optional<models::Model> make_csv(ParameterReader& parameters, const MakeContext& context) {
  const auto between = parameters.choice<Piecewise::Between>(
      "interpolate", {{"linear", Piecewise::Between::linear}, {"hold", Piecewise::Between::hold}});
  models::Model model;
  model.sampled = parameters.boolean("sampled");
  const auto path = path_in_reach(parameters, context.reach);
  if (!path) return std::nullopt;
  const auto table = read_table(parameters, *path);
  if (!table) return std::nullopt;
  const auto time = time_column(parameters, *table);
  if (!time) return std::nullopt;
  const std::vector<double> times = times_of(parameters, *table, *time);
  if (!parameters.ok()) return std::nullopt;
  const std::vector<std::size_t> rows = rows_that_count(times);
  const std::vector<double> places = picked(times, rows);
  for (std::size_t i = 0; i < table->names.size(); ++i) {
    if (i == *time) continue;
    if (std::string why = why_not(table->columns[i]); !why.empty()) {
      model.left_out.emplace_back(table->names[i], std::move(why));
      continue;
    }
    model.outputs.push_back({table->names[i], table->units[i], std::nullopt});
    model.signals.push_back(std::make_shared<models::TableSignal>(places, picked(table->columns[i], rows), between));
  }
  for (std::size_t i = 0; i < table->left_out.size(); ++i)
    model.left_out.emplace_back(table->left_out[i], table->why_left_out[i]);
  if (model.outputs.empty()) {
    const auto& [name, why] = model.left_out.front();
    parameters.refuse("file", fmt::format("no column can be used: \"{}\": {}", name, why));
    return std::nullopt;
  }
  return model;
}

}  // namespace

std::vector<ModelEntry> csv_models() {
  return {{"csv",
           "one output a column of a CSV, MAT or HDF5 file, by its name; constant before the first and after the last "
           "time; "
           "two rows at one time are a jump",
           {{"file", "text", "", "", "path from the folder of the system file, inside it", {}},
            {"time", "text", "", "none", "name of the time column; none: the one called time, or the first", {}},
            {"interpolate", "choice", "", "linear", "linear, or hold: the value until the next time", {}},
            {"sampled",
             "boolean",
             "",
             "false",
             "true: the sinks get the values sampled and held, not as signals known ahead",
             {}}},
           make_csv,
           ModelEntry::Needs::files}};
}

}  // namespace seam::load
