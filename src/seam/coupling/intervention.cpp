#include "seam/coupling/intervention.hpp"

#include <algorithm>
#include <map>

namespace seam::coupling {
namespace {

using base::Tick;
using system::Course;
using system::Piece;
using Target = Intervention::Target;

int newest_sample(const Parts& parts, int lane, int input) {
  for (const ReceiverGroup& group : parts.receivers) {
    const auto column = std::find(group.columns.begin(), group.columns.end(), input);
    if (group.lane == lane && column != group.columns.end())
      return group.history + static_cast<int>(column - group.columns.begin());
  }
  return -1;
}

const assembly::Drive* drive_of(const assembly::Assembly& assembly, const Course& course) {
  for (const assembly::Drive& drive : assembly.members[static_cast<std::size_t>(course.subsystem)].drives) {
    if (drive.input == course.input) return &drive;
  }
  return nullptr;
}

double number(const Course& course, const Piece& piece, Tick tick, double t) {
  return course.type == system::PortType::real ? piece.at(tick, t) : system::real_of(piece.discrete_value, course.type);
}

/// A known signal is silenced by the factor 0.
void show_driven(const Intervention& one, assembly::Subsystem& subsystem, const Piece* piece, double value) {
  const assembly::Drive& drive = *one.drive;
  if (piece) {
    subsystem.facets().tuning->follow(one.course.input, 0.0, value);
  } else {
    subsystem.facets().tuning->follow(one.course.input, drive.factor, drive.offset);
  }
}

/// Inputs that are there from the start, taken out of the wiring while the system is initialised.
class Pinned {
 public:
  explicit Pinned(const Program& program) : program_(program), assembly_(*program.assembly) {
    wires_ = assembly_.wires;
    discrete_wires_.swap(assembly_.discrete_wires);  // links point into it: it must come back as it is
    assembly_.discrete_wires = discrete_wires_;
    for (const Intervention& one : program_.interventions) {
      const Piece* piece = one.course.at(0);
      if (piece && one.target != Target::parameter) pin(one, *piece);
    }
    for (const auto& [member, starts] : starts_) give(member, starts);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    assembly_.wires = std::move(wires_);
    assembly_.discrete_wires.swap(discrete_wires_);
    for (auto& [member, before] : inputs_) assembly_.members[static_cast<std::size_t>(member)].inputs = before;
  }

 private:
  void pin(const Intervention& one, const Piece& piece) {
    const Course& course = one.course;
    const double value = number(course, piece, 0, program_.grid.start);
    if (one.target == Target::driven)
      return show_driven(one, *program_.lanes[static_cast<std::size_t>(one.lane)].subsystem, &piece, value);
    const auto ends_here = [&](const assembly::Wire& wire) {
      return wire.to == course.subsystem && wire.input == course.input;
    };
    std::erase_if(assembly_.wires, ends_here);
    std::erase_if(assembly_.discrete_wires, [&](const assembly::DiscreteWire& wire) { return ends_here(wire.ends); });
    starts_[course.subsystem].push_back({static_cast<std::size_t>(course.input), value, piece.discrete_value});
  }

  struct Start {
    std::size_t input;
    double value;
    system::DiscreteValue discrete_value;
  };
  void give(int member, const std::vector<Start>& starts) {
    system::PortList& inputs = assembly_.members[static_cast<std::size_t>(member)].inputs;
    inputs_.emplace_back(member, inputs);
    inputs.change([&](std::vector<system::Port>& ports) {
      for (const Start& start : starts) {
        ports[start.input].start = start.value;
        ports[start.input].first = start.discrete_value;
      }
    });
  }

  const Program& program_;
  assembly::Assembly& assembly_;
  std::vector<assembly::Wire> wires_;
  std::vector<assembly::DiscreteWire> discrete_wires_;
  std::map<int, std::vector<Start>> starts_;  // by member
  std::vector<std::pair<int, system::PortList>> inputs_;
};

}  // namespace

Intervention find_intervention(const Course& course, const assembly::Assembly& assembly, const Parts& parts,
                               const Lane& lane) {
  Intervention one;
  one.course = course;
  one.lane = static_cast<int>(&lane - parts.lanes.data());
  if (course.input < 0) {
    one.target = Target::parameter;
    return one;
  }
  const bool real = course.input < lane.inputs;
  one.drive = drive_of(assembly, course);
  one.arrived = real ? newest_sample(parts, one.lane, course.input) : -1;
  if (one.drive) {
    one.target = Target::driven;
  } else if (!real) {
    one.target = Target::discrete_value;
    one.place = lane.discrete_in + course.input - lane.inputs;
  } else if (one.arrived >= 0) {
    one.target = Target::received;
  } else {
    one.place = lane.coefficients + course.input;
  }
  return one;
}

void tune(const Program& program, Tick tick) {
  for (const Intervention& one : program.interventions) {
    const Piece* piece = one.target == Target::parameter ? one.course.at(tick) : nullptr;
    if (!piece || !piece->moves_at(tick)) continue;
    program.lanes[static_cast<std::size_t>(one.lane)].subsystem->facets().tuning->tune(
        one.course.parameter, piece->at(tick, program.grid.time(tick)), piece->discrete_value);
  }
}

void intervene_in_step(const Program& program, Memory& memory, Tick tick) {
  for (const Intervention& one : program.interventions) {
    if (one.target != Target::received || !one.course.at(tick)) continue;
    const Lane& lane = program.lanes[static_cast<std::size_t>(one.lane)];
    double* const input = memory.values.data() + lane.coefficients + one.course.input;
    input[0] = memory.values[static_cast<std::size_t>(one.place)];
    for (int power = 1; power <= lane.degree; ++power) input[power * lane.inputs] = 0.0;
  }
}

void intervene_at_point(const Program& program, Memory& memory, const Point& point) {
  for (const Intervention& one : program.interventions) {
    const Piece* piece = one.course.at(point.tick);
    const double value = piece ? number(one.course, *piece, point.tick, point.time) : 0.0;
    const auto place = static_cast<std::size_t>(one.place);
    switch (one.target) {
      case Target::in_place:
        if (piece) memory.values[place] = value;
        break;
      case Target::received:
        memory.values[place] = piece ? value : memory.values[static_cast<std::size_t>(one.arrived)];
        break;
      case Target::driven:
        show_driven(one, *program.lanes[static_cast<std::size_t>(one.lane)].subsystem, piece, value);
        memory.values[place] =
            piece ? value : one.drive->factor * one.drive->signal->at(point.time) + one.drive->offset;
        break;
      case Target::discrete_value:
        if (piece) memory.discrete_values[place] = piece->discrete_value;
        break;
      case Target::parameter:
        break;
    }
  }
}

void intervene_after_resuming(const Program& program, Memory& memory) {
  intervene_at_point(program, memory, {memory.tick, program.grid.time(memory.tick)});
}

assembly::PortValues initialise_under_events(const Program& program) {
  const Pinned pinned(program);
  return assembly::initialise(*program.assembly, program.grid.start);
}

}  // namespace seam::coupling
