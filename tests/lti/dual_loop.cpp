#include "lti/dual_loop.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "seam/lti/change_persistence.hpp"
#include "seam/lti/discretise.hpp"

namespace seam::lti {
namespace {

/// What happened in a macro step, before any correction.
struct StepRecord {
  Vector u;               ///< held
  std::vector<Vector> y;  ///< all outputs at every sample
};

/// Block diagonal gains of all subsystems; zeros for those whose model is not used.
struct Gains {
  Matrix A, G0, G1, C, D, K;
};

class Run {
 public:
  explicit Run(const DualLoop& loop)
      : loop_(loop), outputs_(loop.y0.size()), inputs_(loop.L.rows()), persistence_(static_cast<int>(loop.L.rows())) {
    for (const HeldSubsystem& s : loop.subsystems) keepers_.emplace_back(s.inputs, s.outputs, loop.keeper);
    errors_.resize(keepers_.size());
    was_used_.resize(keepers_.size());
    y_ = loop.y0;
    gathered_ = offset_ = Vector::Zero(inputs_);
    const Vector first = loop.L * y_;
    persistence_.observe({first.data(), static_cast<std::size_t>(first.size())});
  }

  Vector step();

 private:
  const DualLoop& loop_;
  Eigen::Index outputs_, inputs_;
  std::vector<ModelKeeper> keepers_;
  std::vector<Vector> errors_;
  std::vector<bool> was_used_;
  std::vector<StepRecord> records_;
  Vector y_, gathered_, offset_;
  ChangePersistence persistence_;

  void observe(const StepRecord& record);
  Gains gains(bool of_samples) const;
  Vector correct(const StepRecord& record) const;
  Vector track(const StepRecord& record, const Vector& y_before, Vector& e, const Gains& g) const;
  Vector track_all();
  bool in_use(std::size_t i) const { return keepers_[i].judgement().standing == Standing::in_use; }
  bool all_in_use() const {
    return std::all_of(keepers_.begin(), keepers_.end(),
                       [](const ModelKeeper& k) { return k.judgement().standing == Standing::in_use; });
  }
};

Vector Run::step() {
  const int r = loop_.keeper.shape.samples;
  StepRecord record{loop_.L * y_ + offset_, {}};
  record.y.assign(static_cast<std::size_t>(r), Vector::Zero(outputs_));
  Eigen::Index u = 0, y = 0;
  for (const HeldSubsystem& s : loop_.subsystems) {
    for (Vector& sample : record.y)
      sample.segment(y, s.outputs) = s.advance(record.u.segment(u, s.inputs), loop_.step / r);
    u += s.inputs;
    y += s.outputs;
  }
  records_.push_back(record);
  if (loop_.correction == Correction::none) return y_ = record.y.back();

  observe(record);
  const Vector corrected = loop_.correction == Correction::tracking ? track_all() : correct(record);
  gathered_ += loop_.L * (y_ + corrected) / 2.0 - record.u;
  offset_ = (Matrix::Identity(inputs_, inputs_) - loop_.L * gains(false).D).lu().solve(gathered_);
  const Vector next = loop_.L * corrected;
  persistence_.observe({next.data(), static_cast<std::size_t>(next.size())});
  if (loop_.early_offset == EarlyOffset::while_changes_persist && !all_in_use() && !persistence_.persists()) {
    gathered_.setZero();
    offset_.setZero();
  }
  return y_ = corrected;
}

void Run::observe(const StepRecord& record) {
  Eigen::Index u = 0, y = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    const HeldSubsystem& s = loop_.subsystems[i];
    std::vector<double> us, ys;
    for (const Vector& sample : record.y) {
      us.insert(us.end(), record.u.data() + u, record.u.data() + u + s.inputs);
      ys.insert(ys.end(), sample.data() + y, sample.data() + y + s.outputs);
    }
    keepers_[i].observe({us, ys});
    u += s.inputs;
    y += s.outputs;
  }
}

Gains Run::gains(bool of_samples) const {
  Eigen::Index states = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) states += in_use(i) ? keepers_[i].model().order() : 0;
  Gains g{Matrix::Zero(states, states),   Matrix::Zero(states, inputs_),   Matrix::Zero(states, inputs_),
          Matrix::Zero(outputs_, states), Matrix::Zero(outputs_, inputs_), Matrix::Zero(outputs_, inputs_)};
  Eigen::Index x = 0, u = 0, y = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    const HeldSubsystem& s = loop_.subsystems[i];
    if (in_use(i)) {
      const StepGains& own = of_samples ? keepers_[i].sample_gains() : keepers_[i].step_gains();
      const int n = keepers_[i].model().order();
      g.A.block(x, x, n, n) = own.Ad();
      g.G0.block(x, u, n, s.inputs) = own.G0();
      g.G1.block(x, u, n, s.inputs) = own.G1();
      g.C.block(y, x, s.outputs, n) = own.C();
      g.D.block(y, u, s.outputs, s.inputs) = own.D();
      g.K.block(y, u, s.outputs, s.inputs) = loop_.kernel == Kernel::held ? own.K() : own.ramp_K();
      if (loop_.pairing == Pairing::naive) {
        const PairedModel& m = keepers_[i].model();
        g.K.block(y, u, s.outputs, s.inputs) = m.D() + m.C() * m.B();
        g.D.block(y, u, s.outputs, s.inputs) = m.D();
      }
      x += n;
    }
    u += s.inputs;
    y += s.outputs;
  }
  return g;
}

/// Eq. 10.
Vector Run::correct(const StepRecord& record) const {
  const Matrix K = gains(false).K;
  return (Matrix::Identity(outputs_, outputs_) - K * loop_.L).lu().solve(record.y.back() - K * record.u);
}

/// e = x - x_hat along the samples of a step; the output at its end.
Vector Run::track(const StepRecord& record, const Vector& y_before, Vector& e, const Gains& g) const {
  const Matrix& L = loop_.L;
  const Matrix through = g.C * g.G1 + g.D;
  const auto solve = (Matrix::Identity(outputs_, outputs_) - through * L).lu();
  Vector u = L * y_before, y;
  Eigen::Index x = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    if (!in_use(i)) continue;
    const int n = keepers_[i].model().order();
    if (!keepers_[i].can_be_tracked()) e.segment(x, n).setZero();
    x += n;
  }
  for (const Vector& sample : record.y) {
    const Vector begin = g.A * e + g.G0 * (u - record.u) - g.G1 * u;
    y = solve.solve(sample + g.C * begin - g.D * record.u);
    const Vector end = L * y;
    e = begin + g.G1 * end;
    u = end;
  }
  return y;
}

Vector Run::track_all() {
  const Gains g = gains(true);
  bool replay = false;
  Vector e = Vector::Zero(g.A.rows());
  Eigen::Index x = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    const ModelKeeper& keeper = keepers_[i];
    if (!in_use(i)) continue;
    const int n = keeper.model().order();
    if (!was_used_[i] && errors_[i].size() == 0) replay = true;
    if (keeper.judgement().change == Judgement::Change::other_model && errors_[i].size() > 0) {
      errors_[i] = keeper.coordinate_change() * errors_[i];
    }
    if (errors_[i].size() == n) e.segment(x, n) = errors_[i];
    x += n;
  }
  Vector y = y_;
  if (replay) {
    e.setZero();
    y = loop_.y0;
    for (const StepRecord& record : records_) y = track(record, y, e, g);
  } else {
    y = track(records_.back(), y, e, g);
  }
  x = 0;
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    was_used_[i] = in_use(i);
    if (!in_use(i)) continue;
    errors_[i] = e.segment(x, keepers_[i].model().order());
    x += keepers_[i].model().order();
  }
  return y;
}

}  // namespace

HeldSubsystem exact(const StateSpace& system, const Vector& x0) {
  struct State {
    StateSpace system;
    Vector x;
    std::map<double, PolynomialStep> steps;
  };
  auto state = std::make_shared<State>(State{system, x0, {}});
  return {static_cast<int>(system.inputs()), static_cast<int>(system.outputs()), [state](const Vector& u, double h) {
            auto found = state->steps.find(h);
            if (found == state->steps.end()) found = state->steps.emplace(h, discretise(state->system, h, 0)).first;
            state->x = found->second.Ad * state->x + found->second.G[0] * u;
            return Vector(state->system.C * state->x + state->system.D * u);
          }};
}

std::vector<Vector> DualLoop::run() const {
  Run run(*this);
  std::vector<Vector> outputs;
  for (int n = 0; n < steps; ++n) outputs.push_back(run.step());
  return outputs;
}

double nrmse(const std::vector<Vector>& outputs, const std::vector<Vector>& reference) {
  const auto count = static_cast<double>(reference.size());
  Vector mean = Vector::Zero(reference.front().size()), variance = mean, squares = mean;
  for (const Vector& y : reference) mean += y / count;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    variance += (reference[i] - mean).cwiseAbs2() / count;
    squares += (outputs[i] - reference[i]).cwiseAbs2() / count;
  }
  return std::sqrt(squares.cwiseQuotient(variance).mean());
}

}  // namespace seam::lti
