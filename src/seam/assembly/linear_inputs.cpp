#include "seam/assembly/linear_inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "seam/ode/linear_steps.hpp"

namespace seam::assembly {
namespace {

/// 0 if all are finite, else NaN.
double sum_of_zeros(const double* numbers, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += 0.0 * numbers[i];
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

LinearInputs::LinearInputs(const MarchedModel& model, const MarchWish& wish)
    : inputs_(model.equations->sizes().inputs),
      rows_(ode::input_rows(model.method)),
      solver_steps_(model.solver_steps),
      degree_(wish.degree),
      sampled_(model.reading == InputReading::stepped),
      constant_(wish.parts == MarchWish::Parts::constants),
      all_ends_(!wish.end_outputs.empty()),
      given_each_(wish.given_each),
      given_(static_cast<std::size_t>(inputs_)),
      written_(static_cast<std::size_t>(inputs_), 1),
      constants_(static_cast<std::size_t>(inputs_)),
      borders_(static_cast<std::size_t>(wish.most + 1)),
      signals_(model.driven) {
  for (const int column : wish.given_each) given_[static_cast<std::size_t>(column)] = 1;
  for (const ode::DrivenInput& driven : model.driven) written_[static_cast<std::size_t>(driven.input)] = 0;
  for (const int column : wish.begin_inputs) written_[static_cast<std::size_t>(column)] = 1;  // noted as it is given
}

bool LinearInputs::are_finite(const Marcher::Stretch& stretch) const {
  const int rows = degree_ + 1;
  double sum = sum_of_zeros(stretch.input.coefficients, rows * inputs_);
  for (const int column : given_each_) {
    constexpr int at_once = 4;  // that do not wait for each other
    double sums[at_once] = {};
    const double* c = stretch.given + column;
    int left = stretch.count * rows;
    for (; left >= at_once; left -= at_once, c += at_once * inputs_) {
      for (int k = 0; k < at_once; ++k) sums[k] += 0.0 * c[k * inputs_];
    }
    for (; left > 0; --left, c += inputs_) sum += 0.0 * *c;
    for (const double one : sums) sum += one;
  }
  return sum == 0.0;
}

void LinearInputs::find_parts(const Marcher::Stretch& stretch) {
  if (stretch.first == borders_first_ && stretch.parts == borders_parts_) return;
  const int most = static_cast<int>(borders_.size()) - 1;
  for (int s = 0; s <= std::min(most, stretch.parts - stretch.first); ++s)
    borders_[static_cast<std::size_t>(s)] = static_cast<double>(stretch.first + s) / stretch.parts;
  borders_first_ = stretch.first;
  borders_parts_ = stretch.parts;
}

/// What the stages of a micro step see of an input, and its end.
template <int degree, class Part>
[[gnu::always_inline]] inline void LinearInputs::write_stages(const InputDesk& desk, int step, int column,
                                                              const Part& part) {
  const bool constant = degree == 0 || constant_;
  const int k = solver_steps_, wide = desk.wide;
  double* to = stage(desk, step, column);
  for (int i = 0; i < k; ++i, to += rows_ * wide) {
    to[0] = constant || i == 0 ? part.c[0] : part.at(static_cast<double>(i) / k);
    if (rows_ > 1) to[wide] = constant ? part.c[0] : part.at((i + 0.5) / k);
    if (rows_ > 2) to[2 * wide] = constant ? part.c[0] : part.at((i + 1.0) / k);
  }
  if (step >= first_end_) desk.ends[step * wide + column * desk.apart] = constant ? part.c[0] : part.at(1.0);
}

/// Where a micro step is one stage, as most of them are.
template <int degree>
void LinearInputs::fill_given_begins(const Marcher::Stretch& stretch, const InputDesk& desk, int column) const {
  const bool constant = degree == 0 || constant_;
  const double* c = stretch.given + column;
  double *to = stage(desk, 0, column), *end = desk.ends + column * desk.apart;
  for (int s = 0; s < stretch.count; ++s, c += (degree + 1) * inputs_, to += desk.wide, end += desk.wide) {
    const Part<degree> part(c, inputs_);
    *to = part.c[0];
    if (s >= first_end_) *end = constant ? part.c[0] : part.at(1.0);
  }
}

template <int degree>
void LinearInputs::fill_given(const Marcher::Stretch& stretch, const InputDesk& desk, int column) {
  constants_[static_cast<std::size_t>(column)] = {};
  if (rows_ == 1 && solver_steps_ == 1) return fill_given_begins<degree>(stretch, desk, column);
  for (int s = 0; s < stretch.count; ++s)
    write_stages<degree>(desk, s, column, Part<degree>(stretch.given + s * (degree + 1) * inputs_ + column, inputs_));
}

void LinearInputs::fill_constant(const InputDesk& desk, int count, int column, double value) {
  Constant& known = constants_[static_cast<std::size_t>(column)];
  const bool same = known.desk == desk.stages && known.count >= count && known.first_end <= first_end_ &&
                    std::bit_cast<std::uint64_t>(known.value) == std::bit_cast<std::uint64_t>(value);
  if (same) return;
  double* to = stage(desk, 0, column);
  for (int r = 0; r < count * rows(); ++r, to += desk.wide) *to = value;
  to = desk.ends + first_end_ * desk.wide + column * desk.apart;
  for (int s = first_end_; s < count; ++s, to += desk.wide) *to = value;
  known = {desk.stages, value, count, first_end_};
}

template <int degree>
void LinearInputs::fill_column(const Marcher::Stretch& stretch, const InputDesk& desk, int column) {
  const Part<degree> whole(stretch.input.coefficients + column, inputs_);
  if (whole.is_constant()) return fill_constant(desk, stretch.count, column, whole.c[0]);
  constants_[static_cast<std::size_t>(column)] = {};
  const double* const borders = borders_.data();
  int s = 0;
  if (rows_ == 1 && solver_steps_ == 1) {  // the first coefficient of a part is the value at its begin
    double* to = stage(desk, 0, column);
    for (; s < std::min(first_end_, stretch.count); ++s, to += desk.wide) *to = whole.at(borders[s]);
  }
  for (; s < stretch.count; ++s) write_stages<degree>(desk, s, column, whole.restricted(borders[s], borders[s + 1]));
}

LinearInputs::Written LinearInputs::write(const Marcher::Stretch& stretch, const InputDesk& desk) {
  first_end_ = all_ends_ ? 0 : stretch.count - 1;
  const double begin = stretch.begin + stretch.first * stretch.length;
  const double end = begin + (stretch.count + 1) * stretch.length;  // and a bit further
  const bool live = stretch.sources == Sources::live && !signals_.driven().empty();
  if (degree_ == 0 && given_each_.empty() && (!live || signals_.are_steady(begin, end))) {
    for (int column = 0; column < inputs_; ++column) {
      double* to = stage(desk, 0, column);
      const double value = stretch.input.coefficients[column];
      for (int r = 0; r < rows(); ++r, to += desk.wide) *to = value;
      desk.ends[column * desk.apart] = value;
      constants_[static_cast<std::size_t>(column)] = {};
    }
    return Written::once;
  }
  find_parts(stretch);
  using Fill = void (LinearInputs::*)(const Marcher::Stretch&, const InputDesk&, int);
  constexpr Fill given[] = {&LinearInputs::fill_given<0>, &LinearInputs::fill_given<1>, &LinearInputs::fill_given<2>};
  constexpr Fill parts[] = {&LinearInputs::fill_column<0>, &LinearInputs::fill_column<1>,
                            &LinearInputs::fill_column<2>};
  for (int column = 0; column < inputs_; ++column) {
    if (!written_[static_cast<std::size_t>(column)]) continue;
    (this->*(given_[static_cast<std::size_t>(column)] ? given : parts)[degree_])(stretch, desk, column);
  }
  return Written::for_all;
}

void LinearInputs::repeat(const Marcher::Stretch& stretch, const InputDesk& desk) {
  for (int column = 0; column < inputs_; ++column) {
    if (written_[static_cast<std::size_t>(column)])
      fill_constant(desk, stretch.count, column, stretch.input.coefficients[column]);
  }
}

void LinearInputs::write_signals(const Marcher::Stretch& stretch, const InputDesk& desk, Written written) {
  const double begin = stretch.begin + stretch.first * stretch.length;
  const double end = begin + (stretch.count + 1) * stretch.length;
  for (std::size_t d = 0; d < signals_.driven().size(); ++d) {
    const int column = signals_.driven()[d].input;
    if (stretch.sources == Sources::live && !signals_.is_steady(begin, end, d)) {
      fill_changing(stretch, desk, d);
    } else if (written == Written::for_all) {
      fill_constant(desk, stretch.count, column, signals_.value(d, stretch.sources));
    } else {
      double* to = stage(desk, 0, column);
      for (int r = 0; r < rows(); ++r, to += desk.wide) *to = signals_.value(d, stretch.sources);
      desk.ends[column * desk.apart] = signals_.value(d, stretch.sources);
    }
  }
}

void LinearInputs::fill_changing(const Marcher::Stretch& stretch, const InputDesk& desk, std::size_t signal) {
  const ode::DrivenInput& driven = signals_.driven()[signal];
  constants_[static_cast<std::size_t>(driven.input)] = {};
  const auto scaled = [&](double value) { return driven.factor * value + driven.offset; };
  const int k = solver_steps_, wide = desk.wide;
  const double h = stretch.length;
  for (int s = 0; s < stretch.count; ++s) {
    const double t = stretch.begin + (stretch.first + s) * h;
    double* to = stage(desk, s, driven.input);
    for (int i = 0; i < k; ++i, to += rows_ * wide) {
      to[0] = scaled(driven.signal->at(sampled_ ? t : t + h * i / k));
      if (rows_ > 1) to[wide] = scaled(driven.signal->at(sampled_ ? t : t + h * (i + 0.5) / k));
      if (rows_ > 2)
        to[2 * wide] = scaled(sampled_ ? driven.signal->at(t) : driven.signal->before(t + h * (i + 1) / k));
    }
    if (s >= first_end_)
      desk.ends[s * wide + driven.input * desk.apart] = scaled(driven.signal->at(sampled_ ? t : t + h));
  }
}

}  // namespace seam::assembly
