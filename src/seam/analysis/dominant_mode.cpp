#include "seam/analysis/dominant_mode.hpp"

#include <algorithm>
#include <cmath>

namespace seam::analysis {
namespace {

/// The member an entry of the state belongs to: names begin with it.
int owner_of(const std::string& name, const assembly::Assembly& assembly) {
  int owner = -1;
  std::size_t longest = 0;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const std::string& member = assembly.members[m].name;
    if (member.size() < longest || !name.starts_with(member + ".")) continue;
    owner = static_cast<int>(m);
    longest = member.size();
  }
  return owner;
}

}  // namespace

DominantMode::DominantMode(const Transition& step, std::complex<double> eigenvalue)
    : eigenvalue_(eigenvalue), mode_(lti::mode_of(step.matrix, eigenvalue)) {}

std::vector<Participant> DominantMode::participants(const Transition& step, const assembly::Assembly& assembly) const {
  std::vector<double> shares(assembly.members.size(), 0.0);
  double all = 0.0;
  for (std::size_t i = 0; i < step.names.size(); ++i) {
    const int owner = owner_of(step.names[i], assembly);
    const auto at = static_cast<Eigen::Index>(i);
    const double share = std::abs(mode_.left(at)) * std::abs(mode_.right(at));
    all += share;
    if (owner >= 0) shares[static_cast<std::size_t>(owner)] += share;
  }
  std::vector<Participant> result;
  for (std::size_t m = 0; m < shares.size(); ++m) {
    if (shares[m] >= 0.01 * all) result.push_back({assembly.members[m].name, shares[m] / all});
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return result;
}

double DominantMode::growth(const lti::Vector& into, const lti::Vector& from) const {
  const std::complex<double> change = lti::sensitivity(mode_, into, from);
  return (std::conj(eigenvalue_) * change).real() / std::abs(eigenvalue_);
}

}  // namespace seam::analysis
