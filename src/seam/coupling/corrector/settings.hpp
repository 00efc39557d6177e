// What a corrector does at a communication point, as choices that the step loop reads.
#pragma once

namespace seam::coupling {

struct CorrectorSettings {
  /// How outputs are mended before they are sent.
  enum class Outputs {
    as_sent,      ///< not at all: only the next input gets an offset
    feedthrough,  ///< by what feeds through directly
    model,        ///< by a linear model over the step, exact and biased states equal at its begin
    tracked       ///< the same with the difference of the states carried on from step to step
  } outputs = Outputs::as_sent;

  /// What is supposed of the error of an input in the step.
  enum class Shape {
    constant,  ///< as large from the begin as at the end
    ramp,      ///< it grows from 0 to what it is at the end
    linear,    ///< the true input is the line between its two ends
    parabola   ///< and the point before them
  } shape = Shape::constant;

  /// What is added to the next input, because the states of the subsystem stay wrong.
  enum class Offset {
    none,
    printed,     ///< the mean error of the input in the last step
    plain,       ///< the same, as if the last step had had no offset
    cumulative,  ///< the sum of mean errors over all steps
    deadbeat     ///< constant and slope that bring the tracked error to zero in one step
  } offset = Offset::none;

  /// Whether that offset is mended for what feeds through directly.
  enum class OffsetFeedthrough { corrected, ignored } offset_feedthrough = OffsetFeedthrough::corrected;

  /// Where the linear models come from.
  enum class Model {
    automatic,    ///< the best that the subsystem offers without a trial
    exact,        ///< equations of our own
    derivatives,  ///< that an FMU tells at the end of every step
    probed,       ///< found by moving the inputs of private instances before the run
    identified    ///< learned from inputs and outputs while the system runs
  } model = Model::automatic;

  double alpha = 1.0;     ///< share of the offset that is applied
  int micro_outputs = 1;  ///< outputs a macro step that tracking and identification look at

  /// Where in a step nonlinear subsystems are asked for their equations.
  enum class Jacobians { each_output, end } jacobians = Jacobians::each_output;

  /// How identified models are found.
  struct Learning {
    int order = 0;            ///< states; 0: by the largest gap of the singular values
    int window = 20;          ///< macro steps
    double threshold = 0.01;  ///< of the relative error in foretelling: above it another model is looked for
    enum class Start {
      careful,  ///< models of more samples than unknowns; no offset without models where inputs do not go on changing
      eager     ///< models of just as many samples as unknowns; offsets always
    } start = Start::careful;
  } learning;
};

}  // namespace seam::coupling
