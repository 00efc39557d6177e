// What both versions of FMI have in common about a instance.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seam/base/outcome.hpp"
#include "seam/fmi/archive/archive.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/call_words.hpp"
#include "seam/fmi/instance/library.hpp"
#include "seam/fmi/instance/messages.hpp"
#include "seam/fmi/instance/value_buffer.hpp"

namespace seam::fmi {

/// What the user is told of an instance while it lives. The last messages are kept in any case.
struct Logging {
  enum State { off, on };
  using Sink = std::function<void(const std::string& line)>;

  Logging(State wanted = off, std::vector<std::string> only = {}, Sink told = {})
      : state(wanted), categories(std::move(only)), sink(std::move(told)) {}

  State state;
  std::vector<std::string> categories;  ///< none: all that the FMU declares
  Sink sink;                            ///< every message at once, while logging is on
  std::shared_ptr<CallLog> calls;       ///< every call, if there is one
  Sink last_words;                      ///< what went wrong while an instance was ended, whether logging is on or not
};

/// How an instance may be used now, as in the state machines of the standards. After an error only freeing is allowed,
/// after a fatal error nothing at all.
enum class Mode { instantiated, initialising, stepping, terminated, error, fatal };

/// How a step ended.
struct StepResult {
  base::Outcome outcome = base::Outcome::accepted;
  double reached = 0.0;
};

/// What the functions of one type are called.
struct AccessNames {
  Type type = Type::float64;
  const char *get = nullptr, *set = nullptr;
};

/// Name and origin of an instance, its library and its messages; turns a bad status into an error that says all of it.
class InstanceBase {
 public:
  using Reference = std::uint32_t;

  InstanceBase(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, const Interface& interface,
               Logging logging = {});

  const std::string& name() const { return name_; }
  /// "wheel (wheel.fmu, FMI 2.0, 20-sim)".
  const std::string& identity() const { return identity_; }
  Mode mode() const { return mode_; }
  const Messages& messages() const { return messages_; }

 protected:
  /// The two functions of one type, and what they are called.
  struct Access {
    Type type = Type::float64;
    const char *get_name = nullptr, *set_name = nullptr;
    void *get = nullptr, *set = nullptr;
  };

  /// Looks up the functions of a type, if the description has a variable of it.
  void find_access(const AccessNames& names);
  const Access& access(Type type) const;
  bool has(Type type) const { return access_[static_cast<std::size_t>(type)].get != nullptr; }
  /// A function of `Access` by its type.
  template <class Type>
  static FmuFunction<Type> as(void* function) {
    return FmuFunction<Type>(function);
  }

  /// Both versions count their statuses alike, up to fatal; fmi2Pending cannot occur: we give no stepFinished.
  static Severity severity(int status) {
    return status >= 0 && status <= 4 ? static_cast<Severity>(status) : Severity::error;
  }
  /// OK, and calls are not logged: one test.
  bool is_plain(int status) const { return (static_cast<unsigned>(status) | listening_) == 0; }

  /// After every call. `words(Audience)` gives the arguments as text; it is not called if all is well.
  template <class Words>
  void finish(int status, const char* function, const Words& words) {
    if (is_plain(status)) [[likely]]
      return;
    tell(status, function, words);
    if (severity(status) > Severity::warning) require(severity(status), function, words(Audience::error));
  }
  void finish(int status, const char* function) {
    finish(status, function, [](Audience) { return std::string(); });
  }
  /// finish for the reals that are set and read in every step. They take the function's name from the table: a name in
  /// the call would cost a register where all is well.
  void finish_set_reals(int status, std::span<const Reference> references, std::span<const double> values);
  void finish_get_reals(int status, std::span<const Reference> references, std::span<const double> values);
  /// The call log's part of finish.
  template <class Words>
  void tell(int status, const char* function, const Words& words) {
    if (calls_) log_call(function, words(Audience::call_log), status_name(severity(status)));
  }
  /// A call that returns no status.
  void tell_end(const char* function, const std::string& arguments, const char* result) noexcept;
  /// For calls whose failure must not stop a run: it becomes a message.
  void finish_quietly(int status, const char* function, const std::string& arguments = {}) noexcept;
  /// The same for the end of an instance, after which its messages are not looked at.
  void say_last_words(int status, const char* function) noexcept;
  /// For questions that an FMU may leave open, by any status but OK and Warning: whether it did not.
  bool answered(int status, const char* function, const std::string& arguments);

  /// Throws if an integer does not fit into the C type of its function.
  template <class C>
  void require_fit(Type type, std::span<const Reference> references, const std::vector<std::int64_t>& numbers) const {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (static_cast<std::int64_t>(static_cast<C>(numbers[i])) == numbers[i]) continue;
      misfit(type, references.size() == numbers.size() ? references.subspan(i, 1) : references, numbers[i]);
    }
  }
  /// Throws if the FMU declares no such thing, so that there is no function to call.
  template <class Function>
  void require_ability(const Function& function, const char* what) const {
    if (!function) fail(std::string("offers no ") + what);
  }
  /// Throws unless there are as many numbers as variables.
  void require_sizes(std::size_t variables, std::size_t numbers) const;
  /// The same order for all; throws if the FMU does not offer it.
  const std::int32_t* orders(unsigned order, std::size_t count);
  static Values room_for(Type type, std::size_t elements);
  std::string words_of_instantiation(const std::string& resources) const;

  /// Called by the loggers; must not throw.
  void log(Severity severity, const char* category, const std::string& text) noexcept;
  /// Throws for everything worse than a warning and remembers that the instance is lost.
  void require(Severity severity, const char* function, const std::string& about = {});
  [[noreturn]] void fail(const std::string& what) const;
  /// The function as the FMU has it; null if it has none, since FMI 1.0 is called as FMI 2.
  const char* shown(const char* function) const;
  /// A fatal error of any instance of the library forbids every further call to all of them.
  bool is_corrupted() const { return mode_ == Mode::fatal || corrupted_->load(); }

  std::string name_;
  std::string identity_;
  std::shared_ptr<const Unpacked> files_;
  std::string token_;
  Mode mode_ = Mode::instantiated;
  const ModelDescription& description_;
  const Interface& interface_;
  Logging logging_;
  CallLog* calls_;
  Library library_;
  Messages messages_;
  CallWords words_;
  ValueBuffer buffer_;

 private:
  void lose(Severity severity);
  void log_call(const char* function, const std::string& arguments, std::string_view result);
  [[noreturn]] void misfit(Type type, std::span<const Reference> references, std::int64_t number) const;

  const std::array<bool, type_count>& types_;  // of the FMU
  std::array<Access, type_count> access_{};
  std::vector<std::int32_t> orders_;
  std::shared_ptr<std::atomic<bool>> corrupted_;  // one for all instances of a library
  unsigned listening_;  // not 0 while there is a call log: joined with a status it makes one test of two
};

}  // namespace seam::fmi
