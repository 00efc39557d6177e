#include "seam/coupling/step_watch.hpp"

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/exchange.hpp"

namespace seam::coupling {
namespace {

void add_missing(std::vector<int>& all, const std::vector<int>& more) {
  for (const int one : more) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
}

int number_of(const std::vector<int>& ports, int port) {
  const auto found = std::find(ports.begin(), ports.end(), port);
  if (found == ports.end()) throw base::Error(base::Failure::internal, "a port is not watched");
  return static_cast<int>(found - ports.begin());
}

const Lane& lane_of(const Program& program, const StepWatch& watch) {
  return program.lanes[static_cast<std::size_t>(watch.lane)];
}

}  // namespace

int add_places(Program& program, int count) {
  const auto first = program.initial.values.size();
  program.initial.values.resize(first + static_cast<std::size_t>(count), 0.0);
  return static_cast<int>(first);
}

bool wants_micro_points(const std::vector<WatchRequest>& requests, int member) {
  return std::any_of(requests.begin(), requests.end(), [&](const WatchRequest& request) {
    return request.member == member && request.micro == WatchRequest::MicroPoints::wanted;
  });
}

void list_watches(const assembly::Assembly& assembly, const std::vector<WatchRequest>& requests, Parts& parts) {
  for (std::size_t l = 0; l < parts.lanes.size(); ++l) {
    Lane& lane = parts.lanes[l];
    StepWatch watch;
    watch.lane = static_cast<int>(l);
    for (const WatchRequest& request : requests) {
      if (request.member != lane.member) continue;
      add_missing(watch.inputs, request.inputs);
      add_missing(watch.outputs, request.outputs);
    }
    if (watch.inputs.empty() && watch.outputs.empty()) continue;
    // equations of our own can be asked without consequences
    watch.can_ask = lane.crossing != Crossing::whole &&
                    assembly.members[static_cast<std::size_t>(lane.member)].equations != nullptr &&
                    lane.subsystem->capabilities().can_evaluate;
    lane.watch = static_cast<int>(parts.watches.size());
    parts.watches.push_back(std::move(watch));
  }
}

const StepWatch& watch_of(const Program& program, int member) {
  for (const StepWatch& watch : program.watches) {
    if (lane_of(program, watch).member == member) return watch;
  }
  throw base::Error(base::Failure::internal, "a subsystem is not watched");
}

int number_of_input(const StepWatch& watch, int input) { return number_of(watch.inputs, input); }
int number_of_output(const StepWatch& watch, int output) { return number_of(watch.outputs, output); }

double input_at(const Program& program, const StepWatch& watch, int i, double theta, const double* values) {
  const int width = static_cast<int>(watch.inputs.size());
  const double* const coefficients = values + watch.polynomials + i;
  double value = 0.0;
  for (int power = lane_of(program, watch).degree; power >= 0; --power)
    value = value * theta + coefficients[power * width];
  return value;
}

void note_inputs(const Program& program, const Now& now, double* values) {
  for (const StepWatch& watch : program.watches) {
    const Lane& lane = lane_of(program, watch);
    if (now.at_end.tick % lane.multiple != 0) continue;
    double* noted = values + watch.polynomials;
    for (int power = 0; power <= lane.degree; ++power) {
      for (const int input : watch.inputs) *noted++ = values[lane.coefficients + power * lane.inputs + input];
    }
  }
}

void note_begin(const Program& program, const Lane& lane, const Now& now, double* values) {
  const StepWatch& watch = program.watches[static_cast<std::size_t>(lane.watch)];
  if (watch.points < 0) return;
  if (watch.can_ask) {  // the step writes the outputs again
    lane.subsystem->evaluate(now.step.begin, now.step.sources,
                             {values + lane.coefficients, static_cast<std::size_t>(lane.inputs)},
                             {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  }
  note_point(program, lane, 0, values);
}

void note_point(const Program& program, const Lane& lane, int segment, double* values) {
  const StepWatch& watch = program.watches[static_cast<std::size_t>(lane.watch)];
  if (watch.points < 0) return;
  double* noted = values + watch.points + segment * static_cast<int>(watch.outputs.size());
  for (const int output : watch.outputs) *noted++ = values[lane.values + output];
}

void measure_step(const Program& program, const Now& now, double* values) {
  for (const StepMonitor* monitor : program.monitors) monitor->measure(program, now, values);
}

}  // namespace seam::coupling
