// What the engine costs beside FMUs: small FMUs in a ring through seam's run loop, with divergence check and Ctrl-C
// flag on (the summary is made after the run and costs no step), against a tight loop in the manner of C that calls the
// same FMUs directly (set, doStep, get). The FMUs whose ports are many have one input and one output connected, and the
// loop in C makes no more calls for them than for the others.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "by_hand.hpp"
#include "in_a_process.hpp"
#include "processor_time.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/new_system.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/stepping/run.hpp"

namespace {

using namespace seam;

constexpr double macro_step = 1e-3;

/// FMUs that are measured; `set` is "name=value" or empty.
struct Case {
  std::string fmu, set;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string path_of(const Case& which, int version, const std::string& kind) {
  return fmt::format("{}/{}fmi{}/{}", SEAM_FMUS, kind, version, which.fmu);
}

/// A ring: FMU i hears FMU i - 1.
engine::System ring(const Case& which, int version, int count, base::Tick steps) {
  engine::FmuRequest request;
  engine::Changes changes;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    request.files.push_back(path_of(which, version, "") + ".fmu");
    names.push_back(i == 0 ? which.fmu : fmt::format("{}_{}", which.fmu, i + 1));
    if (!which.set.empty()) changes.set.push_back(names.back() + "." + which.set);
  }
  for (int i = 0; i < count; ++i) {
    request.connect.push_back(names[static_cast<std::size_t>((i + count - 1) % count)] +
                              ".y=" + names[static_cast<std::size_t>(i)] + ".u");
  }
  changes.variables = {"*.u"};
  changes.step = "1ms";
  changes.stop = fmt::format("{}", static_cast<double>(steps) * macro_step);
  return engine::open_fmus(request, changes);
}

bench::Known known(const Case& which, int version) {
  const auto description = engine::open_fmu(path_of(which, version, "") + ".fmu").description;
  bench::Known result{description.co_simulation->model_identifier,
                      description.token,
                      description.find("u")->value_reference,
                      description.find("y")->value_reference,
                      {}};
  if (const auto sign = which.set.find('='); sign != std::string::npos) {
    result.parameters.emplace_back(description.find(which.set.substr(0, sign))->value_reference,
                                   std::stod(which.set.substr(sign + 1)));
  }
  return result;
}

template <class Hand>
void run_by_hand(const std::vector<Hand>& fmus, std::vector<double>& u, std::vector<double>& y, base::Tick steps) {
  const std::size_t count = fmus.size();
  for (base::Tick n = 0; n < steps; ++n) {
    const double t = static_cast<double>(n) * macro_step;
    for (std::size_t i = 0; i < count; ++i) {
      fmus[i].set(u[i]);
      fmus[i].step(t, macro_step);
      fmus[i].get(y[i]);
    }
    u[0] = y[count - 1];
    for (std::size_t i = 1; i < count; ++i) u[i] = y[i - 1];
  }
}

double place(const coupling::Memory& memory, int where) { return memory.values[static_cast<std::size_t>(where)]; }

int number_of(const std::vector<system::Port>& ports, const std::string& name) {
  return static_cast<int>(std::ranges::find(ports, name, &system::Port::name) - ports.begin());
}

struct Times {
  double by_seam = 0.0, by_hand = 0.0;  ///< ns a step and FMU
};

template <class Hand>
Times measure_once(const Case& which, int count) {
  const auto steps = static_cast<base::Tick>(400'000 / count);
  const engine::System system = ring(which, Hand::version, count, steps);
  engine::LiveOptions wanted{engine::Horizon::experiment};
  wanted.outputs = coupling::Outputs::wanted;
  const engine::Live live = engine::make_live(system, wanted);
  const assembly::Member& first = live.assembly->members.front();
  const int input = number_of(first.inputs, "u"), output = number_of(first.outputs, "y");
  coupling::Memory memory = coupling::start(live.program);
  const bench::Known description = known(which, Hand::version);
  std::vector<Hand> fmus;
  std::vector<double> u, y(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    fmus.emplace_back(path_of(which, Hand::version, "unpacked/"), description);
    u.push_back(place(memory, live.program.input_place(i, input)));
  }
  const std::atomic<bool> stop_asked{false};
  stepping::RunOptions options;
  options.every = steps;
  options.stop_asked = &stop_asked;
  const double each = 1e9 / static_cast<double>(steps * count);
  Times times;
  times.by_seam = each * bench::processor_seconds_of([&] { stepping::run(live.program, memory, options, {}); });
  times.by_hand = each * bench::processor_seconds_of([&] { run_by_hand(fmus, u, y, steps); });
  for (int i = 0; i < count; ++i) {
    if (place(memory, live.program.output_place(i, output)) != y[static_cast<std::size_t>(i)]) return {};
  }
  return times;
}

/// The median of the ratios, so that a noisy neighbour disturbs both sides alike. `usual` is that of the plain trivial
/// FMU, which is measured first.
template <class Hand>
void measure(const Case& which, int count, double& usual) {
  std::vector<double> ratios, by_hand;
  const int repetitions = count > 64 ? 9 : 25;  // large rings take long to make
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const Times times = bench::in_a_process<Times>([&] { return measure_once<Hand>(which, count); });
    if (times.by_hand == 0.0) {
      fmt::print("{}: failed, or the results differ\n", which.fmu);
      std::exit(1);
    }
    ratios.push_back(times.by_seam / times.by_hand);
    by_hand.push_back(times.by_hand);
  }
  if (which.fmu == "trivial" && which.set.empty()) usual = median(ratios);
  const bool compares = which.fmu.starts_with("trivial-") && usual > 0.0;
  fmt::print("{:<15} {:<8} FMI {} {:>4} FMUs   {:6.1f} ns a step and FMU by hand   seam takes {:.2f} times that{}\n",
             which.fmu, which.set, Hand::version, count, median(by_hand), median(ratios),
             compares ? fmt::format(", {:.2f} of what it takes for trivial", median(ratios) / usual) : "");
  std::fflush(stdout);
}

}  // namespace

/// With arguments, only the FMUs whose names begin with the first, in rings of the second.
int main(int arguments, char** texts) {
  const std::string_view only = arguments > 1 ? texts[1] : "";
  const int only_count = arguments > 2 ? std::atoi(texts[2]) : 0;
  fmt::print("FMUs in a ring, run loop with divergence check and interrupt flag; results equal to the bit\n");
  std::fflush(stdout);
  for (const int count : {2, 16, 64, 256, 1024}) {
    if (only_count > 0 && count != only_count) continue;
    double usual2 = 0.0, usual3 = 0.0;
    for (const Case& which : {Case{"trivial", ""}, Case{"trivial", "work=12"}, Case{"integrator", ""},
                              Case{"heavy", "burn=100"}, Case{"trivial-types", ""}, Case{"trivial-outputs", ""}}) {
      if (!which.fmu.starts_with(only)) continue;
      if (which.fmu == "trivial-outputs" && count > 64) continue;  // each takes megabytes for its ports
      measure<bench::ByHand2>(which, count, usual2);
      measure<bench::ByHand3>(which, count, usual3);
    }
  }
}
