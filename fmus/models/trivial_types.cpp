// The step of `trivial` beside ports of every type: as much as FMUs may bring along without it being connected.
#include "fmus/models/copying_model.hpp"

namespace seam::fmus {
namespace {

class TrivialTypes final : public CopyingModel {
 public:
  explicit TrivialTypes(Version version) : CopyingModel(version) {
    u_ = add(input("u", 0.0, ""));
    Variable to = output("y", "");
    to.depends_on = {u_};
    y_ = add(std::move(to));
    add_copies();
  }

  Traits traits() const override { return {.description = "y = u + 1 beside ports of every type"}; }

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

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<TrivialTypes>(version); }

}  // namespace seam::fmus
