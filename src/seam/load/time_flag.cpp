#include "seam/load/time_flag.hpp"

#include <algorithm>
#include <memory>

#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

/// Whether YAML, too, would take it as it stands: a number, and maybe one word behind it.
bool is_plain(const std::string& text) {
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  const auto is_letter = [](char letter) { return (letter | ' ') >= 'a' && (letter | ' ') <= 'z'; };
  const auto is_known = [&](char letter) { return is_digit(letter) || is_letter(letter) || letter == '.'; };
  const std::size_t blank = text.find(' ');
  const bool ends_well = !text.empty() && is_known(text.back());
  return ends_well && is_digit(text.front()) && std::all_of(text.begin(), text.end(), [&](const char& letter) {
           return is_known(letter) || &letter == text.data() + blank;
         });
}

/// As read_yaml would read it; studies give the same few times over and over.
std::shared_ptr<const formats::Node> read_text(const std::string& flag, const std::string& text,
                                               base::Problems& problems) {
  if (!is_plain(text)) return formats::read_yaml(text, flag, problems);
  auto node = std::make_shared<formats::Node>();
  node->kind = formats::Node::Kind::scalar;
  node->text = text;
  node->where = {std::make_shared<base::Source>(base::Source{flag, {text}}), 1, 1, static_cast<int>(text.size())};
  return node;
}

}  // namespace

std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems) {
  const auto node = read_text(flag, text, problems);
  if (!node) return std::nullopt;
  const auto seconds = read_time(*node, flag, problems);
  if (!seconds) return std::nullopt;
  return TimeFlag{*seconds, node->where};
}

}  // namespace seam::load
