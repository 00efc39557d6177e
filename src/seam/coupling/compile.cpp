#include "seam/coupling/compile.hpp"

#include "seam/coupling/layout.hpp"
#include "seam/coupling/routes.hpp"
#include "seam/coupling/write_slots.hpp"

namespace seam::coupling {

std::optional<Program> compile(assembly::Assembly& assembly, const system::Plan& plan, const CompileOptions& options,
                               base::Problems& problems) {
  const CompileTask task{assembly, plan, options, problems};
  const std::optional<Routes> routes = find_routes(task);
  if (!routes) return std::nullopt;
  std::optional<Layout> layout = lay_out(task, *routes);
  if (!layout) return std::nullopt;
  Slots slots = write_slots(task, *routes, *layout);
  Program program{
      routes->horizon, std::move(*layout), std::move(slots), &assembly, options.growth_limit, plan.events, {}, {}};
  if (program.is_affine && options.use == Use::stepping) program.map = find_step_map(program);
  return program;
}

}  // namespace seam::coupling
