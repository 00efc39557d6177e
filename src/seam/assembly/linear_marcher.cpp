#include "seam/assembly/linear_marcher.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace seam::assembly {
namespace {

constexpr int highest_degree = 2;

/// 0 if all are finite, else NaN.
double sum_of_zeros(const double* numbers, int count, int apart) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += 0.0 * numbers[i * apart];
  return sum;
}

/// One input's polynomial on a part of the step, as restrict_polynomial makes it.
template <int degree>
struct Part {
  double c[degree + 1];

  Part(const double* coefficients, int stride) {
    for (int j = 0; j <= degree; ++j) c[j] = coefficients[j * stride];
  }
  Part restricted(double from, double to) const {
    Part part = *this;
    for (int round = 0; round < degree; ++round) {
      for (int j = degree - 1; j >= round; --j) part.c[j] += from * part.c[j + 1];
    }
    double power = 1.0;
    for (int j = 1; j <= degree; ++j) {
      power *= to - from;
      part.c[j] *= power;
    }
    return part;
  }
  /// Whatever part of it: c[0] to the bit, which -0 would not be.
  bool is_constant() const {
    bool zero = true;
    for (int j = 1; j <= degree; ++j) zero &= c[j] == 0.0;
    return zero && !(c[0] == 0.0 && std::signbit(c[0]));
  }
  double at(double theta) const {
    double value = c[degree];
    for (int j = degree - 1; j >= 0; --j) value = value * theta + c[j];
    return value;
  }
};

}  // namespace

bool LinearMarcher::can(const MarchedModel& model, const MarchWish& wish) {
  const auto [n, m, p] = model.equations->sizes();
  const bool sampled_polynomial = model.reading == InputReading::stepped && wish.parts != MarchWish::Parts::constants;
  return model.equations->row_sums() && ode::linear_kernels(n, m, model.method) && wish.degree <= highest_degree &&
         !(sampled_polynomial && wish.degree > 0);
}

LinearMarcher::LinearMarcher(const MarchedModel& model, MarchWish wish)
    : model_(model),
      wish_(std::move(wish)),
      sums_(model.equations->row_sums()),
      n_(model.equations->sizes().states),
      m_(model.equations->sizes().inputs),
      before_(n_, m_),
      after_(n_, m_) {
  const auto sizes = model.equations->sizes();
  rows_ = ode::input_rows(model.method);
  kernels_ = ode::linear_kernels(n_, m_, model.method);
  const std::span<const int> velocity_of = model.equations->velocity_of();
  steps_ = {sums_->A.data(), sums_->B.data(), velocity_of.empty() ? nullptr : velocity_of.data(),
            wish_.length / model.solver_steps};
  given_.resize(static_cast<std::size_t>(m_));
  for (const int column : wish_.given_each) given_[static_cast<std::size_t>(column)] = 1;
  all_outputs_.resize(static_cast<std::size_t>(sizes.outputs));
  std::iota(all_outputs_.begin(), all_outputs_.end(), 0);
  const int solver_steps = wish_.most * model.solver_steps;
  inputs_.resize(static_cast<std::size_t>(solver_steps * rows_ * m_));
  end_inputs_.resize(static_cast<std::size_t>(wish_.most * m_));
  states_.resize(static_cast<std::size_t>((solver_steps + 1) * n_));
  borders_.resize(static_cast<std::size_t>(wish_.most + 1));
  steady_.resize(model.driven.size());
  for (int column = 0; column < m_; ++column) {
    const auto follows = [column](const ode::DrivenInput& driven) { return driven.input == column; };
    if (std::none_of(model.driven.begin(), model.driven.end(), follows)) given_inputs_.push_back(column);
  }
  pack_rows();
  const bool alone = solver_steps == 1 && model.method == ode::Method::euler && wish_.degree == 0 &&
                wish_.given_each.empty() && wish_.end_outputs.empty() && wish_.begin_inputs.empty();
  if (alone) lone_step_.emplace(*kernels_, ode::LinearKernels::Single{steps_.h, &before_, &after_}, evaluated_, *model.x);
}

void LinearMarcher::pack_rows() {
  const auto add_output = [&](int output, int place, ode::RowPairs& rows) {
    rows.add(sums_->C.data() + output * n_, sums_->D.data() + output * m_, place);
  };
  for (int i = 0; i < n_; ++i) before_.add(sums_->A.data() + i * n_, sums_->B.data() + i * m_, -1);
  int place = 0;
  for (const int output : wish_.begin_outputs) add_output(output, place++, before_);
  const auto& later = wish_.evaluated_later;
  for (const int output : all_outputs_) {
    if (std::find(later.begin(), later.end(), output) == later.end()) add_output(output, output, after_);
  }
  for (const std::vector<int>& outputs : wish_.evaluated) {
    ode::RowPairs& rows = evaluated_.emplace_back(n_, m_);
    for (const int output : outputs) add_output(output, output, rows);
  }
}

/// A stage at the begin of a step may then take the first coefficient for the value there.
bool LinearMarcher::is_finite(const Stretch& stretch) const {
  const int rows = wish_.degree + 1;
  double sum = sum_of_zeros(stretch.input.coefficients, rows * m_, 1);
  for (const int column : wish_.given_each) {
    for (int j = 0; j < rows; ++j) sum += sum_of_zeros(stretch.given + j * m_ + column, stretch.count, rows * m_);
  }
  return sum == 0.0;
}

void LinearMarcher::find_parts(const Stretch& stretch) {
  if (stretch.first == borders_first_ && stretch.parts == borders_parts_) return;
  for (int s = 0; s <= std::min(wish_.most, stretch.parts - stretch.first); ++s)
    borders_[static_cast<std::size_t>(s)] = static_cast<double>(stretch.first + s) / stretch.parts;
  borders_first_ = stretch.first;
  borders_parts_ = stretch.parts;
}

/// What the stages of a micro step see of an input, and its end.
template <int degree, class Part>
[[gnu::always_inline]] inline void LinearMarcher::write_stages(int step, int column, const Part& part) {
  const bool constant = degree == 0 || wish_.parts == MarchWish::Parts::constants;
  const int k = model_.solver_steps;
  for (int i = 0; i < k; ++i) {
    double* const to = input(step, i, 0) + column;
    to[0] = constant || i == 0 ? part.c[0] : part.at(static_cast<double>(i) / k);
    if (rows_ > 1) to[m_] = constant ? part.c[0] : part.at((i + 0.5) / k);
    if (rows_ > 2) to[2 * m_] = constant ? part.c[0] : part.at((i + 1.0) / k);
  }
  if (step >= first_end_)
    end_inputs_[static_cast<std::size_t>(step * m_ + column)] = constant ? part.c[0] : part.at(1.0);
}

template <int degree>
void LinearMarcher::fill_given(const Stretch& stretch, int column) {
  for (int s = 0; s < stretch.count; ++s)
    write_stages<degree>(s, column, Part<degree>(stretch.given + s * (degree + 1) * m_ + column, m_));
}

void LinearMarcher::fill_constant(int count, int column, double value) {
  double* to = inputs_.data() + column;
  for (int r = 0; r < count * model_.solver_steps * rows_; ++r, to += m_) *to = value;
  to = end_inputs_.data() + first_end_ * m_ + column;
  for (int s = first_end_; s < count; ++s, to += m_) *to = value;
}

template <int degree>
void LinearMarcher::fill_column(const Stretch& stretch, int column) {
  const Part<degree> whole(stretch.input.coefficients + column, m_);
  if (whole.is_constant()) return fill_constant(stretch.count, column, whole.c[0]);
  const double* const borders = borders_.data();
  int s = 0;
  if (rows_ == 1 && model_.solver_steps == 1) {  // the first coefficient of a part is the value at its begin
    double* to = inputs_.data() + column;
    for (; s < std::min(first_end_, stretch.count); ++s, to += m_) *to = whole.at(borders[s]);
  }
  for (; s < stretch.count; ++s) write_stages<degree>(s, column, whole.restricted(borders[s], borders[s + 1]));
}

void LinearMarcher::fill(const Stretch& stretch) {
  if (wish_.degree == 0 && wish_.given_each.empty()) {
    kernels_->repeat(stretch.input.coefficients, stretch.count * model_.solver_steps * rows_, inputs_.data());
    kernels_->repeat(stretch.input.coefficients, stretch.count - first_end_, end_inputs_.data() + first_end_ * m_);
    return;
  }
  find_parts(stretch);
  using Fill = void (LinearMarcher::*)(const Stretch&, int);
  constexpr Fill given[] = {&LinearMarcher::fill_given<0>, &LinearMarcher::fill_given<1>,
                            &LinearMarcher::fill_given<2>};
  constexpr Fill parts[] = {&LinearMarcher::fill_column<0>, &LinearMarcher::fill_column<1>,
                            &LinearMarcher::fill_column<2>};
  for (int column = 0; column < m_; ++column)
    (this->*(given_[static_cast<std::size_t>(column)] ? given : parts)[wish_.degree])(stretch, column);
}

/// Whether a known signal does not change from the begin to the end. It is asked again only where the answer is not
/// known.
bool LinearMarcher::is_steady(double begin, double end, std::size_t number) {
  Steady& steady = steady_[number];
  if (begin >= steady.from && end < steady.until) return true;
  const ode::TimeSignal& signal = *model_.driven[number].signal;
  steady = {begin, signal.steady_until(begin), signal.at(begin)};
  all_steady_ = {};
  return end < steady.until;
}

void LinearMarcher::drive(const Stretch& stretch) {
  const double begin = stretch.begin + stretch.first * stretch.length;
  const double end = begin + (stretch.count + 1) * stretch.length;  // and a bit further
  for (std::size_t d = 0; d < model_.driven.size(); ++d) {
    const ode::DrivenInput& driven = model_.driven[d];
    const bool live = stretch.sources == Sources::live;
    if (live && !is_steady(begin, end, d)) {
      drive_changing(stretch, driven);
      continue;
    }
    fill_constant(stretch.count, driven.input, live ? driven.factor * steady_[d].value + driven.offset : 0.0);
  }
}

void LinearMarcher::drive_changing(const Stretch& stretch, const ode::DrivenInput& driven) {
  const bool sampled = model_.reading == InputReading::stepped;
  const auto scaled = [&](double value) { return driven.factor * value + driven.offset; };
  const int k = model_.solver_steps;
  const double h = stretch.length;
  for (int s = 0; s < stretch.count; ++s) {
    const double t = stretch.begin + (stretch.first + s) * h;
    for (int i = 0; i < k; ++i) {
      double* const to = input(s, i, 0) + driven.input;
      to[0] = scaled(driven.signal->at(sampled ? t : t + h * i / k));
      if (rows_ > 1) to[m_] = scaled(driven.signal->at(sampled ? t : t + h * (i + 0.5) / k));
      if (rows_ > 2) to[2 * m_] = scaled(sampled ? driven.signal->at(t) : driven.signal->before(t + h * (i + 1) / k));
    }
    if (s >= first_end_)
      end_inputs_[static_cast<std::size_t>(s * m_ + driven.input)] = scaled(driven.signal->at(sampled ? t : t + h));
  }
}

void LinearMarcher::note_inputs(int count, double* begins) const {
  const std::size_t width = wish_.begin_outputs.size() + wish_.begin_inputs.size();
  const int apart = model_.solver_steps * rows_ * m_;
  double* to = begins + wish_.begin_outputs.size();
  for (const int column : wish_.begin_inputs) {
    for (int s = 0; s < count; ++s)
      to[static_cast<std::size_t>(s) * width] = inputs_[static_cast<std::size_t>(s * apart + column)];
    ++to;
  }
}

void LinearMarcher::note_outputs(int count, const Notes& notes) const {
  const int apart = model_.solver_steps * n_;
  ode::LinearKernels::Reading reading{sums_->C.data(), sums_->D.data(), wish_.begin_outputs,
                                      states_.data(),  inputs_.data(),  apart};
  if (notes.begins && !wish_.begin_outputs.empty()) {
    reading.inputs_apart = model_.solver_steps * rows_ * m_;
    reading.to = notes.begins;
    reading.to_apart = static_cast<int>(wish_.begin_outputs.size() + wish_.begin_inputs.size());
    kernels_->read(reading, count);
  }
  if (!wish_.end_outputs.empty()) {
    reading.outputs = wish_.end_outputs;
    reading.states = states_.data() + apart;
    reading.inputs = end_inputs_.data();
    reading.inputs_apart = m_;
    reading.to = notes.ends;
    reading.to_apart = static_cast<int>(wish_.end_outputs.size());
    kernels_->read(reading, count);
  }
  reading.outputs = all_outputs_;
  reading.states = states_.data() + count * apart;
  reading.inputs = end_inputs_.data() + (count - 1) * m_;
  reading.to = notes.outputs;
  kernels_->read(reading, 1);
}

/// Puts known signals beside the inputs that are given.
const double* LinearMarcher::with_signals(Sources sources, const double* inputs) {
  for (const int column : given_inputs_) inputs_[static_cast<std::size_t>(column)] = inputs[column];
  for (std::size_t d = 0; d < model_.driven.size(); ++d) {
    const ode::DrivenInput& driven = model_.driven[d];
    inputs_[static_cast<std::size_t>(driven.input)] =
        sources == Sources::live ? driven.factor * steady_[d].value + driven.offset : 0.0;
  }
  return inputs_.data();
}

/// Whether all known signals stay as they are from the begin to the end.
bool LinearMarcher::all_are_steady(double begin, double end) {
  if (begin >= all_steady_.from && end < all_steady_.until) [[likely]]
    return true;
  bool steady = true;
  Steady all{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), 0.0};
  for (std::size_t d = 0; d < model_.driven.size(); ++d) {
    steady = is_steady(begin, end, d) && steady;
    all.from = std::max(all.from, steady_[d].from);
    all.until = std::min(all.until, steady_[d].until);
  }
  all_steady_ = all;
  return steady;
}

void LinearMarcher::evaluate(const Wanted& wanted, const double* inputs, double* outputs) {
  if (!model_.driven.empty()) {
    const double t = wanted.time;
    inputs = with_signals(wanted.sources, inputs);
    if (wanted.sources == Sources::live && !(t >= all_steady_.from && t < all_steady_.until)) [[unlikely]] {
      for (const ode::DrivenInput& driven : model_.driven)
        inputs_[static_cast<std::size_t>(driven.input)] = driven.factor * driven.signal->at(t) + driven.offset;
    }
  }
  kernels_->read_some(evaluated_[static_cast<std::size_t>(wanted.number)], model_.x->data(), inputs, outputs);
}

std::vector<int> LinearMarcher::driven_inputs() const {
  std::vector<int> inputs;
  for (const ode::DrivenInput& driven : model_.driven) inputs.push_back(driven.input);
  return inputs;
}

double LinearMarcher::write_signals(double t, Sources sources, double* inputs) {
  if (sources == Sources::live) all_are_steady(t, t);
  for (std::size_t d = 0; d < model_.driven.size(); ++d) {
    const ode::DrivenInput& driven = model_.driven[d];
    inputs[driven.input] = sources == Sources::live ? driven.factor * steady_[d].value + driven.offset : 0.0;
  }
  return sources == Sources::live ? all_steady_.until : std::numeric_limits<double>::infinity();
}

bool LinearMarcher::step(double begin, Sources sources, const double* coefficients, const Notes& notes) {
  if (!lone_step_ || (!notes.begins && !wish_.begin_outputs.empty())) return false;
  const double* u = coefficients;
  if (!model_.driven.empty()) {
    if (sources == Sources::live && !all_are_steady(begin, begin + 2.0 * wish_.length)) [[unlikely]]
      return false;
    u = with_signals(sources, u);
  }
  lone_step_->make(u, notes.begins, notes.outputs);
  return true;
}

bool LinearMarcher::march(const Stretch& stretch, const Notes& notes) {
  if (stretch.length != wish_.length || !is_finite(stretch)) return false;
  const int count = stretch.count;
  first_end_ = wish_.end_outputs.empty() ? count - 1 : 0;
  fill(stretch);
  if (notes.begins && !wish_.begin_inputs.empty()) note_inputs(count, notes.begins);
  if (!model_.driven.empty()) drive(stretch);
  kernels_->advance(steps_, count * model_.solver_steps, inputs_.data(), model_.x->data(), states_.data());
  note_outputs(count, notes);
  return true;
}

}  // namespace seam::assembly
