// What the misbehaving FMUs share: an integrator, y += h u, and the time `at` from which on it misbehaves.
#pragma once

#include "fmus/framework/model.hpp"

namespace seam::fmus {

class Wayward : public Model {
 public:
  explicit Wayward(Version version) : Model(version) {
    at_ = add(parameter("at", 0.5, "s"));
    u_ = add(input("u", 1.0, ""));
    y_ = add(output("y", ""));
  }

  StepReport step(double t, double h) override {
    real(y_) += h * real(u_);
    set_time(t + h);
    return {.reached = t + h};
  }

 protected:
  /// Whether a step to this time is one to misbehave in. Times on a grid are rounded.
  bool is_time(double end) { return end > real(at_) * (1.0 + 1e-12); }
  double& y() { return real(y_); }
  /// Writes to address 0; a sanitizer of the build must not find it first.
  __attribute__((no_sanitize("address"), no_sanitize("undefined"))) static void crash() {
    static int* volatile nowhere = nullptr;
    *nowhere = 1;
  }

 private:
  int at_, u_, y_;
};

}  // namespace seam::fmus

/// The whole of make_model for one of them.
#define SEAM_WAYWARD(Class)                                                    \
  std::unique_ptr<seam::fmus::Model> seam::fmus::make_model(Version version) { \
    return std::make_unique<Class>(version);                                   \
  }
