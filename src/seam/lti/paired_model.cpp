#include "seam/lti/paired_model.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::lti {
namespace {

std::size_t area(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

}  // namespace

PairedModel::PairedModel(const ModelSize& size) : size_(size) {
  if (size.states < 0 || size.inputs < 1 || size.outputs < 1) {
    throw base::Error(base::Failure::internal, "a model needs inputs and outputs");
  }
  const std::size_t sizes[] = {area(size.states, size.states), area(size.states, size.inputs),
                               area(size.outputs, size.states), area(size.outputs, size.inputs)};
  std::size_t begin = 1;
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    begins_[i] = begin;
    begin += sizes[i];
  }
  memory_.resize(begin);
}

template <class Source>
void PairedModel::copy(const Source& source, int order) {
  if (order > size_.states) throw base::Error(base::Failure::internal, "a model with more states than announced");
  memory_[0] = order;
  Eigen::Map<Matrix>(memory_.data() + begin_of(0), order, order) = source.A;
  Eigen::Map<Matrix>(memory_.data() + begin_of(1), order, size_.inputs) = source.B;
  Eigen::Map<Matrix>(memory_.data() + begin_of(2), size_.outputs, order) = source.C;
  Eigen::Map<Matrix>(memory_.data() + begin_of(3), size_.outputs, size_.inputs) = source.D;
}

void PairedModel::take(const Identification& fitted) {
  struct Views {
    Identification::View A, B, C, D;
  };
  copy(Views{fitted.A(), fitted.B(), fitted.C(), fitted.D()}, static_cast<int>(fitted.A().rows()));
}

void PairedModel::take(const StateSpace& model) { copy(model, static_cast<int>(model.states())); }

void PairedModel::clear() { std::fill(memory_.begin(), memory_.end(), 0.0); }

PairedModel::View PairedModel::A() const { return {memory_.data() + begin_of(0), order(), order()}; }
PairedModel::View PairedModel::B() const { return {memory_.data() + begin_of(1), order(), size_.inputs}; }
PairedModel::View PairedModel::C() const { return {memory_.data() + begin_of(2), size_.outputs, order()}; }
PairedModel::View PairedModel::D() const { return {memory_.data() + begin_of(3), size_.outputs, size_.inputs}; }

bool PairedModel::is_finite() const {
  return std::all_of(memory_.begin(), memory_.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace seam::lti
