// Both versions of FMI behind one set of words, so that a test walks both through the same life.
#pragma once

#include <memory>
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
  virtual bool wants_end() = 0;

  virtual Result set(const std::string& name, double value) = 0;
  virtual Result get(const std::string& name, double& value) = 0;
  virtual Result choose(const std::string& name, int item) = 0;
  virtual Result get_int(const std::string& name, int& value) = 0;

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
std::unique_ptr<Fmu> open_fmu(int version, const std::string& name);

}  // namespace seam::fmus
