#include "seam/ode/linear_steps.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "seam/ode/linear_loops.hpp"

namespace seam::ode {
namespace {

template <int n, int m>
[[gnu::always_inline]] inline void step_symplectic(const LinearSteps& steps, const double* u, double* x) {
  const double h = steps.h;
  const int* const velocity_of = steps.velocity_of;
  double k[n];
  LinearSystem<n, m, double>{steps.A, steps.B, h}.derivatives(x, u, k);
  unrolled<n>([&](int i) __attribute__((always_inline)) {
    if (!velocity_of || velocity_of[i] < 0) x[i] += h * k[i];
  });
  unrolled<n>([&](int i) __attribute__((always_inline)) {
    if (velocity_of && velocity_of[i] >= 0) x[i] += h * x[velocity_of[i]];
  });
}

template <int n, int m, Method method>
void advance(const LinearSteps& steps, int count, const LinearKernels::Ways& ways, double* moved) {
  const LinearSystem<n, m, double> system{steps.A, steps.B, steps.h};
  follow<n>(
      Track<n, double>{ways.inputs, ways.apart, ways.states}, count,
      moved, [&](const double* u, double* x) __attribute__((always_inline)) {
        if constexpr (method == Method::symplectic_euler) {
          step_symplectic<n, m>(steps, u, x);
        } else {
          move<n, m, method>(system, u, x);
        }
      });
}

template <int n, int m>
void read(const LinearKernels::Reading& reading, int count) {
  double* first = reading.to;
  for (const int output : reading.outputs) {
    const double *c = reading.C + output * n, *d = reading.D + output * m;
    const double *x = reading.states, *u = reading.inputs;
    double* y = first++;
    for (int s = 0; s < count; ++s) {
      *y = row_sum<n, m>(c, x, d, u);
      x += reading.states_apart;
      u += reading.inputs_apart;
      y += reading.to_apart;
    }
  }
}

template <int n, int m>
void read_all(const LinearKernels::Product& product, Out to) {
  const double *p = product.P, *q = product.Q;
  for (double& entry : to) {
    entry = row_sum<n, m>(p, product.x, q, product.u);
    p += n;
    q += m;
  }
}

[[gnu::always_inline]] inline Two twice(double value) { return Two{value, value}; }

/// The sums of a pair of rows, each from 0 and from the left.
template <int... j>
[[gnu::always_inline]] inline Two pair_sum(const double* pair, const Two* values, std::integer_sequence<int, j...>) {
  Two sum = twice(0.0), some;
  ((std::memcpy(&some, pair + 2 * j, sizeof some), sum += some * values[j]), ...);
  return sum;
}

/// The pairs from `first` on, whose entries go to `to` at the places of their rows.
template <int size>
[[gnu::always_inline]] inline void write_pairs(const RowPairs& rows, const Two* values, std::size_t first, double* to) {
  const std::span<const int> places = rows.places();
  const double* pair = rows.numbers() + first * size;
  std::size_t row = first;
  for (; row + 1 < places.size(); row += 2, pair += 2 * size) {
    const Two sums = pair_sum(pair, values, Numbers<size>());
    to[places[row]] = sums[0];
    to[places[row + 1]] = sums[1];
  }
  if (row < places.size()) to[places[row]] = pair_sum(pair, values, Numbers<size>())[0];
}

template <int n, int m>
[[gnu::always_inline]] inline void gather(const double* x, const double* u, Two* values) {
  unrolled<n>([&](int i) __attribute__((always_inline)) { values[i] = twice(x[i]); });
  unrolled<m>([&](int i) __attribute__((always_inline)) { values[n + i] = twice(u[i]); });
}

template <int n, int m>
void read_some(const RowPairs& rows, const double* x, const double* u, double* to) {
  Two values[n + m];
  gather<n, m>(x, u, values);
  write_pairs<n + m>(rows, values, 0, to);
}

template <int n, int m>
void single(const LinearKernels::Single& one, const double* u, double* x, double* begins, double* ends) {
  constexpr int size = n + m, pairs = (n + 1) / 2;
  Two values[size], k[pairs];
  gather<n, m>(x, u, values);
  unrolled<pairs>([&](int p) __attribute__((always_inline)) {
    k[p] = pair_sum(one.before->numbers() + 2 * p * size, values, Numbers<size>());
  });
  if (n % 2 == 1 && one.before->places().size() > n) *begins = k[pairs - 1][1];
  write_pairs<size>(*one.before, values, 2 * pairs, begins);
  unrolled<n>([&](int i) __attribute__((always_inline)) {
    values[i] += twice(one.h * k[i / 2][i % 2]);
    x[i] = values[i][0];
  });
  write_pairs<size>(*one.after, values, 0, ends);
}

// Single masses and small filters, where calling costs as much as computing.
constexpr int most_states = 4, most_inputs = 4, methods = 4;
constexpr int sizes = most_states * most_inputs;

template <int index>
constexpr LinearKernels kernels_at() {
  constexpr int n = index % most_states + 1, m = index / most_states % most_inputs + 1;
  constexpr auto method = static_cast<Method>(index / sizes);
  return {advance<n, m, method>, read<n, m>, read_all<n, m>, read_some<n, m>, single<n, m>};
}

template <int... index>
constexpr std::array<LinearKernels, sizeof...(index)> all_kernels(std::integer_sequence<int, index...>) {
  return {kernels_at<index>()...};
}

}  // namespace

void RowPairs::add(const double* p, const double* q, int place) {
  const int size = states_ + inputs_;
  const std::size_t slot = places_.size() % 2;
  if (slot == 0) numbers_.resize(numbers_.size() + 2 * static_cast<std::size_t>(size));
  double* const pair = numbers_.data() + numbers_.size() - 2 * static_cast<std::size_t>(size) + slot;
  for (int j = 0; j < size; ++j) pair[2 * j] = j < states_ ? p[j] : q[j - states_];
  places_.push_back(place);
}

void RowPairs::take(const RowPairs& all, int first_input, int inputs) {
  inputs_ = inputs;
  const std::size_t pairs = (places_.size() + 1) / 2;
  numbers_.resize(2 * pairs * static_cast<std::size_t>(states_ + inputs));
  const double* from = all.numbers_.data();
  double* to = numbers_.data();
  for (std::size_t pair = 0; pair < pairs; ++pair, from += 2 * (states_ + all.inputs_)) {
    to = std::copy_n(from, 2 * states_, to);
    to = std::copy_n(from + 2 * (states_ + first_input), 2 * inputs, to);
  }
}

int input_rows(Method method) { return method == Method::rk4 ? 3 : method == Method::midpoint ? 2 : 1; }

const LinearKernels* linear_kernels(int states, int inputs, Method method) {
  static constexpr auto table = all_kernels(Numbers<methods * sizes>());
  static_assert(static_cast<int>(Method::symplectic_euler) == methods - 1);
  if (states < 1 || states > most_states || inputs < 1 || inputs > most_inputs) return nullptr;
  const int index = static_cast<int>(method) * sizes + (inputs - 1) * most_states + states - 1;
  return &table[static_cast<std::size_t>(index)];
}

}  // namespace seam::ode
