// Prints the modelDescription.xml of the model it is linked with: describe 2|3 NAME IDENTIFIER [state] [derivatives]
#include <cstdio>
#include <cstring>

#include "fmus/describe/description.hpp"

int main(int count, char** words) {
  using namespace seam::fmus;
  if (count < 4) return 2;
  const Version version = std::strcmp(words[1], "2") == 0 ? Version::fmi2 : Version::fmi3;
  Build build{words[2], words[3]};
  for (int i = 4; i < count; ++i) {
    build.state = build.state || std::strcmp(words[i], "state") == 0;
    build.derivatives = build.derivatives || std::strcmp(words[i], "derivatives") == 0;
  }
  const auto model = make_model(version);
  const std::string text = version == Version::fmi2 ? describe_fmi2(*model, build) : describe_fmi3(*model, build);
  return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
}
