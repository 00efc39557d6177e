#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Impostor final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "exports symbols with the names of well-known libraries"}; }
};

}  // namespace

SEAM_WAYWARD(Impostor)
