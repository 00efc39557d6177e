// The table of built-in models: names, parameters and how each is made. Help, docs and checks all read it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "seam/load/parameter_reader.hpp"
#include "seam/load/reach.hpp"
#include "seam/models/model.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

/// What a model may need to know besides its parameters.
struct MakeContext {
  double solver_step = 0.0;  ///< s; what the subsystem will be solved with
  Reach reach = {};          ///< of the system file
};

/// None after problems, which the reader has collected.
using ModelMaker = std::optional<models::Model> (*)(ParameterReader& parameters, const MakeContext& context);

struct ModelEntry {
  std::string name;
  std::string summary;
  std::vector<ParameterEntry> parameters;
  ModelMaker make = nullptr;
  /// The others besides its parameters.
  enum class Needs { parameters, solver_step, files } needs = Needs::parameters;
};

/// All built-in models, by name.
const std::vector<ModelEntry>& model_catalog();

/// The model of a subsystem with its `set:` applied; none after problems: unknown model, unknown, missing or wrong
/// parameters, all reported at once.
std::optional<models::Model> make_model(const system::Subsystem& subsystem, const MakeContext& context,
                                        base::Problems& problems);

/// Keeps one a subsystem, and gives it again as long as its parameters are the same, and what else it needs: a table is
/// read once. For any number of threads.
class ModelCache {
 public:
  /// As make_model; null after problems. `number` is that of the subsystem.
  std::shared_ptr<const models::Model> model(std::size_t number, const system::Subsystem& subsystem,
                                             const MakeContext& context, base::Problems& problems);

 private:
  struct Kept {
    std::string name;
    std::vector<system::Setting> set;
    MakeContext context;
    std::shared_ptr<const models::Model> model;
  };
  std::mutex mutex_;
  std::vector<Kept> kept_;
};

}  // namespace seam::load
