// The corrector of a program: which wires it corrects, where everything lies, and what it knows of the subsystems.
//
// Wires into one lane stand side by side, and so do the outputs of one lane: models are blocks. With u = L y + l over
// all wires (gain and offset of each), a step is corrected by
//   y = y^ + C e + sum_k (K_k t_k - applied_k c_k),   u = L y + l,   e+ = A e + sum_k (B_k t_k - applied_k c_k)
// where c_k are the coefficients of the input's polynomial as it was in the step, t_k those of what is supposed to have
// been right, and e is what the states of the subsystem are wrong by (0 unless it is tracked). t depends on u at the
// end of the step: one linear system of the size of y.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/coupling/corrector/corrector.hpp"
#include "seam/coupling/corrector/prediction.hpp"

namespace seam::coupling {

inline constexpr int powers = 3;  ///< coefficients of an input's polynomial that a model knows

/// One wire that is corrected; all in the unit of the sink.
struct CorrectedWire {
  int wire = -1;    ///< of the assembly
  int sink = -1;    ///< number among the corrected lanes
  int output = -1;  ///< number among the corrected outputs
  double gain = 1.0, offset = 0.0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  int coefficients = 0, stride = 0;  ///< place of the input's polynomial, and from one power to the next
  int degree = 0;
  int corrected = 0;           ///< place: what the sink gets, and until the next point what it got at the last
  bool is_sample = false;      ///< that place is the sample itself: no wire copies it
  bool is_plain_hold = false;  ///< only the corrector writes more than the constant part of the input
  bool limited = false;        ///< low or high is finite
  double size = 0.0;           ///< the usual one, as the sink says; 0: it does not
  bool keeps_sum = false;      ///< it ends in an integrator of its sink's model
  int sum = -1;                ///< place of what the sink is still owed, then of what it gets for that
  int fine = -1;  ///< first of the places of finer samples, moved by the same correction; -1: only the last is sent
  int fine_from = -1, fine_stride = 0, fine_count = 0;  ///< where they come from
};

struct CorrectedOutput {
  int lane = -1;           ///< number among the corrected lanes
  int emitter_group = -1;  ///< that sees its micro points; -1: there is only the end
  int raw = -1;            ///< place of the output as the subsystem gave it
  int point = -1;          ///< first of the places of its micro points, the newest first, or -1
  int stride = 0;          ///< between two of them
};

/// Matrices of one lane in Memory::models, column-major; K_k etc. stand one behind the other.
struct ModelPlaces {
  int A = 0, B = 0, C = 0, K = 0, D = 0;
  int applied_B = 0, applied_K = 0;  ///< the same as B and K where the polynomial itself is applied
  int deadbeat = 0;                  ///< from e to the two rows of the offset that removes it
  int equations = 0;                 ///< of all ports, as the subsystem tells them; then room to work in
};

/// What is known of a lane.
enum class Known { nothing, feedthrough, model };
/// Whether it is found anew at the end of every step.
enum class Refresh { never, every_step };

struct CorrectedLane {
  int lane = -1;  ///< of the program
  int multiple = 1;
  int first_input = 0, inputs = 0;  ///< wires
  int first_output = 0, outputs = 0;
  std::vector<int> input_ports, output_ports;  ///< of the subsystem
  std::vector<int> driven_ports;               ///< inputs that follow known signals, which it tells
  int states = 0;
  int looks = 1;           ///< Addition::polynomial: evenly spaced outputs of its step that its observer sees
  int written = 1;         ///< Addition::polynomial: coefficients of every input that the corrector writes
  bool in_pieces = false;  ///< they stand for as many constants, one each part of the step
  int carried = 0;         ///< place of what is carried on of its states: e, or an estimate of them
  int at_begin = 0;        ///< the same where its step began: `carried` where that is one macro step
  int signals = -1;        ///< place of courses of driven ports over the coming step of each of `rates`
  double length = 0.0;     ///< s, between two looks at it
  int pieces = 0;          ///< constant pieces in which the polynomial is applied in that time; 0: as it is
  int calls = 0;           ///< the same over the macro step
  Known known = Known::nothing;
  Refresh refresh = Refresh::never;
  bool may_have_events = false;
  ModelPlaces model;
  int told = -1;      ///< place in Memory::values of its equations at the points inside a step, one behind the other
  int told_size = 0;  ///< of one of them: 1 if they could be told, then A, B, C, D
  std::shared_ptr<const LaneModel> equations;  ///< where those of all together are read
  double mean[powers] = {}, end[powers] = {};  ///< of theta^k, as it is applied
};

/// Places behind Correction::fallen: whether a hold replaces the prediction, points since that changed, how often it
/// began, and the first point at which it did.
enum Fallen { is_fallen, points_since, how_often, first_point };

struct Correction {
  std::shared_ptr<const Corrector> corrector;
  CorrectorShape shape;  ///< of it
  std::vector<CorrectedWire> wires;
  std::vector<CorrectedOutput> outputs;
  std::vector<CorrectedLane> lanes;
  bool one_rate = true;
  std::vector<int> rates;  ///< 1 and the multiples of the lanes
  bool refreshes = false;  ///< some model may be another one after every step
  int most_states = 0;     ///< of a lane

  // places in Memory::values
  int sent = 0;          ///< corrected outputs, one each; keeps those of slower lanes
  int rows = -1;         ///< numbers that the corrector carries on: its rows one behind the other, one entry a wire
  int offset = -1;       ///< constants that are added to the next inputs
  int output_rows = -1;  ///< the same, one entry an output
  int states = -1;       ///< what is carried on of the states of all lanes, one behind the other
  int state_count = 0;
  // places in Memory::models
  int solved = 0;        ///< outputs from what is known: (I - K L)^-1
  int solved_sinks = 0;  ///< (I - L D)^-1, by which offsets are corrected
  int sizes = 0;         ///< of what the wires carry: as they say, else the largest so far where models are found anew
  int work = 0;
  // places in Memory::knowledge
  int seen = -1;        ///< communication points so far
  int clamped = -1;     ///< how often a limit held, one a wire
  int skipped = -1;     ///< how often a lane was left out because of an event, one a lane
  int cut = -1;         ///< how often a limit held an offset back, one a wire
  int unreported = -1;  ///< how often a lane that is asked for its equations did not report them, one a lane
  int unsolved = -1;    ///< how often nothing could be corrected, since the equations had no solution
  int order = -1;       ///< of extrapolation, and communication points since it was chosen; -1: nothing is watched
  int fallen = -1;      ///< see Fallen; -1: nothing is watched

  std::shared_ptr<const Prediction> prediction;  ///< where the inputs of all together are predicted
  std::vector<std::string> notices;              ///< what it had to do without

  /// Some of its models change while it runs, or what it concludes from them.
  bool learns_in_runs() const { return refreshes || shape.falls_back; }
  /// Place of the first number of a row.
  int row(int number) const { return rows + number * static_cast<int>(wires.size()); }
  int output_row(int number) const { return output_rows + number * static_cast<int>(outputs.size()); }
};

}  // namespace seam::coupling
