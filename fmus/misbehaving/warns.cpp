#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Worried final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "returns Warning from every call that succeeds"}; }

  Status usual_status() const override { return Status::warning; }
};

}  // namespace

SEAM_WAYWARD(Worried)
