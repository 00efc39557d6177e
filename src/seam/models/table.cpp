#include "seam/models/table.hpp"

#include "seam/models/blocks.hpp"

namespace seam::models {
namespace {

class TableOde final : public StaticOde {
 public:
  explicit TableOde(Piecewise curve) : curve_(std::move(curve)) {}

 private:
  double value(double u) const override { return curve_.value(u); }
  double slope(double u) const override { return curve_.slope(u); }

  Piecewise curve_;
};

}  // namespace

Model table(Piecewise curve) { return static_model(std::make_unique<TableOde>(std::move(curve)), {}); }

}  // namespace seam::models
