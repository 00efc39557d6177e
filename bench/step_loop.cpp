// What the engine costs: two coupled two-state subsystems through compile and advance, against a loop written by hand
// for just this pair. Same flags, same precomputed matrices: the results are equal to 1e-12.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/lti/discretise.hpp"

namespace {

using namespace seam;

const char* pair_of_oscillators = R"(
seam: 1
subsystems:
  left:
    model: state-space
    set: {A: [[0, 1], [-200, -2]], B: [[0, 0], [100, 1]], C: [[10, 0.1]], D: [[-10, -0.1]], x0: [1, 0], inputs: [x, v], outputs: [F]}
  right:
    model: state-space
    set: {A: [[0, 1], [-100, -1]], B: [[0], [10]], C: [[1, 0], [0, 1]], D: [[0], [0]], x0: [0, 0], inputs: [F], outputs: [x, v]}
connections: [left.F -> right.F, right.x -> left.x, right.v -> left.v]
plan: {step: 1 ms}
)";

/// One macro step of one subsystem as rows of numbers: x+ = Ad x + sum_j G_j c_j, y = C x + D u.
struct Numbers {
  double step[2][8];
  double out[2][4];
};

/// A loop written by hand for this pair: left has inputs (x, v) and output F, right input F and outputs (x, v).
template <int degree>
struct Hand {
  Numbers left{}, right{};
  double xl[2] = {1, 0}, xr[2] = {0, 0};
  double ul[2 * (degree + 1)] = {}, ur[degree + 1] = {};
  double past_x[3] = {}, past_v[3] = {}, past_f[3] = {};

  static double at_end(const double* c, int stride) {
    double sum = c[degree * stride];
    for (int j = degree - 1; j >= 0; --j) sum = sum * 1.0 + c[j * stride];
    return sum;
  }
  static void polynomial(const double* y, double* c, int stride) {
    const double first = degree >= 1 ? y[0] - y[1] : 0.0;
    const double second = degree >= 2 ? 0.5 * (y[0] - 2.0 * y[1] + y[2]) : 0.0;
    c[0] = y[0];
    if (degree >= 1) c[stride] = first + second;
    if (degree >= 2) c[2 * stride] = second;
  }
  static void push(double* past, double value) {
    past[2] = past[1];
    past[1] = past[0];
    past[0] = value;
  }
  void start() {
    // F = C x + D u with the displacement and velocity of the right mass, which are 0.
    const double force =
        left.out[0][0] * xl[0] + left.out[0][1] * xl[1] + left.out[0][2] * xr[0] + left.out[0][3] * xr[1];
    for (int i = 0; i < 3; ++i) {
      past_f[i] = force;
      past_x[i] = xr[0];
      past_v[i] = xr[1];
    }
  }
  void step() {
    polynomial(past_x, ul, 2);
    polynomial(past_v, ul + 1, 2);
    polynomial(past_f, ur, 1);
    double l[2], r[2];
    for (int i = 0; i < 2; ++i) {
      double a = left.step[i][0] * xl[0] + left.step[i][1] * xl[1];
      for (int k = 0; k < 2 * (degree + 1); ++k) a += left.step[i][2 + k] * ul[k];
      l[i] = a;
      double b = right.step[i][0] * xr[0] + right.step[i][1] * xr[1];
      for (int k = 0; k < degree + 1; ++k) b += right.step[i][2 + k] * ur[k];
      r[i] = b;
    }
    std::copy_n(l, 2, xl);
    std::copy_n(r, 2, xr);
    const double force = left.out[0][0] * xl[0] + left.out[0][1] * xl[1] + left.out[0][2] * at_end(ul, 2) +
                         left.out[0][3] * at_end(ul + 1, 2);
    const double x = right.out[0][0] * xr[0] + right.out[0][1] * xr[1];
    const double v = right.out[1][0] * xr[0] + right.out[1][1] * xr[1];
    push(past_f, force);
    push(past_x, x);
    push(past_v, v);
  }
};

Numbers numbers(assembly::Subsystem& subsystem, double h, int degree) {
  const auto model = assembly::linearised(subsystem, 0.0, std::vector<double>(2))->matrices;
  const lti::PolynomialStep step = lti::discretise(model, h, degree);
  Numbers n{};
  for (int i = 0; i < 2; ++i) {
    int k = 0;
    for (int j = 0; j < 2; ++j) n.step[i][k++] = step.Ad(i, j);
    for (const auto& G : step.G) {
      for (int j = 0; j < G.cols(); ++j) n.step[i][k++] = G(i, j);
    }
  }
  for (int i = 0; i < model.C.rows(); ++i) {
    for (int j = 0; j < 2; ++j) n.out[i][j] = model.C(i, j);
    for (int j = 0; j < model.D.cols(); ++j) n.out[i][2 + j] = model.D(i, j);
  }
  return n;
}

/// Then the motion starts again: it is damped, and numbers that have nearly become 0 take the processor longer.
constexpr base::Tick steps_a_round = 20000;
constexpr int rounds = 100;

double seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double seconds_of_rounds(const engine::Live& live) {
  double result = 0.0;
  for (int round = 0; round < rounds; ++round) {
    coupling::Memory memory = coupling::start(live.program);
    coupling::settle(live.program, memory);
    result += seconds([&] { coupling::advance(live.program, memory, steps_a_round); });
  }
  return result;
}

/// Interleaved repetitions; the median of the ratios, so that a noisy neighbour disturbs both sides alike.
template <int degree>
void measure(const char* coupling) {
  constexpr int repetitions = 9;
  engine::Changes changes;
  changes.coupling = coupling;
  const engine::System system = engine::open_text(pair_of_oscillators, "pair.yaml", changes);
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::vector<double> ratios, rates;
  bool equal = true;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    Hand<degree> hand, fresh;
    fresh.left = numbers(*live.assembly->members[0].subsystem, system.plan.step, degree);
    fresh.right = numbers(*live.assembly->members[1].subsystem, system.plan.step, degree);
    fresh.start();
    const double ours = seconds_of_rounds(live);
    double by_hand = 0.0;
    for (int round = 0; round < rounds; ++round) {
      hand = fresh;
      by_hand += seconds([&] {
        for (base::Tick n = 0; n < steps_a_round; ++n) hand.step();
      });
    }
    for (int i = 0; i < 2; ++i) {
      const auto agrees = [i](assembly::Subsystem& subsystem, const double(&by_hand_too)[2]) {
        return std::abs(subsystem.states()[static_cast<std::size_t>(i)] - by_hand_too[i]) <= 1e-12;
      };
      equal = equal && agrees(*live.assembly->members[0].subsystem, hand.xl);
      equal = equal && agrees(*live.assembly->members[1].subsystem, hand.xr);
    }
    ratios.push_back(ours / by_hand);
    rates.push_back(static_cast<double>(rounds * steps_a_round) / ours);
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(rates.begin(), rates.end());
  fmt::print("{:<4} {:8.1f} million macro steps/s   {:.2f} times the hand-written loop   result {}\n", coupling,
             rates[repetitions / 2] / 1e6, ratios[repetitions / 2], equal ? "equal to 1e-12" : "DIFFERENT");
  if (!equal) std::exit(1);
}

double steps_a_second(const char* corrector) {
  engine::Changes changes;
  changes.corrector = corrector;
  const engine::System system = engine::open_text(pair_of_oscillators, "pair.yaml", changes);
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  return static_cast<double>(rounds * steps_a_round) / seconds_of_rounds(live);
}

/// What a corrector with fixed models costs beside a zero-order hold alone, in turn with it.
void measure_corrector(const char* corrector) {
  constexpr int repetitions = 9;
  std::vector<double> ratios, rates;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double alone = steps_a_second("none"), corrected = steps_a_second(corrector);
    ratios.push_back(alone / corrected);
    rates.push_back(corrected);
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(rates.begin(), rates.end());
  fmt::print("zoh with {:<30} {:8.1f} million macro steps/s   {:.2f} times a step of zoh alone\n", corrector,
             rates[repetitions / 2] / 1e6, ratios[repetitions / 2]);
}

}  // namespace

int main() {
  fmt::print("two coupled two-state subsystems, exact solver, divergence check on\n");
  measure<0>("zoh");
  measure<1>("foh");
  measure<2>("soh");
  for (const char* const corrector : {"plc", "nepce", "mbcorr", "tracking", "tracking,offset=none", "predictive", "predictive,input=hold"})
    measure_corrector(corrector);
}
