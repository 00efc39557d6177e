// The points of a study: every combination of what varies, each with every sample.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "seam/engine/open/system.hpp"
#include "seam/study/study.hpp"

namespace seam::study {

struct Point {
  std::size_t number = 0;          ///< from 0
  std::size_t sample = 0;          ///< from 0
  std::size_t variant = 0;         ///< of the sample, from 0: see variants_of_a_sample
  std::vector<std::string> texts;  ///< one for each of varied_paths(), as a user writes it
  std::vector<system::Value> values;
};

/// Of the axes, then what is drawn.
std::vector<std::string> varied_paths(const Study& study);

/// One, unless sensitivities are asked for: then a sample is drawn twice, A and B, and its points are A, B, and for
/// each draw A with the value of that draw from B (Saltelli et al. 2010).
std::size_t variants_of_a_sample(const Study& study);

std::size_t count_points(const Study& study);

/// The last axis moves first, and samples before it, and their variants before them. What is drawn follows from seed,
/// sample and path alone: every combination of the axes sees the same samples.
Point point_of(const Study& study, std::size_t number);

/// What a point changes in the system. Throws base::ProblemsFound if an expression has no value.
engine::ValueChanges changes_of(const Study& study, const Point& point);
/// What its reference changes: the same, and more.
engine::ValueChanges reference_changes_of(const Study& study, const Point& point);

/// The plain numbers of all that varies or is set in a point, by path or name.
std::map<std::string, double> numbers_of(const Study& study, const Point& point);

/// Names without a dot that no expression asks for: they would change nothing.
std::vector<std::string> unused_names(const Study& study);

}  // namespace seam::study
