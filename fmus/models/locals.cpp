#include "fmus/models/locals.hpp"

std::unique_ptr<seam::fmus::Model> seam::fmus::make_model(Version version) {
  return std::make_unique<Locals>(version, 4);
}
