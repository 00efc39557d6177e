// A linear model of one subsystem around an operating point: what it is, where it comes from, how far to believe it.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/start_state.hpp"
#include "seam/assembly/subsystem.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::analysis {

/// One call of a subsystem, in deviations from the operating point: x+ = A x + B c, y = C x + D c. x is the state at
/// the begin of the call, y the outputs at its end, c the input's polynomial: the coefficients of theta^0 of all
/// inputs, then those of theta^1, … (ode::InputPolynomials). This is what the coupling sees of a subsystem, so it can
/// stand in for it in coupling::advance: exactly for calls of this length under inputs of this degree.
struct StepMap {
  double step = 0.0;  ///< s
  int degree = 0;
  lti::StateSpace matrices;

  int inputs() const { return static_cast<int>(matrices.inputs()) / (degree + 1); }
};

/// Of linear equations x' = A x + B u, y = C x + D u, exactly.
StepMap step_map(const lti::StateSpace& equations, double step, int degree);

/// Outputs at the end of a call by the state and the input there: C and D of y = C x+ + D u under held inputs. None for
/// a pole of the map at 0 (a delay): then the state at the end does not tell them.
struct InstantOutputs {
  lti::Matrix C, D;
};
std::optional<InstantOutputs> outputs_behind(const StepMap& map);

/// The slowest equations that make this step under held inputs. None where there are none: a pole of the map at 0 (a
/// delay) or left of it.
std::optional<lti::StateSpace> equations_behind(const StepMap& map);

/// The calls of one length.
struct CallMaps {
  StepMap map;
  std::vector<StepMap> others = {};  ///< from other records of the same calls: their spread is what is unsure
};

/// The calls of a subsystem whose solver may step with them, so that those of one length say nothing of another. Found
/// when they are asked for.
class OtherCalls {
 public:
  virtual ~OtherCalls() = default;
  /// None where it cannot be found out.
  virtual std::optional<CallMaps> find(double length, int degree) = 0;
  /// Whether one set of equations makes those that were found so far.
  virtual bool are_of_equations() const = 0;
};

/// Where and how a subsystem is called.
struct CallPoint {
  assembly::Step step;
  int degree = 0;
  std::vector<double> coefficients;  ///< the input's polynomial
};

/// Of a subsystem that shows its states, by calling it: exact where its step is affine, else by differences. It is left
/// as it was.
StepMap step_map(assembly::Subsystem& subsystem, const CallPoint& point, int outputs);

/// By differences of the equations of a subsystem that shows them, between two events, around its present state. None
/// if they are not given there.
std::optional<lti::StateSpace> differenced_equations(assembly::Subsystem& subsystem, double t, assembly::In inputs,
                                                     int outputs);
/// Whether equations that are shown jump at times that depend on the states.
bool has_state_events(assembly::Subsystem& subsystem);

/// What the outputs change with the inputs at once, where a subsystem can evaluate outputs between two steps.
lti::Matrix direct_feedthrough(assembly::Subsystem& subsystem, double t, assembly::In inputs, int outputs);

enum class ModelSource {
  exact,        ///< its equations are known
  derivatives,  ///< the FMU told its derivatives: of its equations, not of the solver inside it
  exchange,     ///< its equations are those of its model exchange, though it is stepped by co-simulation
  probed,       ///< identified from the answers of an instance of its own
  none          ///< not known
};

enum class Linearity {
  linear,         ///< to the digits of the test
  at_this_point,  ///< the model holds for small motions here
  not_tested
};

/// How good a probed model is. Errors are relative, of the worst output, by root mean square.
struct ProbeQuality {
  double fit_error = 0.0;         ///< on the samples it was identified from
  double prediction_error = 0.0;  ///< on a fresh excitation
  double amplitude_error = 0.0;   ///< twice the motion against twice the answer
  double point_error = 0.0;       ///< the answer around other input values against the answer here
  double resolution = 0.0;        ///< rounding of the outputs beside their answer: no error can be told to be less
  double excitation = 0.0;        ///< smallest by largest singular value of the inputs' data matrix
  double order_gap = 0.0;         ///< of singular values, behind the last state
  int samples = 0;
};

struct SubsystemModel {
  std::string name;
  ModelSource source = ModelSource::none;
  Linearity linearity = Linearity::not_tested;
  double time = 0.0;                                      ///< s, of the operating point
  std::vector<std::string> inputs, outputs, states = {};  ///< its real ports, as the matrices count them
  std::optional<lti::StateSpace> equations = {};          ///< x' = A x + B u, y = C x + D u
  std::optional<lti::StateSpace> after_step = {};         ///< the same one call later, where it moves on its own
  std::optional<StepMap> map = {};  ///< of one call as the plan makes it; or of all calls of a macro step (`is_whole`)
  std::vector<StepMap> other_maps = {};          ///< from other records of the same calls: their spread is unsure
  bool is_whole = false;                         ///< the subsystem does not see the calls of a macro step apart
  std::shared_ptr<OtherCalls> other_calls = {};  ///< of other lengths; none: the equations tell them
  std::optional<double> solver_error = {};       ///< relative: the plan's calls beside the equations
  std::optional<lti::Matrix> feedthrough = {};   ///< D where only that is known beside the map
  std::optional<ProbeQuality> quality = {};      ///< of a probed model
  std::optional<RestRecord> rest = {};           ///< where the subsystem was stepped alone
  std::string how = {};                          ///< how it was obtained, or why it is not known; one sentence
  std::vector<std::string> warnings = {};
};

/// The equations as a corrector gets them: of the plan's calls, with what a solver inside adds, unless these calls are
/// too long to tell. None where no equations make these calls.
std::optional<lti::StateSpace> equations_with_solver(const SubsystemModel& model);

/// Of the equations, 1/s, by falling magnitude.
std::vector<std::complex<double>> poles(const lti::StateSpace& equations);

const char* word(ModelSource source);
const char* word(Linearity linearity);

}  // namespace seam::analysis
