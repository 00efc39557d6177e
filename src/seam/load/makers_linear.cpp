#include "seam/load/makers.hpp"

#include <fmt/format.h>

#include "seam/models/state_space.hpp"

namespace seam::load {
namespace {

using lti::Matrix;
using models::Model;
using Rows = std::vector<std::vector<double>>;

struct Shape {
  Eigen::Index rows = 0, columns = 0;
};

/// The rows as a matrix of this shape; a problem and zeros if they have another one.
Matrix shaped(const ParameterReader& parameters, const std::string& name, const Rows& rows, Shape shape) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  const auto width = rows.empty() ? 0 : static_cast<Eigen::Index>(rows.front().size());
  Matrix result = Matrix::Zero(shape.rows, shape.columns);
  const bool empty = count * width == 0 && result.size() == 0;
  if (empty) return result;
  if (count != shape.rows || width != shape.columns) {
    parameters.refuse(name,
                      fmt::format("\"{}\" is {} x {}, but it must be {} x {} to fit the other matrices", name, count,
                                  width, shape.rows, shape.columns),
                      "A is states x states, B states x inputs, C outputs x states, D outputs x inputs");
    return result;
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < width; ++j)
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return result;
}

Eigen::Index width_of(const std::optional<Rows>& rows) {
  return rows && !rows->empty() ? static_cast<Eigen::Index>(rows->front().size()) : 0;
}

Eigen::Index height_of(const std::optional<Rows>& rows) { return rows ? static_cast<Eigen::Index>(rows->size()) : 0; }

std::vector<std::string> port_names(const ParameterReader& parameters, const std::string& name, const char* base,
                                    Eigen::Index count) {
  if (!parameters.given(name)) return models::numbered(base, static_cast<int>(count));
  const std::vector<std::string> names = parameters.names(name);
  if (parameters.ok() && static_cast<Eigen::Index>(names.size()) != count) {
    parameters.refuse(name, fmt::format("there are {} {}, but {} names", count, name, names.size()),
                      fmt::format("give {} names", count));
  }
  return names;
}

std::optional<Model> make_state_space(ParameterReader& parameters, const MakeContext&) {
  const auto A = parameters.matrix("A");
  const auto B = parameters.matrix("B");
  const auto C = parameters.matrix("C");
  const auto D = parameters.matrix("D");
  if (!parameters.ok()) return std::nullopt;
  const Eigen::Index n = height_of(A);
  const bool has_inputs = width_of(B) > 0 || n == 0;
  const Eigen::Index inputs = width_of(B) > 0 ? width_of(B) : (has_inputs ? width_of(D) : 0);
  const Eigen::Index outputs = C && n > 0 ? height_of(C) : (n > 0 ? n : height_of(D));

  lti::StateSpace system;
  system.A = shaped(parameters, "A", *A, {n, n});
  system.B = B ? shaped(parameters, "B", *B, {n, inputs}) : Matrix::Zero(n, inputs);
  system.C = C ? shaped(parameters, "C", *C, {outputs, n}) : Matrix::Identity(outputs, n);
  system.D = D ? shaped(parameters, "D", *D, {outputs, inputs}) : Matrix::Zero(outputs, inputs);
  std::vector<double> x0 = parameters.numbers("x0", static_cast<int>(n), "state");
  const auto input_names = port_names(parameters, "inputs", "u", inputs);
  const auto output_names = port_names(parameters, "outputs", "y", outputs);
  if (!parameters.ok()) return std::nullopt;
  return models::state_space(system, std::move(x0), input_names, output_names);
}

std::optional<Model> make_transfer_function(ParameterReader& parameters, const MakeContext&) {
  std::vector<double> num = parameters.numbers("num");
  const std::vector<double> den = parameters.numbers("den");
  if (!parameters.ok()) return std::nullopt;
  while (num.size() > 1 && num.front() == 0.0) num.erase(num.begin());
  if (num.empty()) parameters.refuse("num", "the numerator is empty", "give its coefficients, the highest power first");
  if (den.empty() || den.front() == 0.0) {
    parameters.refuse("den", "the denominator must begin with a coefficient that is not 0",
                      "give its coefficients, the highest power first");
  } else if (num.size() > den.size()) {
    parameters.refuse(
        "num",
        fmt::format("the numerator has degree {}, more than the denominator's {}", num.size() - 1, den.size() - 1),
        "such a function differentiates its input; add a fast pole to the denominator");
  }
  if (!parameters.ok()) return std::nullopt;
  return models::transfer_function(num, den);
}

}  // namespace

std::vector<ModelEntry> linear_models() {
  return {
      {"state-space",
       "x' = A x + B u, y = C x + D u",
       {{"A", "matrix", "", "", "states x states, as a list of rows", {}},
        {"B", "matrix", "", "none", "states x inputs; none: no inputs", {}},
        {"C", "matrix", "", "none", "outputs x states; none: the states are the outputs", {}},
        {"D", "matrix", "", "none", "outputs x inputs; none: zero", {}},
        {"x0", "numbers", "", "0", "states at the start", {}},
        {"inputs", "names", "", "none", "names; none: u, or u1, u2, …", {}},
        {"outputs", "names", "", "none", "names; none: y, or y1, y2, …", {}}},
       make_state_space},
      {"transfer-function",
       "y = num(s)/den(s) u, from rest",
       {{"num", "numbers", "", "", "coefficients, the highest power first", {}},
        {"den", "numbers", "", "", "coefficients, the highest power first", {}}},
       make_transfer_function},
  };
}

}  // namespace seam::load
