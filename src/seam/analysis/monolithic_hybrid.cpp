#include "seam/analysis/monolithic_hybrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/base/error.hpp"

namespace seam::analysis {

using assembly::EventfulEquations;
using assembly::Member;
using ode::In;
using ode::Out;

namespace {

/// The equations cannot be evaluated there: a shorter step may do. Where there is no step, it is an error.
class Refusal : public base::Error {
 public:
  Refusal(const std::string& who, double t)
      : Error(base::Failure::subsystem, fmt::format("{} cannot be evaluated at {} s", who, t)) {}
};

}  // namespace

class MonolithicHybrid::Exchanged final : public ode::Ode {
 public:
  Exchanged(EventfulEquations& equations, const Member& member)
      : equations_(equations),
        subsystem_(*member.subsystem),
        name_(member.name),
        sizes_{equations.state_count(), static_cast<int>(system::count_reals(member.inputs)),
               static_cast<int>(system::count_reals(member.outputs))} {}

  enum class Phase { between_events, in_event } phase = Phase::between_events;

  Sizes sizes() const override { return sizes_; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double t, In x, In u, Out dx) const override {
    require(equations_.derivatives(t, x, reals(u), dx), t);
  }
  void outputs(double t, In x, In u, Out y) const override {
    if (phase == Phase::in_event)
      equations_.exchange(reals(u), y);
    else
      require(equations_.outputs(t, x, reals(u), y), t);
  }
  bool feeds_through(int output, int input) const override { return subsystem_.feeds_through(output, input); }
  In reals(In u) const { return u.first(static_cast<std::size_t>(sizes_.inputs)); }

 private:
  void require(EventfulEquations::Answer answer, double t) const {
    if (answer == EventfulEquations::Answer::refused) throw Refusal(name_, t);
  }
  EventfulEquations& equations_;
  const assembly::Subsystem& subsystem_;
  std::string name_;
  Sizes sizes_;
};

MonolithicHybrid::MonolithicHybrid(assembly::Assembly& assembly, Interconnection wiring)
    : assembly_(assembly), signals_(wiring.signals), w_(wiring.signals.size()) {
  std::vector<const ode::Ode*> equations;
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    Member& member = assembly_.members[m];
    EventfulEquations* eventful = member.subsystem ? assembly::eventful_equations_of(*member.subsystem) : nullptr;
    if (eventful) {
      jumping_.push_back({m, eventful, std::make_unique<Exchanged>(*eventful, member), indicators_});
      indicators_ += eventful->indicator_count();
    }
    equations.push_back(eventful ? jumping_.back().ode.get() : member.equations.get());
    sent_.emplace_back(member.outputs.size() - system::count_reals(member.outputs));
    auto& received = received_.emplace_back();
    for (std::size_t i = system::count_reals(member.inputs); i < member.inputs.size(); ++i)
      received.push_back(member.inputs[i].first);
  }
  ode_ = std::make_unique<MonolithicOde>(assembly_, std::move(wiring), std::move(equations));
}

MonolithicHybrid::~MonolithicHybrid() = default;

void MonolithicHybrid::read_signals(double t, ode::Side side) {
  for (std::size_t s = 0; s < signals_.size(); ++s) {
    const double value = side == ode::Side::right ? signals_[s].signal->at(t) : signals_[s].signal->before(t);
    w_[s] = signals_[s].factor * value + signals_[s].offset;
  }
}

ode::Side MonolithicHybrid::side_at(double t) const {
  return t <= part_begin_ || t < 0.5 * (part_begin_ + part_end_) ? ode::Side::right : ode::Side::left;
}

ode::HybridOde::Answer MonolithicHybrid::derivatives(double t, In x, Out dx) {
  read_signals(t, side_at(t));
  try {
    ode_->derivatives(t, x, w_, dx);
  } catch (const Refusal&) {
    return Answer::refused;
  }
  return Answer::given;
}

ode::HybridOde::Answer MonolithicHybrid::indicators(double t, In x, Out z) {
  read_signals(t, side_at(t));
  try {
    ode_->inputs_at(t, x, w_);
  } catch (const Refusal&) {
    return Answer::refused;
  }
  for (Jumping& jumping : jumping_) {
    const Out own = z.subspan(static_cast<std::size_t>(jumping.first_indicator),
                              static_cast<std::size_t>(jumping.equations->indicator_count()));
    const In u = jumping.ode->reals(ode_->inputs_of(jumping.member));
    if (jumping.equations->indicators(t, ode_->states_of(jumping.member, x), u, own) == Answer::refused)
      return Answer::refused;
  }
  return Answer::given;
}

ode::HybridOde::AfterStep MonolithicHybrid::after_step(double t, In x) {
  read_signals(t, side_at(t));
  ode_->inputs_at(t, x, w_);
  AfterStep result = AfterStep::go_on;
  for (Jumping& jumping : jumping_) {
    const In u = jumping.ode->reals(ode_->inputs_of(jumping.member));
    const AfterStep own = jumping.equations->after_step(t, ode_->states_of(jumping.member, x), u);
    if (own == AfterStep::event) result = own;
  }
  return result;
}

std::vector<double> MonolithicHybrid::start_states() {
  std::vector<double> x;
  for (Member& member : assembly_.members) {
    if (!member.subsystem || !member.signals.empty()) continue;
    const auto own = member.subsystem->states();
    x.insert(x.end(), own.begin(), own.end());
  }
  return x;
}

std::vector<double> MonolithicHybrid::nominals() {
  std::vector<double> all(static_cast<std::size_t>(state_count()), 0.01);
  for (Jumping& jumping : jumping_) {
    const In own = ode_->states_of(jumping.member, all);
    jumping.equations->nominals({all.data() + (own.data() - all.data()), own.size()});
  }
  return all;
}

void MonolithicHybrid::set_part(double begin, double end) {
  part_begin_ = begin;
  part_end_ = end;
}

double MonolithicHybrid::next_corner(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const assembly::Drive& drive : signals_) next = std::min(next, drive.signal->next_corner(t));
  return next;
}

double MonolithicHybrid::next_event() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Jumping& jumping : jumping_) next = std::min(next, jumping.equations->next_event());
  return next;
}

std::string MonolithicHybrid::wish_to_end() const {
  for (const Jumping& jumping : jumping_) {
    if (std::string wish = jumping.equations->wish_to_end(); !wish.empty()) return wish;
  }
  return {};
}

/// Hands on what is no real number; whether anything arrived that was not there before.
bool MonolithicHybrid::pass_discrete_values() {
  for (const Jumping& jumping : jumping_)
    assembly_.members[jumping.member].subsystem->facets().discrete_ports->take(sent_[jumping.member]);
  bool changed = false;
  for (const assembly::DiscreteWire& wire : assembly_.discrete_wires) {
    const system::DiscreteValue& sent =
        sent_[static_cast<std::size_t>(wire.ends.from)][static_cast<std::size_t>(wire.sent)];
    const auto to = static_cast<std::size_t>(wire.ends.to);
    if (wire.to == system::PortType::real) {
      const double value = assembly::real_through(assembly_, wire, sent);
      changed = ode_->hold(to, wire.received, value) || changed;
      continue;
    }
    system::DiscreteValue& received = received_[to][static_cast<std::size_t>(wire.received)];
    const system::DiscreteValue before = received;
    assembly::deliver(assembly_, wire, sent, received);
    changed = changed || !(before == received);
  }
  for (const Jumping& jumping : jumping_)
    assembly_.members[jumping.member].subsystem->facets().discrete_ports->give(received_[jumping.member]);
  return changed;
}

EventfulEquations::Update MonolithicHybrid::update_all() {
  auto result = EventfulEquations::Update::settled;
  for (Jumping& jumping : jumping_) {
    if (jumping.equations->update() == EventfulEquations::Update::again) result = EventfulEquations::Update::again;
  }
  return result;
}

// FMI 2.0.5 3.2.2 and FMI 3.0.2 2.3.1: nobody leaves Event Mode before all connected FMUs have settled, and every round
// of updates sees the outputs of the round before.
EventfulEquations::Nominals MonolithicHybrid::handle_event(double t, Out x) {
  constexpr int most_rounds = 100;
  read_signals(t, side_at(t));
  ode_->inputs_at(t, x, w_);
  for (Jumping& jumping : jumping_) {
    const In u = jumping.ode->reals(ode_->inputs_of(jumping.member));
    jumping.equations->begin_event(t, ode_->states_of(jumping.member, x), u);
    jumping.ode->phase = Exchanged::Phase::in_event;
  }
  read_signals(t, ode::Side::right);
  std::vector<std::vector<double>> before = ode_->inputs_at(t, x, w_);
  bool settled = false;
  for (int round = 0; round < most_rounds && !settled; ++round) {
    const bool updated = update_all() == EventfulEquations::Update::settled;
    if (!wish_to_end().empty()) break;
    const bool passed = pass_discrete_values();
    const std::vector<std::vector<double>>& after = ode_->inputs_at(t, x, w_);
    settled = updated && !passed && after == before;
    before = after;
  }
  auto nominals = EventfulEquations::Nominals::kept;
  for (Jumping& jumping : jumping_) {
    const In own = ode_->states_of(jumping.member, x);
    if (jumping.equations->wish_to_end().empty()) jumping.ode->phase = Exchanged::Phase::between_events;
    const auto said =
        jumping.equations->end_event(x.subspan(static_cast<std::size_t>(own.data() - x.data()), own.size()));
    if (said == EventfulEquations::Nominals::changed) nominals = said;
  }
  if (settled || !wish_to_end().empty()) return nominals;
  throw base::Error(
      base::Failure::subsystem,
      fmt::format("the event at {} s finds no end: after {} rounds the FMUs still change each other", t, most_rounds));
}

void MonolithicHybrid::write_ports(double t, In x, assembly::PortValues& ports) {
  read_signals(t, ode::Side::right);
  std::vector<double> y(static_cast<std::size_t>(ode_->sizes().outputs));
  ode_->outputs(t, x, w_, y);
  ode_->write_ports(t, y, ports);
  for (const Jumping& jumping : jumping_)
    assembly_.members[jumping.member].subsystem->facets().discrete_ports->take(sent_[jumping.member]);
  ports.discrete_in = received_;
  ports.discrete_out = sent_;
}

}  // namespace seam::analysis
