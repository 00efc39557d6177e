// An integrator, y += h u, whose step takes a settable time: what a step costs, for benchmarks.
#include <chrono>

#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class Heavy final : public Model {
 public:
  explicit Heavy(Version version) : Model(version) {
    Variable burn = parameter("burn", 100.0, "ns", Variability::tunable);
    burn.min = "0";
    burn.max = "1e9";
    burn_ = add(std::move(burn));
    u_ = add(input("u", 0.0, ""));
    y_ = add(output("y", ""));
  }

  Traits traits() const override { return {.description = "integrator whose step takes `burn` nanoseconds"}; }

  StepReport step(double t, double h) override {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(real(burn_)));
    real(y_) += h * real(u_);
    set_time(t + h);
    while (Clock::now() < end) {
    }
    return {.reached = t + h};
  }

 private:
  int burn_, u_, y_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Heavy>(version); }

}  // namespace seam::fmus
