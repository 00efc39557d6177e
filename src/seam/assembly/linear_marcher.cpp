#include "seam/assembly/linear_marcher.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "seam/assembly/linear_pair.hpp"

namespace seam::assembly {
namespace {

/// What it makes of inputs that are 0 is 0 then.
bool is_finite(const ode::Jacobians& sums) {
  double sum = 0.0;
  for (const std::vector<double>* matrix : {&sums.B, &sums.D}) {
    for (const double entry : *matrix) sum += 0.0 * entry;
  }
  return sum == 0.0;
}

}  // namespace

bool LinearMarcher::can(const MarchedModel& model, const MarchWish& wish) {
  const auto [n, m, p] = model.equations->sizes();
  const bool sampled_polynomial = model.reading == InputReading::stepped && wish.parts != MarchWish::Parts::constants;
  return model.equations->row_sums() && ode::linear_kernels(n, m, model.method) &&
         wish.degree <= LinearInputs::highest_degree && !(sampled_polynomial && wish.degree > 0);
}

LinearMarcher::LinearMarcher(const MarchedModel& model, MarchWish wish)
    : model_(model),
      wish_(std::move(wish)),
      sums_(model.equations->row_sums()),
      n_(model.equations->sizes().states),
      m_(model.equations->sizes().inputs),
      inputs_(model, wish_),
      forgets_zeros_(is_finite(*sums_)),
      rows_{{n_, m_}, {n_, m_}, {}} {
  kernels_ = ode::linear_kernels(n_, m_, model.method);
  const std::span<const int> velocity_of = model.equations->velocity_of();
  steps_ = {sums_->A.data(), sums_->B.data(), velocity_of.empty() ? nullptr : velocity_of.data(),
            wish_.length / model.solver_steps};
  all_outputs_.resize(static_cast<std::size_t>(model.equations->sizes().outputs));
  std::iota(all_outputs_.begin(), all_outputs_.end(), 0);
  stages_.resize(static_cast<std::size_t>(wish_.most * inputs_.rows() * m_));
  ends_.resize(static_cast<std::size_t>(wish_.most * m_));
  states_.resize(static_cast<std::size_t>((wish_.most * model.solver_steps + 1) * n_));
  for (int column = 0; column < m_; ++column) {
    const auto follows = [column](const ode::DrivenInput& driven) { return driven.input == column; };
    if (std::none_of(model.driven.begin(), model.driven.end(), follows)) given_inputs_.push_back(column);
  }
  pack_rows();
  const bool alone = wish_.most * model.solver_steps == 1 && model.method == ode::Method::euler && wish_.degree == 0 &&
                     wish_.given_each.empty() && wish_.end_outputs.empty() && wish_.begin_inputs.empty();
  if (alone) lone_step_.emplace(rows_, steps_.h, *model.x);
}

void LinearMarcher::pack_rows() {
  const auto add_output = [&](int output, int place, ode::RowPairs& rows) {
    rows.add(sums_->C.data() + output * n_, sums_->D.data() + output * m_, place);
  };
  for (int i = 0; i < n_; ++i) rows_.before.add(sums_->A.data() + i * n_, sums_->B.data() + i * m_, -1);
  int place = 0;
  for (const int output : wish_.begin_outputs) add_output(output, place++, rows_.before);
  const auto& later = wish_.evaluated_later;
  for (const int output : all_outputs_) {
    if (std::find(later.begin(), later.end(), output) == later.end()) add_output(output, output, rows_.after);
  }
  for (const std::vector<int>& outputs : wish_.evaluated) {
    ode::RowPairs& rows = rows_.evaluated.emplace_back(n_, m_);
    for (const int output : outputs) add_output(output, output, rows);
  }
}

void LinearMarcher::note_inputs(int count, LinearInputs::Written written, const InputDesk& desk, double* begins) const {
  const std::size_t width = wish_.begin_outputs.size() + wish_.begin_inputs.size();
  const int apart = written == LinearInputs::Written::once ? 0 : inputs_.rows() * desk.wide;
  double* to = begins + wish_.begin_outputs.size();
  for (const int column : wish_.begin_inputs) {
    const double* from = desk.stages + column * desk.apart;
    for (int s = 0; s < count; ++s, from += apart) to[static_cast<std::size_t>(s) * width] = *from;
    ++to;
  }
}

void LinearMarcher::note_outputs(int count, LinearInputs::Written written, const Notes& notes) const {
  const bool once = written == LinearInputs::Written::once;
  const int apart = model_.solver_steps * n_;
  ode::LinearKernels::Reading reading{sums_->C.data(), sums_->D.data(), wish_.begin_outputs,
                                      states_.data(),  stages_.data(),  apart};
  if (notes.begins && !wish_.begin_outputs.empty()) {
    reading.inputs_apart = once ? 0 : inputs_.rows() * m_;
    reading.to = notes.begins;
    reading.to_apart = static_cast<int>(wish_.begin_outputs.size() + wish_.begin_inputs.size());
    kernels_->read(reading, count);
  }
  if (!wish_.end_outputs.empty()) {
    reading.outputs = wish_.end_outputs;
    reading.states = states_.data() + apart;
    reading.inputs = ends_.data();
    reading.inputs_apart = once ? 0 : m_;
    reading.to = notes.ends;
    reading.to_apart = static_cast<int>(wish_.end_outputs.size());
    kernels_->read(reading, count);
  }
  reading.outputs = all_outputs_;
  reading.states = states_.data() + count * apart;
  reading.inputs = once ? ends_.data() : ends_.data() + (count - 1) * m_;
  reading.to = notes.outputs;
  kernels_->read(reading, 1);
}

bool LinearMarcher::march(const Stretch& stretch, const Notes& notes) {
  if (stretch.length != wish_.length || !inputs_.are_finite(stretch)) return false;
  const int count = stretch.count;
  const InputDesk desk{stages_.data(), ends_.data(), m_, 1};
  const LinearInputs::Written written = inputs_.write(stretch, desk);
  if (notes.begins && !wish_.begin_inputs.empty()) note_inputs(count, written, desk, notes.begins);
  inputs_.write_signals(stretch, desk, written);
  const int apart = written == LinearInputs::Written::once ? 0 : inputs_.stage_rows() * m_;
  kernels_->advance(steps_, count * model_.solver_steps, {stages_.data(), apart, states_.data()}, model_.x->data());
  note_outputs(count, written, notes);
  return true;
}

/// Puts known signals, as they were when somebody asked last, beside the inputs that are given.
const double* LinearMarcher::with_signals(Sources sources, const double* inputs) {
  for (const int column : given_inputs_) stages_[static_cast<std::size_t>(column)] = inputs[column];
  for (std::size_t d = 0; d < model_.driven.size(); ++d)
    stages_[static_cast<std::size_t>(model_.driven[d].input)] = inputs_.signals().value(d, sources);
  return stages_.data();
}

void LinearMarcher::evaluate(const Wanted& wanted, const double* inputs, double* outputs) {
  if (!model_.driven.empty()) {
    inputs = with_signals(wanted.sources, inputs);
    if (wanted.sources == Sources::live && !inputs_.signals().are_known(wanted.time)) [[unlikely]] {
      for (const ode::DrivenInput& driven : model_.driven)
        stages_[static_cast<std::size_t>(driven.input)] =
            driven.factor * driven.signal->at(wanted.time) + driven.offset;
    }
  }
  kernels_->read_some(rows_.evaluated[static_cast<std::size_t>(wanted.number)], model_.x->data(), inputs, outputs);
}

bool LinearMarcher::step(double begin, Sources sources, const double* coefficients, const Notes& notes) {
  if (!lone_step_ || (!notes.begins && !wish_.begin_outputs.empty())) return false;
  const double* u = coefficients;
  if (!model_.driven.empty()) {
    if (sources == Sources::live && !inputs_.signals().are_steady(begin, begin + 2.0 * wish_.length)) [[unlikely]]
      return false;
    u = with_signals(sources, u);
  }
  kernels_->single({steps_.h, &rows_.before, &rows_.after}, u, model_.x->data(), notes.begins, notes.outputs);
  return true;
}

std::vector<int> LinearMarcher::driven_inputs() const {
  std::vector<int> inputs;
  for (const ode::DrivenInput& driven : model_.driven) inputs.push_back(driven.input);
  return inputs;
}

double LinearMarcher::write_signals(double t, Sources sources, double* inputs) {
  KnownSignals& signals = inputs_.signals();
  if (sources == Sources::live) signals.are_steady(t, t);
  for (std::size_t d = 0; d < model_.driven.size(); ++d) inputs[model_.driven[d].input] = signals.value(d, sources);
  return sources == Sources::live ? signals.known_until() : std::numeric_limits<double>::infinity();
}

std::unique_ptr<MarcherPair> LinearMarcher::beside(Marcher& other) {
  auto* const second = dynamic_cast<LinearMarcher*>(&other);
  return second && LinearPair::can(*this, *second) ? std::make_unique<LinearPair>(*this, *second) : nullptr;
}

}  // namespace seam::assembly
