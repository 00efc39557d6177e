// Linear models of the subsystems of a system, each by the best way that its subsystem allows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/linear_models.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

struct LinearModelRequest {
  std::vector<std::string> subsystems = {};  ///< names; none: all
  std::optional<double> time = {};           ///< s, of the operating point; none: the start
  enum class Ports {
    connected,  ///< inputs and outputs that the coupling uses; a probe leaves zeros elsewhere
    all         ///< every continuous real input and output
  } ports = Ports::connected;
  enum class Motions {
    small,   ///< around the operating point
    of_runs  ///< of the inputs in a short run: what a prediction of runs needs where a subsystem is not linear
  } motions = Motions::small;
  std::function<void(double fraction)> progress = {};
};

/// A time as a user writes it ("2", "10ms"). Throws base::ProblemsFound.
double operating_time(const std::string& text);

/// One a subsystem, in the order of the description; signals known ahead of time have none. Everything is done on
/// instances made for this purpose, one system of them at a time, so that FMUs of which there may be only one are
/// probed, too; none of them is alive when it returns. Throws base::ProblemsFound for a name or time that does not
/// exist, base::Error if the operating point is not reached.
std::vector<analysis::SubsystemModel> linear_models(const System& system, const LinearModelRequest& request);

/// Whether the corrector of a plan wants models that are found by moving inputs before the run.
bool wants_probed_models(const system::Plan& plan);
/// Linear models for a corrector at the start of the experiment, where it does not ask the subsystems themselves: those
/// of FMUs, where its plan asks for probed ones; for a prediction of all together, those of all subsystems of
/// `assembly` whose equations are not linear. What could not be found out is added to `notices`.
std::vector<coupling::GivenModel> corrector_models(const System& system, const assembly::Assembly& assembly,
                                                   std::vector<std::string>& notices);

}  // namespace seam::engine
