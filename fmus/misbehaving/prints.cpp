#include <unistd.h>

#include <cstdio>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Chatty final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override { return {.description = "prints to standard output, buffered and raw"}; }

  bool created(const std::string&) override {
    say("instantiated");
    return true;
  }
  StepReport step(double t, double h) override {
    say("stepping");
    return Wayward::step(t, h);
  }

 private:
  static void say(const char* what) {
    std::printf("chatty FMU: %s {\"not\": \"json\"\n", what);
    const std::string raw = std::string("chatty FMU, raw: ") + what + "\n";
    if (write(1, raw.data(), raw.size()) < 0) std::puts("raw write failed");
  }
};

}  // namespace

SEAM_WAYWARD(Chatty)
