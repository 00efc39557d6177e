// What a subsystem is made from: one type a kind, so that what belongs to FMUs is known of FMUs alone.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::system {

/// A value as the user wrote it. A number may carry a unit; what it is converted to is decided by who knows the
/// variable.
struct Value {
  enum class Kind { number, boolean, text, list, map };
  Value();
  Kind kind = Kind::number;
  double number = 0.0;
  std::string unit;  ///< of a number; empty: the variable's own unit
  bool boolean = false;
  std::string text;  ///< of a text, and the writing of every other scalar
  std::vector<Value> items;
  std::vector<std::pair<std::string, Value>> entries;
  base::Location where;
};

inline Value::Value() = default;  // outside, where the pair of a name and a Value is complete: clang 14 needs that

struct Setting {
  std::string name;
  Value value;
  base::Location where;         ///< of the name
  base::Location mapping = {};  ///< what led the value here from another name; without a source: nothing
};

/// Which interface of an FMU is used.
enum class FmuInterface {
  automatic,      ///< co-simulation if it is offered; load replaces this by what it found
  co_simulation,  ///< the FMU brings its own solver
  model_exchange  ///< the FMU gives its equations, and they are integrated here
};

/// Who handles the events of an FMI 3 co-simulation.
enum class EventMode {
  automatic,  ///< seam, where others should see them: discrete ports, clocks, events: shared, fresh outputs
  always,     ///< seam
  never       ///< the FMU itself
};
const char* word(EventMode mode);

/// How an FMU learns that an input varies inside a step.
enum class Via {
  automatic,     ///< the best that it offers
  derivatives,   ///< the input's derivatives at the start of the step (FMI 2, canInterpolateInputs)
  intermediate,  ///< the FMU asks for values while it steps (FMI 3, intermediate update)
  micro_steps,   ///< the master calls it more often, with a constant each time
  hold           ///< not at all: the value at the start of the step
};
const char* word(Via via);

/// What an FMU offers for that.
struct OfferedWays {
  bool derivatives = false;
  bool intermediate = false;
};

struct BuiltInModel {
  std::string name;
  base::Location where = {};
};

struct FmuFile {
  std::string path;          ///< as it can be opened
  std::string written = {};  ///< as it stands in the system file; empty: nowhere
  base::Location where = {};
  FmuInterface interface = FmuInterface::automatic;
  int retries = 0;              ///< of a discarded step
  bool private_files = false;   ///< it gets a copy of its files that it may write to
  bool copies_allowed = false;  ///< of the library, where it can be instantiated only once
  bool serial = false;          ///< never steps beside another instance of its library
  EventMode event_mode = EventMode::automatic;
  Via via = Via::automatic;
  OfferedWays offered = {};  ///< filled by load from the FMU
  base::Location interface_where = {}, retries_where = {}, via_where = {}, event_mode_where = {};

  const std::string& shown() const { return written.empty() ? path : written; }
};

/// A whole system, until the subsystem is replaced by what that file contains.
struct SystemFile {
  std::string path;  ///< relative to the folder of the file that names it; empty after a problem
  base::Location where = {};
};

/// A kind that is not built in but was added to those that system files know (load/kinds).
struct AddedKind {
  std::string key;  ///< of the system file
  Value content;    ///< what stands behind it
  base::Location where = {};
};

/// std::monostate: the file does not say, which is a problem.
using Origin = std::variant<std::monostate, BuiltInModel, FmuFile, SystemFile, AddedKind>;

}  // namespace seam::system
