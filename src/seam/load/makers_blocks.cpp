#include "seam/load/makers.hpp"

#include <fmt/format.h>

#include "seam/models/blocks.hpp"
#include "seam/models/delay.hpp"
#include "seam/models/pid.hpp"

namespace seam::load {
namespace {

using models::Model;
using models::Piecewise;

std::optional<Model> make_gain(ParameterReader& parameters, const MakeContext&) {
  return models::gain(parameters.number("k"));
}

std::optional<Model> make_sum(ParameterReader& parameters, const MakeContext&) {
  const std::vector<double> gains = parameters.numbers("gains");
  if (parameters.ok() && gains.empty()) parameters.refuse("gains", "\"sum\" has no inputs", "give one gain an input");
  if (!parameters.ok()) return std::nullopt;
  return models::sum(gains);
}

std::optional<Model> make_polynomial(ParameterReader& parameters, const MakeContext&) {
  std::vector<double> coefficients = parameters.numbers("coefficients");
  if (parameters.ok() && coefficients.empty())
    parameters.refuse("coefficients", "\"polynomial\" has no coefficients", "give at least the constant one");
  if (!parameters.ok()) return std::nullopt;
  return models::polynomial(std::move(coefficients));
}

std::optional<Model> make_limiter(ParameterReader& parameters, const MakeContext&) {
  const double low = parameters.number("low");
  const double high = parameters.number("high");
  if (parameters.ok() && !(low <= high)) {
    parameters.refuse("low", fmt::format("the lower limit {} lies above the upper one {}", low, high), "exchange them");
  }
  if (!parameters.ok()) return std::nullopt;
  return models::limiter(low, high, parameters.unit());
}

std::optional<Model> make_delay(ParameterReader& parameters, const MakeContext& context) {
  constexpr double most = 1e6;
  const models::Delay delay{parameters.number("time"), context.solver_step, parameters.number("initial"),
                            parameters.unit()};
  if (!parameters.ok()) return std::nullopt;
  if (delay.time < 0.0) {
    parameters.refuse("time", "a delay cannot be negative");
  } else if (!(delay.solver_step > 0.0)) {
    parameters.refuse("time", "a delay keeps one value a solver step, but that step is not known",
                      "set solver_step of the subsystem, or plan.step");
  } else if (models::delay_states(delay) > most) {
    parameters.refuse("time",
                      fmt::format("the delay is {:.3g} solver steps long; at most {:.0g} are possible",
                                  delay.time / delay.solver_step, most),
                      "choose a longer solver_step or a shorter delay");
  }
  if (!parameters.ok()) return std::nullopt;
  return models::delay(delay);
}

std::optional<Model> make_table(ParameterReader& parameters, const MakeContext&) {
  const std::vector<double> x = parameters.numbers("x");
  const std::vector<double> y = parameters.numbers("y");
  const auto outside = parameters.choice<Piecewise::Outside>(
      "outside", {{"clamp", Piecewise::Outside::clamp}, {"extrapolate", Piecewise::Outside::extrapolate}});
  if (!parameters.ok()) return std::nullopt;
  if (x.empty()) parameters.refuse("x", "the table has no points", "give at least one");
  if (x.size() != y.size()) {
    parameters.refuse("y", fmt::format("the table has {} places x and {} values y", x.size(), y.size()),
                      "give one y an x");
  }
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (!(x[i] > x[i - 1])) {
      parameters.refuse("x", fmt::format("x must rise, but {} follows {}", x[i], x[i - 1]), "sort the points by x");
      break;
    }
  }
  if (!parameters.ok()) return std::nullopt;
  return models::table(Piecewise(x, y, Piecewise::Between::linear, outside));
}

std::optional<Model> make_pid(ParameterReader& parameters, const MakeContext&) {
  models::Pid pid;
  pid.kp = parameters.number("kp");
  pid.ki = parameters.number("ki");
  pid.kd = parameters.number("kd");
  pid.filter_time = parameters.number("Tf");
  pid.low = parameters.optional_number("low").value_or(pid.low);
  pid.high = parameters.optional_number("high").value_or(pid.high);
  if (!parameters.ok()) return std::nullopt;
  if (pid.kd != 0.0 && !(pid.filter_time > 0.0)) {
    parameters.refuse("Tf", "the derivative part needs a filter time of more than 0 s",
                      "set Tf, about a tenth of kd/kp, or leave kd out");
  }
  if (!(pid.low <= pid.high)) {
    parameters.refuse("low", fmt::format("the lower limit {} lies above the upper one {}", pid.low, pid.high),
                      "exchange them");
  }
  if (!parameters.ok()) return std::nullopt;
  return models::pid(pid);
}

}  // namespace

std::vector<ModelEntry> block_models() {
  const ParameterEntry unit{"unit", "text", "", "none", "unit of u and y", {}};
  return {
      {"gain", "y = k u", {{"k", "number", "", "", "the factor", {}}}, make_gain},
      {"sum",
       "y = gains[1] u1 + gains[2] u2 + …; a single input is called u",
       {{"gains", "numbers", "", "", "one factor an input, for example [1, -1]", {}}},
       make_sum},
      {"polynomial",
       "y = coefficients[1] + coefficients[2] u + coefficients[3] u^2 + …",
       {{"coefficients", "numbers", "", "", "the constant one first", {}}},
       make_polynomial},
      {"limiter",
       "y = u between two limits",
       {{"low", "number", chosen_unit, "", "smallest y", {}},
        {"high", "number", chosen_unit, "", "largest y", {}},
        unit},
       make_limiter},
      {"delay",
       "y(t) = u(t - time), kept on the grid of the solver",
       {{"time", "number", "s", "", "how long", {}},
        {"initial", "number", chosen_unit, "0", "u before the start", {}},
        unit},
       make_delay,
       ModelEntry::Needs::solver_step},
      {"table",
       "y is a curve over u given by points, straight between them",
       {{"x", "numbers", "", "", "places, rising", {}},
        {"y", "numbers", "", "", "values there", {}},
        {"outside", "choice", "", "clamp", "clamp: the end value; extrapolate: the last line goes on", {}}},
       make_table},
      {"pid",
       "y = kp e + ki integral e + kd e', e = reference - measurement, limited with anti-windup",
       {{"kp", "number", "", "0", "proportional gain", {}},
        {"ki", "number", "1/s", "0", "integral gain", {}},
        {"kd", "number", "s", "0", "derivative gain", {}},
        {"Tf", "number", "s", "0", "filter time of the derivative", {}},
        {"low", "number", "", "none", "smallest y", {}},
        {"high", "number", "", "none", "largest y", {}}},
       make_pid},
  };
}

}  // namespace seam::load
