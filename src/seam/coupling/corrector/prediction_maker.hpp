// Makes what a corrector that predicts the coupled motion knows, when a program is compiled.
#pragma once

#include <memory>

#include "seam/coupling/layout.hpp"

namespace seam::coupling {

/// What the corrected outputs of a lane show of its equations, which do not change.
std::shared_ptr<const LaneModel> lane_model(const CompileTask& task, const CorrectedLane& lane, const Lane& own);

/// Puts observers and gains into Memory::models, behind what is there. False if direct feed-through closes a loop
/// of gain 1, or if an observer does not settle.
bool make_prediction(const CompileTask& task, Layout& layout);

}  // namespace seam::coupling
