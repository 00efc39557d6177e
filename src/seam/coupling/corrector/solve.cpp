#include "seam/coupling/corrector/solve.hpp"

#include <algorithm>
#include <cmath>

namespace seam::coupling {
namespace {

double* unit(double* matrix, int size) {
  std::fill_n(matrix, static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0);
  for (int i = 0; i < size; ++i) matrix[i * size + i] = 1.0;
  return matrix;
}

/// I - K L over the outputs.
void write_output_matrix(const Correction& c, Shape shape, const TakingPart& part, const double* models,
                         double* matrix) {
  const int size = static_cast<int>(c.outputs.size());
  unit(matrix, size);
  for (std::size_t l = 0; l < c.lanes.size(); ++l) {
    const CorrectedLane& lane = c.lanes[l];
    if (lane.known == Known::nothing || !part.lane(static_cast<int>(l))) continue;
    const GainOf gain{c, lane, shape, models};
    for (int i = 0; i < lane.inputs; ++i) {
      const int w = lane.first_input + i;
      const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
      if (!part.wire(w)) continue;
      double* const column = matrix + wire.output * size + lane.first_output;
      for (int o = 0; o < lane.outputs; ++o) column[o] -= wire.gain * gain(o, i);
    }
  }
}

/// I - L D over the wires.
void write_sink_matrix(const Correction& c, const TakingPart& part, const double* models, double* matrix) {
  const int size = static_cast<int>(c.wires.size());
  unit(matrix, size);
  for (int w = 0; w < size; ++w) {
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
    const CorrectedOutput& output = c.outputs[static_cast<std::size_t>(wire.output)];
    const CorrectedLane& source = c.lanes[static_cast<std::size_t>(output.lane)];
    if (source.known == Known::nothing || !part.lane(output.lane)) continue;
    for (int i = 0; i < source.inputs; ++i) {
      if (!part.wire(source.first_input + i)) continue;
      const double D = models[source.model.D + i * source.outputs + wire.output - source.first_output];
      matrix[(source.first_input + i) * size + w] -= wire.gain * D;
    }
  }
}

}  // namespace

double GainOf::operator()(int output, int input) const {
  const int at = input * lane.outputs + output, block = lane.inputs * lane.outputs;
  const double* const K = models + lane.model.K + at;
  if (correction.shape.models.reads == ModelNeeds::Reads::feedthrough || lane.known == Known::feedthrough)
    return models[lane.model.D + at];
  switch (shape) {
    case Shape::constant:
      return K[0];
    case Shape::ramp:
    case Shape::linear:
      return K[block];
    case Shape::parabola:
      return 0.5 * (K[block] + K[2 * block]);
  }
  return 0.0;
}

// Gauss-Jordan with row exchanges: the matrices are small, and no factorisation of a library does without memory.
bool invert(double* matrix, int size, double* inverse) {
  unit(inverse, size);
  const auto at = [size](double* m, int r, int c) -> double& { return m[c * size + r]; };
  for (int k = 0; k < size; ++k) {
    int pivot = k;
    for (int r = k + 1; r < size; ++r) {
      if (std::abs(at(matrix, r, k)) > std::abs(at(matrix, pivot, k))) pivot = r;
    }
    const double value = at(matrix, pivot, k);
    if (!(std::abs(value) > 1e-13) || !std::isfinite(value)) return false;
    for (int c = 0; c < size && pivot != k; ++c) {
      std::swap(at(matrix, pivot, c), at(matrix, k, c));
      std::swap(at(inverse, pivot, c), at(inverse, k, c));
    }
    for (int c = 0; c < size; ++c) {
      at(matrix, k, c) /= value;
      at(inverse, k, c) /= value;
    }
    for (int r = 0; r < size; ++r) {
      const double factor = r == k ? 0.0 : at(matrix, r, k);
      if (factor == 0.0) continue;
      for (int c = 0; c < size; ++c) {
        at(matrix, r, c) -= factor * at(matrix, k, c);
        at(inverse, r, c) -= factor * at(inverse, k, c);
      }
    }
  }
  return true;
}

bool solve(const Correction& correction, Shape shape, const TakingPart& part, const double* models,
           const Solved& solved) {
  const ModelNeeds& needs = correction.shape.models;
  if (needs.solves_outputs) {
    write_output_matrix(correction, shape, part, models, solved.work);
    if (!invert(solved.work, static_cast<int>(correction.outputs.size()), solved.outputs)) return false;
  }
  if (!needs.solves_offsets) return true;
  write_sink_matrix(correction, part, models, solved.work);
  return invert(solved.work, static_cast<int>(correction.wires.size()), solved.sinks);
}

}  // namespace seam::coupling
