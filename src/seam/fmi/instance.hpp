// What both versions of FMI have in common about a living instance.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/outcome.hpp"
#include "seam/fmi/archive.hpp"
#include "seam/fmi/library.hpp"
#include "seam/fmi/messages.hpp"
#include "seam/fmi/values.hpp"

namespace seam::fmi {

/// Times handed to the FMU before it initialises.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop;       ///< never smaller than where the last step ends
  std::optional<double> tolerance;  ///< only if the user gave one
};

enum class Logging { off, on };

/// How an instance may be used now. After an error only freeing is allowed, after a fatal error nothing at all.
enum class Life { instantiated, initialising, stepping, terminated, failed, dead };

/// How a step ended.
struct StepResult {
  base::Outcome outcome = base::Outcome::accepted;
  double reached = 0.0;
};

/// Name and origin of an instance, its library and its messages; turns a bad status into an error that says all of it.
class InstanceBase {
 public:
  InstanceBase(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, const Interface& interface);

  const std::string& name() const { return name_; }
  /// "wheel (wheel.fmu, FMI 2.0, 20-sim)".
  const std::string& identity() const { return identity_; }
  Life life() const { return life_; }
  const Messages& messages() const { return messages_; }

 protected:
  /// Called by the loggers; must not throw.
  void log(Severity severity, const char* category, const std::string& text) noexcept;
  /// Throws for everything worse than a warning and remembers that the instance is lost.
  void require(Severity severity, const char* function, const std::string& about = {});
  [[noreturn]] void fail(const std::string& what);

  std::string name_;
  std::string identity_;
  std::shared_ptr<const Unpacked> files_;
  std::string token_;
  Life life_ = Life::instantiated;
  Library library_;
  Messages messages_;
};

}  // namespace seam::fmi
