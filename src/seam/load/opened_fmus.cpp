#include "seam/load/opened_fmus.hpp"

#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace seam::load {
namespace {

/// A file as it is now: the same path with another content is another FMU.
using FileStamp = std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>;

std::optional<FileStamp> stamp(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed) return std::nullopt;
  const auto time = std::filesystem::last_write_time(path, failed);
  if (failed) return std::nullopt;
  return FileStamp{std::filesystem::absolute(path).lexically_normal().string(), size, time};
}

}  // namespace

std::shared_ptr<const fmi::Fmu> open_fmu_once(const std::string& path, const base::Location& where,
                                              base::Problems& problems) {
  static std::map<FileStamp, std::shared_ptr<const fmi::Fmu>> cache;
  const auto key = stamp(path);
  if (key) {
    if (const auto known = cache.find(*key); known != cache.end()) return known->second;
  }
  base::Problems found;
  auto fmu = fmi::open_fmu(path, found);
  for (const base::Problem& problem : found.all()) {
    // Problems inside the FMU have no place in the system file: show the line that names the FMU.
    problems.add(problem.where.line > 0 ? problem.where : where, problem.what, problem.mend);
  }
  if (!fmu) return nullptr;
  auto shared = std::make_shared<const fmi::Fmu>(std::move(*fmu));
  if (key) cache[*key] = shared;
  return shared;
}

std::shared_ptr<const fmi::Fmu> fmu_of(const system::Subsystem& subsystem) {
  base::Problems said_before;
  const system::FmuFile* const file = subsystem.fmu();
  return file ? open_fmu_once(file->path, file->where, said_before) : nullptr;
}

std::shared_ptr<const fmi::Ports> ports_once(const std::shared_ptr<const fmi::Fmu>& fmu,
                                             const fmi::Structure& structure) {
  struct Described {
    std::shared_ptr<const fmi::Fmu> fmu;  // the ports refer to it
    std::shared_ptr<const fmi::Ports> ports;
  };
  static std::map<std::pair<const fmi::Fmu*, fmi::Structure>, Described> known;
  Described& described = known[{fmu.get(), structure}];
  if (!described.ports)
    described = {fmu, std::make_shared<const fmi::Ports>(fmi::ports_of(fmu->description, structure))};
  return described.ports;
}

}  // namespace seam::load
