// What an FMU with events is at a communication point: saved, restored, written, read, linearised.
#include "seam/fmi/co_simulation/event_simulation.hpp"

namespace seam::fmi {

using assembly::In;
using assembly::Snapshot;

EventMemory EventSimulation::own_memory() const {
  EventMemory memory = exchange_.memory();
  const std::vector<double> clocks = clocks_.memory();
  memory.numbers.insert(memory.numbers.end(), clocks.begin(), clocks.end());
  memory.numbers.insert(memory.numbers.end(), {next_event_, pending_ ? 1.0 : 0.0});
  return memory;
}

void EventSimulation::take_memory(const EventMemory& memory) {
  const std::span<const double> numbers = memory.numbers;
  exchange_.restore(numbers.first(exchange_.number_count()), memory.discrete_values);
  clocks_.take(numbers.subspan(exchange_.number_count(), clocks_.memory_size()));
  const auto rest = numbers.last(2);
  next_event_ = rest[0];
  pending_ = rest[1] != 0.0;
  in_event_ = event_begins_ = instant_begins_ = wants_to_end_ = false;
}

/// Freed before the instance, or not at all if the instance went first.
Snapshot EventSimulation::save() {
  const CallScope scope(identity_);
  std::weak_ptr<EventInstance> alive = instance_;
  std::shared_ptr<void> state(instance_->save_state(), [alive](void* handle) {
    const auto instance = alive.lock();
    if (!instance) return;
    const CallScope at_the_end(instance->identity().c_str());
    instance->free_state(handle);
  });
  return {{}, std::make_shared<Saved>(Saved{std::move(state), own_memory()})};
}

void EventSimulation::restore(const Snapshot& snapshot) {
  const CallScope scope(identity_);
  const auto& saved = *static_cast<const Saved*>(snapshot.handle.get());
  instance_->restore_state(saved.of_fmu.get());
  take_memory(saved.own);
}

std::string EventSimulation::serialise() {
  const Snapshot snapshot = save();
  const CallScope scope(identity_);
  const auto& saved = *static_cast<const Saved*>(snapshot.handle.get());
  const auto bytes = instance_->serialise(saved.of_fmu.get());
  return saved.own.bytes().append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void EventSimulation::resume(double t, std::string_view bytes) {
  if (want_all_unless_prepared()) exchange_.want(ports_, nullptr);
  start_ = t;
  instance_.reset();
  arithmetic_ = Arithmetic::now();
  const EventMemory own = EventMemory::read(bytes, own_numbers(), exchange_.discrete_count());
  instance_ = birth_.made();
  begin_life();
  const HostGuard guard;
  const CallScope scope(identity_);
  configure(*instance_, setup_);
  void* state = instance_->deserialise({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  instance_->restore_state(state);
  instance_->free_state(state);
  take_memory(own);
}

std::optional<lti::Matrix> EventSimulation::feedthrough_matrix(double t, assembly::Sources /*sources*/, In inputs) {
  const CallScope scope(identity_);
  if (instance_->mode() == Mode::initialising) exchange_.set_first(*instance_, driven(t, inputs.data()));
  return start_derivatives(*instance_, interface_);
}

std::optional<assembly::LinearModel> EventSimulation::linearise(double /*t*/, In /*inputs*/) {
  const CallScope scope(identity_);
  return linear_by_derivatives(*instance_, interface_);
}

assembly::LinearOffer EventSimulation::linear_offer() const { return offer_of(interface_); }

bool EventSimulation::tell_linear(double /*t*/, In /*inputs*/, const assembly::LinearNumbers& numbers) {
  return tell_by_derivatives(*instance_, arithmetic_, numbers);
}

}  // namespace seam::fmi
