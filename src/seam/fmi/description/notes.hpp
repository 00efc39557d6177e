// What a reader or a check objects to, collected; bounded, so that no description can fill the memory with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

class Notes {
 public:
  static constexpr std::size_t most = 2000;

  void error(int line, std::string what) { add(DescriptionProblem::Grade::error, line, std::move(what)); }
  void warning(int line, std::string what) { add(DescriptionProblem::Grade::warning, line, std::move(what)); }
  /// All of them; the last one tells how many were left out.
  std::vector<DescriptionProblem> take();

 private:
  void add(DescriptionProblem::Grade grade, int line, std::string what);

  std::vector<DescriptionProblem> noted_;
  std::size_t left_out_ = 0;
};

/// A text of the FMU in quotes, safe to print.
std::string in_quotes(std::string_view text);

}  // namespace seam::fmi
