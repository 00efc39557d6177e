#pragma once

#include "fmus/fmu.hpp"

namespace seam::fmus {

std::unique_ptr<Fmu> make_fmu2(const std::string& name, const Opening& opening);
std::unique_ptr<Fmu> make_fmu3(const std::string& name, const Opening& opening);

}  // namespace seam::fmus
