#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Stillborn final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "writes to address 0 while it is instantiated"}; }

  bool created(const std::string&) override {
    crash();
    return true;
  }
};

}  // namespace

SEAM_WAYWARD(Stillborn)
