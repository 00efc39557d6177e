// Run-time identification of the two subsystems of the dual oscillator: what a macro step costs in which a model is
// identified (at most 100 us at 5 samples a step), and one in which it is only checked.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <random>
#include <vector>

#include "seam/lti/discretise.hpp"
#include "seam/lti/model_keeper.hpp"

namespace {

using namespace seam::lti;

/// Of the processor, spent by this thread: others that use the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of one macro step: the best of many short pieces.
double cost(const StateSpace& system, const KeeperChoices& choices) {
  const int r = choices.shape.samples;
  const PolynomialStep step = discretise(system, 1e-3 / r, 0);
  ModelKeeper keeper(static_cast<int>(system.inputs()), static_cast<int>(system.outputs()), choices);
  std::mt19937 random(1);
  Vector x = Vector::Zero(system.states());
  double best = std::numeric_limits<double>::max();
  for (int piece = 0; piece < 300; ++piece) {
    constexpr int steps = 20;
    std::vector<std::vector<double>> inputs(steps), outputs(steps);
    for (int n = 0; n < steps; ++n) {
      Vector u(system.inputs());
      for (double& value : u) value = static_cast<double>(random()) / 4294967296.0 - 0.5;
      for (int i = 0; i < r; ++i) {
        x = step.Ad * x + step.G[0] * u;
        const Vector y = system.C * x + system.D * u;
        inputs[static_cast<std::size_t>(n)].insert(inputs[static_cast<std::size_t>(n)].end(), u.begin(), u.end());
        outputs[static_cast<std::size_t>(n)].insert(outputs[static_cast<std::size_t>(n)].end(), y.begin(), y.end());
      }
    }
    const double begin = processor_seconds();
    for (std::size_t n = 0; n < steps; ++n) keeper.observe({inputs[n], outputs[n]});
    if (piece > 1) best = std::min(best, (processor_seconds() - begin) / steps);
  }
  return best;
}

}  // namespace

int main() {
  const StateSpace first{Matrix{{0.0, 1.0}, {-1e5, -0.1}}, Matrix{{0.0}, {0.1}}, Matrix::Identity(2, 2),
                         Matrix::Zero(2, 1)};
  const StateSpace second{Matrix{{0.0, 1.0}, {-1.02e6, -20.2}}, Matrix{{0.0, 0.0}, {2e4, 20.0}}, Matrix{{2e5, 2e2}},
                          Matrix{{-2e5, -2e2}}};
  fmt::print("Run-time identification, two states, a window of 20 macro steps\n");
  for (const int samples : {1, 3, 5, 10}) {
    KeeperChoices choices;
    choices.order = 2;
    choices.shape.samples = samples;
    KeeperChoices always = choices;
    always.threshold = -1.0;
    fmt::print(
        "{:>2} samples a step   identified {:6.1f} us (1 input, 2 outputs), {:6.1f} us (2 inputs, 1 output)   checked "
        "{:.2f} us, {:.2f} us\n",
        samples, 1e6 * cost(first, always), 1e6 * cost(second, always), 1e6 * cost(first, choices),
        1e6 * cost(second, choices));
    std::fflush(stdout);
  }
}
