// From a model of samples to one of macro steps.
#include <algorithm>
#include <cmath>

#include "seam/lti/least_squares.hpp"
#include "seam/lti/paired_model.hpp"

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

StepGains::StepGains(const ModelSize& size) : work_(std::make_unique<Workspace>(size)) {}
StepGains::~StepGains() = default;
StepGains::StepGains(StepGains&&) noexcept = default;

// c = C A^-1 and d = D - c B. A delay has no inverse of A; there the smallest c is right: what left the state without
// reaching the output is no direct feed-through.
void StepGains::Workspace::find_end(const PairedModel& model) {
  const int n = order;
  Block transposed(square.data(), n, n), result(solution.data(), n, size.outputs);
  transposed = model.A().transpose();
  result = model.C().transpose();
  if (n > 0) solver.solve({square.data(), solution.data(), n, n, size.outputs, n}, singular);
  Block c(C.data(), size.outputs, n), d(D.data(), size.outputs, size.inputs);
  c = result.transpose();
  d = model.D();
  d.noalias() -= c.lazyProduct(model.B());
}

// One sample with u = theta. With w = e^{a h} and q = (w - 1)/(w + 1) its integral is that of u = 1 times
//   1/ln w - 1/(w - 1) = 1/2 - q/6 - 2 q^3/45 - ... = 1/2 - (q/6)/(1 - 4 q^2/15) + O(q^5),
// a quotient of polynomials in w without poles on the unit circle: no logarithm of A is needed.
void StepGains::Workspace::find_ramp(const PairedModel& model) {
  const int n = order;
  Block denominator(square.data(), n, n), squared(power.data(), n, n), X(solution.data(), n, size.inputs);
  squared.noalias() = model.A().lazyProduct(model.A());
  denominator = 11.0 / 15.0 * squared + 38.0 / 15.0 * model.A();
  denominator.diagonal().array() += 11.0 / 15.0;
  X = model.B();
  const auto rank = n > 0 ? solver.solve({square.data(), solution.data(), n, n, size.inputs, n}, singular) : 0;
  Block g(ramp.data(), n, size.inputs);
  g = 0.5 * model.B();
  if (rank < n) return;  // the mean of the input's two ends
  g.noalias() -= 1.0 / 6.0 * squared.lazyProduct(X);
  g += 1.0 / 6.0 * X;
}

void StepGains::Workspace::add_up(const PairedModel& model, int samples) {
  const int n = order;
  const auto B = model.B();
  Block ad(Ad.data(), n, n), g0(G0.data(), n, size.inputs), g1(G1.data(), n, size.inputs);
  Block next(power.data(), n, n), moved(held.data(), n, size.inputs), k(K.data(), size.outputs, size.inputs);
  const Block own_ramp(ramp.data(), n, size.inputs);
  ad.setIdentity();
  g0.setZero();
  g1.setZero();
  for (int i = 0; i < samples; ++i) {
    moved.noalias() = model.A().lazyProduct(g1);
    g1 = moved + (static_cast<double>(i) * B + own_ramp) / static_cast<double>(samples);
    if (i == samples - 1) {  // D + sum over i < samples - 1 of C A^i B: the step response at its end
      k = model.D();
      k.noalias() += model.C().lazyProduct(g0);
    }
    moved.noalias() = model.A().lazyProduct(g0);
    g0 = moved + B;
    next.noalias() = model.A().lazyProduct(ad);
    ad = next;
  }
  Block of_ramp(ramp_K.data(), size.outputs, size.inputs);
  of_ramp = Block(D.data(), size.outputs, size.inputs);
  of_ramp.noalias() += Block(C.data(), size.outputs, n).lazyProduct(g1);
}

// |Ad^m|^(1/m) for m = 2^16, by squaring; the size is taken out each time.
double StepGains::Workspace::spectral_radius() {
  const int n = order;
  if (n == 0) return 0.0;
  Block now(square.data(), n, n), next(power.data(), n, n);
  now = Block(Ad.data(), n, n);
  double logarithm = 0.0, weight = 1.0;
  for (int i = 0; i < 16; ++i) {
    const double norm = now.norm();
    if (!(norm > 0.0) || !std::isfinite(norm)) return norm;
    logarithm += weight * std::log(norm);
    weight /= 2.0;
    now /= norm;
    next.noalias() = now.lazyProduct(now);
    now = next;
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
