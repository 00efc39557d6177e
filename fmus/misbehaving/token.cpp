#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Unwilling final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "takes no token, not even its own"}; }

  bool accepts(const std::string&) const override { return false; }
};

}  // namespace

SEAM_WAYWARD(Unwilling)
