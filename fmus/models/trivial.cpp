// y = u + 1, and the number of steps: the cheapest step there is.
#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class Trivial final : public Model {
 public:
  explicit Trivial(Version version) : Model(version) {
    u_ = add(input("u", 0.0, ""));
    Variable to = output("y", "");
    to.depends_on = {u_};
    y_ = add(std::move(to));
    Variable count = output("steps", "");
    count.type = Type::int32;
    count.variability = Variability::discrete;
    steps_ = add(std::move(count));
  }

  Traits traits() const override { return {.description = "y = u + 1"}; }

  void evaluate() override { real(y_) = real(u_) + 1.0; }

  StepReport step(double t, double h) override {
    set_time(t + h);
    ++integer(steps_);
    real(y_) = real(u_) + 1.0;
    return {.reached = t + h};
  }

 private:
  int u_, y_, steps_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Trivial>(version); }

}  // namespace seam::fmus
