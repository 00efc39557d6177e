// A corrector moves the samples of a communication point, and the inputs of the next step, so that errors of the step
// that was made do not stay.
#pragma once

#include <string>
#include <vector>

#include "seam/base/grid.hpp"

namespace seam::assembly {
struct Step;
}

namespace seam::coupling {

struct Correction;
struct CorrectedLane;
struct CorrectionContext;
struct Memory;
struct Program;

/// What is supposed of the error of an input in a step.
enum class Shape {
  constant,  ///< as large from the begin as at the end
  ramp,      ///< it grows from 0 to what it is at the end
  linear,    ///< the true input is the line between its two ends
  parabola   ///< and the point before them
};

/// Linear models of the subsystems, as a corrector asks for them.
struct ModelNeeds {
  enum class Reads {
    nothing,
    feedthrough,  ///< what feeds through directly
    step,         ///< the map of a step
    coupled       ///< equations that do not change: what all subsystems do together
  } reads = Reads::nothing;

  enum class Source {
    automatic,    ///< the best that the subsystem offers without a trial
    exact,        ///< equations of our own
    derivatives,  ///< that an FMU reports at the end of every step
    probed,       ///< found by moving the inputs of private instances before the run
    identified,   ///< learned from inputs and outputs while the system runs
    none          ///< outputs are expected to stay as they are
  } source = Source::automatic;

  Shape shape = Shape::constant;  ///< for which outputs are solved
  bool solves_outputs = false;    ///< corrected outputs depend on each other
  bool solves_offsets = false;    ///< offsets of inputs depend on each other by what feeds through directly

  /// Where in a step nonlinear subsystems are asked for their equations.
  enum class Jacobians { each_output, end } jacobians = Jacobians::each_output;

  /// How identified models are found.
  struct Learning {
    int order = 0;            ///< states; 0: by the largest gap of the singular values
    int window = 20;          ///< macro steps
    double threshold = 0.01;  ///< of the relative error of predictions: above it another model is looked for
    enum class Start {
      careful,  ///< models of more samples than unknowns; no offset without models where inputs do not go on changing
      eager     ///< models of just as many samples as unknowns; offsets always
    } start = Start::careful;
  } learning = {};
};

/// What a corrector adds to the input of the next step.
enum class Addition {
  nothing,
  constant,
  line,
  polynomial  ///< all of it: the hold counts for nothing
};

/// What a corrector needs of the program it is compiled into.
struct CorrectorShape {
  ModelNeeds models = {};
  Addition addition = Addition::nothing;
  int looks = 1;   ///< outputs a macro step that it sees, evenly spaced; 1: that of the communication point
  int degree = 0;  ///< Addition::polynomial: of it, where the sink takes polynomials
  int pieces = 1;  ///< the same: constants a step where it takes none, or where degree is 0; 1 where it cannot be split
  bool observes_pieces = false;        ///< of a step that is made in so many calls the outputs after each of them
  bool needs_form = false;             ///< a sink that takes neither is a problem
  int order = 0;                       ///< highest, of the extrapolation of what models do not explain
  bool chooses_order = false;          ///< the one that foretells the outputs best, while it runs
  bool falls_back = false;             ///< to a hold, where the models foretell the outputs worse than that
  bool keeps_sums = false;             ///< what an integrator of a model is given adds up to what its source did
  bool tracks = false;                 ///< what the states of the models are wrong by is carried on, at each look
  bool reads_last_inputs = false;      ///< at a point it reads what the sinks got at the point before
  int points_before = 0;               ///< communication points after which its step is always the same
  std::vector<std::string> rows = {};  ///< numbers that it carries from point to point, one each a wire, by name
  std::vector<std::string> output_rows = {};  ///< the same, one each an output
  std::string of_states = {};                 ///< the same, one a state of every model; empty: none

  /// Looks at which outputs are corrected.
  int points() const { return tracks ? looks : 1; }
  /// Points inside a step at which subsystems are asked for their equations.
  int points_told() const { return models.jacobians == ModelNeeds::Jacobians::each_output ? points() - 1 : 0; }
  bool has_offset() const { return addition != Addition::nothing; }
  bool learns() const { return models.source == ModelNeeds::Source::identified; }
};

/// Lanes of a correction one after the other.
struct LaneRange {
  int first = 0, count = 0;
};

/// Const: what it remembers lies in the memory the stepper owns.
class Corrector {
 public:
  virtual ~Corrector() = default;
  virtual CorrectorShape shape() const = 0;

  /// When lanes have arrived: what their outputs are to be, into `CorrectionContext::sent`, and the inputs that they
  /// give, into its `work.next`. Outputs of lanes that have not arrived stay.
  virtual void correct_outputs(CorrectionContext& context) const = 0;
  /// After that, with Addition::constant: what is added to the next inputs, into `CorrectionContext::offset`.
  virtual void find_offsets(CorrectionContext& /*context*/) const {}
  /// With Addition::line: constant and slope that are added to the input number `input` of a lane.
  struct Line {
    double constant = 0.0, slope = 0.0;
  };
  virtual Line line(const Correction& /*correction*/, const CorrectedLane& /*lane*/, int /*input*/,
                    const Memory& /*memory*/) const {
    return {};
  }
  /// With Addition::polynomial: all coefficients of the inputs of these lanes, where their step begins.
  struct ComingStep {
    const Program& program;
    const assembly::Step& step;  ///< the macro step
    base::Tick tick = 0;         ///< at its begin
  };
  virtual void write_inputs(const ComingStep& /*coming*/, const LaneRange& /*lanes*/, Memory& /*memory*/) const {}
  /// At the start, once the first samples are sent.
  virtual void begin(const Program& /*program*/, Memory& /*memory*/) const {}
  /// Outputs of a lane changed in an event at the communication point, and were not sent again yet.
  virtual void outputs_changed(const Correction& /*correction*/, const CorrectedLane& /*lane*/,
                               double* /*values*/) const {}
  /// A limit of the input of a wire kept so much of an offset back.
  virtual void note_cut(const Correction& /*correction*/, int /*wire*/, double /*kept_back*/,
                        Memory& /*memory*/) const {}
  /// Nothing backs the offsets: all sums of errors begin anew.
  virtual void forget_offsets(CorrectionContext& /*context*/) const {}
};

}  // namespace seam::coupling
