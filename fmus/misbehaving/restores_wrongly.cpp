#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Forgetful final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "says OK to a restored state, but keeps its output"}; }

  void restore(const Memory& saved) override {
    const double kept = y();
    Wayward::restore(saved);
    y() = kept;
  }
};

}  // namespace

SEAM_WAYWARD(Forgetful)
