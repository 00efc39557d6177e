#include "seam/osp/structure.hpp"

#include <fmt/format.h>

#include <charconv>

namespace seam::osp {
namespace {

/// `in[1][2]`: the word and the indices.
struct Parts {
  std::string word;
  std::vector<int> indices;
};

std::optional<Parts> split(const std::string& name) {
  const std::size_t first = std::min(name.find('['), name.size());
  Parts parts{name.substr(0, first), {}};
  for (std::size_t at = first; at < name.size();) {
    const std::size_t end = name.find(']', at);
    if (name[at] != '[' || end == std::string::npos) return std::nullopt;
    int index = -1;
    const auto [rest, error] = std::from_chars(name.data() + at + 1, name.data() + end, index);
    if (error != std::errc{} || rest != name.data() + end || index < 0) return std::nullopt;
    parts.indices.push_back(index);
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::optional<Signal> find_signal(const Function& function, const std::string& name) {
  const auto parts = split(name);
  if (!parts || (parts->word != "in" && parts->word != "out")) return std::nullopt;
  const bool in = parts->word == "in", vector = function.kind == Function::Kind::vector_sum;
  const std::size_t wanted = (in && function.kind != Function::Kind::linear ? 1u : 0u) + (vector ? 1u : 0u);
  if (parts->indices.size() != wanted) return std::nullopt;
  Signal signal;
  signal.side = in ? Signal::Side::in : Signal::Side::out;
  if (in && wanted > 0) signal.input = parts->indices.front();
  if (vector) signal.element = parts->indices.back();
  if (signal.input >= function.inputs || signal.element >= function.dimension) return std::nullopt;
  return signal;
}

std::vector<Signal> find_signal_group(const Function& function, const std::string& name) {
  std::vector<Signal> signals;
  if (function.kind != Function::Kind::vector_sum) return signals;
  for (int element = 0; element < function.dimension; ++element) {
    const auto signal = find_signal(function, fmt::format("{}[{}]", name, element));
    if (signal) signals.push_back(*signal);
  }
  return signals;
}

std::string signal_names(const Function& function) {
  const int last = function.inputs - 1;
  switch (function.kind) {
    case Function::Kind::linear:
      return "it has in and out";
    case Function::Kind::sum:
      return fmt::format("it has in[0] to in[{}] and out", last);
    case Function::Kind::vector_sum:
      break;
  }
  return fmt::format("it has the groups in[0] to in[{}] and out, with the elements [0] to [{}]", last,
                     function.dimension - 1);
}

system::Subsystem make_sum(const Function& function, const std::string& name) {
  system::Subsystem sum;
  sum.name = name;
  sum.origin = system::BuiltInModel{"sum", function.where};
  sum.where = function.where;
  system::Setting gains;
  gains.name = "gains";
  gains.where = gains.value.where = function.where;
  gains.value.kind = system::Value::Kind::list;
  for (int i = 0; i < function.inputs; ++i) {
    system::Value one;
    one.number = 1.0;
    one.text = "1";
    one.where = function.where;
    gains.value.items.push_back(std::move(one));
  }
  sum.set.push_back(std::move(gains));
  return sum;
}

std::string port_name(const Function& function, const Signal& signal) {
  if (signal.side == Signal::Side::out) return "y";
  return function.inputs == 1 ? "u" : fmt::format("u{}", signal.input + 1);
}

}  // namespace seam::osp
