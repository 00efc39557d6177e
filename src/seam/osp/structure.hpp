// A system structure of the Open Simulation Platform as written, and the signals of its functions by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/xml.hpp"
#include "seam/system/description.hpp"

namespace seam::osp {

struct Simulator {
  std::string name, source;
  std::optional<double> step;  ///< s
  std::vector<system::Setting> initial_values;
  base::Location where;
};

struct Function {
  enum class Kind { linear, sum, vector_sum };
  Kind kind = Kind::linear;
  std::string name;
  double factor = 1.0, offset = 0.0;  ///< of a linear one
  int inputs = 1, dimension = 1;
  base::Location where;
};

/// A variable or a group of variables of a simulator, or a signal or a group of signals of a function.
struct End {
  std::string owner, name;
  base::Location where;
};

/// Which side gives the value is not written: the variables decide.
struct Link {
  enum class Kind { variables, groups, signal, signal_group };
  Kind kind = Kind::variables;
  End first;   ///< of a simulator
  End second;  ///< of a simulator, or of a function
  base::Location where;
};

struct Structure {
  std::optional<double> start, stop, step;  ///< s
  base::Location start_where, stop_where, step_where;
  std::string description;
  std::vector<Simulator> simulators;
  std::vector<Function> functions;
  std::vector<Link> links;
  std::vector<std::string> notices;
  base::Location where;
};

/// None if it is no such structure. What cannot be expressed here is a problem at its place.
std::optional<Structure> read_structure(const formats::XmlElement& root, base::Problems& problems);

struct Signal {
  enum class Side { in, out };
  Side side = Side::in;
  int input = 0, element = 0;  ///< counted from 0; the element is that of a vector
};

/// `in`, `in[1]`, `out`; of a vector sum `in[1][2]` and `out[2]`. None if the function has no such signal.
std::optional<Signal> find_signal(const Function& function, const std::string& name);
/// `in[1]` and `out` of a vector sum: the signals of all elements. Empty if the function has no such group.
std::vector<Signal> find_signal_group(const Function& function, const std::string& name);

/// The names that the function knows, for messages.
std::string signal_names(const Function& function);

/// A subsystem that adds, for one element of a sum.
system::Subsystem make_sum(const Function& function, const std::string& name);
/// What its ports are called.
std::string port_name(const Function& function, const Signal& signal);

}  // namespace seam::osp
