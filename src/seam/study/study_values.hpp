// Single parts of a study file. Only source files of this room include it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/formats/yaml.hpp"
#include "seam/study/study.hpp"

namespace seam::study {

/// The paths that say how to couple, and not what.
const std::vector<std::string>& method_paths();
bool is_method_path(const std::string& path);

/// A value on one line, as it would be written behind `--set path=`.
std::string value_text(const formats::Node& node);

/// A value whose text is that.
system::Value read_varied(const formats::Node& node, base::Problems& problems);

/// A coupling on one line, as behind --coupling: `{foh: {samples: micro}}` becomes foh,samples=micro.
std::string coupling_text(const formats::Node& node);
/// What the study calls it, if it has a name of its own: {name: mine, foh: {samples: micro}}.
std::optional<std::string> coupling_name(const formats::Node& node, base::Problems& problems);

std::vector<Assignment> read_assignments(const formats::Node& map, const char* what, base::Problems& problems);

/// A whole number from `least` on that a double holds exactly.
std::optional<std::uint64_t> read_count(const formats::Node& node, const char* what, std::uint64_t least,
                                        base::Problems& problems);

/// What one path does: a list, {from, to, count} or a distribution; adds an axis or a draw.
void read_variation(const formats::Node::Entry& entry, Study& study, base::Problems& problems);

/// NAME: {max: left.x1}, one of the metrics that the study defines.
void read_own_metric(const formats::Node::Entry& entry, Study& study, base::Problems& problems);

/// The explicit list of cases: all of them have the same paths.
void read_cases(const formats::Node& list, Study& study, base::Problems& problems);

}  // namespace seam::study
