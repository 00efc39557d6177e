// The ports of an FMU: its inputs and outputs, arrays element by element, reals first, in the order of the description.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "seam/fmi/description/model_description.hpp"
#include "seam/system/description.hpp"
#include "seam/system/units.hpp"

namespace seam::fmi {

/// One variable and where its elements begin among the flat ports.
struct PortVariable {
  const Variable* variable = nullptr;
  std::size_t first = 0;
  std::size_t elements = 1;
  // those of the variable: with thousands of ports the cache is what counts
  Type type = variable->type;
  std::uint32_t reference = variable->value_reference;
};

/// The variable that a flat port is an element of, among variables in the order of their ports; null: it is of none.
inline const PortVariable* owner_of(int port, const std::vector<PortVariable>& variables) {
  const auto flat = static_cast<std::size_t>(port);
  const auto behind = std::upper_bound(variables.begin(), variables.end(), flat,
                                       [](std::size_t place, const PortVariable& v) { return place < v.first; });
  if (behind == variables.begin()) return nullptr;
  const PortVariable& owner = *(behind - 1);
  return flat < owner.first + owner.elements ? &owner : nullptr;
}

struct Ports {
  std::vector<PortVariable> input_variables, output_variables;
  system::PortList inputs, outputs;                          ///< one an element
  std::vector<const Variable*> input_owners, output_owners;  ///< the variable of each
  std::vector<const Unknown*> output_unknowns = {};          ///< what the model structure says of each; null: nothing
  std::vector<const Unknown*> initial_unknowns = {};         ///< the same for the initialisation
  std::vector<int> outputs_of_steps = {};                    ///< that cannot be read between steps
};

/// Whether it may be read between two steps: a clocked variable may not (FMI 3.0.2, 2.2.7.2), and a clock is no value.
inline bool can_be_observed(const Variable& v) { return v.type != Type::clock && v.clocks.empty(); }

/// Values of structural parameters by value reference, where they differ from the start in the description.
using Structure = std::map<std::uint32_t, std::uint64_t>;

/// What a port of the type carries.
system::PortType port_type(Type type);

/// Elements of a variable; none if a dimension is not known or the product is absurd.
std::optional<std::size_t> element_count(const ModelDescription& description, const Variable& variable,
                                         const Structure& structure);

/// "y", or "y[2]" and "y[2,3]" counted from 1, row by row.
std::string element_name(const ModelDescription& description, const Variable& variable, const Structure& structure,
                         std::size_t element);

/// A variable as a port, one an element.
std::vector<system::Port> elements_of(const ModelDescription& description, const Structure& structure,
                                      const Variable& variable);

/// Whether the model structure lets an output depend directly on an input; one without dependencies listed depends on
/// everything.
bool feeds_through(const ModelDescription& description, const Ports& ports, int output, int input);

/// The same in Initialization Mode. Where nothing is said of that, what holds later.
bool depends_at_start(const ModelDescription& description, const Ports& ports, int output, int input);

/// Clocks that tick at times of their own are no ports: the importer ticks them.
Ports ports_of(const ModelDescription& description, const Structure& structure);

/// What a unit means by the FMU's definition, else by its name; none if neither is known.
std::optional<system::Unit> unit_meaning(const ModelDescription& description, const std::string& name);

/// Which inputs are connected. Sorted once: an FMU may have thousands of inputs, all of them fed.
class FedPorts {
 public:
  explicit FedPorts(std::vector<int> fed) : fed_(std::move(fed)) { std::sort(fed_.begin(), fed_.end()); }

  /// Whether an element of the variable is among them.
  bool feed(const PortVariable& variable) const {
    const auto found = std::lower_bound(fed_.begin(), fed_.end(), static_cast<int>(variable.first));
    return found != fed_.end() && *found < static_cast<int>(variable.first + variable.elements);
  }

 private:
  std::vector<int> fed_;
};

/// Of the continuous states; numbers where the description does not say which variables they are (FMI 1.0).
std::vector<std::string> names_of_states(const ModelDescription& description, const Structure& structure);

}  // namespace seam::fmi
