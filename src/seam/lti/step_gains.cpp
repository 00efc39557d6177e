// From a model of samples to one of macro steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include "seam/lti/least_squares.hpp"
#include "seam/lti/paired_model.hpp"
#include "seam/lti/small_products.hpp"

namespace seam::lti {
namespace {

using Block = Eigen::Map<Matrix>;

std::size_t area(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

/// Of the dynamics' own size: what is below has no inverse.
constexpr double singular = 1e-9;

}  // namespace

struct StepGains::Workspace {
  explicit Workspace(const ModelSize& capacity)
      : size(capacity),
        Ad(area(size.states, size.states)),
        G0(area(size.states, size.inputs)),
        G1(G0.size()),
        C(area(size.outputs, size.states)),
        D(area(size.outputs, size.inputs)),
        K(D.size()),
        ramp_K(D.size()),
        square(Ad.size()),
        power(Ad.size()),
        solution(area(size.states, std::max(size.inputs, size.outputs))),
        ramp(G0.size()),
        held(G0.size()),
        solver(size.states) {}

  ModelSize size;
  int order = 0;
  std::vector<double> Ad, G0, G1, C, D, K, ramp_K;
  std::vector<double> square, power, solution, ramp, held;
  LeastSquares solver;

  void find_end(const PairedModel& model);
  void find_ramp(const PairedModel& model);
  void add_up(const PairedModel& model, int samples);
  double spectral_radius();
};

StepGains::StepGains(const ModelSize& size) : work_(size) {}

// c = C A^-1 and d = D - c B. A delay has no inverse of A; there the smallest c is right: what left the state without
// reaching the output is no direct feed-through.
void StepGains::Workspace::find_end(const PairedModel& model) {
  const int n = order;
  Block transposed(square.data(), n, n), result(solution.data(), n, size.outputs);
  transposed = model.A().transpose();
  result = model.C().transpose();
  if (n > 0) solver.solve({square.data(), solution.data(), n, n, size.outputs, n}, singular);
  Block(C.data(), size.outputs, n) = result.transpose();
  write_product({size.outputs, n, size.inputs}, C.data(), model.B().data(), D.data());
  const double* const direct = model.D().data();
  for (std::size_t i = 0; i < D.size(); ++i) D[i] = direct[i] - D[i];
}

// One sample with u = theta. With w = e^{a h} and q = (w - 1)/(w + 1) its integral is that of u = 1 times
//   1/ln w - 1/(w - 1) = 1/2 - q/6 - 2 q^3/45 - ... = 1/2 - (q/6)/(1 - 4 q^2/15) + O(q^5),
// a quotient of polynomials in w without poles on the unit circle: no logarithm of A is needed.
void StepGains::Workspace::find_ramp(const PairedModel& model) {
  const int n = order, entries = n * size.inputs;
  const double *const A = model.A().data(), *const B = model.B().data();
  double *const denominator = square.data(), *const squared = power.data(), *const X = solution.data();
  write_product({n, n, n}, A, A, squared);
  for (int i = 0; i < n * n; ++i) denominator[i] = 11.0 / 15.0 * squared[i] + 38.0 / 15.0 * A[i];
  for (int i = 0; i < n; ++i) denominator[i * n + i] += 11.0 / 15.0;
  std::copy_n(B, entries, X);
  const int rank = n > 0 ? solver.solve({denominator, X, n, n, size.inputs, n}, singular) : 0;
  for (int i = 0; i < entries; ++i) ramp[static_cast<std::size_t>(i)] = 0.5 * B[i];
  if (rank < n) return;  // the mean of the input's two ends
  write_product({n, n, size.inputs}, squared, X, held.data());
  for (int i = 0; i < entries; ++i)
    ramp[static_cast<std::size_t>(i)] += (X[i] - held[static_cast<std::size_t>(i)]) / 6.0;
}

void StepGains::Workspace::add_up(const PairedModel& model, int samples) {
  const int n = order;
  const ProductShape by_inputs{n, n, size.inputs}, seen{size.outputs, n, size.inputs};
  const auto entries = area(n, size.inputs);
  const double *const A = model.A().data(), *const B = model.B().data();
  std::fill(Ad.begin(), Ad.end(), 0.0);
  for (int i = 0; i < n; ++i) Ad[area(n, i) + static_cast<std::size_t>(i)] = 1.0;
  std::fill(G0.begin(), G0.end(), 0.0);
  std::fill(G1.begin(), G1.end(), 0.0);
  for (int s = 0; s < samples; ++s) {
    write_product(by_inputs, A, G1.data(), held.data());
    for (std::size_t i = 0; i < entries; ++i) G1[i] = held[i] + (s * B[i] + ramp[i]) / samples;
    if (s == samples - 1) {  // D + sum over i < samples - 1 of C A^i B: the step response at its end
      std::copy_n(model.D().data(), K.size(), K.begin());
      add_product(seen, model.C().data(), G0.data(), K.data());
    }
    std::copy_n(B, entries, held.begin());
    add_product(by_inputs, A, G0.data(), held.data());
    std::swap(G0, held);
    write_product({n, n, n}, A, Ad.data(), power.data());
    std::swap(Ad, power);
  }
  ramp_K = D;
  add_product(seen, C.data(), G1.data(), ramp_K.data());
}

// |Ad^m|^(1/m) for m = 2^16, by squaring; the size is taken out each time.
double StepGains::Workspace::spectral_radius() {
  const int n = order;
  if (n == 0) return 0.0;
  std::copy(Ad.begin(), Ad.end(), square.begin());
  double logarithm = 0.0, weight = 1.0;
  for (int i = 0; i < 16; ++i) {
    Block now(square.data(), n, n);
    const double norm = now.norm();
    if (!(norm > 0.0) || !std::isfinite(norm)) return norm;
    logarithm += weight * std::log(norm);
    weight /= 2.0;
    now /= norm;
    write_product({n, n, n}, square.data(), square.data(), power.data());
    std::swap(square, power);
  }
  return std::exp(logarithm);
}

bool StepGains::derive(const PairedModel& model, int samples) {
  work_->order = model.order();
  if (!model.is_finite()) return false;
  work_->find_end(model);
  work_->find_ramp(model);
  work_->add_up(model, samples);
  return K().allFinite() && ramp_K().allFinite() && D().allFinite() && C().allFinite() && Ad().allFinite() &&
         G0().allFinite() && G1().allFinite();
}

StepGains::View StepGains::Ad() const { return {work_->Ad.data(), work_->order, work_->order}; }
StepGains::View StepGains::G0() const { return {work_->G0.data(), work_->order, work_->size.inputs}; }
StepGains::View StepGains::G1() const { return {work_->G1.data(), work_->order, work_->size.inputs}; }
StepGains::View StepGains::C() const { return {work_->C.data(), work_->size.outputs, work_->order}; }
StepGains::View StepGains::D() const { return {work_->D.data(), work_->size.outputs, work_->size.inputs}; }
StepGains::View StepGains::K() const { return {work_->K.data(), work_->size.outputs, work_->size.inputs}; }
double StepGains::growth() const { return work_->spectral_radius(); }
StepGains::View StepGains::ramp_K() const { return {work_->ramp_K.data(), work_->size.outputs, work_->size.inputs}; }

}  // namespace seam::lti
