#include "seam/analysis/probe.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "seam/base/error.hpp"

namespace seam::analysis {
namespace {

/// Where nothing is known of the number of states.
constexpr int usual_states = 12;
constexpr int most_samples = 3000;

/// Half of it jumps at every sample, so that all frequencies up to that of the samples are there; half of it is held
/// for 4 to 43 samples, so that slow motions are there, too.
std::vector<double> excitation(int samples, int channels, unsigned seed) {
  std::mt19937 bits(seed);  // used directly: distributions differ between libraries
  const auto sign = [&] { return (bits() >> 16) & 1U ? 1.0 : -1.0; };
  std::vector<double> result(static_cast<std::size_t>(samples * channels));
  for (int channel = 0; channel < channels; ++channel) {
    int left = 0;
    double held = 0.0;
    for (int i = 0; i < samples; ++i, --left) {
      if (left == 0) {
        left = 4 + static_cast<int>((bits() >> 16) % 40);
        held = sign();
      }
      result[static_cast<std::size_t>(i * channels + channel)] = 0.5 * (sign() + held);
    }
  }
  return result;
}

}  // namespace

// The data matrices get at least twice as many columns as rows: a fit that is exactly determined proves nothing.
Probe::Probe(ProbeSetup setup) : setup_(std::move(setup)) {
  for (std::size_t i = 0; i < setup_.inputs.size(); ++i) {
    if (setup_.inputs[i].moves()) moved_.push_back(static_cast<int>(i));
  }
  const int outputs = std::max(static_cast<int>(setup_.outputs.size()), 1);
  most_states_ = setup_.states ? *setup_.states + 2 : usual_states;
  block_rows_ = std::max((most_states_ + outputs - 1) / outputs + 2, 6);
  const int rows = block_rows_ * (channels() + outputs);
  samples_ = std::min(std::max(200, block_rows_ + 3 * rows), most_samples);
  if (setup_.course.size() > setup_.inputs.size())
    samples_ = std::min(static_cast<int>(setup_.course.size() / setup_.inputs.size()), most_samples);
  first_ = excitation(samples_, channels(), 1);
  fresh_ = excitation(samples_, channels(), 2);
}

void Probe::move(Trial trial, int sample, std::span<double> coefficients) const {
  const std::size_t width = coefficients.size() / static_cast<std::size_t>(setup_.degree + 1);
  const bool shifted = trial == Trial::shifted || trial == Trial::shifted_rest;
  const bool moving = trial != Trial::rest && trial != Trial::shifted_rest;
  const double factor = trial == Trial::doubled ? 2.0 : 1.0;
  const std::vector<double>& motion = trial == Trial::fresh ? fresh_ : first_;
  for (std::size_t m = 0; m < moved_.size(); ++m) {
    const auto input = static_cast<std::size_t>(moved_[m]);
    const InputMotion& own = setup_.inputs[input];
    if (shifted) coefficients[input] += own.shift;
    if (!moving) continue;
    const double middle = 0.5 * (own.high + own.low), half = 0.5 * (own.high - own.low) / (setup_.degree + 1);
    coefficients[input] += factor * middle;
    for (int j = 0; j <= setup_.degree; ++j) {
      const auto power = static_cast<std::size_t>(j);
      const double e = motion[static_cast<std::size_t>(sample * channels()) + power * moved_.size() + m];
      coefficients[power * width + input] += factor * half * e;
    }
  }
}

std::span<const double> Probe::course(int sample) const {
  const std::size_t width = setup_.inputs.size();
  const std::size_t rows = width > 0 ? setup_.course.size() / width : 0;
  if (rows == 0) return {};
  return std::span(setup_.course).subspan(std::min(static_cast<std::size_t>(sample), rows - 1) * width, width);
}

void Probe::take(Trial trial, std::vector<double> outputs) {
  const auto idle = outputs.begin() + static_cast<std::ptrdiff_t>(idle_samples()) * setup_.all_outputs;
  const auto i = static_cast<std::size_t>(trial);
  idle_records_[i].assign(outputs.begin(), idle);
  records_[i].assign(idle, outputs.end());
}

std::vector<double> Probe::motions(Trial trial) const {
  const std::size_t width = setup_.inputs.size(), powers = static_cast<std::size_t>(setup_.degree + 1);
  std::vector<double> result, coefficients;
  for (int sample = 0; sample < samples_; ++sample) {
    coefficients.assign(width * powers, 0.0);
    move(trial, sample, coefficients);
    for (std::size_t j = 0; j < powers; ++j) {
      for (const int input : moved_) result.push_back(coefficients[j * width + static_cast<std::size_t>(input)]);
    }
  }
  return result;
}

std::optional<std::vector<double>> run_trial(assembly::Subsystem& subsystem, const Probe& probe, Trial trial,
                                             const ProbePoint& point, std::string& reason) {
  const ProbeSetup& setup = probe.setup();
  const auto width = setup.inputs.size();
  std::vector<double> record, coefficients, outputs(static_cast<std::size_t>(setup.all_outputs));
  record.reserve(outputs.size() * static_cast<std::size_t>(probe.idle_samples() + probe.samples()));
  const assembly::StepFunction function = subsystem.prepare({setup.call, setup.degree});
  int call = 0;
  for (int sample = -probe.idle_samples(); sample < probe.samples(); ++sample) {
    coefficients.assign(width * static_cast<std::size_t>(setup.degree + 1), 0.0);
    const auto from = probe.course(std::max(sample, 0));
    std::copy(from.begin(), from.end(),
              std::copy(point.inputs.begin(), point.inputs.end(), coefficients.begin()) -
                  static_cast<std::ptrdiff_t>(from.size()));
    if (sample >= 0) probe.move(trial, sample, coefficients);
    for (const int input : point.driven)
      subsystem.facets().tuning->follow(input, 0.0, coefficients[static_cast<std::size_t>(input)]);
    for (int i = 0; i < setup.calls_a_sample; ++i, ++call) {
      const assembly::Step step{point.time + call * setup.call, setup.call, assembly::Sources::live,
                                (call + 1) % point.calls_a_step == 0};
      base::Outcome outcome = base::Outcome::rejected;
      try {
        outcome = function.advance(step, {coefficients.data(), setup.degree, static_cast<int>(width)}, outputs);
        reason = subsystem.complaint();
      } catch (const base::Error& error) {
        reason = error.what();
      }
      if (outcome == base::Outcome::accepted) continue;
      if (reason.empty()) reason = "it did not make a step";
      return std::nullopt;
    }
    if (!std::all_of(outputs.begin(), outputs.end(), [](double y) { return std::isfinite(y); })) {
      reason = "its outputs left all numbers";
      return std::nullopt;
    }
    record.insert(record.end(), outputs.begin(), outputs.end());
  }
  return record;
}

}  // namespace seam::analysis
