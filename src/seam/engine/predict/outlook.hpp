// What will become of a coupling, before it is run: stable or not and why, at which steps, with which method, how
// wrong.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/accuracy.hpp"
#include "seam/analysis/connection_loop.hpp"
#include "seam/analysis/dominant_mode.hpp"
#include "seam/analysis/linear_models.hpp"
#include "seam/analysis/loop_gain.hpp"
#include "seam/analysis/port_passivity.hpp"
#include "seam/analysis/stability.hpp"
#include "seam/analysis/stable_steps.hpp"
#include "seam/engine/open/system.hpp"

namespace seam::engine {

/// One method for all connections between continuous ports.
struct MethodOutlook {
  std::string coupling;
  system::Feedthrough feedthrough = system::Feedthrough::held;
  bool of_the_plan = false;
  std::optional<double> radius;                ///< at the plan's step
  std::optional<analysis::StableSteps> steps;  ///< at which it is stable
  std::optional<double> error;                 ///< expected at the plan's step, of the worst output; only if stable
  std::string impossible;                      ///< why it cannot be analysed; empty: it can

  bool stable() const { return radius && *radius < 1.0 - 1e-12; }
};

struct ConnectionOutlook {
  std::string connection;    ///< "source -> sink"
  double sensitivity = 0.0;  ///< d(spectral radius)/d(gain of this connection)
  std::optional<analysis::Margins> margins;
  std::vector<analysis::NyquistPoint> nyquist;
  std::string reason;  ///< why there are no margins
};

struct Recommendation {
  std::string coupling;
  system::Feedthrough feedthrough = system::Feedthrough::held;
  double step = 0.0;  ///< s
  std::string why;    ///< one sentence
  bool keeps_the_plan = false;
};

/// The plan at another macro step.
struct SweepPoint {
  double step = 0.0;             ///< s
  std::optional<double> radius;  ///< none where it is not known or the step does not fit
  std::optional<double> error;   ///< expected, of the worst output; only if stable
  double uncertainty = 0.0;      ///< of the radius, from the spread of models that are not linear
  /// How far the FMUs, coupled, are from their models in a short run; relative, of the worst output. None: not looked
  /// at.
  std::optional<double> in_a_short_run = {};

  bool stable() const { return radius && *radius < 1.0 - std::max(uncertainty, 1e-12); }
};

/// The same coupling at a later point of the run, where what is not linear has moved on.
struct LaterPoint {
  double time = 0.0;    ///< s
  double radius = 0.0;  ///< spectral radius of one macro step
};

struct Outlook {
  /// Of the FMUs, and of built-in models that are not linear: how they were obtained and how good they are.
  std::vector<analysis::SubsystemModel> models;
  std::vector<std::string> unknown;  ///< FMUs without a model, with the reason: then there is no verdict
  std::optional<analysis::Stability> stability;
  double uncertainty = 0.0;                         ///< of the spectral radius, from the spread of the models
  std::vector<analysis::Participant> participants;  ///< largest share first
  std::vector<MethodOutlook> methods;
  analysis::Band band;                         ///< of the excitation that errors are expected of
  std::optional<analysis::Accuracy> accuracy;  ///< of the plan as it is
  std::string accuracy_reason;                 ///< why there is none
  std::vector<analysis::Loop> loops;
  std::vector<analysis::PortPassivity> ports;  ///< of the power bonds
  std::vector<ConnectionOutlook> connections;  ///< largest sensitivity first
  std::optional<Recommendation> recommendation;
  std::vector<SweepPoint> sweep;  ///< at the steps that were asked for
  std::vector<LaterPoint> later;  ///< of systems with built-in models that are not linear
  std::optional<double> time;     ///< s, of the operating point; none: the start

  enum class Verdict { stable, marginal, unstable, not_known };
  /// Not known also where the radius is nearer to 1 than the models are sure of.
  Verdict verdict() const;
};

struct OutlookRequest {
  std::optional<analysis::Band> band;  ///< of the excitation; none: where the coupled equations move
  std::optional<double> time;          ///< s, of the operating point; none: the start
  enum class Depth {
    verdict,  ///< stability of the plan alone
    sweep,    ///< and at the steps of the sweep
    plan,     ///< and its steps and loops, but no other method
    all
  } depth = Depth::all;
  std::vector<double> sweep = {};  ///< s, macro steps
  std::function<void(const std::string& what, double fraction)> progress;
};

/// Throws base::ProblemsFound if the plan does not fit the subsystems.
Outlook look_ahead(const System& system, const OutlookRequest& request);

}  // namespace seam::engine
