#include "fmus/models/copying_model.hpp"

namespace seam::fmus {
namespace {

class Types final : public CopyingModel {
 public:
  explicit Types(Version version) : CopyingModel(version) { add_copies(); }
  Traits traits() const override { return {.description = "copies inputs of every type to outputs"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Types>(version); }

}  // namespace seam::fmus
