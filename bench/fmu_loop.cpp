// What the engine costs beside FMUs: small FMUs in a ring through seam's run loop, with divergence check, Ctrl-C flag
// and summary columns on, against a tight loop in the manner of C that calls the same FMUs directly (set, doStep, get).
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "fmi2.h"
#include "seam/coupling/advance.hpp"
#include "seam/engine/new_system.hpp"
#include "seam/engine/system.hpp"
#include "seam/stepping/run.hpp"

namespace {

using namespace seam;

/// One FMI 2 instance driven by hand.
struct ByHand {
  void* library = nullptr;
  fmi2Component component = nullptr;
  fmi2SetRealTYPE* set = nullptr;
  fmi2GetRealTYPE* get = nullptr;
  fmi2DoStepTYPE* step = nullptr;
  fmi2ValueReference input = 0, output = 0;
};

void quiet(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}
const fmi2CallbackFunctions callbacks = {quiet, std::calloc, std::free, nullptr, nullptr};

template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

/// Identifier, token and references are read off the FMU's description by seam, so that both sides drive the same
/// thing.
ByHand make_by_hand(const std::string& name, const std::string& token, fmi2ValueReference input,
                    fmi2ValueReference output) {
  const std::string path = std::string(SEAM_FMUS) + "/unpacked/fmi2/" + name + "/binaries/linux64/" + name + ".so";
  ByHand fmu;
  fmu.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!fmu.library) {
    fmt::print("{}\n", dlerror());
    std::exit(1);
  }
  fmu.component = function<fmi2InstantiateTYPE>(fmu.library, "fmi2Instantiate")(
      name.c_str(), fmi2CoSimulation, token.c_str(), "", &callbacks, fmi2False, fmi2False);
  function<fmi2SetupExperimentTYPE>(fmu.library, "fmi2SetupExperiment")(fmu.component, fmi2False, 0, 0, fmi2False, 0);
  function<fmi2EnterInitializationModeTYPE>(fmu.library, "fmi2EnterInitializationMode")(fmu.component);
  function<fmi2ExitInitializationModeTYPE>(fmu.library, "fmi2ExitInitializationMode")(fmu.component);
  fmu.set = function<fmi2SetRealTYPE>(fmu.library, "fmi2SetReal");
  fmu.get = function<fmi2GetRealTYPE>(fmu.library, "fmi2GetReal");
  fmu.step = function<fmi2DoStepTYPE>(fmu.library, "fmi2DoStep");
  fmu.input = input;
  fmu.output = output;
  return fmu;
}

double seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A ring: FMU i hears FMU i - 1.
engine::System ring(const std::string& name, int count, double stop) {
  engine::FmuRequest request;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    request.files.push_back(std::string(SEAM_FMUS) + "/fmi2/" + name + ".fmu");
    names.push_back(i == 0 ? name : name + "_" + std::to_string(i + 1));
  }
  for (int i = 0; i < count; ++i)
    request.connect.push_back(names[static_cast<std::size_t>((i + count - 1) % count)] +
                              ".y=" + names[static_cast<std::size_t>(i)] + ".u");
  engine::Changes changes;
  changes.step = "1ms";
  changes.stop = fmt::format("{}", stop);
  return engine::open_fmus(request, changes);
}

struct References {
  std::string token;
  fmi2ValueReference input, output;
};
References references(const std::string& name) {
  const auto fmu = engine::open_fmu(std::string(SEAM_FMUS) + "/fmi2/" + name + ".fmu");
  return {fmu.description.token, fmu.description.find("u")->value_reference,
          fmu.description.find("y")->value_reference};
}

void measure(const std::string& name, int count) {
  const auto steps = static_cast<base::Tick>(2'000'000 / count);
  constexpr int repetitions = 7;
  const engine::System system = ring(name, count, static_cast<double>(steps) * 1e-3);
  const References known = references(name);
  std::vector<ByHand> hand;
  for (int i = 0; i < count; ++i) hand.push_back(make_by_hand(name, known.token, known.input, known.output));
  std::vector<double> y(static_cast<std::size_t>(count), 0.0), u(y.size());
  std::vector<double> ratios, per_fmu;
  base::Tick done_by_hand = 0;
  const std::atomic<bool> stop_asked{false};
  for (int r = 0; r < repetitions; ++r) {
    const engine::Live live = engine::make_live(system, {engine::Horizon::experiment});
    coupling::Memory memory = coupling::start(live.program);
    stepping::RunOptions options;
    options.every = steps;
    options.stop_asked = &stop_asked;
    const double ours = seconds([&] { stepping::run(live.program, memory, options, {}); });
    const double by_hand = seconds([&] {
      for (base::Tick n = 0; n < steps; ++n, ++done_by_hand) {
        const double t = static_cast<double>(done_by_hand) * 1e-3;
        for (std::size_t i = 0; i < hand.size(); ++i) {
          ByHand& fmu = hand[i];
          fmu.set(fmu.component, &fmu.input, 1, &u[i]);
          fmu.step(fmu.component, t, 1e-3, fmi2True);
          fmu.get(fmu.component, &fmu.output, 1, &y[i]);
        }
        for (std::size_t i = 0; i < hand.size(); ++i) u[i] = y[(i + hand.size() - 1) % hand.size()];
      }
    });
    ratios.push_back(ours / by_hand);
    per_fmu.push_back(1e9 * by_hand / static_cast<double>(steps * count));
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(per_fmu.begin(), per_fmu.end());
  fmt::print("{:<8} {:>3} FMUs   {:7.1f} ns a step and FMU by hand   seam takes {:.2f} times that\n", name, count,
             per_fmu[repetitions / 2], ratios[repetitions / 2]);
}

}  // namespace

int main() {
  fmt::print("FMI 2.0 FMUs in a ring, run loop with divergence check and interrupt flag\n");
  for (const int count : {2, 64}) {
    measure("trivial", count);
    measure("heavy", count);
  }
}
