#include "fmus/clocks/clocked_controller.hpp"

std::unique_ptr<seam::fmus::Model> seam::fmus::make_model(Version version) {
  return std::make_unique<ClockedController>(version, Ticking::constant);
}
