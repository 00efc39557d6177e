#include "seam/analysis/probe_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::analysis {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Answer difference(const std::vector<double>& of, const std::vector<double>& from, const std::vector<int>& outputs,
                  std::size_t all) {
  Answer result{outputs.size()};
  for (std::size_t sample = 0; all > 0 && sample < of.size() / all; ++sample) {
    for (const int output : outputs) {
      const std::size_t i = sample * all + static_cast<std::size_t>(output);
      result.values.push_back(of[i] - from[i]);
    }
  }
  return result;
}

/// How many samples there are before an answer has grown far beyond its own beginning; all of them if it does not.
std::size_t tame_samples(const Answer& answer) {
  constexpr double runaway = 1e5;
  constexpr std::size_t beginning = 50;
  std::size_t tame = answer.count();
  for (std::size_t j = 0; j < answer.channels; ++j) {
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(beginning, answer.count()); ++i)
      largest = std::max(largest, std::abs(answer.at(i, j)));
    for (std::size_t i = beginning; i < tame; ++i) {
      if (largest > 0.0 && std::abs(answer.at(i, j)) > runaway * largest) tame = i;
    }
  }
  return tame;
}

double largest_value(const std::vector<double>& record, int output, std::size_t all) {
  double largest = 0.0;
  for (std::size_t i = static_cast<std::size_t>(output); i < record.size(); i += all)
    largest = std::max(largest, std::abs(record[i]));
  return largest;
}

}  // namespace

double Answers::resolution() const { return resolutions.empty() ? 0.0 : *std::ranges::max_element(resolutions); }

double root_mean_square(const Answer& answer, std::size_t channel) {
  double squares = 0.0;
  for (std::size_t i = 0; i < answer.count(); ++i) squares += answer.at(i, channel) * answer.at(i, channel);
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(answer.count(), 1)));
}

Answers answers_of(const Probe& probe) {
  const auto all = static_cast<std::size_t>(probe.setup().all_outputs);
  const std::vector<double>& rest = probe.record(Trial::rest);
  Answers answers;
  for (const int output : probe.setup().outputs) {
    const Answer own = difference(probe.record(Trial::first), rest, {output}, all);
    const double level =
        std::max(largest_value(rest, output, all), largest_value(probe.record(Trial::first), output, all));
    const double size = root_mean_square(own, 0);
    const double rounding = 50.0 * epsilon * level;
    if (size <= rounding) {
      answers.silent.push_back(output);
      answers.silent_up_to.push_back(rounding);
      continue;
    }
    answers.outputs.push_back(output);
    answers.resolutions.push_back(epsilon * level / size);
  }
  answers.first = difference(probe.record(Trial::first), rest, answers.outputs, all);
  answers.fresh = difference(probe.record(Trial::fresh), rest, answers.outputs, all);
  answers.doubled = difference(probe.record(Trial::doubled), rest, answers.outputs, all);
  answers.shifted = difference(probe.record(Trial::shifted), probe.record(Trial::shifted_rest), answers.outputs, all);
  std::size_t tame = static_cast<std::size_t>(probe.samples());
  for (const Answer* answer : {&answers.first, &answers.fresh, &answers.doubled, &answers.shifted}) {
    if (answer->count() > 0) tame = std::min(tame, tame_samples(*answer));
  }
  answers.samples = static_cast<int>(tame);
  return answers;
}

std::vector<double> distances(const Answer& a, double factor, const Answer& b, int samples) {
  std::vector<double> result;
  if (a.count() == 0 || b.count() == 0) return result;
  for (std::size_t j = 0; j < b.channels; ++j) {
    double squares = 0.0, size = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(samples); ++i) {
      squares += std::pow(factor * a.at(i, j) - b.at(i, j), 2);
      size += b.at(i, j) * b.at(i, j);
    }
    const double relative =
        squares > 0.0 ? std::sqrt(squares / std::max(size, std::numeric_limits<double>::min())) : 0.0;
    result.push_back(std::isfinite(squares) ? relative : std::numeric_limits<double>::infinity());
  }
  return result;
}

double distance(const Answer& a, double factor, const Answer& b, int samples) {
  const std::vector<double> all = distances(a, factor, b, samples);
  return all.empty() ? 0.0 : *std::ranges::max_element(all);
}

// An instant at which nothing that it samples has changed shows nothing: gaps are multiples of the period, and a sample
// longer or shorter where calls do not divide it.
std::optional<double> own_period(const Answer& answer, int samples) {
  std::vector<double> gaps;
  for (int i = 1, last = 0; i < samples; ++i) {
    const auto changes = [&](std::size_t channel) {
      const auto sample = static_cast<std::size_t>(i);
      return answer.at(sample, channel) != answer.at(sample - 1, channel);
    };
    bool any = false;
    for (std::size_t channel = 0; channel < answer.channels; ++channel) any = any || changes(channel);
    if (!any) continue;
    if (last > 0) gaps.push_back(i - last);
    last = i;
  }
  constexpr std::size_t enough = 5;
  if (gaps.size() < enough) return std::nullopt;
  double period = *std::ranges::min_element(gaps);
  if (period < 2.0) return std::nullopt;  // what is moved stays as it is for a sample, too
  for (int refinement = 0; refinement < 3; ++refinement) {
    double length = 0.0, periods = 0.0;
    for (const double gap : gaps) {
      length += gap;
      periods += std::round(gap / period);
    }
    period = length / periods;
  }
  const bool fits =
      std::ranges::all_of(gaps, [&](double gap) { return std::abs(gap - std::round(gap / period) * period) < 1.0; });
  return fits ? std::optional(period) : std::nullopt;
}

}  // namespace seam::analysis
