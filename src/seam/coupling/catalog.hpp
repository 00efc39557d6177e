// Every coupling method by name: what it does, its parameters, what it needs. Help, docs and conformance tests read
// this table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/coupling/emitter/emitter.hpp"
#include "seam/coupling/receiver/receiver.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

enum class Part { coupling, emitter, receiver };

enum class Affinity {
  affine,     ///< a step is an affine map: its matrix is exact
  linearised  ///< its matrix is a linearisation, and a verdict says so
};

struct Choice {
  std::string name;
  std::vector<std::string> values;  ///< the first is the default
  std::string summary;
};

struct Entry {
  Part part = Part::coupling;
  std::string name;
  std::string summary;
  std::vector<Choice> choices;
  std::vector<std::string> needs;  ///< in words; empty: nothing
  Affinity affinity = Affinity::affine;
  int order = 0;  ///< of convergence in the macro step, with exact past samples
};

const std::vector<Entry>& catalog();

/// The names of one part, in the order of the table.
std::vector<std::string> names(Part part);

/// A request made complete: names looked up, choices checked, defaults filled in.
system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems);

/// As a user may say it again: "foh" or "foh,samples=micro".
std::string describe(const system::Coupling& coupling);

/// Last value sent, held until the next: needs neither emitter nor receiver, the wire writes the input.
bool is_plain_hold(const system::Coupling& coupling);

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, SampleTiming timing);
/// Only for couplings that send more than the last value.
std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling);

}  // namespace seam::coupling
