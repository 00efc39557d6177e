// Puts the observers of subsystems into the memory of a program. Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/coupling/corrector/prediction_orders.hpp"
#include "seam/coupling/layout.hpp"

namespace seam::coupling {

/// Matrices one behind the other in Memory::models.
class ModelStore {
 public:
  explicit ModelStore(base::Numbers& models) : models_(models) {}
  int size() const { return static_cast<int>(models_.size()); }
  int put(const lti::Matrix& matrix) {
    const int place = size();
    models_.insert(models_.end(), matrix.data(), matrix.data() + matrix.size());
    return place;
  }

 private:
  base::Numbers& models_;
};

/// Whether an input follows a known signal that the subsystem tells.
bool is_driven(const CorrectedLane& lane, int port);

/// An output that answers a constant input at once tells of the middle of that constant: so many parts of the step
/// before its end.
double stamp_of(const CorrectedLane& lane, int output);

class ObserverMaker {
 public:
  /// Of the prediction of all: wiring and sizes.
  ObserverMaker(const Layout& layout, double macro_step, const lti::PredictionTask& of_all, ModelStore models,
                Prediction& result)
      : layout_(layout), macro_step_(macro_step), of_all_(of_all), models_(models), result_(result) {}

  /// The observer of the next lane, with its places and sums; what the prediction needs of it goes to `part`. False if
  /// it does not settle.
  bool put(const CorrectedLane& lane, lti::PredictedPart& part);
  const std::vector<SteppedModel>& stepped() const { return stepped_; }

 private:
  const Lane& own(const CorrectedLane& lane) const { return layout_.lanes[static_cast<std::size_t>(lane.lane)]; }
  double step_of(const CorrectedLane& lane) const { return lane.multiple * macro_step_; }
  bool follows_signals(const CorrectedLane& lane) const;
  lti::PolynomialStep moved(const CorrectedLane& lane, const lti::StateSpace& system, PartOfStep part) const;
  lti::Matrix of_all_inputs(const CorrectedLane& lane, const std::vector<lti::Matrix>& powers_of_inputs) const;
  std::vector<lti::Matrix> feedthrough(const CorrectedLane& lane, const lti::StateSpace& system, PartOfStep part) const;
  void put_sums(const CorrectedLane& lane, const lti::StateSpace& system);

  const Layout& layout_;
  double macro_step_;
  const lti::PredictionTask& of_all_;
  ModelStore models_;
  Prediction& result_;
  std::vector<SteppedModel> stepped_;
};

}  // namespace seam::coupling
