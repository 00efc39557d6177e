// Every coupling method and corrector by name: what it does, its parameters, what it needs, and how it is made.
// Completion, checks, help, descriptions and construction read this table; a program may add entries of its own.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/coupling/corrector/corrector.hpp"
#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/receiver/receiver.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

enum class Part { coupling, emitter, receiver, corrector };

enum class Affinity {
  affine,     ///< a step is an affine map: its matrix is exact
  linearised  ///< its matrix is a linearisation, and a verdict says so
};

/// A parameter that is one of several words.
struct Choice {
  std::string name;
  std::vector<std::string> values;  ///< the first is the default
  std::string summary;
};

struct Range {
  double low = 0.0, high = 0.0;
  enum class Low { included, excluded } ends = Low::excluded;
};

/// A parameter that is a number.
struct Number {
  std::string name;
  std::optional<double> usual;  ///< the default; none: it may be left out
  Range range;
  std::string summary;
  std::string usual_text = "";  ///< what help says instead of the default
  std::string unit = "";
  Affinity affinity = Affinity::affine;  ///< of a coupling to which it was given
  enum class Kind { real, whole } kind = Kind::real;
};

/// Parameters as they were read: every choice, and the numbers that were given or have a default.
struct Parameters {
  std::vector<std::pair<std::string, std::string>> choices;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::string> given;  ///< names that the user wrote
  base::Location where;

  const std::string& choice(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  bool is_given(std::string_view name) const;
};

/// How outputs reach an emitter.
struct OutputTiming {
  double micro_step = 1.0;  ///< of the source, in intervals between samples
  int samples = 1;          ///< that the receiver reads
};

/// Why a part cannot be used, and what to do about it.
struct Fault {
  std::string what, advice;
};

struct Entry {
  Part part = Part::coupling;
  std::string name;
  std::string summary;
  std::vector<Choice> choices = {};
  std::vector<std::string> needs = {};  ///< in words; empty: nothing
  Affinity affinity = Affinity::affine;
  int order = 0;  ///< of convergence in the macro step, with exact past samples; 0: none, the error has a floor
  std::vector<Number> numbers = {};
  bool (*takes_number)(const std::string& name) = nullptr;  ///< whether there may be a further number of that name

  // emitters and receivers
  std::string coupling = {};  ///< to which it belongs; an emitter without one sends to every hold
  system::Samples samples = system::Samples::macro;  ///< of an emitter: which ones it sends
  Pace pace = Pace::macro_steps;                     ///< of a receiver
  bool is_plain_hold = false;  ///< of a receiver: the input is the last sample until the next, so that a wire writes it
  std::function<std::unique_ptr<Receiver>(const system::Method&, const SampleTiming&)> make_receiver = {};
  /// None: the output at the communication point is sent as it is.
  std::function<std::unique_ptr<Emitter>(const system::Method&, const OutputTiming&)> make_emitter = {};
  /// Of an emitter: why it cannot be used with that micro step, in intervals between samples.
  std::function<std::optional<Fault>(const system::Method&, double micro_step)> fault = {};

  // couplings; where these are missing it is a hold: a receiver of its name behind an emitter of samples
  std::function<system::Coupling(const Parameters&, base::Problems&)> compose = {};
  /// Of parts that were named one by one.
  std::function<void(const system::Coupling&, const base::Location&, base::Problems&)> check_parts = {};
  /// Its parameters as a user may say them again: ",name=value" each.
  std::function<std::string(const system::Coupling&)> describe = {};

  // correctors
  std::function<std::unique_ptr<Corrector>(const system::Corrector&)> make_corrector = {};
  /// Parameters that do not go together are a problem or are chosen anew.
  std::function<void(const system::MethodRequest&, system::Corrector&, base::Problems&)> check_corrector = {};
};

/// The entries in the order in which they were added; their addresses stay.
const std::deque<Entry>& catalog();

/// Adds an entry under a name of its own, before plans are read; not while other threads read the catalog.
void register_entry(Entry entry);
/// A hold: the receiver, and the coupling of the same name and parameters that uses it with samples of either kind.
void register_hold(Entry receiver);

/// nullptr if there is none of that name.
const Entry* find(Part part, std::string_view name);

/// The names of one part, in the order of the table.
std::vector<std::string> names(Part part);

/// A request made complete: names looked up, choices checked, defaults filled in.
system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems);

/// The same of a corrector; "none" gives one without a name. Which connections it corrects is left to the caller.
system::Corrector complete_corrector(const system::MethodRequest& request, base::Problems& problems);

/// As a user may say it again: "foh" or "foh,samples=micro".
std::string describe(const system::Coupling& coupling);
/// With what differs from the defaults: "none", "plc" or "nepce,alpha=0.5".
std::string describe(const system::Corrector& corrector);
/// The default of a number in words; empty: it has none.
std::string default_text(const Number& number);

/// In every number.
bool are_same(const system::Coupling& one, const system::Coupling& other);

/// What the matrix of its step is, with the parameters it was given.
Affinity affinity(const system::Coupling& coupling);
/// The plan without what is not affine: the same as long as signals change slowly.
system::Plan linearised(system::Plan plan);
system::Coupling linearised(system::Coupling coupling);

/// Its receiver is a filter that gives every micro step of the sink a signal of its own.
bool has_filters(const system::Coupling& coupling);

/// Last value sent, held until the next: needs neither emitter nor receiver, the wire writes the input.
bool is_plain_hold(const system::Coupling& coupling);
/// Its emitter looks at the outputs at every micro step of the source.
bool sends_by_emitter(const system::Coupling& coupling);

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, const SampleTiming& timing);
/// Only for couplings that send by an emitter. `micro_step` of the source in intervals between samples.
std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling, double micro_step);
/// Of a complete corrector with a name.
std::unique_ptr<Corrector> make_corrector(const system::Corrector& corrector);
/// What the matrix of a corrected step is.
Affinity affinity(const system::Corrector& corrector);

}  // namespace seam::coupling
