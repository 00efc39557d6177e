// Linear models of subsystems for people, for programs and for other tools.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/predict/linear_models.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

using Models = std::vector<analysis::SubsystemModel>;

/// Where each model comes from, how good it is, its poles.
std::string linear_models_text(const engine::System& system, const Models& models);
formats::Value linear_models_value(const engine::System& system, const Models& models);

/// As JSON, or as MAT if the file's name ends in .mat.
void write_linear_models(const std::string& file, const engine::System& system, const Models& models);
/// Throws base::ProblemsFound if a file of that name would be neither.
void check_linear_models_file(const std::string& file);

}  // namespace seam::report
