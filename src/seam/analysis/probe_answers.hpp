// What the outputs answered in the trials of a probe. Only source files of this room include it.
#pragma once

#include <optional>
#include <vector>

#include "seam/analysis/probe.hpp"

namespace seam::analysis {

/// Samples one after the other, each with all channels.
struct Answer {
  std::size_t channels = 0;
  std::vector<double> values = {};

  std::size_t count() const { return channels == 0 ? 0 : values.size() / channels; }
  double at(std::size_t sample, std::size_t channel) const { return values[sample * channels + channel]; }
};

/// Each trial minus the run in which nothing moved, of those outputs that answer beyond their rounding: scaled to 1 the
/// noise of the others would be taken for a signal.
struct Answers {
  std::vector<int> outputs, silent;  ///< numbers among all real outputs
  Answer first, fresh, doubled, shifted;
  std::vector<double> resolutions;   ///< of each output: its rounding by its answer
  std::vector<double> silent_up_to;  ///< of each silent output: the size of answers that are taken for rounding
  int samples = 0;                   ///< before an answer runs away

  double resolution() const;  ///< the worst
};
Answers answers_of(const Probe& probe);

double root_mean_square(const Answer& answer, std::size_t channel);

/// Differences of factor * a from b, channel by channel, by the size of b's, root mean squares; none if one of them was
/// not tried.
std::vector<double> distances(const Answer& a, double factor, const Answer& b, int samples);
/// The largest of them, 0 if there are none.
double distance(const Answer& a, double factor, const Answer& b, int samples);

/// The model of the channels that moved and answered, among all inputs and outputs.
lti::StateSpace widened(const lti::StateSpace& small, const Probe& probe, const std::vector<int>& outputs);

/// The period of a subsystem that samples by itself, in samples of the probe, if it is at least two of them: between
/// the instants of its own the answers stay as they are. None if they do not.
std::optional<double> own_period(const Answer& answer, int samples);

}  // namespace seam::analysis
