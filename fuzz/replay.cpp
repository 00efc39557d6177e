// The main() of a harness without libFuzzer: calls it with every file of the folders and files it is given.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/harness.hpp"
#include "seam/formats/text_file.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(int count, char** arguments) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    const fs::path path = arguments[i];
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The most memory this process ever had, MiB.
long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr long most_memory = 512;  // MiB, as `make fuzz` allows
  const std::vector<fs::path> files = files_in(count, arguments);
  for (const fs::path& file : files) {
    fmt::print(stderr, "{}\n", file.string());
    const std::string bytes = seam::formats::read_text(file.string());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    seam::fuzz::must(peak_memory() <= most_memory, "an input needs less than 512 MiB");
  }
  fmt::print(stderr, "{} inputs\n", files.size());
  return files.empty() ? 1 : 0;  // a test without inputs tests nothing
}
