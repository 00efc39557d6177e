// A discrete integer output that counts the steps.
#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class Counter final : public Model {
 public:
  explicit Counter(Version version) : Model(version) {
    Variable count = output("count", "");
    count.type = Type::int32;
    count.variability = Variability::discrete;
    count_ = add(std::move(count));
  }

  Traits traits() const override { return {.description = "counts its steps"}; }

  StepReport step(double t, double h) override {
    set_time(t + h);
    ++integer(count_);
    return {.reached = t + h};
  }

 private:
  int count_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Counter>(version); }

}  // namespace seam::fmus
