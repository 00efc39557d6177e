#include "seam/assembly/port_solver.hpp"

#include <algorithm>
#include <cmath>

namespace seam::assembly {
namespace {

std::size_t at(int number) { return static_cast<std::size_t>(number); }

bool contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

double arriving(const PortValues& ports, const Wire& wire) {
  return wire.gain * ports.outputs[at(wire.from)][at(wire.output)] + wire.offset;
}

}  // namespace

/// The equations, but members that were found out depend on everything.
class PortSolver::Trusting final : public PortEquations {
 public:
  Trusting(PortEquations& equations, const std::vector<int>& found_out)
      : equations_(equations), found_out_(found_out) {}
  bool takes_part(int member) const override { return equations_.takes_part(member); }
  bool depends(int member, int output, int input) const override {
    return contains(found_out_, member) || equations_.depends(member, output, input);
  }
  void evaluate(int member, PortValues& ports) override { equations_.evaluate(member, ports); }
  std::optional<lti::Matrix> derivatives(int member, const PortValues& ports) override {
    return equations_.derivatives(member, ports);
  }
  bool can_do_without(int member) const override { return equations_.can_do_without(member); }

 private:
  PortEquations& equations_;
  const std::vector<int>& found_out_;
};

PortSolver::PortSolver(const Assembly& assembly, PortEquations& equations)
    : assembly_(assembly), equations_(equations) {
  make_stages();
}

void PortSolver::make_stages() {
  order_ = order_of(assembly_, Trusting(equations_, found_out_), Ordered::read);
  stages_.clear();
  loops_.clear();
  is_in_loop_.assign(assembly_.wires.size(), false);
  std::vector<std::vector<int>> level(assembly_.members.size());            // of each output
  std::vector<int> evaluated(level.size(), -1), written(level.size(), -1);  // when that is done last for a member
  for (std::size_t m = 0; m < level.size(); ++m) level[m].resize(assembly_.members[m].outputs.size());
  for (const InitialisationOrder::Block& block : order_.blocks) {
    if (at(block.level) >= stages_.size()) stages_.resize(at(block.level) + 1);
    Stage& stage = stages_[at(block.level)];
    for (const OutputPlace& place : block.outputs) {
      level[at(place.member)][at(place.output)] = block.level;
      evaluated[at(place.member)] = std::max(evaluated[at(place.member)], block.level);
      if (!block.is_loop() && !contains(stage.members, place.member)) stage.members.push_back(place.member);
    }
    if (!block.is_loop()) continue;
    stage.loops.push_back(static_cast<int>(loops_.size()));
    loops_.emplace_back(assembly_, equations_, block);
    for (const int w : block.wires) is_in_loop_[at(w)] = true;
  }
  for (std::size_t w = 0; w < assembly_.wires.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    if (!equations_.takes_part(wire.from) || is_in_loop_[w]) continue;
    const int when = level[at(wire.from)][at(wire.output)];
    stages_[at(when)].wires.push_back(static_cast<int>(w));
    written[at(wire.to)] = std::max(written[at(wire.to)], when);
  }
  last_.clear();
  for (int m = 0; m < static_cast<int>(level.size()); ++m) {
    if (equations_.takes_part(m) && written[at(m)] >= evaluated[at(m)]) last_.push_back(m);
  }
}

void PortSolver::carry(const Wire& wire, PortValues& ports) const {
  ports.inputs[at(wire.to)][at(wire.input)] = arriving(ports, wire);
}

void PortSolver::pass(PortValues& ports, std::vector<LoopFailure>& failures) {
  for (const Stage& stage : stages_) {
    for (const int member : stage.members) equations_.evaluate(member, ports);
    for (const int loop : stage.loops) {
      if (auto failure = loops_[at(loop)].solve(ports)) failures.push_back(std::move(*failure));
    }
    for (const int w : stage.wires) carry(assembly_.wires[at(w)], ports);
  }
  for (const int member : last_) equations_.evaluate(member, ports);
}

bool PortSolver::finds_out(const PortValues& ports) {
  bool found = false;
  for (std::size_t w = 0; w < assembly_.wires.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    if (!equations_.takes_part(wire.from) || is_in_loop_[w] || contains(found_out_, wire.from)) continue;
    const double now = arriving(ports, wire), then = ports.inputs[at(wire.to)][at(wire.input)];
    if (now == then || (std::isnan(now) && std::isnan(then))) continue;
    found_out_.push_back(wire.from);
    found = true;
  }
  return found;
}

std::vector<LoopFailure> PortSolver::solve(PortValues& ports) {
  while (true) {
    std::vector<LoopFailure> failures;
    pass(ports, failures);
    if (!finds_out(ports)) return failures;
    make_stages();
  }
}

}  // namespace seam::assembly
