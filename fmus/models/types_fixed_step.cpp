#include "fmus/models/copying_model.hpp"

namespace seam::fmus {
namespace {

/// Like FMUs with a solver of fixed steps: it goes as far as whole steps lead, says OK, and reports that time.
class TypesFixedStep final : public CopyingModel {
 public:
  explicit TypesFixedStep(Version version) : CopyingModel(version) { add_copies(); }
  Traits traits() const override {
    return {.description = "copies inputs of every type to outputs, every 0.1 s",
            .stop = 2.0,
            .step = std::nullopt,
            .internal_step = internal_step};
  }

  StepReport step(double t, double h) override {
    double reached = memory().time;
    while (reached + internal_step <= t + h + 1e-9 * internal_step) reached += internal_step;
    if (reached > memory().time) copy();
    set_time(reached);
    return {.reached = reached};
  }

 private:
  static constexpr double internal_step = 0.1;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<TypesFixedStep>(version); }

}  // namespace seam::fmus
