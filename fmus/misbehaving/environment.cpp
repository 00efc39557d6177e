#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>

#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Meddling final : public Wayward {
 public:
  using Wayward::Wayward;
  Traits traits() const override {
    return {.description = "changes locale, working folder, signal handlers, rounding and umask"};
  }

  bool created(const std::string&) override {
    meddle();
    return true;
  }
  void initialise() override { meddle(); }
  StepReport step(double t, double h) override {
    const StepReport report = Wayward::step(t, h);
    meddle();
    return report;
  }

 private:
  static void meddle() {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
      if (std::setlocale(LC_ALL, name)) break;
    }
    if (chdir("/") != 0) return;
    umask(0);
    for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGPIPE}) std::signal(number, SIG_IGN);
    std::fesetround(FE_UPWARD);
  }
};

}  // namespace

SEAM_WAYWARD(Meddling)
