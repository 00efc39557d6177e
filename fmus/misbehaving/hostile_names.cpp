// Names, descriptions and messages that harm a program which prints them as they are: markup, quotes, escape sequences,
// directives of printf. XML 1.0 cannot hold U+001B, so escapes in names are the 8-bit ones.
#include "fmus/misbehaving/wayward.hpp"

namespace {

using namespace seam::fmus;

class Hostile final : public Wayward {
 public:
  explicit Hostile(Version version) : Wayward(version) {
    for (const char* name :
         {"<script>alert(1)</script>", "\"quoted\" & 'quoted'", "line\nbreak\tand tab\rreturn",
          "csi \xc2\x9b"
          "31m red \xc2\x9d"
          "0;title\xc2\x9c",
          "rtl \xe2\x80\xae override \xe2\x80\x8b zero width", "=1+1", "comma, semicolon; {brace} ${HOME} `id` $(id)",
          "../../../etc/passwd", "%s%n%d", " blanks ", "a.b[1,2].c"}) {
      Variable copy = output(name, "");
      copy.description = std::string("described by ") + name;
      add(std::move(copy));
    }
    variable(1).description = "<b>\"at\"</b> & %n";
  }

  Traits traits() const override {
    return {.description = "<script>alert(document.title)</script> ]]> -->", .names = Traits::Names::flat};
  }

  StepReport step(double t, double h) override {
    // FMI 2 hands the message to a printf; %s without arguments reads, and %n writes, what is not there.
    log(Status::warning, "%s%s%s%n%n %99999d", LogForm::format);
    log(Status::warning, "\x1b[2J\x1b]0;title\x07 cleared <script>alert(1)</script> #r1# #i99999999# ## #",
        LogForm::text);
    log(Status::warning, std::string(100'000, 'x') + "\xff\xfe not UTF-8", LogForm::text);
    return Wayward::step(t, h);
  }
};

}  // namespace

SEAM_WAYWARD(Hostile)
