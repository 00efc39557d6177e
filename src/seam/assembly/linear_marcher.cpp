#include "seam/assembly/linear_marcher.hpp"

#include <algorithm>
#include <numeric>

namespace seam::assembly {
namespace {

constexpr int highest_degree = 2;

bool are_finite(const double* numbers, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += 0.0 * numbers[i];
  return sum == 0.0;
}

/// One input's polynomial on a part of the step, as restrict_polynomial makes it.
template <int degree>
struct Part {
  double c[degree + 1];

  Part(const double* coefficients, int stride) {
    for (int j = 0; j <= degree; ++j) c[j] = coefficients[j * stride];
  }
  void restrict_to(double from, double to) {
    for (int round = 0; round < degree; ++round) {
      for (int j = degree - 1; j >= round; --j) c[j] += from * c[j + 1];
    }
    double power = 1.0;
    for (int j = 1; j <= degree; ++j) {
      power *= to - from;
      c[j] *= power;
    }
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
    : model_(model), wish_(std::move(wish)), sums_(model.equations->row_sums()) {
  const auto sizes = model.equations->sizes();
  n_ = sizes.states;
  m_ = sizes.inputs;
  p_ = sizes.outputs;
  rows_ = ode::input_rows(model.method);
  kernels_ = ode::linear_kernels(n_, m_, model.method);
  const std::span<const int> velocity_of = model.equations->velocity_of();
  steps_ = {sums_->A.data(), sums_->B.data(), velocity_of.empty() ? nullptr : velocity_of.data(),
            wish_.length / model.solver_steps};
  given_.resize(static_cast<std::size_t>(m_));
  for (const int column : wish_.given_each) given_[static_cast<std::size_t>(column)] = true;
  all_outputs_.resize(static_cast<std::size_t>(p_));
  std::iota(all_outputs_.begin(), all_outputs_.end(), 0);
  const int solver_steps = wish_.most * model.solver_steps;
  inputs_.resize(static_cast<std::size_t>(solver_steps * rows_ * m_));
  end_inputs_.resize(static_cast<std::size_t>(wish_.most * m_));
  states_.resize(static_cast<std::size_t>((solver_steps + 1) * n_));
  steady_.resize(model.driven.size());
}

template <int degree>
void LinearMarcher::fill_column(const Stretch& stretch, int column) {
  const bool given = given_[static_cast<std::size_t>(column)];
  const bool begins_alone = rows_ == 1 && model_.solver_steps == 1;
  const int k = model_.solver_steps;
  for (int s = 0; s < stretch.count; ++s) {
    const double* const coefficients = given ? stretch.given + s * (degree + 1) * m_ : stretch.input.coefficients;
    Part<degree> part(coefficients + column, m_);
    const double from = static_cast<double>(stretch.first + s) / stretch.parts;
    if (!given && begins_alone) {
      input(s, 0, 0)[column] = part.at(from);
      continue;
    }
    if (!given) part.restrict_to(from, static_cast<double>(stretch.first + s + 1) / stretch.parts);
    const bool constant = degree == 0 || wish_.parts == MarchWish::Parts::constants;
    for (int i = 0; i < k; ++i) {
      input(s, i, 0)[column] = constant || i == 0 ? part.c[0] : part.at(static_cast<double>(i) / k);
      if (rows_ > 1) input(s, i, 1)[column] = constant ? part.c[0] : part.at((i + 0.5) / k);
      if (rows_ > 2) input(s, i, 2)[column] = constant ? part.c[0] : part.at((i + 1.0) / k);
    }
  }
}

template <int degree>
void LinearMarcher::fill(const Stretch& stretch) {
  if (degree > 0 || !wish_.given_each.empty()) {
    for (int column = 0; column < m_; ++column) fill_column<degree>(stretch, column);
    return;
  }
  const int all = stretch.count * model_.solver_steps * rows_;
  double* to = inputs_.data();
  for (int r = 0; r < all; ++r) {
    for (int column = 0; column < m_; ++column) *to++ = stretch.input.coefficients[column];
  }
}

/// What the inputs are at the ends of micro steps, from number `first` on.
template <int degree>
void LinearMarcher::fill_ends(const Stretch& stretch, int first) {
  for (int s = first; s < stretch.count; ++s) {
    for (int column = 0; column < m_; ++column) {
      const bool given = given_[static_cast<std::size_t>(column)];
      const double* const coefficients = given ? stretch.given + s * (degree + 1) * m_ : stretch.input.coefficients;
      Part<degree> part(coefficients + column, m_);
      const double from = static_cast<double>(stretch.first + s) / stretch.parts;
      if (!given) part.restrict_to(from, static_cast<double>(stretch.first + s + 1) / stretch.parts);
      const bool constant = degree == 0 || wish_.parts == MarchWish::Parts::constants;
      end_inputs_[static_cast<std::size_t>(s * m_ + column)] = constant ? part.c[0] : part.at(1.0);
    }
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

/// Whether a known signal does not change from the begin of these steps to their end, and a bit further. It is asked
/// again only where the answer is not known.
bool LinearMarcher::is_steady(const Stretch& stretch, std::size_t number) {
  Steady& steady = steady_[number];
  const double begin = stretch.begin + stretch.first * stretch.length;
  const double end = begin + (stretch.count + 1) * stretch.length;
  if (begin >= steady.from && end < steady.until) return true;
  const ode::TimeSignal& signal = *model_.driven[number].signal;
  steady = {begin, signal.steady_until(begin), signal.at(begin)};
  return end < steady.until;
}

void LinearMarcher::drive(const Stretch& stretch, int first_end) {
  const int all = stretch.count * model_.solver_steps * rows_;
  for (std::size_t d = 0; d < model_.driven.size(); ++d) {
    const ode::DrivenInput& driven = model_.driven[d];
    const bool live = stretch.sources == Sources::live;
    if (live && !is_steady(stretch, d)) {
      drive_changing(stretch, driven, first_end);
      continue;
    }
    const double value = live ? driven.factor * steady_[d].value + driven.offset : 0.0;
    for (int r = 0; r < all; ++r) inputs_[static_cast<std::size_t>(r * m_ + driven.input)] = value;
    for (int s = first_end; s < stretch.count; ++s)
      end_inputs_[static_cast<std::size_t>(s * m_ + driven.input)] = value;
  }
}

void LinearMarcher::drive_changing(const Stretch& stretch, const ode::DrivenInput& driven, int first_end) {
  const bool sampled = model_.reading == InputReading::stepped;
  const auto scaled = [&](double value) { return driven.factor * value + driven.offset; };
  const int k = model_.solver_steps;
  const double h = stretch.length;
  for (int s = 0; s < stretch.count; ++s) {
    const double t = stretch.begin + (stretch.first + s) * h;
    for (int i = 0; i < k; ++i) {
      const double begin = sampled ? t : t + h * i / k;
      input(s, i, 0)[driven.input] = scaled(driven.signal->at(begin));
      if (rows_ > 1) input(s, i, 1)[driven.input] = scaled(driven.signal->at(sampled ? t : t + h * (i + 0.5) / k));
      if (rows_ > 2)
        input(s, i, 2)[driven.input] =
            scaled(sampled ? driven.signal->at(t) : driven.signal->before(t + h * (i + 1) / k));
    }
    if (s >= first_end)
      end_inputs_[static_cast<std::size_t>(s * m_ + driven.input)] = scaled(driven.signal->at(sampled ? t : t + h));
  }
}

void LinearMarcher::read(const std::vector<int>& outputs, const ode::LinearKernels::Output& points, int count) const {
  ode::LinearKernels::Output one = points;
  for (const int output : outputs) {
    one.c = sums_->C.data() + output * n_;
    one.d = sums_->D.data() + output * m_;
    kernels_->read(one, count);
    ++one.to;
  }
}

bool LinearMarcher::march(const Stretch& stretch, const Notes& notes) {
  const int rows = wish_.degree + 1;
  if (stretch.length != wish_.length || !are_finite(stretch.input.coefficients, rows * m_)) return false;
  const int count = stretch.count;
  if (!wish_.given_each.empty() && !are_finite(stretch.given, count * rows * m_)) return false;
  const int first_end = wish_.end_outputs.empty() ? count - 1 : 0;
  switch (wish_.degree) {
    case 0:
      fill<0>(stretch);
      fill_ends<0>(stretch, first_end);
      break;
    case 1:
      fill<1>(stretch);
      fill_ends<1>(stretch, first_end);
      break;
    default:
      fill<2>(stretch);
      fill_ends<2>(stretch, first_end);
  }
  if (notes.begins && !wish_.begin_inputs.empty()) note_inputs(count, notes.begins);
  drive(stretch, first_end);
  std::copy(model_.x->begin(), model_.x->end(), states_.begin());
  const int solver_steps = count * model_.solver_steps;
  kernels_->advance(steps_, solver_steps, inputs_.data(), states_.data());
  const double* const last = states_.data() + solver_steps * n_;
  std::copy(last, last + n_, model_.x->begin());
  const int states_apart = model_.solver_steps * n_;
  if (notes.begins) {
    const auto width = static_cast<int>(wish_.begin_outputs.size() + wish_.begin_inputs.size());
    read(wish_.begin_outputs,
         {nullptr, nullptr, states_.data(), inputs_.data(), states_apart, model_.solver_steps * rows_ * m_,
          notes.begins, width},
         count);
  }
  if (notes.ends)
    read(wish_.end_outputs,
         {nullptr, nullptr, states_.data() + states_apart, end_inputs_.data(), states_apart, m_, notes.ends,
          static_cast<int>(wish_.end_outputs.size())},
         count);
  read(all_outputs_, {nullptr, nullptr, last, end_inputs_.data() + (count - 1) * m_, 0, 0, notes.outputs, 0}, 1);
  return true;
}

}  // namespace seam::assembly
