#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class NoStates final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override {
    return {.description = "an integrator by co-simulation; by model exchange it has no states and stays as it is"};
  }
};

}  // namespace

SEAM_WAYWARD(NoStates)
