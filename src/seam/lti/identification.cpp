#include "seam/lti/identification.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/lti/identification_workspace.hpp"

namespace seam::lti {
namespace {

const IdentificationSize& checked(const IdentificationSize& size) {
  if (size.inputs < 1 || size.outputs < 1 || size.block_rows < 2 || size.states < 0 || size.samples < size.block_rows) {
    throw base::Error(base::Failure::internal,
                      "identification needs inputs, outputs, two block rows and as many samples");
  }
  return size;
}

Identification::View view(const std::vector<double>& values, int rows, int columns) {
  return {values.data(), rows, columns};
}

}  // namespace

std::string_view words(Finding finding) {
  switch (finding) {
    case Finding::identified:
      return "identified";
    case Finding::too_few_samples:
      return "too few samples";
    case Finding::not_finite:
      return "a sample is not finite";
    case Finding::not_exciting:
      return "the inputs do not move enough, or not independently of one another";
    case Finding::fewer_states_moved:
      return "the data show fewer states than were asked for";
    case Finding::too_few_block_rows:
      return "the states cannot be told apart within so few samples in a row";
    case Finding::not_determined:
      return "the data do not determine how the inputs act";
  }
  return {};
}

Identification::Identification(const IdentificationSize& size) : work_(checked(size)) {}

IdentificationReport Identification::identify(const Samples& samples, const IdentificationChoices& choices) {
  IdentificationReport report;
  work_->order = 0;
  work_->singular_count = 0;
  if (!work_->take(samples)) {
    report.finding = Finding::not_finite;
    return report;
  }
  report.finding = work_->factorise(choices);
  report.excitation = work_->excitation;
  return report.finding == Finding::identified ? fit(choices) : report;
}

IdentificationReport Identification::fit(const IdentificationChoices& choices) {
  IdentificationReport report;
  report.excitation = work_->excitation;
  report.finding = work_->choose_order(choices, report.gap);
  report.order = work_->order;
  report.spare_columns = work_->hankel_rows - work_->input_rows() - work_->order;
  work_->judge(report);
  if (report.finding != Finding::identified) return report;
  if (!work_->find_dynamics()) {
    report.finding = Finding::too_few_block_rows;
  } else if (!work_->find_inputs(choices)) {
    report.finding = Finding::not_determined;
  } else {
    work_->unscale();
  }
  return report;
}

std::span<const double> Identification::singular_values() const {
  return {work_->singular.values().data(), static_cast<std::size_t>(work_->singular_count)};
}

Identification::View Identification::A() const { return view(work_->A, work_->order, work_->order); }
Identification::View Identification::B() const { return view(work_->B_seen, work_->order, work_->inputs); }
Identification::View Identification::C() const { return view(work_->C_seen, work_->outputs, work_->order); }
Identification::View Identification::D() const { return view(work_->D_seen, work_->outputs, work_->inputs); }
Identification::View Identification::first_state() const { return view(work_->x0, work_->order, 1); }
StateSpace Identification::model() const { return {A(), B(), C(), D()}; }
std::span<const double> Identification::output_sizes() const { return work_->output_scale; }

double Identification::residual() {
  std::copy_n(work_->x0.begin(), work_->order, work_->state.begin());
  return work_->run_freely(work_->fitted);
}

double Identification::prediction_error(const Samples& fresh, FirstState first_state) {
  work_->sort_into(fresh, work_->fresh);
  work_->scale(work_->fresh);
  std::fill(work_->state.begin(), work_->state.end(), 0.0);
  if (first_state == FirstState::fitted) work_->fit_first_state(work_->fresh, work_->fresh.count);
  return work_->run_freely(work_->fresh);
}

std::span<const double> Identification::output_errors() const { return work_->errors; }

}  // namespace seam::lti
