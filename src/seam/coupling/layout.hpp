// Where everything lies: every part of a program gets its places in Memory.
#pragma once

#include <optional>

#include "seam/coupling/program.hpp"
#include "seam/coupling/routes.hpp"

namespace seam::coupling {

/// Places that are taken one behind the other.
class Places {
 public:
  int take(int count) {
    const int first = size_;
    size_ += count;
    return first;
  }
  int size() const { return size_; }

 private:
  int size_ = 0;
};

/// Prepares the subsystems for the calls of their lanes. None if the corrector has no solution for them.
std::optional<Layout> lay_out(const CompileTask& task, const Routes& routes);

/// Which places of Memory the corrector needs.
struct CorrectionPlaces {
  Places& values;
  Places& knowledge;
};
/// The corrector of parts whose lanes and groups have their places; `wires` are those of the assembly.
void lay_out_correction(const Routes& routes, const std::vector<assembly::Wire>& wires, CorrectionPlaces places,
                        Parts& parts);
/// Places of the correction that a macro step reads before it writes them.
void list_signals(const Correction& correction, std::vector<int>& signals);
/// The corrector's models, with those written that stay as they are; false if they have no solution.
bool make_models(const CompileTask& task, Layout& layout);

}  // namespace seam::coupling
