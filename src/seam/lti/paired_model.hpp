// A linear model of samples that are pairs of (input of a step, output at its end), and what it says of macro steps.
//
//   z(i+1) = A z(i) + B u(i),   y(i) = C z(i) + D u(i),   z(i) the state at the *begin* of step i
//
// A subsystem x' = a x + b u, y = c x + d u that holds its input has A = e^{a h}, C = c A and D = c B + d: what a
// fit of such pairs calls D is already the response at the end of a step. Adding C B to it, as for pairs of the same
// instant, would count one step too many.
//
// All memory is made at construction.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "seam/base/boxed.hpp"
#include "seam/lti/identification.hpp"

namespace seam::lti {

/// At most so many states; exactly so many ports.
struct ModelSize {
  int states = 0, inputs = 1, outputs = 1;
};

class PairedModel {
 public:
  explicit PairedModel(const ModelSize& size);

  /// Copies the model of the latest fit.
  void take(const Identification& fitted);
  void take(const StateSpace& model);
  void clear();

  const ModelSize& size() const { return size_; }
  int order() const { return static_cast<int>(memory_[0]); }
  using View = Eigen::Map<const Matrix>;
  View A() const;
  View B() const;
  View C() const;
  View D() const;
  bool is_finite() const;
  /// Whether its memory is one that it may have written.
  bool is_sound() const { return memory_[0] >= 0.0 && memory_[0] <= size_.states; }

  /// All that it remembers, flat.
  std::span<double> memory() { return memory_; }
  std::span<const double> memory() const { return memory_; }

 private:
  ModelSize size_;
  std::array<std::size_t, 4> begins_;  ///< of A, B, C and D in the memory
  std::vector<double> memory_;         ///< order, then A, B, C, D, each column-major in room for the most states

  std::size_t begin_of(int matrix) const { return begins_[static_cast<std::size_t>(matrix)]; }
  template <class Source>
  void copy(const Source& source, int order);
};

/// A macro step of several samples as a map, for inputs u(theta) = c0 + c1 theta, theta in [0, 1]:
///   z' = Ad z + G0 c0 + G1 c1,   y at the end = C z' + D u(1)
class StepGains {
 public:
  explicit StepGains(const ModelSize& size);

  /// False if a gain is not finite.
  bool derive(const PairedModel& model, int samples);

  using View = Eigen::Map<const Matrix>;
  View Ad() const;
  View G0() const;
  View G1() const;
  View C() const;
  /// The direct feed-through.
  View D() const;
  /// Of an input that was held over the step on the output at its end: C G0 + D.
  View K() const;
  /// Of an input that differed by a ramp from 0 to 1: C G1 + D. For inputs that were held and should have moved it
  /// is nearer to the truth than K, which counts their last value for the whole step.
  View ramp_K() const;
  /// Spectral radius of Ad, to about 1e-4 of itself: by what a state that is not corrected grows in a step. Found anew
  /// each time.
  double growth() const;

 private:
  struct Workspace;
  base::Boxed<Workspace> work_;
};

}  // namespace seam::lti
