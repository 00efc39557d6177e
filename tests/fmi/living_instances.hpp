// Instances of both versions as one kind of test, and an FMU that breaks rules for them.
#pragma once

#include "fmi/built_fmu.hpp"
#include "fmi/unruly_archive.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace seam::fmi {

/// Alive where an FMU breaks down for good: what it holds then must not be freed, and no sanitizer shall mind.
#if defined(__SANITIZE_ADDRESS__)
using MayLeak = __lsan::ScopedDisabler;
#else
struct MayLeak {
  MayLeak() {}
};
#endif

template <class Chosen>
class Instances : public BuiltFmus {
 protected:
  static constexpr int version = std::is_same_v<Chosen, Instance2> ? 2 : 3;
  using Reference = InstanceBase::Reference;

  /// "fmi2DoStep" for "DoStep".
  static std::string function(const std::string& name) { return "fmi" + std::to_string(version) + name; }
  /// "fmi2GetFMUstate" and "fmi3GetFMUState" for "GetFMU".
  static std::string state_function(const std::string& name) {
    return function(name) + (version == 2 ? "s" : "S") + "tate";
  }

  void make(const std::string& name, const Logging& logging = Logging::on) {
    instance_.reset();
    fmu_ = open(version, name);
    instance_ = std::make_unique<Chosen>("it", *fmu_, unpack(*fmu_), logging);
  }
  void begin(const std::string& name, const Logging& logging = Logging::on) {
    make(name, logging);
    initialise();
  }
  void initialise() {
    instance_->enter_initialisation({0.0, 10.0, std::nullopt});
    instance_->exit_initialisation();
  }
  const Variable& variable(const std::string& name) const { return *fmu_->description.find(name); }
  std::vector<Reference> references(const std::vector<std::string>& names) const {
    std::vector<Reference> all;
    for (const std::string& name : names) all.push_back(variable(name).value_reference);
    return all;
  }
  Values get(const std::string& name) {
    if constexpr (version == 2) {
      return instance_->get(variable(name));
    } else {
      return instance_->get(variable(name), 1);
    }
  }
  double real(const std::string& name) { return get(name).reals.at(0); }
  void set_real(const std::string& name, double value) { instance_->set(variable(name), Values{{value}, {}, {}}); }

  /// Lines of the calls and of the messages, as they come.
  Logging listening(Logging::State state = Logging::off, const std::vector<std::string>& categories = {}) {
    Logging logging(state, categories, [this](const std::string& line) { said_.push_back(line); });
    logging.calls = std::make_shared<CallLog>([this](const std::string& line) { calls_.push_back(line); });
    return logging;
  }
  std::string illegal_calls() const {
    return saw_illegal_calls() ? formats::read_text(folder_.file("illegal-calls")) : std::string();
  }

  std::vector<std::string> said_, calls_;
  std::shared_ptr<const Fmu> fmu_;
  std::unique_ptr<Chosen> instance_;
};
using Versions = ::testing::Types<Instance2, Instance3>;

/// The FMU of unruly_fmu.cpp, which behaves as the name of the instance says.
template <class Chosen>
class Unruly : public Instances<Chosen> {
 protected:
  void make_unruly(const std::string& behaviour, const Logging& logging = Logging::on, const char* steps = "true") {
    this->instance_.reset();
    const std::string path = this->folder_.file("unruly.fmu");
    const std::string attributes = std::string("canHandleVariableCommunicationStepSize=\"") + steps + "\"";
    formats::write_text(path, unruly_archive(Instances<Chosen>::version, attributes));
    base::Problems problems;
    auto opened = open_fmu(path, problems);
    ASSERT_TRUE(opened) << problems.text();
    this->fmu_ = std::make_shared<const Fmu>(*opened);
    this->instance_ = std::make_unique<Chosen>(behaviour, *this->fmu_, this->unpack(*this->fmu_), logging);
  }
};

}  // namespace seam::fmi
