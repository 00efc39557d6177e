#include "seam/coupling/corrector/models.hpp"

#include <algorithm>
#include <cmath>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/step_watch.hpp"
#include "seam/lti/flat_step.hpp"

namespace seam::coupling {
namespace {

/// Below this a direction in which inputs move the states is rounding.
constexpr double hardly_moved = 1e-10;

/// CorrectionWorkspace behind the equations of a lane.
struct Scratch {
  Scratch(const CorrectedLane& lane, const Lane& own, double* models) {
    const int n = lane.states, m = lane.inputs, p = lane.outputs;
    double* next = models + lane.model.equations;
    const auto take = [&](int count) {
      double* const place = next;
      next += count;
      return place;
    };
    all = {take(n * n), take(n * own.inputs), take(own.outputs * n), take(own.outputs * own.inputs)};
    inputs = take(own.inputs);
    B = take(n * m);
    C = take(p * n);
    Ad = take(n * n);
    G = take(powers * n * m);
    composed = take(powers * n * m);
    scaled = take(2 * m * n);
    inverse = take(2 * m * n);
    work = next;
  }
  static int size(const CorrectedLane& lane, const Lane& own) {
    const int n = lane.states, m = lane.inputs, p = lane.outputs;
    const auto work = std::max(lti::flat_step_work(n, m), lti::pseudo_inverse_work(n, 2 * m));
    return 2 * n * n + n * own.inputs + own.outputs * n + own.outputs * own.inputs + own.inputs + n * m + p * n +
           2 * powers * n * m + 4 * m * n + std::max(static_cast<int>(work), n);
  }

  assembly::LinearNumbers all;
  double* inputs;    ///< at the end of the step
  double *B, *C;     ///< of the ports that are corrected
  double *Ad, *G;    ///< of another step length
  double* composed;  ///< inputs applied in pieces
  double *scaled, *inverse;
  double* work;
};

/// to = A from, with A rows x inner, `from` inner x columns.
struct Product {
  int rows, inner, columns;
};
void multiply(const Product& size, const double* A, const double* from, double* to) {
  std::fill_n(to, size.rows * size.columns, 0.0);
  for (int c = 0; c < size.columns; ++c)
    add_product(A, size.rows, size.inner, from + c * size.inner, to + c * size.rows);
}

/// Inputs theta^k that are constant in each of `pieces` parts of a step; Ad and G are of one part.
void compose(const CorrectedLane& lane, int pieces, const Scratch& s) {
  const int n = lane.states, m = lane.inputs;
  std::fill_n(s.composed, powers * n * m, 0.0);
  for (int piece = 0; piece < pieces; ++piece) {
    double theta = 1.0;
    for (int k = 0; k < powers; ++k, theta *= static_cast<double>(piece) / pieces) {
      for (int c = k * m; c < (k + 1) * m; ++c) {
        double* const column = s.composed + c * n;
        std::copy_n(column, n, s.work);
        std::fill_n(column, n, 0.0);
        add_product(s.Ad, n, n, s.work, column);
        for (int i = 0; i < n; ++i) column[i] += theta * s.G[(c - k * m) * n + i];
      }
    }
  }
}

/// K = C B + end D for every power.
struct Gains {
  const double *C, *B, *D;
  const double* end;
};
void write_gains(const CorrectedLane& lane, const Gains& from, double* K) {
  const int n = lane.states, m = lane.inputs, p = lane.outputs;
  for (int k = 0; k < powers; ++k) {
    multiply({p, n, m}, from.C, from.B + k * n * m, K + k * p * m);
    for (int i = 0; i < p * m; ++i) K[k * p * m + i] += from.end[k] * from.D[i];
  }
}

/// From the error of the states to constants and slopes of inputs that take it away: pseudo-inverse(B_0 B_1) A. Of all
/// that do, the smallest, each measured by how large its input is in this motion: otherwise the unit would decide.
struct WholeStep {
  const double *A, *B;
};
void write_deadbeat(const Correction& correction, const CorrectedLane& lane, const WholeStep& step, const Scratch& s,
                    double* models) {
  const int n = lane.states, m = lane.inputs;
  const double* const sizes = models + correction.sizes + lane.first_input;
  const bool known = std::all_of(sizes, sizes + m, [](double size) { return size > 0.0; });
  const auto size_of = [&](int row) { return known ? sizes[row % m] : 1.0; };
  for (int c = 0; c < 2 * m; ++c) {
    for (int r = 0; r < n; ++r) s.scaled[c * n + r] = size_of(c) * step.B[c * n + r];
  }
  lti::pseudo_inverse({s.scaled, n, 2 * m}, hardly_moved, s.inverse, s.work);
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < 2 * m; ++r) s.inverse[c * 2 * m + r] *= size_of(r);
  }
  multiply({2 * m, n, n}, s.inverse, step.A, models + lane.model.deadbeat);
}

constexpr double whole[powers] = {1.0, 1.0, 1.0};

/// The model stays what it was.
void count_unreported(const Correction& correction, const CorrectedLane& lane, Memory& memory) {
  const auto number = static_cast<std::size_t>(&lane - correction.lanes.data());
  ++memory.knowledge[static_cast<std::size_t>(correction.unreported) + number];
}

/// Into columns of `rows` numbers.
void copy(const lti::StepGains::View& from, int rows, double* to) {
  for (Eigen::Index c = 0; c < from.cols(); ++c) std::copy_n(from.data() + c * from.rows(), from.rows(), to + c * rows);
}

/// Inputs 1, theta and theta^2. The last is not among what samples tell: the second order of the step is made right.
void write_powers(const CorrectedLane& lane, const lti::StepGains& gains, double* B) {
  const int n = lane.states, block = n * lane.inputs;
  std::fill_n(B, powers * block, 0.0);
  copy(gains.G0(), n, B);
  copy(gains.G1(), n, B + block);
  for (int i = 0; i < block; ++i) B[2 * block + i] = B[block + i] - B[i] / 6.0;
}

/// The same of inputs that are applied in constant pieces; each power counts by its mean.
struct InPieces {
  const double* constant;  ///< the part of the input 1
  int pieces;
};
void write_held_powers(const CorrectedLane& lane, const InPieces& from, double* B) {
  const int block = lane.states * lane.inputs;
  for (int k = 0; k < powers; ++k) {
    double mean = 0.0;
    for (int s = 0; s < from.pieces; ++s) mean += std::pow(static_cast<double>(s) / from.pieces, k) / from.pieces;
    for (int i = 0; i < block; ++i) B[k * block + i] = mean * from.constant[i];
  }
}

}  // namespace

int lay_out_model(const Lane& own, CorrectedLane& lane, int place) {
  const int n = lane.states, m = lane.inputs, p = lane.outputs;
  const auto take = [&](int count) {
    const int first = place;
    place += count;
    return first;
  };
  ModelPlaces& model = lane.model;
  model.A = take(n * n);
  model.B = model.applied_B = take(powers * n * m);
  model.C = take(p * n);
  model.K = model.applied_K = take(powers * p * m);
  model.D = take(p * m);
  if (lane.pieces > 0) {
    model.applied_B = take(powers * n * m);
    model.applied_K = take(powers * p * m);
  }
  model.deadbeat = take(2 * m * n);
  model.equations = place;
  return place + Scratch::size(lane, own);
}

assembly::LinearNumbers equations_of(const CorrectedLane& lane, const Lane& own, double* models) {
  return Scratch(lane, own, models).all;
}

namespace {

/// From one point to the next.
void write_steps(const CorrectedLane& lane, const Lane& own, double* models) {
  const int n = lane.states, m = lane.inputs, p = lane.outputs;
  const Scratch s(lane, own, models);
  const ModelPlaces& model = lane.model;
  for (int i = 0; i < m; ++i) {
    const int port = lane.input_ports[static_cast<std::size_t>(i)];
    std::copy_n(s.all.B + port * n, n, s.B + i * n);
    for (int o = 0; o < p; ++o)
      models[model.D + i * p + o] = s.all.D[port * own.outputs + lane.output_ports[static_cast<std::size_t>(o)]];
  }
  if (lane.known != Known::model) return;
  for (int c = 0; c < n; ++c) {
    for (int o = 0; o < p; ++o)
      s.C[c * p + o] = s.all.C[c * own.outputs + lane.output_ports[static_cast<std::size_t>(o)]];
  }
  double *const A = models + model.A, *const B = models + model.B, *const D = models + model.D;
  lti::flat_step({n, m, s.all.A, s.B, lane.length, A, B, s.work});
  multiply({p, n, n}, s.C, A, models + model.C);
  write_gains(lane, {s.C, B, D, whole}, models + model.K);
  if (model.applied_B != model.B) {
    lti::flat_step({n, m, s.all.A, s.B, lane.length / lane.pieces, s.Ad, s.G, s.work});
    compose(lane, lane.pieces, s);
    std::copy_n(s.composed, powers * n * m, models + model.applied_B);
    write_gains(lane, {s.C, s.composed, D, lane.end}, models + model.applied_K);
  }
}

}  // namespace

void write_model(const Correction& correction, const CorrectedLane& lane, const Lane& own, double* models) {
  write_steps(lane, own, models);
  if (correction.shape.addition != Addition::line || lane.known != Known::model) return;
  const int n = lane.states, m = lane.inputs;
  const Scratch s(lane, own, models);
  if (correction.shape.points() == 1)
    return write_deadbeat(correction, lane, {models + lane.model.A, models + lane.model.applied_B}, s, models);
  const double step = correction.shape.points() * lane.length;
  if (lane.calls == 0) {
    lti::flat_step({n, m, s.all.A, s.B, step, s.Ad, s.G, s.work});
    return write_deadbeat(correction, lane, {s.Ad, s.G}, s, models);
  }
  lti::flat_step({n, m, s.all.A, s.B, step / lane.calls, s.Ad, s.G, s.work});
  compose(lane, lane.calls, s);
  lti::flat_step({n, m, s.all.A, s.B, step, s.Ad, s.G, s.work});
  write_deadbeat(correction, lane, {s.Ad, s.composed}, s, models);
}

void note_equations(const Program& program, const Lane& own, int segment, const assembly::Step& step, double* values) {
  const CorrectedLane& lane = program.correction->lanes[static_cast<std::size_t>(own.told)];
  const int each = own.segments / program.correction->shape.points(), point = segment / each;
  if ((segment + 1) % each != 0 || segment + 1 == own.segments) return;
  double* const told = values + lane.told + point * lane.told_size;
  const int n = lane.states;
  double* const A = told + 1;
  double* const B = A + n * n;
  double* const C = B + n * own.inputs;
  const assembly::Out inputs(values + own.fresh, static_cast<std::size_t>(own.inputs));
  const int degree = own.crossing == Crossing::constant_segments ? 0 : own.degree;
  assembly::InputPolynomials{values + own.segment, degree, own.inputs}.at(1.0, inputs);
  const bool can =
      own.subsystem->facets().equations->tell_linear(step.begin + step.length, inputs, {A, B, C, C + own.outputs * n});
  told[0] = can ? 1.0 : 0.0;
}

void recall_model(const Program& program, const CorrectedLane& lane, int point, Memory& memory) {
  const Lane& own = program.lanes[static_cast<std::size_t>(lane.lane)];
  double* const models = memory.models.data();
  const double* const told = memory.values.data() + lane.told + point * lane.told_size;
  if (told[0] == 0.0) return count_unreported(*program.correction, lane, memory);
  std::copy_n(told + 1, lane.told_size - 1, equations_of(lane, own, models).A);
  write_steps(lane, own, models);
}

void refresh_model(const Program& program, const CorrectedLane& lane, double t, Memory& memory) {
  const Correction& correction = *program.correction;
  const Lane& own = program.lanes[static_cast<std::size_t>(lane.lane)];
  double* const models = memory.models.data();
  const Scratch s(lane, own, models);
  const double last = lane.calls > 0 ? static_cast<double>(lane.calls - 1) / lane.calls : 1.0;
  const assembly::InputPolynomials input{memory.values.data() + own.coefficients, own.degree, own.inputs};
  input.at(last, {s.inputs, static_cast<std::size_t>(own.inputs)});
  if (!own.subsystem->facets().equations->tell_linear(t, {s.inputs, static_cast<std::size_t>(own.inputs)}, s.all))
    return count_unreported(correction, lane, memory);
  write_model(correction, lane, own, models);
}

void write_model(const Program& program, const CorrectedLane& lane, const SampledSteps& steps, double* models) {
  const Correction& correction = *program.correction;
  const Scratch s(lane, program.lanes[static_cast<std::size_t>(lane.lane)], models);
  const int n = lane.states, p = lane.outputs;
  const ModelPlaces& model = lane.model;
  clear_model(lane, models);
  double *const A = models + model.A, *const D = models + model.D;
  copy(steps.look.Ad(), n, A);
  copy(steps.look.C(), p, s.C);
  copy(steps.look.D(), p, D);
  multiply({p, n, n}, s.C, A, models + model.C);
  write_powers(lane, steps.look, models + model.B);
  write_gains(lane, {s.C, models + model.B, D, whole}, models + model.K);
  copy(steps.look.K(), p, models + model.K);  // by the samples themselves: no state stands between
  if (model.applied_B != model.B) {
    write_held_powers(lane, {models + model.B, lane.pieces}, models + model.applied_B);
    write_gains(lane, {s.C, models + model.applied_B, D, lane.end}, models + model.applied_K);
  }
  if (correction.shape.addition != Addition::line || n == 0) return;
  std::fill_n(s.Ad, n * n, 0.0);
  copy(steps.whole.Ad(), n, s.Ad);
  write_powers(lane, steps.whole, s.G);
  if (lane.calls == 0) return write_deadbeat(correction, lane, {s.Ad, s.G}, s, models);
  write_held_powers(lane, {s.G, lane.calls}, s.composed);
  write_deadbeat(correction, lane, {s.Ad, s.composed}, s, models);
}

void clear_model(const CorrectedLane& lane, double* models) {
  std::fill(models + lane.model.A, models + lane.model.equations, 0.0);
}

void mute_model(const CorrectedLane& lane, double* models) {
  const int n = lane.states, m = lane.inputs, p = lane.outputs;
  const ModelPlaces& model = lane.model;
  std::fill_n(models + model.C, p * n, 0.0);
  for (const int K : {model.K, model.applied_K}) std::fill_n(models + K, powers * p * m, 0.0);
  std::fill_n(models + model.D, p * m, 0.0);
  std::fill_n(models + model.deadbeat, 2 * m * n, 0.0);
}

bool solve_models(const Correction& correction, double* models) {
  const CorrectionWorkspace work(correction, models + correction.work);
  return solve(correction, correction.shape.models.shape, {}, models,
               {models + correction.solved, models + correction.solved_sinks, work.solved.work});
}

}  // namespace seam::coupling
