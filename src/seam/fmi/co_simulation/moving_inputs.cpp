#include "seam/fmi/co_simulation/moving_inputs.hpp"

#include <algorithm>
#include <map>

#include "seam/fmi/description/ports.hpp"

namespace seam::fmi {

double Motion::at(int port, double t) const {
  const double theta = (t - begin) / length;
  double sum = coefficients[degree * width + port];
  for (int k = degree - 1; k >= 0; --k) sum = sum * theta + coefficients[k * width + port];
  return sum;
}

// d^m/dt^m of sum_k c_k theta^k with theta = (t - begin)/length: sum_k k!/(k-m)! c_k theta^(k-m) / length^m.
double Motion::derivative(int port, int order, double t) const {
  const double theta = (t - begin) / length;
  double sum = 0.0;
  for (int k = degree; k >= order; --k) {
    double factor = 1.0;
    for (int i = 0; i < order; ++i) factor *= (k - i) / length;
    sum = sum * theta + factor * coefficients[k * width + port];
  }
  return sum;
}

MovingInputs::MovingInputs(const std::vector<PortVariable>& variables, const std::vector<int>& fed,
                           const Drives& known) {
  const FedPorts some(fed);
  std::map<int, const assembly::Drive*> drive_of;
  for (const assembly::Drive& drive : known.reals) drive_of.emplace(drive.input, &drive);
  for (const PortVariable& v : variables) {
    if (v.variable->type != Type::float64 || v.variable->variability != Variability::continuous) continue;
    if (!some.feed(v)) continue;
    references.push_back(v.variable->value_reference);
    for (std::size_t e = 0; e < v.elements; ++e) {
      const int place = static_cast<int>(v.first + e);
      const auto drive = drive_of.find(place);
      places.push_back(place);
      drives.push_back(drive == drive_of.end() ? nullptr : drive->second);
    }
  }
}

void MovingInputs::values_at(const Motion& motion, double t, std::vector<double>& values) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const assembly::Drive* drive = drives[i];
    // Inside the step and at its end the limit from before counts: a jump there belongs to what follows.
    const auto known = [&] { return t > motion.begin ? drive->signal->before(t) : drive->signal->at(t); };
    values[i] = drive ? drive->factor * known() + drive->offset : motion.at(places[i], t);
  }
}

void InputDerivatives::prepare(int order) {
  order_ = order;
  references_.clear();
  orders_.clear();
  for (int m = 1; m <= order; ++m) {
    for (const std::uint32_t reference : inputs_.references) {
      references_.push_back(reference);
      orders_.push_back(m);
    }
  }
  values_.resize(references_.size());
}

Severity InputDerivatives::tell(Instance2& instance, const Motion& motion, double t) {
  if (references_.empty()) return Severity::ok;
  std::size_t i = 0;
  for (int m = 1; m <= order_; ++m) {
    // A known signal is sampled: its own derivatives are not known.
    for (std::size_t p = 0; p < inputs_.places.size(); ++p, ++i)
      values_[i] = inputs_.drives[p] ? 0.0 : motion.derivative(inputs_.places[p], m, t);
  }
  return instance.set_input_derivatives(references_, orders_, values_);
}

}  // namespace seam::fmi
