// What an FMU of ours computes: its variables, its memory and a handful of hooks. Knows nothing of FMI's C interface.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "fmus/framework/memory.hpp"
#include "fmus/framework/variable.hpp"

namespace seam::fmus {

/// In the order of FMI's own enumerations.
enum class Status { ok, warning, discard, error, fatal };

enum class Ending { goes_on, asks_to_end };

struct StepReport {
  Status status = Status::ok;
  double reached = 0.0;  ///< the end of the step; where it stopped if it was discarded
  Ending ending = Ending::goes_on;
};

/// What modelDescription.xml says besides the variables.
struct Traits {
  enum class Instances { many, one };
  enum class StepSizes { any, constant };
  enum class Names { structured, flat };
  std::string description;
  Instances instances = Instances::many;
  StepSizes step_sizes = StepSizes::any;
  Names names = Names::structured;
  double stop = 1.0, step = 0.01;  ///< s; the default experiment
};

class Model {
 public:
  /// How FMI 2's logger, which works like printf, is to take a message.
  enum class LogForm { text, format };
  using Log = std::function<void(Status, const std::string& message, LogForm)>;

  /// The first variable is time.
  explicit Model(Version version);
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Version version() const { return version_; }
  const std::vector<Variable>& variables() const { return variables_; }
  virtual Traits traits() const { return {}; }
  /// Changes whenever the variables do, so that a library and a modelDescription.xml that do not belong together are
  /// found out.
  std::string token() const;

  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  /// The variable that functions of this family (see family()) know by this value reference; null if there is none.
  const Variable* find(Type family, std::uint32_t reference) const {
    const std::vector<int>& known = known_[static_cast<std::size_t>(family)];
    if (reference >= known.size() || known[reference] < 0) return nullptr;
    return &variables_[static_cast<std::size_t>(known[reference])];
  }
  int place(const Variable& variable) const { return static_cast<int>(&variable - variables_.data()); }

  void reset();   ///< all variables to their start values
  void resize();  ///< arrays to the sizes the structural parameters say; what was in them stays
  void set_time(double t);

  /// A new instance: what it is given besides the token. False: it does not want to live.
  virtual bool created(const std::string& /*resources*/) { return true; }
  virtual bool accepts(const std::string& given) const { return given == token(); }
  /// The states at the start, from the parameters.
  virtual void initialise() {}
  /// Parameters may have changed, the states stay.
  virtual void retune() {}
  /// Outputs and derivatives at memory().time.
  virtual void evaluate() {}
  virtual StepReport step(double t, double h) = 0;
  /// Throws if these are no values of this model's variables.
  virtual void restore(const Memory& saved);
  /// What calls return that succeeded.
  virtual Status usual_status() const { return Status::ok; }

  /// Prepares partial(); false: this model has no derivatives to give.
  virtual bool linearise() { return false; }
  virtual std::optional<double> partial(int /*unknown*/, int /*known*/) const { return std::nullopt; }
  /// The derivative with respect to time, inputs held.
  virtual std::optional<double> output_derivative(int /*output*/) const { return std::nullopt; }

  Log log;  ///< set by whoever runs the model

 protected:
  /// The place of the variable in variables(). Only in constructors; structural parameters before all others.
  int add(Variable variable);
  Variable& variable(int place) { return variables_[static_cast<std::size_t>(place)]; }

  double& real(int place, std::size_t element = 0) { return memory_.reals[offset(place) + element]; }
  std::int64_t& integer(int place) { return memory_.integers[offset(place)]; }
  std::string& text(int place) { return memory_.texts[offset(place)]; }

 private:
  std::size_t offset(int place) const { return variables_[static_cast<std::size_t>(place)].offset; }
  /// How far the lists of the memory are filled.
  struct Ends {
    std::size_t reals = 0, integers = 0, texts = 0;
  };
  std::size_t size_of(const Variable& variable) const;
  void locate(Variable& variable, Ends& ends);
  void grow(const Ends& ends);
  bool relocate();
  void start(const Variable& variable);

  Version version_;
  std::vector<Variable> variables_;
  std::array<std::vector<int>, type_count> known_;
  Memory memory_;
};

/// The one function a model's source defines.
std::unique_ptr<Model> make_model(Version version);

}  // namespace seam::fmus
