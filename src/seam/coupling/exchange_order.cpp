#include "seam/coupling/exchange_order.hpp"

#include <algorithm>

namespace seam::coupling {
namespace {

constexpr int unknown = -1, being_found = -2;

/// Depth-first over "this output needs that output first".
class Search {
 public:
  Search(const assembly::Assembly& assembly, const system::Plan& plan, const std::vector<system::Course>& courses)
      : assembly_(assembly), plan_(plan), courses_(courses) {
    for (std::size_t m = 0; m < assembly.members.size(); ++m)
      order_.stage.emplace_back(is_fresh(static_cast<int>(m)) ? assembly.members[m].outputs.size() : 0, unknown);
    wires_to_.resize(assembly.members.size());
    for (const assembly::Wire& wire : assembly.wires) wires_to_[static_cast<std::size_t>(wire.to)].push_back(&wire);
  }

  /// Stage of an output, or nothing inside a loop (whose ports are then in loop()).
  std::optional<int> find(int member, int output) {
    if (!is_fresh(member)) return 0;
    int& known = at(member, output);
    if (known >= 0) return known;
    path_.emplace_back(member, output);
    if (known == being_found) return std::nullopt;
    known = being_found;
    int stage = 0;
    for (const assembly::Wire* wire : wires_to_[static_cast<std::size_t>(member)]) {
      if (!needs(member, output, wire->input)) continue;
      const auto before = find(wire->from, wire->output);
      if (!before) return std::nullopt;
      stage = std::max(stage, *before + 1);
    }
    for (const system::Course& course : courses_) {
      if (course.subsystem == member && is_real_input(course) && needs(member, output, course.input))
        stage = std::max(stage, 1);
    }
    path_.pop_back();
    order_.stages = std::max(order_.stages, stage + 1);
    return at(member, output) = stage;
  }

  std::string loop() const {
    const auto begin = std::find(path_.begin(), path_.end(), path_.back());
    std::string text;
    for (auto at = begin; at != path_.end(); ++at) {
      const assembly::Member& member = assembly_.members[static_cast<std::size_t>(at->first)];
      text +=
          (text.empty() ? "" : " <- ") + member.name + "." + member.outputs[static_cast<std::size_t>(at->second)].name;
    }
    return text;
  }
  int loop_member() const { return path_.back().first; }
  bool is_fresh(int member) const {
    return plan_.subsystems[static_cast<std::size_t>(member)].feedthrough == system::Feedthrough::fresh;
  }
  ExchangeOrder take() { return std::move(order_); }

 private:
  int& at(int member, int output) {
    return order_.stage[static_cast<std::size_t>(member)][static_cast<std::size_t>(output)];
  }
  bool needs(int member, int output, int input) const {
    return assembly_.members[static_cast<std::size_t>(member)].subsystem->feeds_through(output, input);
  }

  static bool is_real_input(const system::Course& course) {
    return course.input >= 0 && course.type == system::PortType::real;
  }

  const assembly::Assembly& assembly_;
  const system::Plan& plan_;
  const std::vector<system::Course>& courses_;
  ExchangeOrder order_;
  std::vector<std::vector<const assembly::Wire*>> wires_to_;  // by member
  std::vector<std::pair<int, int>> path_;
};

}  // namespace

std::optional<ExchangeOrder> exchange_order(const assembly::Assembly& assembly, const system::Plan& plan,
                                            const std::vector<system::Course>& courses, base::Problems& problems) {
  Search search(assembly, plan, courses);
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    if (!assembly.members[m].subsystem || !search.is_fresh(static_cast<int>(m))) continue;
    const std::size_t reals = system::count_reals(assembly.members[m].outputs);
    for (std::size_t o = 0; o < reals; ++o) {
      if (search.find(static_cast<int>(m), static_cast<int>(o))) continue;
      problems.add(plan.subsystems[static_cast<std::size_t>(search.loop_member())].feedthrough_where,
                   "feedthrough: fresh closes a loop of direct feed-through: " + search.loop(),
                   "use held (default) for one of these subsystems");
      return std::nullopt;
    }
  }
  return search.take();
}

}  // namespace seam::coupling
