// The loops of linear_steps and linear_pairs: sums of rows and steps of the fixed-step methods, over numbers that stand
// alone or several side by side.
#pragma once

#include <utility>

#include "seam/base/unrolled.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::ode {

using base::unrolled;

template <int count>
using Numbers = std::make_integer_sequence<int, count>;

/// Two numbers that are computed with at once, each as if it were alone. It may alias what it consists of.
using Two [[gnu::vector_size(2 * sizeof(double))]] = double;

/// sum + row . values, from the left.
template <class Number, int... j>
[[gnu::always_inline]] inline Number add_products(Number sum, const Number* row, const Number* values,
                                                  std::integer_sequence<int, j...>) {
  ((sum += row[j] * values[j]), ...);
  return sum;
}

template <int n, int m, class Number>
[[gnu::always_inline]] inline Number row_sum(const Number* of_states, const Number* x, const Number* of_inputs,
                                             const Number* u) {
  return add_products(add_products(Number{}, of_states, x, Numbers<n>()), of_inputs, u, Numbers<m>());
}

/// x' = A x + B u; matrices are row-major.
template <int n, int m, class Number>
struct LinearSystem {
  const Number *A, *B;
  Number h;

  template <int... i>
  [[gnu::always_inline]] void derivatives(const Number* x, const Number* u, Number* k,
                                          std::integer_sequence<int, i...>) const {
    ((k[i] = row_sum<n, m>(A + i * n, x, B + i * m, u)), ...);
  }
  [[gnu::always_inline]] void derivatives(const Number* x, const Number* u, Number* k) const {
    derivatives(x, u, k, Numbers<n>());
  }
};

template <int n, int m, class Number>
[[gnu::always_inline]] inline void step_euler(const LinearSystem<n, m, Number>& system, const Number* u, Number* x) {
  Number k[n];
  system.derivatives(x, u, k);
  unrolled<n>([&](int i) __attribute__((always_inline)) { x[i] += system.h * k[i]; });
}

template <int n, int m, class Number>
[[gnu::always_inline]] inline void step_midpoint(const LinearSystem<n, m, Number>& system, const Number* u, Number* x) {
  const Number h = system.h;
  Number k1[n], k2[n], stage[n];
  system.derivatives(x, u, k1);
  unrolled<n>([&](int i) __attribute__((always_inline)) { stage[i] = x[i] + 0.5 * h * k1[i]; });
  system.derivatives(stage, u + m, k2);
  unrolled<n>([&](int i) __attribute__((always_inline)) { x[i] += h * k2[i]; });
}

template <int n, int m, class Number>
[[gnu::always_inline]] inline void step_rk4(const LinearSystem<n, m, Number>& system, const Number* u, Number* x) {
  const Number h = system.h;
  Number k1[n], k2[n], k3[n], k4[n], stage[n];
  system.derivatives(x, u, k1);
  unrolled<n>([&](int i) __attribute__((always_inline)) { stage[i] = x[i] + 0.5 * h * k1[i]; });
  system.derivatives(stage, u + m, k2);
  unrolled<n>([&](int i) __attribute__((always_inline)) { stage[i] = x[i] + 0.5 * h * k2[i]; });
  system.derivatives(stage, u + m, k3);
  unrolled<n>([&](int i) __attribute__((always_inline)) { stage[i] = x[i] + h * k3[i]; });
  system.derivatives(stage, u + 2 * m, k4);
  unrolled<n>([&](int i) __attribute__((always_inline)) { x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]); });
}

/// States before the first step and after each of them; inputs lie `apart` from step to step.
template <int n, class Number>
struct Track {
  const Number* inputs;
  int apart;
  Number* states;
};

/// `step` moves x under the inputs of one step; it may look at both before.
template <int n, class Number, class Step>
[[gnu::always_inline]] inline void follow(Track<n, Number> track, int count, Number* moved, const Step& step) {
  Number x[n];
  unrolled<n>([&](int i) __attribute__((always_inline)) { track.states[i] = x[i] = moved[i]; });
  for (int s = 0; s < count; ++s) {
    step(track.inputs, x);
    track.inputs += track.apart;
    track.states += n;
    unrolled<n>([&](int i) __attribute__((always_inline)) { track.states[i] = x[i]; });
  }
  unrolled<n>([&](int i) __attribute__((always_inline)) { moved[i] = x[i]; });
}

template <int n, int m, Method method, class Number>
[[gnu::always_inline]] inline void move(const LinearSystem<n, m, Number>& system, const Number* u, Number* x) {
  if constexpr (method == Method::euler) step_euler(system, u, x);
  if constexpr (method == Method::midpoint) step_midpoint(system, u, x);
  if constexpr (method == Method::rk4) step_rk4(system, u, x);
}

}  // namespace seam::ode
