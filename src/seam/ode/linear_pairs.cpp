#include "seam/ode/linear_pairs.hpp"

#include <array>

#include "seam/ode/linear_loops.hpp"

namespace seam::ode {
namespace {

const Two* twos(const double* numbers) { return reinterpret_cast<const Two*>(numbers); }
Two* twos(double* numbers) { return reinterpret_cast<Two*>(numbers); }

template <int n, int m, Method method>
void advance(const LinearPair& pair, int count, const PairKernels::Ways& ways, double* x) {
  const LinearSystem<n, m, Two> system{twos(pair.A), twos(pair.B), Two{pair.h[0], pair.h[1]}};
  follow<n>(
      Track<n, Two>{twos(ways.inputs), ways.apart, twos(ways.states)}, count,
      twos(x), [&](const Two* u, Two* moved) __attribute__((always_inline)) { move<n, m, method>(system, u, moved); });
}

template <int n, int m, Method method>
void advance_reading(const LinearPair& pair, int count, const PairKernels::Reading& reading, double* x,
                     double* states) {
  const LinearSystem<n, m, Two> system{twos(pair.A), twos(pair.B), Two{pair.h[0], pair.h[1]}};
  const Two *c = twos(reading.c), *d = twos(reading.d);
  double *first = reading.to[0], *second = reading.to[1];
  const int first_apart = reading.to_apart[0], second_apart = reading.to_apart[1];
  follow<n>(
      Track<n, Two>{twos(reading.inputs), reading.inputs_apart, twos(states)}, count,
      twos(x), [&](const Two* u, Two* moved) __attribute__((always_inline)) {
        const Two y = row_sum<n, m>(c, moved, d, u);
        *first = y[0];
        *second = y[1];
        first += first_apart;
        second += second_apart;
        move<n, m, method>(system, u, moved);
      });
}

template <int n, int m>
void read(const PairKernels::Reading& reading, int count) {
  const Two *c = twos(reading.c), *d = twos(reading.d), *x = twos(reading.states), *u = twos(reading.inputs);
  double *first = reading.to[0], *second = reading.to[1];
  for (int s = 0; s < count; ++s) {
    const Two y = row_sum<n, m>(c, x, d, u);
    *first = y[0];
    *second = y[1];
    x += reading.states_apart;
    u += reading.inputs_apart;
    first += reading.to_apart[0];
    second += reading.to_apart[1];
  }
}

constexpr int most_states = 4, most_inputs = 4, methods = 3;
constexpr int sizes = most_states * most_inputs;

template <int index>
constexpr PairKernels kernels_at() {
  constexpr int n = index % most_states + 1, m = index / most_states % most_inputs + 1;
  constexpr auto method = static_cast<Method>(index / sizes);
  return {advance<n, m, method>, read<n, m>, advance_reading<n, m, method>};
}

template <int... index>
constexpr std::array<PairKernels, sizeof...(index)> all_kernels(std::integer_sequence<int, index...>) {
  return {kernels_at<index>()...};
}

}  // namespace

const PairKernels* pair_kernels(int states, int inputs, Method method) {
  static constexpr auto table = all_kernels(Numbers<methods * sizes>());
  const bool known = method == Method::euler || method == Method::midpoint || method == Method::rk4;
  if (!known || states < 1 || states > most_states || inputs < 1 || inputs > most_inputs) return nullptr;
  const int index = static_cast<int>(method) * sizes + (inputs - 1) * most_states + states - 1;
  return &table[static_cast<std::size_t>(index)];
}

}  // namespace seam::ode
