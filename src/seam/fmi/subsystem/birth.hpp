// An instance from its setup: made, configured, with everything set that the user set, in Initialization Mode.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "seam/base/error.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"
#include "seam/fmi/instance/pooled.hpp"
#include "seam/fmi/subsystem/fmu_setup.hpp"

namespace seam::fmi {

inline bool is_structural(const Variable& v) { return v.causality == Causality::structural_parameter; }

inline Structure structure_of(const FmuSetup& setup) {
  Structure structure;
  for (const auto& [variable, values] : setup.settings) {
    if (is_structural(*variable))
      structure[variable->value_reference] = static_cast<std::uint64_t>(values.integers.at(0));
  }
  return structure;
}

inline void configure(Instance2&, const FmuSetup&) {}
inline void configure(Instance3& instance, const FmuSetup& setup) {
  std::vector<std::pair<const Variable*, Values>> structural;
  for (const auto& setting : setup.settings) {
    if (is_structural(*setting.first)) structural.push_back(setting);
  }
  instance.configure(structural);
}

/// Instances lie in the pool, so that what the FMUs allocate for themselves lies close together.
template <class Instance>
class Birth {
 public:
  Birth(const FmuSetup& setup, typename Instance::Extras extras)
      : setup_(setup), files_(unpacked(*setup.fmu, setup.sharing)), extras_(std::move(extras)) {}

  PooledPointer<Instance> made() const { return made_as(setup_.name); }

  /// In Initialization Mode.
  PooledPointer<Instance> initialised(double t0) const {
    Experiment experiment = setup_.experiment;
    experiment.start = t0;
    return initialised_as(setup_.name, experiment);
  }
  /// The same for a trial: a name of its own, which some FMUs make files of, and no stop time that it might pass.
  PooledPointer<Instance> initialised_for_trial(double t0) const {
    const std::string number = ++trials_ == 1 ? "" : fmt::format(" {}", trials_);
    return initialised_as(fmt::format("{} (trial{})", setup_.name, number),
                          {t0, std::nullopt, setup_.experiment.tolerance});
  }

 private:
  PooledPointer<Instance> made_as(const std::string& name) const {
    try {
      return make_pooled<Instance>(name, *setup_.fmu, files_, setup_.logging, extras_);
    } catch (const base::Error& error) {
      const std::string file = std::filesystem::path(setup_.fmu->path).filename().string();
      const std::string what = error.what();
      if (what.find(file) != std::string::npos) throw;
      throw base::Error(error.failure(), fmt::format("{} ({}): {}", setup_.name, file, what));
    }
  }

  PooledPointer<Instance> initialised_as(const std::string& name, const Experiment& experiment) const {
    auto instance = made_as(name);
    const HostGuard guard;
    const CallScope scope(instance->identity().c_str());
    configure(*instance, setup_);
    // in Initialization Mode, which FMI 1.0 has not
    const auto is_for_later = [&](const Variable& variable) {
      return variable.causality == Causality::input && setup_.fmu->description.version != Version::fmi1;
    };
    for (const auto& [variable, values] : setup_.settings) {
      if (!is_structural(*variable) && !is_for_later(*variable)) instance->set(*variable, values);
    }
    instance->enter_initialisation(experiment);
    for (const auto& [variable, values] : setup_.settings) {
      if (is_for_later(*variable)) instance->set(*variable, values);
    }
    return instance;
  }

  const FmuSetup& setup_;
  std::shared_ptr<const Unpacked> files_;
  typename Instance::Extras extras_;
  mutable int trials_ = 0;
};

}  // namespace seam::fmi
