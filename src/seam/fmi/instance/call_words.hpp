// What was handed to an FMU, in words: value references by the names of the description, values in their shortest form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/description/values.hpp"

namespace seam::fmi {

/// Times handed to the FMU before it initialises.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop;       ///< never smaller than where the last step ends
  std::optional<double> tolerance;  ///< only if the user gave one
};

/// For whom a call is put into words: an error shows the first few names or values, the call log more.
enum class Audience { call_log, error };

class CallWords {
 public:
  using References = std::span<const std::uint32_t>;

  explicit CallWords(const ModelDescription& description) : description_(description) {}

  /// Null if nothing has the reference; FMI 2 counts references anew for every base type.
  const Variable* find(Type type, std::uint32_t reference) const;

  /// "u, v, … 12 more".
  std::string names(Audience audience, Type type, References references) const;
  /// "u=1.5, v=[1, 2], … 12 more".
  std::string values(Audience audience, Type type, References references, const Values& values) const;
  /// The same of what was read: an error has no values.
  std::string read(Audience audience, Type type, References references, const Values& values) const;
  std::string derivative(Audience audience, References unknowns, References knowns) const;
  std::string slopes(Audience audience, References outputs, unsigned order, std::span<const double> slopes) const;

  enum class History { may_return, is_over };
  std::string step(Audience audience, double t, double h, History history) const;
  static std::string experiment(const Experiment& experiment);

  /// A structural parameter got another value than its start.
  void resize(std::uint32_t parameter, std::uint64_t size) { structure_[parameter] = size; }

 private:
  std::uint64_t key(Type type, std::uint32_t reference) const;
  std::string name(Type type, std::uint32_t reference) const;
  std::size_t elements(Type type, References references, std::size_t at, std::size_t all) const;

  const ModelDescription& description_;
  mutable std::unordered_map<std::uint64_t, const Variable*> variables_;  // filled when asked for
  Structure structure_;
};

}  // namespace seam::fmi
