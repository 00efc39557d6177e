// The step of `trivial` beside thousands of outputs, which stay as they are.
#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class TrivialOutputs final : public Model {
 public:
  explicit TrivialOutputs(Version version) : Model(version) {
    u_ = add(input("u", 0.0, ""));
    for (int i = 2; i <= 2500; ++i) add(output("y" + std::to_string(i), ""));
    Variable to = output("y", "");
    to.depends_on = {u_};
    y_ = add(std::move(to));
    for (int i = 2501; i <= 5000; ++i) add(output("y" + std::to_string(i), ""));
  }

  Traits traits() const override { return {.description = "y = u + 1 beside 4999 other outputs"}; }

  void evaluate() override { real(y_) = real(u_) + 1.0; }

  StepReport step(double t, double h) override {
    set_time(t + h);
    evaluate();
    return {.reached = t + h};
  }

 private:
  int u_, y_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return another<TrivialOutputs>(version); }

}  // namespace seam::fmus
