#include "seam/coupling/corrector/known_course.hpp"

#include <algorithm>

namespace seam::coupling {
namespace {

struct Moments {
  double mean = 0.0, first = 0.0;
};

/// Integrals of the signal, and of theta times it, by Simpson's rule between its corners.
Moments moments_of(const KnownSignal& signal) {
  Moments moments;
  double from = 0.0;
  while (from < 1.0) {
    const double corner =
        signal.signals.next_corner(signal.port, signal.begin + from * signal.length, signal.sources) - signal.begin;
    double to = std::min(corner / signal.length, 1.0);
    if (!(to > from)) to = 1.0;
    const double middle = 0.5 * (from + to), share = (to - from) / 6.0;
    const double first = signal.at(from), half = signal.at(middle), last = signal.before(to);
    moments.mean += share * (first + 4.0 * half + last);
    moments.first += share * (from * first + 4.0 * middle * half + to * last);
    from = to;
  }
  return moments;
}

}  // namespace

void write_course(const KnownSignal& signal, int degree, double* c) {
  const double last = signal.before(1.0);
  const double corner = signal.signals.next_corner(signal.port, signal.begin, signal.sources);
  if (corner < signal.begin + signal.length) {
    const Moments m = moments_of(signal);
    c[0] = m.mean;
    if (degree == 1) {
      c[0] = 4.0 * m.mean - 6.0 * m.first;
      c[1] = 12.0 * m.first - 6.0 * m.mean;
    } else if (degree > 1) {
      const double a = last - m.mean, b = 0.5 * last - m.first;
      c[1] = 18.0 * a - 48.0 * b;
      c[2] = 36.0 * b - 12.0 * a;
      c[0] = last - c[1] - c[2];
    }
    return;
  }
  const double first = signal.at(0.0), middle = signal.at(0.5);
  const double bend = 2.0 * (first - 2.0 * middle + last), slope = last - first - bend;
  c[0] = degree == 0 ? middle : degree == 1 ? first - bend / 6.0 : first;
  if (degree > 0) c[1] = degree == 1 ? slope + bend : slope;
  if (degree > 1) c[2] = bend;
}

}  // namespace seam::coupling
