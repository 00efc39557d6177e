#include "seam/fmi/instance/instance2.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "seam/fmi/instance/adapter1.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/instance/printf_text.hpp"
#include "seam/formats/number.hpp"

namespace seam::fmi {
namespace {

using formats::number_text;

Type type_of_letter(char letter) {
  return letter == 'r' ? Type::float64 : letter == 'b' ? Type::boolean : letter == 's' ? Type::string : Type::int32;
}

/// A path as FMI 2 wants it, file:///…, percent-encoded. RFC 3986: unreserved characters and the separator stay, every
/// other byte becomes %XX.
std::string file_uri(const std::filesystem::path& path) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const unsigned char c : std::filesystem::absolute(path).string()) {
    if (plain.find(static_cast<char>(c)) != std::string_view::npos) {
      uri += static_cast<char>(c);
    } else {
      uri += {'%', hex[c >> 4], hex[c & 15]};
    }
  }
  return uri;
}

}  // namespace

void Instance2::load_functions() {
  CommonInstance::load_functions();
  library_.require(call_.setup_experiment, "fmi2SetupExperiment");
  library_.require(call_.enter_initialisation, "fmi2EnterInitializationMode");
  if (purpose_ == Purpose::stepping) {
    library_.require(call_.do_step, "fmi2DoStep");
    library_.find(call_.get_real_status, "fmi2GetRealStatus");
    library_.find(call_.get_boolean_status, "fmi2GetBooleanStatus");
  }
  if (interface_.can_interpolate_inputs) library_.require(call_.input_derivatives, "fmi2SetRealInputDerivatives");
}

Instance2::Instance2(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
                     const Extras& extras)
    : CommonInstance(std::move(name), fmu, std::move(files), interface_for(extras.purpose, fmu.description),
                     std::move(logging)),
      purpose_(extras.purpose) {
  load_functions();
  callbacks_ = {on_message, std::calloc, std::free, nullptr, this};
  const std::string resources = file_uri(files_->folder() / "resources");
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  call_watch.now_in("fmi2Instantiate");
  handle_ = instantiated(resources);
  tell_end("fmi2Instantiate", words_of_instantiation(resources), handle_ ? "instance" : "NULL");
  if (!handle_) fail(fmt::format("could not be instantiated ({} returned no instance)", shown("fmi2Instantiate")));
  choose_categories();
}

fmi2Component Instance2::instantiated(const std::string& resources) {
  const bool logs = logging_.state == Logging::on;
  if (description_.version == Version::fmi1)
    return instantiate_fmi1({library_, description_, purpose_, callbacks_, name_, file_uri(files_->folder()), logs});
  FmuFunction<fmi2InstantiateTYPE> instantiate;
  library_.require(instantiate, "fmi2Instantiate");
  const fmi2Type type = purpose_ == Purpose::stepping ? fmi2CoSimulation : fmi2ModelExchange;
  return instantiate(name_.c_str(), type, token_.c_str(), resources.c_str(), &callbacks_, fmi2False,
                     logs ? fmi2True : fmi2False);
}

void Instance2::on_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                           fmi2String message, ...) {
  if (!environment) return;
  auto& self = *static_cast<Instance2*>(environment);
  std::va_list arguments;
  va_start(arguments, message);
  std::string text;
  try {
    text = expand_references(printf_text(message, arguments), [&](char letter, unsigned reference) {
      const Variable* variable = self.words_.find(type_of_letter(letter), reference);
      return variable ? variable->name : fmt::format("#{}{}#", letter, reference);
    });
  } catch (...) {  // a message that cannot be formatted is no reason to stop
  }
  va_end(arguments);
  self.log(severity(status), category, text);
}

void Instance2::enter_initialisation(const Experiment& e) {
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  call_watch.now_in("fmi2SetupExperiment");
  finish(call_.setup_experiment(handle_, e.tolerance ? fmi2True : fmi2False, e.tolerance.value_or(0.0), e.start,
                                e.stop ? fmi2True : fmi2False, e.stop.value_or(0.0)),
         "fmi2SetupExperiment", [&](Audience) { return CallWords::experiment(e); });
  call("fmi2EnterInitializationMode", call_.enter_initialisation);
  mode_ = Mode::initialising;
}

StepResult Instance2::do_step(double t, double h) {
  call_watch.now_in("fmi2DoStep");
  const fmi2Status status = call_.do_step(handle_, t, h, never_goes_back_);
  if (is_plain(status)) [[likely]]
    return {base::Outcome::accepted, t + h};
  return unusual(status, t, h);
}

StepResult Instance2::unusual(fmi2Status status, double t, double h) {
  const auto words = [&](Audience audience) { return words_.step(audience, t, h, history()); };
  if (status != fmi2Discard) {
    finish(status, "fmi2DoStep", words);
    return {base::Outcome::accepted, t + h};
  }
  tell(status, "fmi2DoStep", words);
  return discarded(t);
}

// A discarded step may be a wish to end (FMI 2.0.5, 4.2.2), and an FMU may not know how far it came.
StepResult Instance2::discarded(double t) {
  fmi2Boolean terminated = fmi2False;
  fmi2Real reached = t;
  if (call_.get_real_status) {
    call_watch.now_in("fmi2GetRealStatus");
    const fmi2Status status = call_.get_real_status(handle_, fmi2LastSuccessfulTime, &reached);
    const std::string words = "fmi2LastSuccessfulTime=" + number_text(reached);
    if (!answered(status, "fmi2GetRealStatus", words) || !std::isfinite(reached)) reached = t;
  }
  if (call_.get_boolean_status) {
    call_watch.now_in("fmi2GetBooleanStatus");
    const fmi2Status status = call_.get_boolean_status(handle_, fmi2Terminated, &terminated);
    const std::string words = fmt::format("fmi2Terminated={}", terminated != fmi2False);
    if (!answered(status, "fmi2GetBooleanStatus", words)) terminated = fmi2False;
  }
  return {terminated != fmi2False ? base::Outcome::ended : base::Outcome::rejected, reached};
}

Severity Instance2::set_input_derivatives(std::span<const Reference> inputs, std::span<const std::int32_t> orders,
                                          std::span<const double> derivatives) {
  require_ability(call_.input_derivatives, "input derivatives");
  require_sizes(inputs.size(), derivatives.size());
  call_watch.now_in("fmi2SetRealInputDerivatives");
  const fmi2Status status =
      call_.input_derivatives(handle_, inputs.data(), inputs.size(), orders.data(), derivatives.data());
  if (is_plain(status)) [[likely]]
    return Severity::ok;
  const auto words = [&](Audience audience) {
    return words_.slopes(audience, inputs, static_cast<unsigned>(orders.back()), derivatives);
  };
  if (severity(status) != Severity::discard) {
    finish(status, "fmi2SetRealInputDerivatives", words);
    return Severity::ok;
  }
  tell(status, "fmi2SetRealInputDerivatives", words);
  return Severity::discard;
}

}  // namespace seam::fmi
