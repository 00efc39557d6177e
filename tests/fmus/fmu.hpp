// Both versions of FMI behind one set of words, so that a test walks both through the same life.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmus/library.hpp"

namespace seam::fmus {

/// In the order of FMI's enumerations.
enum class Result { ok, warning, discard, error, fatal };

struct Span {
  double start = 0.0, stop = 0.0;
  double tolerance = 0.0;  ///< 0: none is given
};

class Fmu;

/// FMI 3: what an FMU says when it calls the environment inside a step.
struct Update {
  double time = 0.0;
  bool set_requested = false, get_allowed = false, step_finished = false, can_return_early = false;
};

/// What an update of discrete states tells.
struct Discrete {
  bool again = false, ends = false, states_reset = false;
  std::optional<double> next_event;
};

/// What a completed integrator step, or a step of FMI 3, asks for.
struct Wish {
  bool event_mode = false, ends = false;
};

/// How an instance is made.
struct Opening {
  enum class Interface { co_simulation, model_exchange };
  Interface interface = Interface::co_simulation;
  bool event_mode = false, early_return = false;    ///< FMI 3
  std::vector<std::string> intermediate;            ///< FMI 3: variables of intermediate updates
  std::function<void(Fmu&, const Update&)> update;  ///< FMI 3: none: no callback is given
};

class Fmu {
 public:
  Fmu(int version, const std::string& name) : library_(version, name) {}
  virtual ~Fmu() = default;

  const Library& library() const { return library_; }
  bool lives() const { return instance_ != nullptr; }

  virtual void free() = 0;
  virtual Result setup(Span span) = 0;  ///< FMI 3: only remembered for enter()
  virtual Result enter() = 0;
  virtual Result leave() = 0;
  virtual Result terminate() = 0;
  virtual Result reset() = 0;
  virtual Result step(double t, double h) = 0;
  virtual double last_time() = 0;
  virtual bool returned_early() { return false; }  ///< FMI 3
  virtual bool wants_events() { return false; }    ///< FMI 3
  virtual bool wants_end() = 0;

  virtual Result set(const std::string& name, double value) = 0;
  virtual Result get(const std::string& name, double& value) = 0;
  virtual Result choose(const std::string& name, int item) = 0;
  virtual Result get_int(const std::string& name, int& value) = 0;

  /// FMI 2 alone; elsewhere an error.
  virtual Result set_derivative(const std::string& name, int order, double value) = 0;

  virtual Result enter_events() = 0;
  virtual Result update(Discrete& told) = 0;
  /// Continuous-Time Mode, or Step Mode of a co-simulation.
  virtual Result leave_events() = 0;
  virtual Result set_time(double t) = 0;
  virtual Result set_states(const std::vector<double>& values) = 0;
  virtual Result get_states(std::vector<double>& values) = 0;
  virtual Result get_derivatives(std::vector<double>& values) = 0;
  virtual Result get_indicators(std::vector<double>& values) = 0;
  virtual Result get_nominals(std::vector<double>& values) = 0;
  virtual Result complete_step(Wish& wish) = 0;

  // Clocks of FMI 3; elsewhere an error.
  enum class Qualifier { not_yet_known, unchanged, changed };
  struct Interval {
    double seconds = 0.0;
    Qualifier qualifier = Qualifier::not_yet_known;
  };
  virtual Result set_clock(const std::string&, bool) { return Result::error; }
  virtual Result get_clock(const std::string&, bool&) { return Result::error; }
  virtual Result get_interval(const std::string&, Interval&) { return Result::error; }
  virtual Result set_interval(const std::string&, double) { return Result::error; }
  virtual Result get_shift(const std::string&, double&) { return Result::error; }
  virtual Result set_shift(const std::string&, double) { return Result::error; }
  virtual Result set_bool(const std::string&, bool) { return Result::error; }

  virtual Result save(void*& state) = 0;
  virtual Result restore(void* state) = 0;
  virtual Result forget(void*& state) = 0;
  virtual Result write(void* state, std::vector<char>& bytes) = 0;
  virtual Result read(const std::vector<char>& bytes, void*& state) = 0;
  virtual Result slope(const std::string& unknown, const std::string& known, double& value) = 0;

  double operator[](const std::string& name) {
    double value = 0.0;
    if (get(name, value) > Result::warning) throw std::runtime_error("cannot get " + name);
    return value;
  }
  /// From instantiation to the first step.
  void start(Span span = {0.0, 1.0}) {
    if (setup(span) > Result::warning || enter() > Result::warning || leave() > Result::warning) {
      throw std::runtime_error("cannot initialise");
    }
  }

  std::vector<std::string> messages;

 protected:
  Library library_;
  void* instance_ = nullptr;
};

/// Version 2 or 3; the instance may be null (lives()).
std::unique_ptr<Fmu> open_fmu(int version, const std::string& name, const Opening& opening = {});

}  // namespace seam::fmus
