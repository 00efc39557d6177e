// Prints the modelDescription.xml of the model it is linked with: describe 1|2|3 NAME IDENTIFIER ABILITY…
#include <cstdio>
#include <map>
#include <string>

#include "fmus/describe/description.hpp"

int main(int count, char** words) {
  using namespace seam::fmus;
  if (count < 4) return 2;
  const auto version = static_cast<Version>(words[1][0] - '0');
  Build build{words[2], words[3]};
  const std::map<std::string, bool Build::*> abilities = {{"state", &Build::state},
                                                          {"derivatives", &Build::derivatives},
                                                          {"interpolates", &Build::interpolates},
                                                          {"intermediate", &Build::intermediate},
                                                          {"co_simulation", &Build::co_simulation},
                                                          {"model_exchange", &Build::model_exchange},
                                                          {"events", &Build::events},
                                                          {"aliases", &Build::aliases},
                                                          {"unlisted", &Build::unlisted}};
  for (int i = 4; i < count; ++i) {
    const auto ability = abilities.find(words[i]);
    if (ability == abilities.end()) return 2;
    build.*ability->second = true;
  }
  const auto model = make_model(version);
  const auto describe = version == Version::fmi1   ? describe_fmi1
                        : version == Version::fmi2 ? describe_fmi2
                                                   : describe_fmi3;
  const std::string text = describe(*model, build);
  return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
}
