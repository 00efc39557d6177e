#include "seam/assembly/linear_pair.hpp"

#include <algorithm>
#include <numeric>

namespace seam::assembly {
namespace {

int states_of(const LinearMarcher& marcher) { return marcher.model().equations->sizes().states; }
int inputs_of(const LinearMarcher& marcher) { return marcher.model().equations->sizes().inputs; }

std::vector<int> all_outputs(const LinearMarcher& marcher) {
  std::vector<int> outputs(static_cast<std::size_t>(marcher.model().equations->sizes().outputs));
  std::iota(outputs.begin(), outputs.end(), 0);
  return outputs;
}

}  // namespace

bool LinearPair::can(const LinearMarcher& first, const LinearMarcher& second) {
  const MarchedModel &one = first.model(), &other = second.model();
  return one.method == other.method && one.solver_steps == other.solver_steps &&
         first.wish().most == second.wish().most && first.wish().most > 1 &&
         ode::pair_kernels(std::max(states_of(first), states_of(second)), std::max(inputs_of(first), inputs_of(second)),
                           one.method);
}

LinearPair::LinearPair(LinearMarcher& first, LinearMarcher& second)
    : marchers_{&first, &second},
      n_{states_of(first), states_of(second)},
      m_{inputs_of(first), inputs_of(second)},
      states_(std::max(n_[0], n_[1])),
      inputs_(std::max(m_[0], m_[1])),
      kernels_(ode::pair_kernels(states_, inputs_, first.model().method)) {
  const auto of = [&](auto part) { return std::array{part(first), part(second)}; };
  const auto matrix = [&](auto member) { return of([&](LinearMarcher& m) { return &(m.sums().*member); }); };
  A_ = in_twos(matrix(&ode::Jacobians::A), states_, n_, states_);
  B_ = in_twos(matrix(&ode::Jacobians::B), states_, m_, inputs_);
  const auto h = of([](LinearMarcher& m) { return m.wish().length / m.model().solver_steps; });
  equations_ = {A_.data(), B_.data(), {h[0], h[1]}};
  narrows_ = inputs_ > 1 && first.inputs().stage_rows() == 1 && first.forgets_zeros() && second.forgets_zeros();
  used_inputs_ = inputs_;
  used_B_.resize(B_.size());
  begin_outputs_ = rows_of(of([](LinearMarcher& m) { return m.wish().begin_outputs; }));
  end_outputs_ = rows_of(of([](LinearMarcher& m) { return m.wish().end_outputs; }));
  last_outputs_ = rows_of(of(all_outputs));
  const auto most = static_cast<std::size_t>(first.wish().most);
  const auto rows = static_cast<std::size_t>(first.inputs().rows());
  stages_.resize(2 * most * rows * static_cast<std::size_t>(inputs_));
  ends_.resize(2 * most * static_cast<std::size_t>(inputs_));
  followed_.resize(2 * (most * static_cast<std::size_t>(first.model().solver_steps) + 1) *
                   static_cast<std::size_t>(states_));
  x_.resize(2 * static_cast<std::size_t>(states_));
}

/// Rows that one of them has not are 0, and so are columns.
std::vector<double> LinearPair::in_twos(const std::array<const std::vector<double>*, 2>& matrices, int rows,
                                        const std::array<int, 2>& columns, int most) const {
  std::vector<double> twos(2 * static_cast<std::size_t>(rows * most));
  for (std::size_t which = 0; which < 2; ++which) {
    for (std::size_t i = 0; i < matrices[which]->size(); ++i) {
      const auto width = static_cast<std::size_t>(columns[which]);
      const std::size_t place = i / width * static_cast<std::size_t>(most) + i % width;
      twos[2 * place + which] = (*matrices[which])[i];
    }
  }
  return twos;
}

std::vector<LinearPair::OutputRow> LinearPair::rows_of(const std::array<std::vector<int>, 2>& outputs) const {
  std::vector<OutputRow> rows(std::max(outputs[0].size(), outputs[1].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    OutputRow& row = rows[i];
    row.c.resize(2 * static_cast<std::size_t>(states_));
    row.d.resize(2 * static_cast<std::size_t>(inputs_));
    for (std::size_t which = 0; which < 2; ++which) {
      row.number[which] = i < outputs[which].size() ? static_cast<int>(i) : -1;
      if (row.number[which] < 0) continue;
      const ode::Jacobians& sums = marchers_[which]->sums();
      const auto n = static_cast<std::size_t>(n_[which]), m = static_cast<std::size_t>(m_[which]);
      const auto output = static_cast<std::size_t>(outputs[which][i]);
      for (std::size_t j = 0; j < n; ++j) row.c[2 * j + which] = sums.C[output * n + j];
      for (std::size_t j = 0; j < m; ++j) row.d[2 * j + which] = sums.D[output * m + j];
    }
  }
  return rows;
}

/// Once, if neither changes.
LinearPair::Written LinearPair::write_inputs(const Stretches& stretches, const Notes& notes) {
  std::array<Written, 2> written{};
  std::array<InputDesk, 2> desks;
  const int wide = 2 * inputs_;
  for (std::size_t which = 0; which < 2; ++which) {
    LinearMarcher& marcher = *marchers_[which];
    desks[which] = {stages_.data() + which, ends_.data() + which, wide, 2};
    written[which] = marcher.inputs().write(stretches[which], desks[which]);
    if (notes[which].begins && !marcher.wish().begin_inputs.empty())
      marcher.note_inputs(stretches[which].count, written[which], desks[which], notes[which].begins);
  }
  const bool once = written[0] == Written::once && written[1] == Written::once;
  for (std::size_t which = 0; which < 2; ++which) {
    LinearInputs& inputs = marchers_[which]->inputs();
    if (!once && written[which] == Written::once) inputs.repeat(stretches[which], desks[which]);
    inputs.write_signals(stretches[which], desks[which], once ? Written::once : Written::for_all);
  }
  return once ? Written::once : Written::for_all;
}

/// Whether an input of both is 0 in all steps.
bool LinearPair::is_zero(int column, int count, Written written) const {
  bool zero = true;
  for (std::size_t which = 0; which < 2; ++which) {
    const double* const begin = stages_.data() + which;
    const bool exists = column < m_[which];
    zero &= !exists || (written == Written::once ? begin[2 * column] == 0.0
                                                 : marchers_[which]->inputs().is_zero(begin, count, column));
  }
  return zero;
}

/// Inputs that are 0 at the edges, as hits and disturbances mostly are, are left out: a sum that begins with 0 stays
/// the same to the bit, and the next step waits less long for it.
void LinearPair::narrow(int count, Written written) {
  if (!narrows_) return;
  int first = 0, end = inputs_;
  while (first + 1 < end && is_zero(end - 1, count, written)) --end;
  while (first + 1 < end && is_zero(first, count, written)) ++first;
  if (first == first_input_ && end - first == used_inputs_) return;
  first_input_ = first;
  used_inputs_ = end - first;
  kernels_ = ode::pair_kernels(states_, used_inputs_, marchers_[0]->model().method);
  double* to = used_B_.data();
  for (int row = 0; row < states_; ++row)
    to = std::copy_n(B_.data() + 2 * (row * inputs_ + first), 2 * used_inputs_, to);
  equations_.B = used_B_.data();
}

/// Infinity, once there, stays; and 0 times it would not be 0 where one of them has fewer states.
bool LinearPair::stays_finite(int steps) const {
  const double* const last = followed_.data() + 2 * steps * states_;
  double sum = 0.0;
  for (int i = 0; i < 2 * states_; ++i) sum += 0.0 * last[i];
  return sum == 0.0;
}

void LinearPair::read(const std::vector<OutputRow>& rows, ode::PairKernels::Reading reading, int count,
                      const std::array<double*, 2>& to) {
  const std::array<int, 2> apart{reading.to_apart[0], reading.to_apart[1]};
  for (const OutputRow& row : rows) {
    reading.c = row.c.data();
    reading.d = row.d.data() + 2 * first_input_;
    for (std::size_t which = 0; which < 2; ++which) {
      const bool exists = row.number[which] >= 0 && to[which];
      reading.to[which] = exists ? to[which] + row.number[which] : &nobody_;
      reading.to_apart[which] = exists ? apart[which] : 0;
    }
    kernels_->read(reading, count);
  }
}

ode::PairKernels::Reading LinearPair::reading_begins(Written written, const Notes& notes) const {
  ode::PairKernels::Reading reading;
  reading.states = followed_.data();
  reading.inputs = stages_.data() + 2 * first_input_;
  reading.states_apart = marchers_[0]->model().solver_steps * states_;
  reading.inputs_apart = written == Written::once ? 0 : marchers_[0]->inputs().rows() * inputs_;
  for (std::size_t which = 0; which < 2; ++which) {
    const MarchWish& wish = marchers_[which]->wish();
    reading.to_apart[which] = static_cast<int>(wish.begin_outputs.size() + wish.begin_inputs.size());
    reading.to[which] = notes[which].begins;
  }
  return reading;
}

/// Often one output of each is wanted at the begin of every step: then it is read on the way.
bool LinearPair::reads_on_the_way(const Notes& notes) const {
  return begin_outputs_.size() == 1 && begin_outputs_[0].number[0] == 0 && begin_outputs_[0].number[1] == 0 &&
         notes[0].begins && notes[1].begins && marchers_[0]->model().solver_steps == 1;
}

void LinearPair::advance(int count, Written written, const Notes& notes) {
  if (reads_on_the_way(notes)) {
    ode::PairKernels::Reading reading = reading_begins(written, notes);
    reading.c = begin_outputs_[0].c.data();
    reading.d = begin_outputs_[0].d.data() + 2 * first_input_;
    return kernels_->advance_reading(equations_, count, reading, x_.data(), followed_.data());
  }
  const int apart = written == Written::once ? 0 : marchers_[0]->inputs().stage_rows() * inputs_;
  kernels_->advance(equations_, count, {stages_.data() + 2 * first_input_, apart, followed_.data()}, x_.data());
}

void LinearPair::note_outputs(int count, Written written, const Notes& notes) {
  const bool once = written == Written::once;
  const int apart = marchers_[0]->model().solver_steps * states_;
  ode::PairKernels::Reading reading = reading_begins(written, notes);
  if (!reads_on_the_way(notes)) read(begin_outputs_, reading, count, {notes[0].begins, notes[1].begins});
  reading.states = followed_.data() + 2 * apart;
  const double* const ends = ends_.data() + 2 * first_input_;
  reading.inputs = ends;
  reading.inputs_apart = once ? 0 : inputs_;
  for (std::size_t which = 0; which < 2; ++which)
    reading.to_apart[which] = static_cast<int>(marchers_[which]->wish().end_outputs.size());
  read(end_outputs_, reading, count, {notes[0].ends, notes[1].ends});
  reading.states = followed_.data() + 2 * count * apart;
  reading.inputs = once ? ends : ends + 2 * (count - 1) * inputs_;
  read(last_outputs_, reading, 1, {notes[0].outputs, notes[1].outputs});
}

MarcherPair::Outcomes LinearPair::march(const Stretches& stretches, const Notes& notes) {
  const auto alone = [&] {
    return Outcomes{marchers_[0]->march(stretches[0], notes[0]), marchers_[1]->march(stretches[1], notes[1])};
  };
  for (std::size_t which = 0; which < 2; ++which) {
    const bool announced = stretches[which].length == marchers_[which]->wish().length;
    if (!announced || !marchers_[which]->inputs().are_finite(stretches[which])) return alone();
  }
  const int count = stretches[0].count;
  if (stretches[1].count != count) return alone();
  const Written written = write_inputs(stretches, notes);
  narrow(count, written);
  for (std::size_t which = 0; which < 2; ++which) {
    const std::vector<double>& x = *marchers_[which]->model().x;
    for (std::size_t i = 0; i < x.size(); ++i) x_[2 * i + which] = x[i];
  }
  const int solver_steps = count * marchers_[0]->model().solver_steps;
  advance(solver_steps, written, notes);
  if (!stays_finite(solver_steps)) {
    std::fill(x_.begin(), x_.end(), 0.0);
    return alone();
  }
  for (std::size_t which = 0; which < 2; ++which) {
    std::vector<double>& x = *marchers_[which]->model().x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x_[2 * i + which];
  }
  note_outputs(count, written, notes);
  return {true, true};
}

}  // namespace seam::assembly
