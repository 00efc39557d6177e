// A plan on its way to a program: lanes and routes, places in memory, the operations of every tick.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/coupling/exchange_order.hpp"

namespace seam::coupling {

/// How one wire is carried: straight into the input, or through an emitter and a receiver.
struct Route {
  int receiver_group = -1;  ///< none: the wire writes the input itself
  int column = 0;
  int emitter_group = -1;  ///< none: the last value
  int sent_column = 0;
};

class Compiler {
 public:
  Compiler(assembly::Assembly& assembly, const system::Plan& plan, const CompileOptions& options,
           base::Problems& problems)
      : assembly_(assembly), plan_(plan), options_(options), problems_(problems) {}

  std::optional<Program> compile();

 private:
  void make_lanes();
  void set_horizon();
  Route route(const assembly::Wire& wire);
  int emitter_group(const assembly::Wire& wire, const system::Coupling& coupling);
  int number_of(const system::Coupling& coupling);
  void choose_crossing(Lane& lane);
  double micro_step_of_samples(const assembly::Wire& wire);
  void check_emitter(const assembly::Wire& wire, const system::Coupling& coupling);
  void check_filters(const assembly::Wire& wire, const system::Coupling& coupling);
  void check_last_step_of_filters();
  void warn_of_jumps(const assembly::Wire& wire, const system::Coupling& coupling);
  void lay_out();
  void lay_out_groups();
  void list_signals();
  void check_rates();
  void write_slots();
  void write_slot(base::Tick end);
  void write_steps_together(base::Tick end);
  void write_steps_in_turn(base::Tick end);
  void write_step(std::size_t lane, std::vector<Operation>& operations);
  void write_receivers(const Lane& lane, base::Tick end);
  void write_point(base::Tick end);
  /// Values of corrected wires are those that the subsystem gave, or those that the corrector made of them.
  enum class Sent { raw, mended };
  enum class Samples { appended, replaced };
  void write_arrivals(const std::vector<std::size_t>& wires, Samples samples, Sent sent);
  void write_discrete_values(base::Tick end, int sink);
  /// Wires of which a sample reaches its sink at this tick, or on the way to it (ahead).
  enum class Arriving { ahead, at_point };
  std::vector<std::size_t> arriving(base::Tick end, Arriving when, int sink = -1) const;
  bool arrives(const Lane& lane, base::Tick end) const { return end % lane.multiple == 0; }
  bool is_ahead(const Lane& source, const Lane& sink) const { return source.turn < sink.turn; }
  bool brings_news(const Lane& source, const Lane& sink, base::Tick end) const;
  void list_unread_outputs();
  bool is_affine_throughout() const;
  // the corrector
  bool is_corrected(const assembly::Wire& wire) const {
    return program_.correction && plan_.corrector(wire.connection) && between_continuous_ports(wire) &&
           !has_filters(plan_.connections[static_cast<std::size_t>(wire.connection)]);
  }
  bool is_corrected_sample(const assembly::Wire& wire) const;
  const CorrectedWire* corrected(std::size_t wire) const;
  void choose_corrected();
  CorrectedLane corrected_lane(std::size_t lane) const;
  void number_corrected();
  void split_for_points();
  void lay_out_correction();
  void lay_out_corrected_wires();
  void lay_out_points();
  void list_corrector_signals();
  void make_models();
  void prepare_learning();
  const GivenModel* given_model(int member) const;
  Known what_is_known(const CorrectedLane& lane, assembly::LinearOffer& offer);
  void write_offsets(base::Tick end, int lane);
  void prepare(Lane& lane);

  bool between_continuous_ports(const assembly::Wire& wire) const {
    return member(wire.from).outputs[static_cast<std::size_t>(wire.output)].variability ==
               system::Variability::continuous &&
           member(wire.to).inputs[static_cast<std::size_t>(wire.input)].variability == system::Variability::continuous;
  }
  const assembly::Member& member(int index) const { return assembly_.members[static_cast<std::size_t>(index)]; }
  Lane& lane_of(int member) {
    return program_.lanes[static_cast<std::size_t>(lane_of_member_[static_cast<std::size_t>(member)])];
  }
  int stage(const assembly::Wire& wire) const {
    return order_.stage[static_cast<std::size_t>(wire.from)][static_cast<std::size_t>(wire.output)];
  }
  int take(int count) {
    const int place = size_;
    size_ += count;
    return place;
  }
  int micro_steps(int member_index);
  int micro_steps_if_needed(const Lane& lane, bool cannot_take_signal);
  const Lane& lane_of(int member) const {
    return program_.lanes[static_cast<std::size_t>(lane_of_member_[static_cast<std::size_t>(member)])];
  }
  double step_of(const Lane& lane) const { return lane.multiple * plan_.step; }
  bool one_divides_the_other(const assembly::Wire& wire);
  /// Between two samples on their way from one to the other, s.
  double interval(const Lane& source, const Lane& sink) const { return std::max(step_of(source), step_of(sink)); }
  void add_phases(ReceiverGroup& group, const system::Coupling& coupling, int source_steps);

  assembly::Assembly& assembly_;
  const system::Plan& plan_;
  const CompileOptions& options_;
  base::Problems& problems_;
  Program program_;
  ExchangeOrder order_;
  std::vector<int> lane_of_member_;
  std::vector<Route> routes_;                                      // one a wire
  std::vector<const system::Coupling*> couplings_;                 // that differ, of the plan
  std::map<std::tuple<int, int, int, int>, int> receiver_groups_;  // lane, source lane, stage, coupling
  std::map<std::tuple<int, int, double>, int> emitter_groups_;     // lane, coupling, s between samples
  base::Tick hyper_period_ = 1;
  int size_ = 0;
};

}  // namespace seam::coupling
