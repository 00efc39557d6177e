#include "seam/fmi/instance/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "seam/base/error.hpp"
#include "seam/fmi/instance/adapter1.hpp"

namespace seam::fmi {
namespace {

std::string identity_of(const std::string& name, const Fmu& fmu) {
  const std::string tool =
      fmu.description.generation_tool.empty() ? "unknown tool" : harmless(fmu.description.generation_tool);
  return fmt::format("{} ({}, FMI {}, {})", name, std::filesystem::path(fmu.path).filename().string(),
                     fmu.description.version_text, tool);
}

/// What an FMU did in a call, by severity; the first two are no errors.
constexpr std::array status_words{"", "", "refused", "failed in", "broke down in"};

/// One flag for all instances of a library.
std::shared_ptr<std::atomic<bool>> corruption_of(const std::filesystem::path& library) {
  static std::mutex one_at_a_time;
  static std::map<std::filesystem::path, std::weak_ptr<std::atomic<bool>>> flags;
  const std::lock_guard lock(one_at_a_time);
  std::weak_ptr<std::atomic<bool>>& known = flags[library];
  auto flag = known.lock();
  if (!flag) known = flag = std::make_shared<std::atomic<bool>>(false);
  return flag;
}

/// A category that is not declared is a typing error: the FMU would answer it with silence.
void check_categories(const std::string& identity, const std::vector<LogCategory>& declared, const Logging& logging) {
  std::vector<std::string> names;
  for (const LogCategory& category : declared) names.push_back(harmless(category.name));
  for (const std::string& wanted : logging.categories) {
    if (std::find_if(declared.begin(), declared.end(), [&](const auto& c) { return c.name == wanted; }) !=
        declared.end())
      continue;
    throw base::Error(base::Failure::subsystem,
                      fmt::format("{} has no log category \"{}\"; it declares {}", identity, harmless(wanted),
                                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

}  // namespace

InstanceBase::InstanceBase(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files,
                           const Interface& interface, Logging logging)
    : name_(std::move(name)),
      identity_(identity_of(name_, fmu)),
      files_(std::move(files)),
      token_(fmu.description.token),
      description_(fmu.description),
      interface_(interface),
      logging_(std::move(logging)),
      calls_(logging_.calls.get()),
      library_(files_->library(interface.model_identifier, fmu.description.version), identity_.c_str(),
               fmu.description.version == Version::fmi1 ? function_for_fmi1 : nullptr),
      words_(fmu.description),
      types_(fmu.types),
      corrupted_(corruption_of(library_.path())),
      listening_(calls_ ? 1U : 0U) {
  if (logging_.state == Logging::on) check_categories(identity_, description_.log_categories, logging_);
}

void InstanceBase::find_access(const AccessNames& names) {
  if (!types_[static_cast<std::size_t>(names.type)]) return;
  access_[static_cast<std::size_t>(names.type)] = {names.type, names.get, names.set, library_.require(names.get),
                                                   library_.require(names.set)};
}

const InstanceBase::Access& InstanceBase::access(Type type) const {
  if (has(type)) [[likely]]
    return access_[static_cast<std::size_t>(type)];
  throw base::Error(base::Failure::internal, fmt::format("{} has no variable of type {} that could be set or read",
                                                         identity_, type_word(type, description_.version)));
}

void InstanceBase::require_sizes(std::size_t variables, std::size_t numbers) const {
  if (variables == numbers) [[likely]]
    return;
  throw base::Error(base::Failure::internal,
                    fmt::format("{}: {} numbers for {} variables", identity_, numbers, variables));
}

const std::int32_t* InstanceBase::orders(unsigned order, std::size_t count) {
  const unsigned largest = interface_.max_output_derivative_order;
  if (order < 1 || order > largest)
    fail(fmt::format("offers derivatives of outputs up to order {}, not {}", largest, order));
  if (orders_.size() < count) orders_.resize(count);
  std::fill_n(orders_.begin(), count, static_cast<std::int32_t>(order));
  return orders_.data();
}

Values InstanceBase::room_for(Type type, std::size_t elements) {
  Values values;
  const Store store = store_of(type);
  if (store == Store::reals) values.reals.resize(elements);
  if (store == Store::integers) values.integers.resize(elements);
  if (store == Store::texts) values.texts.resize(elements);
  return values;
}

std::string InstanceBase::words_of_instantiation(const std::string& resources) const {
  return fmt::format("token={}, resources={}, loggingOn={}", harmless(token_), resources,
                     logging_.state == Logging::on);
}

void InstanceBase::misfit(Type type, std::span<const Reference> references, std::int64_t number) const {
  fail(fmt::format("cannot take the value {} for {}: it is no {}", number,
                   words_.names(Audience::error, type, references), type_word(type, description_.version)));
}

void InstanceBase::log(Severity severity, const char* category, const std::string& text) noexcept {
  try {
    const Message message = messages_.add(severity, category ? category : "", text);
    if (logging_.state == Logging::off || !logging_.sink) return;
    const std::string origin = message.category.empty() ? "" : " " + message.category + ":";
    logging_.sink(fmt::format("{}: [{}]{} {}", name_, status_name(severity), origin, message.text));
  } catch (...) {  // out of memory while logging: the message is lost, the run is not
  }
}

void InstanceBase::finish_set_reals(int status, std::span<const Reference> references, std::span<const double> values) {
  finish(status, access(Type::float64).set_name, [&](Audience audience) {
    return words_.values(audience, Type::float64, references, {{values.begin(), values.end()}, {}, {}});
  });
}

void InstanceBase::finish_get_reals(int status, std::span<const Reference> references, std::span<const double> values) {
  finish(status, access(Type::float64).get_name, [&](Audience audience) {
    return words_.read(audience, Type::float64, references, {{values.begin(), values.end()}, {}, {}});
  });
}

void InstanceBase::finish_quietly(int status, const char* function, const std::string& arguments) noexcept {
  try {
    tell(status, function, [&](Audience) { return arguments; });
    if (severity(status) <= Severity::warning) return;
    lose(severity(status));
    log(severity(status), "", fmt::format("{} returned {}", shown(function), status_name(severity(status))));
  } catch (...) {  // as in log
  }
}

void InstanceBase::say_last_words(int status, const char* function) noexcept {
  if (severity(status) <= Severity::warning || !logging_.last_words) return;
  try {
    logging_.last_words(
        fmt::format("{} {} {}", identity_, status_words[static_cast<std::size_t>(severity(status))], shown(function)));
  } catch (...) {  // as in log
  }
}

bool InstanceBase::answered(int status, const char* function, const std::string& arguments) {
  tell(status, function, [&](Audience) { return arguments; });
  lose(severity(status));
  return severity(status) <= Severity::warning;
}

void InstanceBase::tell_end(const char* function, const std::string& arguments, const char* result) noexcept {
  if (!calls_) return;
  try {
    log_call(function, arguments, result);
  } catch (...) {  // as in log
  }
}

const char* InstanceBase::shown(const char* function) const {
  if (description_.version != Version::fmi1) return function;
  const bool steps = description_.co_simulation && &interface_ == &*description_.co_simulation;
  return name_in_fmi1(steps ? Purpose::stepping : Purpose::exchange, function);
}

void InstanceBase::log_call(const char* function, const std::string& arguments, std::string_view result) {
  if (const char* const name = shown(function)) calls_->write(name_, name, arguments, result);
}

void InstanceBase::lose(Severity severity) {
  if (severity == Severity::error) mode_ = Mode::error;
  if (severity != Severity::fatal) return;
  mode_ = Mode::fatal;
  corrupted_->store(true);
}

void InstanceBase::require(Severity severity, const char* function, const std::string& about) {
  if (severity == Severity::ok || severity == Severity::warning) return;
  lose(severity);
  fail(fmt::format("{} {}{}", status_words[static_cast<std::size_t>(severity)], shown(function),
                   about.empty() ? "" : " (" + about + ")"));
}

void InstanceBase::fail(const std::string& what) const {
  std::string text = identity_ + " " + what + "\n" + messages_.last();
  while (text.ends_with('\n')) text.pop_back();
  throw base::Error(base::Failure::subsystem, text);
}

}  // namespace seam::fmi
