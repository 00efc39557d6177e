// Models of a corrector that are learned while the system runs: a keeper of models for every corrected subsystem sees
// the inputs of each macro step as they were applied and the outputs before any correction, and the correction of the
// same step uses what it believes.
//
// It is part of Memory: a copy of the memory is a checkpoint, and a saved state goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "seam/base/grid.hpp"
#include "seam/coupling/corrector/correction.hpp"
#include "seam/lti/change_persistence.hpp"
#include "seam/lti/model_keeper.hpp"

namespace seam::coupling {

struct CorrectionContext;

/// How models of a lane with so many outputs are looked for.
lti::KeeperChoices keeper_choices(const CorrectorShape& shape, int outputs);
/// The most states of such a model.
int most_learned_states(const CorrectorShape& shape, int outputs);
/// Macro steps before there can be a model.
int least_window(const CorrectorShape& shape, const CorrectedLane& lane);

/// What became of the models of a lane.
struct LearningAccount {
  std::int64_t steps = 0, used = 0;  ///< macro steps, and those that were corrected by a model
  std::int64_t first_use = -1;       ///< tick
  std::int64_t changes = 0;          ///< of the model that is kept, after the first
  std::int64_t reason = static_cast<std::int64_t>(lti::Reason::too_few_samples);  ///< lti::Reason, of the last step
                                                                                  ///< without a model
  lti::Reason why_not() const { return static_cast<lti::Reason>(reason); }
};

class Learning {
 public:
  /// For the corrected lanes that have inputs and outputs.
  explicit Learning(const Correction& correction);

  /// When lanes have arrived, before anything is corrected: samples are taken, models judged, found, and written.
  void observe(CorrectionContext& context);
  /// After that: offsets that nothing backs are taken back.
  void conclude(CorrectionContext& context);

  /// Lanes that learn, by their numbers among the corrected ones.
  std::size_t count() const { return learned_.size(); }
  int lane(std::size_t number) const { return learned_[number].lane; }
  const LearningAccount& account(std::size_t number) const { return learned_[number].account; }

  /// What it knows as flat numbers; one for the same lanes that loads them goes on the same way.
  std::vector<double> save() const;
  /// False if there are not as many numbers as it needs.
  bool load(const std::vector<double>& numbers);

 private:
  struct LearnedLane {
    LearnedLane(const Correction& correction, int number);
    int lane = -1;  ///< number among the corrected ones
    lti::ModelKeeper keeper;
    std::vector<double> inputs, outputs;  ///< of the samples of one step
    std::vector<double> error;
    LearningAccount account;
    lti::Standing written = lti::Standing::none;  ///< of the model that the corrector has

    bool in_use() const { return keeper.judgement().standing == lti::Standing::in_use; }
  };

  void begin(const CorrectionContext& context);
  void take_samples(const CorrectionContext& context, LearnedLane& learned) const;
  void write(CorrectionContext& context, LearnedLane& learned);
  void keep_error(CorrectionContext& context, LearnedLane& learned);
  static void note(LearnedLane& learned, base::Tick tick);
  bool all_in_use() const;
  static void give_up_error(CorrectionContext& context, const LearnedLane& learned);
  bool can_replay(const CorrectionContext& context) const;
  static void show(CorrectionContext& context, const LearnedLane& learned, int step);
  void replay(CorrectionContext& context);

  std::vector<LearnedLane> learned_;
  lti::ChangePersistence persistence_;
  std::vector<double> first_;  ///< inputs at the start
  bool has_begun_ = false;
};

}  // namespace seam::coupling
