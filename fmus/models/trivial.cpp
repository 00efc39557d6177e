// y = u + 1, and the number of steps: the cheapest step there is, or one that takes some more work.
#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class Trivial final : public Model {
 public:
  explicit Trivial(Version version) : Model(version) {
    work_ = add(parameter("work", 0.0, "", Variability::tunable));
    u_ = add(input("u", 0.0, ""));
    Variable to = output("y", "");
    to.depends_on = {u_};
    y_ = add(std::move(to));
    Variable count = output("steps", "");
    count.type = Type::int32;
    count.variability = Variability::discrete;
    steps_ = add(std::move(count));
  }

  Traits traits() const override { return {.description = "y = u + 1, halved towards 1 `work` times"}; }

  void evaluate() override { real(y_) = real(u_) + 1.0; }

  StepReport step(double t, double h) override {
    set_time(t + h);
    ++integer(steps_);
    double y = real(u_) + 1.0;
    for (double i = real(work_); i > 0.0; i -= 1.0) y = 0.5 * y + 0.5;
    real(y_) = y;
    return {.reached = t + h};
  }

 private:
  int work_, u_, y_, steps_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Trivial>(version); }

}  // namespace seam::fmus
