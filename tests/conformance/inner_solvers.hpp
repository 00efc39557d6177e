// Random pairs of co-simulation FMUs whose solver steps with the calls of the master, or in steps of its own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "seam/engine/open/system.hpp"
#include "support/random_coupling.hpp"

namespace seam::testing {

/// How the solver inside an FMU steps.
struct InnerSolver {
  int method = 1;  ///< 1: euler, 3: rk4, 5: implicit-euler
  enum class Steps {
    of_the_call,
    at_most,    ///< a length of its own, shorter ones where a call ends
    on_a_grid,  ///< of its own, wherever calls end
  } steps = Steps::of_the_call;
  bool keeps_rates = false;  ///< rk4 that begins with the rates of the end of the last call, as FMUs of 20-sim do

  std::string settings(double own_step) const {
    std::string text = fmt::format("solver: {}", method);
    if (steps != Steps::of_the_call) text += fmt::format(", solver_step: {:.17g}", own_step);
    if (steps == Steps::on_a_grid) text += fmt::format(", grid: {:.17g}", own_step);
    if (keeps_rates) text += ", keeps_rates: 1";
    return text;
  }
};

struct Pair {
  RandomCoupling coupling;
  InnerSolver solvers[2];
  bool fits_grids = true;  ///< calls are made at multiples of the solvers' own steps
  double starts_at = 0.0;  ///< s
};

/// As FMUs of 20-sim do.
inline void keep_rates(Pair& pair) {
  for (InnerSolver& solver : pair.solvers) {
    if (solver.steps == InnerSolver::Steps::on_a_grid) solver.steps = InnerSolver::Steps::of_the_call;
    solver.keeps_rates = true;
  }
}

class RandomPairs {
 public:
  explicit RandomPairs(std::uint64_t first) : random_(first) {}

  /// Two subsystems that come to rest at one point, without states that no output shows: those may overflow unseen.
  Pair next() {
    Pair pair{random_.next(), {}};
    const auto suits = [](const RandomCoupling& coupling) {
      const bool hides = coupling.kind == CouplingKind::control && coupling.parts[0].C(0, 1) == 0.0;
      return coupling.parts.size() == 2 && coupling.kind != CouplingKind::velocity && !hides;
    };
    while (!suits(pair.coupling)) pair.coupling = random_.next();
    constexpr int methods[] = {1, 3, 5};
    for (InnerSolver& solver : pair.solvers) {
      solver.method = methods[static_cast<std::size_t>(random_.uniform(0.0, 3.0))];
      solver.steps = static_cast<InnerSolver::Steps>(random_.uniform(0.0, 3.0));
    }
    pair.fits_grids = random_.uniform(0.0, 1.0) < 0.8;
    return pair;
  }

 private:
  RandomCouplings random_;
};

inline void insert_behind(const std::string& place, const std::string& more, std::string& text) {
  text.insert(text.find(place) + place.size(), more);
}

/// Further lines of a system file.
struct Additions {
  std::string subsystems = {}, connections = {};

  void insert_into(std::string& text) const {
    insert_behind("connections:\n", connections, text);
    text.insert(text.find("connections:\n"), subsystems);  // the last ones
  }
};

class InnerSolvers : public ::testing::Test {
 protected:
  InnerSolvers() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~InnerSolvers() override { ::unsetenv("XDG_CACHE_HOME"); }

  engine::System opened(const Pair& pair, const engine::Changes& changes, const Additions& additions = {}) const {
    std::vector<std::string> files;
    for (int version : {2, 3}) {
      files.push_back(fmt::format("{}-{}.fmu", archive_, version));
      std::filesystem::copy_file(fmt::format("{}/fmus/fmi{}/{}.fmu", SEAM_BINARY_DIR, version, archive_),
                                 folder_.file(files.back()), std::filesystem::copy_options::skip_existing);
    }
    std::string text = pair.coupling.of_fmus(files), micro_steps;
    const double own_step = pair.coupling.step / 4.0;
    for (std::size_t i = 0; i < 2; ++i) {
      const InnerSolver& solver = pair.solvers[i];
      insert_behind(fmt::format("p{}: {{fmu: {}, set: {{", i, files[i]),
                    fmt::format("x10: 1, x20: {}, {}, ", i, solver.settings(own_step)), text);
      if (pair.fits_grids && solver.steps == InnerSolver::Steps::on_a_grid)
        micro_steps += fmt::format("p{}: {{micro_step: {:.17g}}}, ", i, own_step);
    }
    insert_behind("plan: {", "subsystems: {" + micro_steps + "}, ", text);
    additions.insert_into(text);
    return engine::open_text(text, folder_.file("pair.yaml"), changes);
  }

  engine::System at_step(const Pair& pair, double step) const {
    engine::Changes changes;
    changes.step = fmt::format("{:.17g}", step);
    changes.start = fmt::format("{:.17g}", pair.starts_at);
    changes.stop = fmt::format("{:.17g}", pair.starts_at + 20000.0 * step);
    return opened(pair, changes);
  }

  std::string archive_ = "state-space-4-poor";
  formats::TemporaryFolder folder_, cache_;
};

/// The same FMUs with their equations by model exchange.
class ShownSolvers : public InnerSolvers {
 protected:
  ShownSolvers() { archive_ = "state-space-4-shown"; }
};

}  // namespace seam::testing
