// Every coupling method by name: what it does, its parameters, what it needs. Help, docs and conformance tests read
// this table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/coupling/corrector/settings.hpp"
#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/filters.hpp"
#include "seam/coupling/receiver/receiver.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

enum class Part { coupling, emitter, receiver, corrector };

enum class Affinity {
  affine,     ///< a step is an affine map: its matrix is exact
  linearised  ///< its matrix is a linearisation, and a verdict says so
};

struct Choice {
  std::string name;
  std::vector<std::string> values;  ///< the first is the default
  std::string summary;
};

/// A parameter that is a number.
struct Number {
  std::string name;
  std::string default_text;
  double above = 0.0, most = 0.0;  ///< above < value <= most
  std::string summary;
  Affinity affinity = Affinity::affine;  ///< of a coupling to which it was given
  enum class Kind { real, whole } kind = Kind::real;
};

struct Entry {
  Part part = Part::coupling;
  std::string name;
  std::string summary;
  std::vector<Choice> choices;
  std::vector<std::string> needs;  ///< in words; empty: nothing
  Affinity affinity = Affinity::affine;
  int order = 0;  ///< of convergence in the macro step, with exact past samples; 0: none, the error has a floor
  std::vector<Number> numbers = {};
};

const std::vector<Entry>& catalog();

/// nullptr if there is none of that name.
const Entry* find(Part part, std::string_view name);

/// The coupling that is made of filters.
inline constexpr const char* filter_coupling = "hinf";

/// The names of one part, in the order of the table.
std::vector<std::string> names(Part part);

/// A request made complete: names looked up, choices checked, defaults filled in.
system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems);

/// The same of a corrector; "none" gives one without a name. Which connections it mends is left to the caller.
system::Corrector complete_corrector(const system::MethodRequest& request, base::Problems& problems);

/// As a user may say it again: "foh" or "foh,samples=micro".
std::string describe(const system::Coupling& coupling);
/// With what differs from the defaults: "none", "plc" or "nepce,alpha=0.5".
std::string describe(const system::Corrector& corrector);

/// In every number.
bool are_same(const system::Coupling& one, const system::Coupling& other);

/// What the matrix of its step is, with the parameters it was given.
Affinity affinity(const system::Coupling& coupling);
/// The plan without what is not affine: the same as long as signals change slowly.
system::Plan linearised(system::Plan plan);
system::Coupling linearised(system::Coupling coupling);

/// A filter before the sampler and one behind the hold; the first is found by synthesis unless the plan has it.
bool has_filters(const system::Coupling& coupling);
FilterSolver filter_solver(const system::Coupling& coupling);

/// Last value sent, held until the next: needs neither emitter nor receiver, the wire writes the input.
bool is_plain_hold(const system::Coupling& coupling);

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, SampleTiming timing);
/// Only for couplings that send more than the last value. `micro_step` of the source in intervals between samples.
std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling, double micro_step);
/// What a complete corrector with a name does.
CorrectorSettings settings_of(const system::Corrector& corrector);

}  // namespace seam::coupling
