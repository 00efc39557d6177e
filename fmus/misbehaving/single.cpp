#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Lonely final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override {
    return {.description = "can be instantiated only once a process", .instances = Traits::Instances::one};
  }

  bool created(const std::string&) override {
    if (alive) {
      log(Status::error, "there is an instance already", LogForm::text);
      return false;
    }
    alive = mine_ = true;
    return true;
  }
  ~Lonely() override {
    if (mine_) alive = false;
  }

 private:
  static inline bool alive = false;
  bool mine_ = false;
};

}  // namespace

SEAM_WAYWARD(Lonely)
