#include <cstdio>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Scribbling final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "writes to its resources"}; }

  bool created(const std::string& resources) override {
    folder_ = resources.rfind("file://", 0) == 0 ? resources.substr(7) : resources;
    return scribble("instantiated\n");
  }
  StepReport step(double t, double h) override {
    if (scribble("step\n")) return Wayward::step(t, h);
    log(Status::error, "the resources cannot be written to", LogForm::text);
    return {Status::error, t};
  }

 private:
  bool scribble(const char* line) const {
    std::FILE* file = std::fopen((folder_ + "/scribble.txt").c_str(), "a");
    if (!file) return false;
    std::fputs(line, file);
    return std::fclose(file) == 0;
  }

  std::string folder_;
};

}  // namespace

SEAM_WAYWARD(Scribbling)
