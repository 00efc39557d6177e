// An FMU file of a stranger: its list of entries, its description, and what unpacking it leaves on the disk.
#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "fuzz/harness.hpp"
#include "seam/base/error.hpp"
#include "seam/fmi/archive/archive.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip.hpp"

namespace seam::fuzz {
namespace {

namespace fs = std::filesystem;

// The program refuses by the same rules; only the sizes are smaller, so that an input takes milliseconds.
formats::ZipLimits small_limits() {
  formats::ZipLimits limits;
  limits.entries = 50;
  limits.entry_bytes = limits.total_bytes = std::uint64_t{1} << 20;
  return limits;
}

void unpack(const formats::ZipArchive& archive, const fs::path& target) {
  fs::create_directory(target);
  try {
    archive.extract(target, formats::ZipArchive::Access::writable);
    for (const formats::ZipEntry& entry : archive.entries()) {
      must(fs::symlink_status(target / entry.name).type() ==
               (entry.kind == formats::ZipEntry::Kind::folder ? fs::file_type::directory : fs::file_type::regular),
           "every entry is unpacked as the file or folder it is");
    }
  } catch (const base::Error&) {
    // damaged bytes
  }
  for (const auto& made : fs::recursive_directory_iterator(target)) {
    must(made.is_directory() || made.is_regular_file(), "unpacking makes files and folders alone");
  }
  fs::remove_all(target);
}

void open(const std::string& bytes) {
  static const formats::TemporaryFolder folder;
  const std::string path = folder.file("a.fmu");
  formats::write_text(path, bytes);
  base::Problems problems;
  if (const auto fmu = fmi::open_fmu(path, problems)) {
    must(problems.empty(), "an FMU that is opened has no problems");
    fmi::description_problems(*fmu);
  } else {
    must(!problems.text().empty(), "an FMU that is not opened has a problem");
  }
  base::Problems refusals;
  if (const auto archive = formats::open_zip(path, refusals, small_limits())) {
    unpack(*archive, folder.file("unpacked"));
    must(folder.files() == 1, "nothing is written outside of the folder");
  }
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::open({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
