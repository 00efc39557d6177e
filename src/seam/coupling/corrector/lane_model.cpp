#include <algorithm>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/prediction_maker.hpp"
#include "seam/lti/kalman.hpp"

namespace seam::coupling {
namespace {

using Eigen::Index;
using lti::Matrix;

/// Equations over all real ports.
lti::StateSpace equations_of(const CompileTask& task, const Lane& own) {
  if (const GivenModel* given = task.options.model_of(own.member)) return given->equations;
  assembly::Equations* const known = own.subsystem->facets().equations;
  const Index n = known->linear_offer().states;
  lti::StateSpace all{Matrix(n, n), Matrix(n, own.inputs), Matrix(own.outputs, n), Matrix(own.outputs, own.inputs)};
  const std::vector<double> inputs(static_cast<std::size_t>(own.inputs));
  known->tell_linear(task.options.start, inputs, {all.A.data(), all.B.data(), all.C.data(), all.D.data()});
  return all;
}

/// Ports whose polynomials say what the subsystem gets: not corrected, and no known signal unless it is told.
std::vector<int> other_inputs(const CompileTask& task, const CorrectedLane& lane, const Lane& own) {
  const auto& drives = task.assembly.members[static_cast<std::size_t>(own.member)].drives;
  std::vector<int> others;
  for (int port = 0; port < own.inputs; ++port) {
    const bool corrected = std::find(lane.input_ports.begin(), lane.input_ports.end(), port) != lane.input_ports.end();
    const bool driven =
        std::any_of(drives.begin(), drives.end(), [&](const assembly::Drive& drive) { return drive.input == port; });
    const bool told = std::find(lane.driven_ports.begin(), lane.driven_ports.end(), port) != lane.driven_ports.end();
    if (!corrected && (!driven || told)) others.push_back(port);
  }
  return others;
}

/// Columns of the ports of `lane.equations`, of a matrix over all ports.
Matrix columns_of(const CorrectedLane& lane, const std::vector<int>& others, const Matrix& all) {
  Matrix result(all.rows(), lane.inputs + static_cast<Index>(others.size()));
  Index column = 0;
  for (const std::vector<int>* ports : {&lane.input_ports, &others}) {
    for (const int port : *ports) result.col(column++) = all.col(port);
  }
  return result;
}

}  // namespace

std::shared_ptr<const LaneModel> lane_model(const CompileTask& task, const CorrectedLane& lane, const Lane& own) {
  LaneModel model;
  model.others = other_inputs(task, lane, own);
  lti::StateSpace all = equations_of(task, own);
  Matrix C(lane.outputs, all.states()), D(lane.outputs, all.inputs());
  for (int o = 0; o < lane.outputs; ++o) {
    C.row(o) = all.C.row(lane.output_ports[static_cast<std::size_t>(o)]);
    D.row(o) = all.D.row(lane.output_ports[static_cast<std::size_t>(o)]);
  }
  const lti::ObservablePart part =
      lti::observable_part({all.A, columns_of(lane, model.others, all.B), C, columns_of(lane, model.others, D)});
  model.system = part.system;
  model.to_states = part.to_part;
  const GivenModel* const given = task.options.model_of(own.member);
  if (given && given->start) {
    model.start = LaneModel::Start::known;
    model.known = part.to_part * *given->start;
  } else if (own.subsystem->shows_states() &&
             own.subsystem->states().size() == static_cast<std::size_t>(all.states())) {
    model.start = LaneModel::Start::of_states;
  }
  return std::make_shared<const LaneModel>(std::move(model));
}

}  // namespace seam::coupling
