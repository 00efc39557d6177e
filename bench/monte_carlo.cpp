// Random pairs of masses, each coupled by five methods: what a study costs a case, beside a hand-written loop of the
// same arithmetic, and what a second worker gains.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/study/points.hpp"
#include "seam/study/run_study.hpp"

namespace {

using namespace seam;

constexpr int micro_steps = 5000, per_macro_step = 50;
constexpr double h = 1e-3;

struct Pair {
  double m1, m2, k1, k2, kc, d1, d2, dc;
};

/// A transfer function over p = s H as cascaded sections of second order, by forward Euler at h.
class Sections {
 public:
  struct Section {
    double a0, a1, b0, b1;  ///< (p^2 + b1 p + b0) / (p^2 + a1 p + a0)
  };
  Sections(std::vector<Section> sections, double gain) : sections_(std::move(sections)), gain_(gain) {}
  double step(double u) {
    double y = gain_ * u;
    for (std::size_t i = 0; i < sections_.size(); ++i) y = pass(sections_[i], states_[i], y);
    return y;
  }

 private:
  static double pass(const Section& s, std::array<double, 2>& x, double u) {
    const double y = u + (s.b0 - s.a0) * x[0] + (s.b1 - s.a1) * x[1];
    const double p = 1.0 / per_macro_step;  // h in macro steps
    const double next = x[0] + p * x[1];
    x[1] += p * (u - s.a0 * x[0] - s.a1 * x[1]);
    x[0] = next;
    return y;
  }
  std::vector<Section> sections_;
  std::array<std::array<double, 2>, 3> states_{};
  double gain_;
};

Sections::Section section(std::array<double, 2> zero, std::array<double, 2> pole) {
  const auto product = [](std::array<double, 2> root) { return root[0] * root[0] + root[1] * root[1]; };
  return {product(pole), -2.0 * pole[0], product(zero), -2.0 * zero[0]};
}

/// Eq. 13 of Chen et al. 2021 with its gain.
Sections compensator() {
  Sections::Section real{19.24 * 0.062837, 19.24 + 0.062837, 19.429 * 0.062789, 19.429 + 0.062789};
  return {{real, section({-2.9995, 1.7329165444}, {-11.2, 3.7094473982}),
           section({-2.2215, 2.2214719782}, {-3.874, 7.5187847422})},
          81.9055};
}

class Smoother {
 public:
  double value() const { return x_[0]; }
  void step(double u) {
    const double w = M_PI, p = 1.0 / per_macro_step;
    const double next = x_[0] + p * x_[1];
    x_[1] += p * (w * w * (u - x_[0]) - std::sqrt(2.0) * w * x_[1]);
    x_[0] = next;
  }

 private:
  std::array<double, 2> x_{};
};

/// Extrapolation by the newest samples, one more than `order`.
double extrapolated(const std::array<double, 3>& y, int order, int known, double theta) {
  const int degree = std::min(order, known - 1);
  if (degree <= 0) return y[0];
  if (degree == 1) return y[0] + theta * (y[0] - y[1]);
  return y[0] + theta * (1.5 * y[0] - 2.0 * y[1] + 0.5 * y[2]) + 0.5 * theta * theta * (y[0] - 2.0 * y[1] + y[2]);
}

enum class Way { together, zoh, foh, soh, filters, apart };

struct Trace {
  std::vector<double> v2 = std::vector<double>(micro_steps), F = std::vector<double>(micro_steps);
};

/// What an input is at a time inside the macro step.
struct Input {
  std::array<double, 3> sent{};
  Smoother smoother;
  double at(Way way, int known, double theta) const {
    if (way == Way::apart) return 0.0;
    if (way == Way::filters) return smoother.value();
    return extrapolated(sent, way == Way::foh ? 1 : way == Way::soh ? 2 : 0, known, theta);
  }
  void arrive(double sample) { sent = {sample, sent[0], sent[1]}; }
};

void simulate(const Pair& p, Way way, Trace& trace) {
  double x1 = 0, v1 = 0, x2 = 0, v2 = 0, xp = 0, F_out = 0, v_out = 0;
  Sections k1_F = compensator(), k1_v = compensator();
  Input force, velocity;
  int known = 0;
  for (int i = 0; i < micro_steps; ++i) {
    const int j = i % per_macro_step;
    if (j == 0) {
      force.arrive(F_out);
      velocity.arrive(v_out);
      ++known;
    }
    const double theta = static_cast<double>(j) / per_macro_step;
    const double v_in = way == Way::together ? v2 : velocity.at(way, known, theta);
    const double F = p.kc * (x1 - xp) + p.dc * (v1 - v_in);
    const double F_in = way == Way::together ? F : force.at(way, known, theta);
    trace.v2[static_cast<std::size_t>(i)] = v2;
    trace.F[static_cast<std::size_t>(i)] = F;
    const double hit = i == 1000 || i == 4000 ? 1.0 : 0.0;
    const double a1 = (-p.k1 * x1 - p.d1 * v1 - F) / p.m1, a2 = (-p.k2 * x2 - p.d2 * v2 + F_in + hit) / p.m2;
    x1 += h * v1;
    xp += h * v_in;
    x2 += h * v2;
    v1 += h * a1;
    v2 += h * a2;
    if (way == Way::together) continue;
    if (way == Way::filters) {
      force.smoother.step(force.sent[0]);
      velocity.smoother.step(velocity.sent[0]);
    }
    // what is sent is the output under the input of the step that ends
    v_out = v2;
    F_out = p.kc * (x1 - xp) + p.dc * (v1 - velocity.at(way, known, theta + 1.0 / per_macro_step));
    if (way == Way::filters) {
      F_out = k1_F.step(F_out);
      v_out = k1_v.step(v_out);
    }
    if (!(std::abs(v_out) < 1e30 && std::abs(F_out) < 1e30)) return;
  }
}

double error(const std::vector<double>& result, const std::vector<double>& reference) {
  double square = 0, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < micro_steps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    square += (result[at] - reference[at]) * (result[at] - reference[at]);
    low = std::min(low, reference[at]);
    high = std::max(high, reference[at]);
  }
  return std::sqrt(square / micro_steps) / (high - low);
}

/// The largest of both errors, for each way in turn.
std::array<double, 5> errors_by_hand(const Pair& pair) {
  static Trace reference, trace;
  simulate(pair, Way::together, reference);
  std::array<double, 5> errors{};
  int number = 0;
  for (const Way way : {Way::zoh, Way::foh, Way::soh, Way::filters, Way::apart}) {
    simulate(pair, way, trace);
    errors[static_cast<std::size_t>(number++)] = std::max(error(trace.v2, reference.v2), error(trace.F, reference.F));
  }
  return errors;
}

const char* const study_text =
    "study: 1\nsystem: SYSTEM\nsamples: SAMPLES\nseed: 2021\n"
    "vary:\n  m1: {uniform: [0.5, 10]}\n  m2: {uniform: [0.5, 10]}\n  k1: {uniform: [0, 1000]}\n"
    "  k2: {uniform: [0, 1000]}\n  kc: {uniform: [0, 300]}\n  zeta1: {uniform: [0.1, 1.3]}\n"
    "  zeta2: {uniform: [0.1, 1.3]}\n  share: {uniform: [0, 1]}\n  plan.coupling:\n    - zoh\n    - foh\n    - soh\n"
    "    - {name: filters, emitter: {compensator-euler: {gain: 81.9055, zero1: -19.429, zero2: -0.062789, zero3: "
    "-2.9995, "
    "zero3_im: 1.7329165444, zero4: -2.2215, zero4_im: 2.2214719782, pole1: -19.24, pole2: -0.062837, pole3: -11.2, "
    "pole3_im: 3.7094473982, pole4: -3.874, pole4_im: 7.5187847422}}, receiver: {smoother-euler: {order: 2, cutoff: "
    "0.5}}}\n"
    "set:\n  one.masses: \"[{m1}]\"\n  two.masses: \"[{m2}]\"\n  one.to_ground.k: \"{k1}\"\n  two.to_ground.k: "
    "\"{k2}\"\n"
    "  one.coupling.k: \"{kc}\"\n  one.to_ground.d: \"{zeta1*sqrt(m1*k1)}\"\n"
    "  two.to_ground.d: \"{2*zeta2*sqrt(m2*k2)}\"\n  one.coupling.d: \"{share*zeta1*sqrt(m1*k1)}\"\n"
    "compare: [two.v1, one.F]\ncompare_at: micro-steps\n"
    "reference: {plan.step: 1 ms, plan.feedthrough: fresh, plan.coupling: zoh}\nmetrics: [nrmse_range]\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Of the processor, by all threads: others that use the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double processor_seconds_of(const Work& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Pair pair_of(const study::Study& study, std::size_t number) {
  const study::Point point = study::point_of(study, number);
  const auto value = [&](std::size_t i) { return std::stod(point.texts.at(i)); };
  const double m1 = value(0), m2 = value(1), k1 = value(2), k2 = value(3), z1 = value(5), z2 = value(6);
  const double d1 = z1 * std::sqrt(m1 * k1);
  return {m1, m2, k1, k2, value(4), d1, 2.0 * z2 * std::sqrt(m2 * k2), value(7) * d1};
}

}  // namespace

int main() {
  constexpr std::size_t samples = 200;
  const formats::TemporaryFolder folder;
  std::string text = replaced(study_text, "SYSTEM", std::string(SEAM_SOURCE_DIR) + "/studies/systems/two-masses.yaml");
  text = replaced(text, "SAMPLES", std::to_string(samples));
  formats::write_text(folder.file("study.yaml"), text);
  const study::Prepared prepared = study::prepare(folder.file("study.yaml"));
  study::StudySettings settings;
  settings.file = folder.file("rows.csv");
  settings.existing = study::StudySettings::Existing::replaced;
  study::StudyResult result;
  std::array<double, 2> wall{INFINITY, INFINITY};
  double by_study = INFINITY, by_hand = INFINITY, worst = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const auto run = [&](int workers) {
      settings.workers = workers;
      double& best = wall[static_cast<std::size_t>(workers - 1)];
      best = std::min(best, seconds_of([&] { result = study::run_study(prepared, settings); }));
    };
    run(2);
    by_study = std::min(by_study, processor_seconds_of([&] { run(1); }));
    by_hand = std::min(by_hand, processor_seconds_of([&] {
                         for (std::size_t i = 0; i < samples; ++i) {
                           const std::array<double, 5> errors = errors_by_hand(pair_of(prepared.study, i));
                           for (std::size_t method = 0; method < errors.size(); ++method) {
                             const double found = result.rows[i * errors.size() + method].metrics[0];
                             if (found < 1e3) worst = std::max(worst, std::abs(found / errors[method] - 1.0));
                           }
                         }
                       }));
  }
  const double cases = static_cast<double>(result.rows.size());
  fmt::print("{} pairs of masses, 5 methods and a reference, 5000 micro steps each; errors agree to {:.1e}\n", samples,
             worst);
  fmt::print("by hand                 {:8.0f} cases a second of the processor\n", cases / by_hand);
  fmt::print("a study with 1 worker   {:8.0f} cases a second of the processor   takes {:.2f} times as long\n",
             cases / by_study, by_study / by_hand);
  fmt::print("a study with 2 workers  {:8.0f} cases a second   {:.2f} times as many as with one\n", cases / wall[1],
             wall[0] / wall[1]);
  return worst < 1e-6 ? 0 : 1;
}
