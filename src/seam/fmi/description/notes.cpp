#include "seam/fmi/description/notes.hpp"

#include <fmt/format.h>

#include <utility>

#include "seam/formats/encoding.hpp"

namespace seam::fmi {

void Notes::add(DescriptionProblem::Grade grade, int line, std::string what) {
  if (noted_.size() < most) {
    noted_.push_back({grade, std::move(what), line});
  } else {
    ++left_out_;
  }
}

std::vector<DescriptionProblem> Notes::take() {
  if (left_out_ > 0) {
    noted_.push_back({DescriptionProblem::Grade::error, fmt::format("and {} more problems", left_out_), 0});
    left_out_ = 0;
  }
  return std::exchange(noted_, {});
}

std::string in_quotes(std::string_view text) { return "\"" + formats::printable(text, 120) + "\""; }

}  // namespace seam::fmi
