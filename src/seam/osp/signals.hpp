// The signals of a function by their names, and the sums as subsystems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/osp/structure.hpp"

namespace seam::osp {

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
