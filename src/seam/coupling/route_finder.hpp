// The decisions of find_routes, over several files.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/exchange_order.hpp"
#include "seam/coupling/routes.hpp"

namespace seam::coupling {

class RouteFinder {
 public:
  explicit RouteFinder(const CompileTask& task)
      : assembly_(task.assembly), plan_(task.plan), options_(task.options), problems_(task.problems) {}

  std::optional<Routes> find_all();

 private:
  void make_lanes();
  void check_rates();
  void set_horizon();
  void set_stages(const ExchangeOrder& order);
  void carry(const assembly::Wire& wire, Route& route);
  int receiver_group(const assembly::Wire& wire, const Route& route, const system::Coupling& coupling);
  int emitter_group(const assembly::Wire& wire, const system::Coupling& coupling);
  int number_of(const system::Coupling& coupling);
  void add_phases(ReceiverGroup& group, const system::Coupling& coupling, int source_steps);
  bool one_divides_the_other(const assembly::Wire& wire);
  int micro_steps(int member_index);
  int micro_steps_if_needed(const Lane& lane, bool cannot_take_signal);
  void choose_crossing(Lane& lane);
  void list_event_lanes();
  // filters
  double micro_step_of_samples(const assembly::Wire& wire);
  void check_emitter(const assembly::Wire& wire, const system::Coupling& coupling);
  void check_filters(const assembly::Wire& wire, const system::Coupling& coupling);
  void check_last_step_of_filters();
  void warn_of_jumps(const assembly::Wire& wire, const system::Coupling& coupling);
  // the corrector
  bool is_corrected(const assembly::Wire& wire) const {
    return !plan_.corrector.name.empty() && plan_.corrector(wire.connection) && between_continuous_ports(wire) &&
           !has_filters(plan_.connections[static_cast<std::size_t>(wire.connection)]);
  }
  bool is_corrected_sample(const assembly::Wire& wire) const;
  void choose_corrected();
  CorrectedLane corrected_lane(std::size_t lane) const;
  CorrectedWire corrected_wire(std::size_t wire) const;
  void number_corrected();
  bool can_be_split(const Lane& lane, int calls);
  void choose_written(CorrectedLane& corrected, Lane& lane);
  void check_written();
  void keep_order_0();
  void find_corrected_points();
  void split_for_points(const CorrectedLane& corrected);
  void watch_points();
  bool leaves_nothing_unexplained() const;
  std::vector<int> told_signals(const Lane& lane) const;
  void find_models();
  void check_windows();
  Known what_is_known(const CorrectedLane& lane, assembly::LinearOffer& offer);

  bool between_continuous_ports(const assembly::Wire& wire) const {
    return member(wire.from).outputs[static_cast<std::size_t>(wire.output)].variability ==
               system::Variability::continuous &&
           member(wire.to).inputs[static_cast<std::size_t>(wire.input)].variability == system::Variability::continuous;
  }
  const assembly::Member& member(int index) const { return assembly_.members[static_cast<std::size_t>(index)]; }
  const Lane& lane_of(int member) const {
    return parts_.lanes[static_cast<std::size_t>(routes_.lane_of_member[static_cast<std::size_t>(member)])];
  }
  Lane& lane_of(int member) {
    return parts_.lanes[static_cast<std::size_t>(routes_.lane_of_member[static_cast<std::size_t>(member)])];
  }
  double step_of(const Lane& lane) const { return lane.multiple * plan_.step; }
  bool is_ahead(const Lane& source, const Lane& sink) const { return source.turn < sink.turn; }
  /// Between two samples on their way from one to the other, s.
  double interval(const Lane& source, const Lane& sink) const { return std::max(step_of(source), step_of(sink)); }

  assembly::Assembly& assembly_;
  const system::Plan& plan_;
  const CompileOptions& options_;
  base::Problems& problems_;
  Routes routes_;
  Parts& parts_ = routes_.parts;
  std::vector<const system::Coupling*> couplings_;  // that differ, of the plan
  std::map<std::tuple<int, int, int, int, bool>, int>
      receiver_groups_;                                         // lane, source lane, stage, coupling, predicted
  std::map<std::tuple<int, int, double>, int> emitter_groups_;  // member, coupling, s between samples
};

}  // namespace seam::coupling
