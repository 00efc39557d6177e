// A linear model out of samples of inputs and outputs: subspace identification (MOESP, Verhaegen and Dewilde 1992).
//
//   x(i+1) = A x(i) + B u(i),   y(i) = C x(i) + D u(i)
//
// All memory is made at construction, for sizes that are fixed there: identify() allocates nothing.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string_view>

#include "seam/base/boxed.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// One sample after the other, each with all its channels.
struct Samples {
  std::span<const double> inputs, outputs;
};

struct IdentificationSize {
  int inputs = 1, outputs = 1;
  int samples = 0;     ///< at most
  int block_rows = 0;  ///< k: how many samples follow one another in a column of the data matrices
  int states = 0;      ///< at most; no more than (k - 1) outputs can be told apart
};

/// The state at the first sample.
enum class FirstState { zero, fitted };

/// How B and D are found once A and C are known.
enum class InputFit {
  simulation,  ///< least squares on the simulated response: the best model of the whole record
  projection   ///< least squares on the projected data (eq. 26 of the MOESP form): records may grow without bound
};

struct IdentificationChoices {
  std::optional<int> order;  ///< otherwise by the largest gap of the singular values
  FirstState first_state = FirstState::fitted;
  InputFit input_fit = InputFit::simulation;
  double least_excitation = 1e-8;  ///< of the inputs: the ratio of singular values below which nothing is believed
  double rounding = 1e-12;         ///< singular values below this part of the data are no states
};

enum class Finding {
  identified,
  too_few_samples,
  not_finite,
  not_exciting,        ///< the inputs do not move in all their directions: other models explain the data, too
  fewer_states_moved,  ///< the order that was asked for is more than the data show
  too_few_block_rows,  ///< the states cannot be told apart within so few samples
  not_determined       ///< the equations for B and D are singular
};
std::string_view words(Finding finding);

struct IdentificationReport {
  Finding finding = Finding::too_few_samples;
  int order = 0;
  double excitation = 0.0;  ///< smallest by largest singular value of the inputs' data matrix
  /// What an entry of the response may be wrong by, in parts of the channels' sizes, if what the states leave
  /// unexplained is noise. Infinite without a spare column.
  double uncertainty = 0.0;
  double gap = 0.0;         ///< ratio of the singular values on both sides of the order
  double prominence = 0.0;  ///< the gap, by how much larger the data are than the weakest state's part in them
  int spare_columns = 0;    ///< columns of data beyond what the order needs: with 0 the residual says nothing
};

class Identification {
 public:
  /// Throws base::Error(internal) for sizes that fit nothing.
  explicit Identification(const IdentificationSize& size);

  /// Data matrices, their factorisation and a model. Unless it is `identified` there is no model.
  IdentificationReport identify(const Samples& samples, const IdentificationChoices& choices);
  /// Another order or another way for the samples of the latest identify().
  IdentificationReport fit(const IdentificationChoices& choices);

  /// Singular values of the part of the outputs that the inputs do not explain, falling; of the latest identify().
  std::span<const double> singular_values() const;

  using View = Eigen::Map<const Matrix>;
  View A() const;
  View B() const;
  View C() const;
  View D() const;
  /// The state at the first sample of the fit.
  View first_state() const;
  /// A copy.
  StateSpace model() const;
  /// Root mean squares of the outputs of the latest identify(), or 1.
  std::span<const double> output_sizes() const;

  /// The prediction error on the samples of the fit.
  double residual();

  /// How far the model's free run is from these samples, at most as many as announced: root mean square of the
  /// difference by that of the output, for every output; the largest of them. Infinite if the run overflows.
  double prediction_error(const Samples& fresh, FirstState first_state);
  std::span<const double> output_errors() const;

 private:
  struct Workspace;
  base::Boxed<Workspace> work_;
};

}  // namespace seam::lti
