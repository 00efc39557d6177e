// Run-time identification of the two subsystems of the dual oscillator: what a macro step costs in which a model is
// identified (at most 100 us at 5 samples a step), and one in which it is only checked; then what identification adds
// to whole runs, beside subsystems whose step takes 20 us (at most 20 % of the run).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <random>
#include <vector>

#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
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

/// Seconds a macro step of a run of an example, the best of many runs.
double run_cost(const std::string& example, const char* corrector) {
  using namespace seam;
  engine::Changes changes;
  changes.corrector = corrector;
  const engine::System system = engine::open(std::string(SEAM_SOURCE_DIR) + "/examples/" + example, changes);
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < 20; ++run) {
    const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    const double begin = processor_seconds();
    coupling::advance(live.program, memory, live.program.ticks);
    best = std::min(best, (processor_seconds() - begin) / static_cast<double>(live.program.ticks));
  }
  return best;
}

void print_share(const std::string& example) {
  const double added = run_cost(example, "mbcorr,model=identified,order=2,micro_outputs=5") - run_cost(example, "none");
  constexpr double subsystems = 2 * 20e-6;
  fmt::print("{:<32} mbcorr with identified models adds {:5.1f} us a macro step: {:4.1f} % of the run time\n", example,
             1e6 * added, 100.0 * added / (added + subsystems));
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
  fmt::print("Whole runs, 5 samples a step, where a step of each of the two subsystems takes 20 us\n");
  print_share("dual-oscillator.yaml");
  print_share("dual-oscillator-nonlinear.yaml");
}
