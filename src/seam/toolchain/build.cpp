#include "seam/toolchain/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "seam/base/error.hpp"
#include "seam/fmi/archive/cache.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/fmi/description/notes.hpp"
#include "seam/fmi/instance/library.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip.hpp"
#include "seam/toolchain/compile.hpp"
#include "seam/toolchain/process.hpp"

namespace seam::toolchain {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Failure;

/// Thrown where the user asked to stop, so that every folder is cleared away.
struct Interrupted {};

class WorkFolder {
 public:
  WorkFolder() : path_(fmi::make_temporary_folder("seam-build-")) {}
  ~WorkFolder() { fmi::remove_folder(path_); }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// What a compiler printed, safe to show; its first lines say most.
std::string shown(const fs::path& printed) {
  constexpr std::size_t most_bytes = std::size_t{1} << 16, most_lines = 40;
  std::string text(most_bytes, '\0');
  formats::OpenFile file(printed.string(), formats::OpenFile::For::reading);
  text.resize(file.read(text.data(), text.size()));
  std::string lines;
  std::size_t begin = 0, count = 0;
  for (; begin < text.size() && count < most_lines; ++count) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += "\n   " + formats::printable(std::string_view(text).substr(begin, end - begin), 400);
    begin = end + 1;
  }
  return begin < text.size() ? lines + "\n   …" : lines;
}

/// The functions of the standard, as our header lists them.
Words standard_functions(fmi::Version version) {
  const std::string prefix = version == fmi::Version::fmi2 ? "fmi2" : "fmi3";
  const std::string before = "#define " + prefix, after = " " + prefix + "FullName(" + prefix;
  Words names;
  for (const StandardHeader& header : standard_headers()) {
    std::string_view text = header.text;
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string_view::npos; at += before.size()) {
      const std::size_t begin = at + std::strlen("#define "), end = text.find(' ', begin);
      if (text.substr(end).starts_with(after)) names.emplace_back(text.substr(begin, end - begin));
    }
  }
  return names;
}

class Workshop {
 public:
  Workshop(const fmi::Fmu& fmu, const std::atomic<bool>* stop_asked)
      : fmu_(fmu),
        stop_asked_(stop_asked),
        files_(fmu, fmi::Unpacked::Sharing::private_copy),
        compilers_(compilers_of_environment()),
        identity_(fmt::format("the library made from \"{}\"", formats::printable(fmu.path))) {
    fs::create_directory(work_ / "headers");
    for (const StandardHeader& header : standard_headers())
      formats::write_text((work_ / "headers" / header.name).string(), header.text);
  }

  /// The library, in the folder of this workshop.
  fs::path make(const fmi::BuildConfiguration& configuration, const std::vector<Dialect>& dialects) {
    Words objects;
    Language linked = Language::c;
    for (std::size_t s = 0; s < configuration.sets.size(); ++s) {
      for (const std::string& file : configuration.sets[s].files) {
        const Language language = dialects[s].of(file);
        if (language == Language::cxx) linked = language;
        objects.push_back((work_ / fmt::format("{}.o", objects_++)).string());
        Words words = language == Language::cxx ? compilers_.cxx : compilers_.c;
        const Words more = words_to_compile(
            {configuration.sets[s], dialects[s], file, fmu_.description.version, work_ / "headers", objects.back()});
        words.insert(words.end(), more.begin(), more.end());
        start(words, language == Language::cxx ? "CXX" : "CC", "do not compile");
      }
    }
    append_libraries(configuration, objects);
    return linked_library(configuration.model_identifier, objects, linked);
  }

 private:
  void start(const Words& words, const char* variable, const char* otherwise) {
    const fs::path printed = work_ / "printed";
    const Ending ending = run({words, files_.folder(), printed}, stop_asked_);
    if (ending.well()) return;
    switch (ending.how) {
      case Ending::How::interrupted:
        throw Interrupted{};
      case Ending::How::not_found:
        throw Error(Failure::file, fmt::format("the compiler \"{}\" cannot be started: {}\n   install one (Debian: "
                                               "apt install build-essential), or name it: {}=…",
                                               words.front(), std::strerror(ending.code), variable));
      default:
        throw Error(
            Failure::file,
            fmt::format("the sources of \"{}\" {} ({} ended with {} {}){}", fmu_.path, otherwise, words.front(),
                        ending.how == Ending::How::killed ? "signal" : "exit code", ending.code, shown(printed)));
    }
  }

  /// What lies in sources/ goes by its path, the rest is the linker's to find.
  void append_libraries(const fmi::BuildConfiguration& configuration, Words& words) const {
    for (const fmi::NeededLibrary& library : configuration.libraries) {
      if (library.place == fmi::NeededLibrary::Place::system) {
        words.push_back("-l" + library.name);
        continue;
      }
      const Words names{library.name, library.name + ".a", "lib" + library.name + ".a"};
      const auto there = std::ranges::find_if(names, [&](const std::string& name) {
        std::error_code error;
        return fs::is_regular_file(files_.folder() / "sources" / name, error);
      });
      if (there == names.end())
        throw Error(Failure::file,
                    fmt::format("\"{}\" needs the library {}, which is not in its sources/", fmu_.path, library.name));
      words.push_back("./sources/" + *there);
    }
    words.emplace_back("-lm");
  }

  fs::path link(const Words& objects, const Words& options, Language language) {
    const fs::path library = work_ / fmt::format("{}.so", libraries_++);
    Words words = language == Language::cxx ? compilers_.cxx : compilers_.c;
    words.insert(words.end(), {"-shared", "-o", library.string()});
    words.insert(words.end(), objects.begin(), objects.end());
    words.emplace_back("-Wl,--no-undefined");
    words.insert(words.end(), options.begin(), options.end());
    start(words, language == Language::cxx ? "CXX" : "CC", "cannot be linked");
    return library;
  }

  /// Headers that come with old sources know no override: then the functions carry the name of the model, and are
  /// given their plain names here.
  fs::path linked_library(const std::string& identifier, const Words& objects, Language language) {
    const fs::path library = link(objects, {}, language);
    const Words required = fmi::required_functions(fmu_.description, identifier);
    const Words missing = missing_in(library, "", required);
    if (missing.empty()) return library;
    const std::string prefix = identifier + "_";
    if (!missing_in(library, prefix, required).empty()) complain(missing);
    const Words all = standard_functions(fmu_.description.version);
    const Words absent = missing_in(library, prefix, all);
    Words options;
    for (const std::string& name : all) {
      if (std::ranges::find(absent, name) == absent.end())
        options.push_back("-Wl,--defsym=" + name + "=" + prefix + name);
    }
    const fs::path renamed = link(objects, options, language);
    if (const Words still = missing_in(renamed, "", required); !still.empty()) complain(still);
    return renamed;
  }

  /// Loads it: the only way to know what a run will find.
  Words missing_in(const fs::path& path, const std::string& prefix, const Words& functions) const {
    const fmi::Library library(path, identity_.c_str());
    Words missing;
    for (const std::string& name : functions) {
      if (!library.find((prefix + name).c_str())) missing.push_back(name);
    }
    return missing;
  }

  [[noreturn]] void complain(const Words& missing) const {
    throw Error(Failure::file, fmt::format("the sources of \"{}\" lack what its description promises: {}", fmu_.path,
                                           fmt::join(missing, ", ")));
  }

  const fmi::Fmu& fmu_;
  const std::atomic<bool>* stop_asked_;
  WorkFolder work_;
  fmi::Unpacked files_;
  Compilers compilers_;
  std::string identity_;
  int objects_ = 0, libraries_ = 0;
};

std::string default_output(const std::string& fmu, const std::string& platform) {
  const fs::path path(fmu);
  return (path.parent_path() / fmt::format("{}-{}.fmu", path.stem().string(), platform)).string();
}

void check_targets(const BuildRequest& request, const Built& built, const fmi::BuildDescription& build,
                   const fmi::Fmu& fmu) {
  base::Problems problems;
  std::error_code error;
  const bool kept = request.existing == BuildRequest::Existing::kept;
  if (kept && fs::exists(built.file, error))
    problems.add({}, fmt::format("\"{}\" exists already", built.file), "give another name with -o, or say --force");
  if (fs::is_directory(built.file, error)) problems.add({}, fmt::format("\"{}\" is a folder", built.file));
  const fs::path folder = fs::absolute(built.file).parent_path();
  if (!fs::is_directory(folder, error)) problems.add({}, fmt::format("there is no folder \"{}\"", folder.string()));
  const bool has_platform = std::ranges::find(fmu.platforms, built.platform) != fmu.platforms.end();
  if (kept && has_platform && !build.configurations.empty())
    problems.add({}, fmt::format("\"{}\" has a library for this platform already ({})", fmu.path, built.platform),
                 "say --force to build it anew");
  base::require_none(problems);
}

std::vector<std::vector<Dialect>> dialects_of(const fmi::BuildDescription& build, const fmi::Fmu& fmu, Built& built) {
  const base::Location where{std::make_shared<base::Source>(base::Source{fmu.path, {}}), 0, 0, 1};
  base::Problems problems;
  std::vector<std::vector<Dialect>> all;
  for (const fmi::BuildConfiguration& configuration : build.configurations) {
    auto& dialects = all.emplace_back();
    for (const fmi::SourceSet& set : configuration.sets) {
      auto dialect = dialect_of(set, where, problems);
      if (!dialect) continue;
      if (!dialect->left.empty())
        built.notices.push_back(fmt::format("compiler options of the FMU are left out: {}",
                                            formats::printable(fmt::format("{}", fmt::join(dialect->left, " ")))));
      dialects.push_back(std::move(*dialect));
    }
  }
  base::require_none(problems);
  return all;
}

}  // namespace

std::optional<Built> build(const BuildRequest& request) {
  base::Problems problems;
  const auto fmu = fmi::open_fmu(request.fmu, problems);
  if (!fmu) throw base::ProblemsFound(problems);
  const auto description = fmi::read_build_description(*fmu, problems);
  base::require_none(problems);
  Built built;
  built.platform = fmi::this_machine().folder(fmu->description.version);
  built.file = request.output.empty() ? default_output(request.fmu, built.platform) : request.output;
  built.notices = description->notices;
  check_targets(request, built, *description, *fmu);
  const auto dialects = dialects_of(*description, *fmu, built);
  try {
    Workshop workshop(*fmu, request.stop_asked);
    std::vector<formats::ZipAddition> additions;
    for (std::size_t c = 0; c < description->configurations.size(); ++c) {
      const fmi::BuildConfiguration& configuration = description->configurations[c];
      additions.push_back({fmt::format("binaries/{}/{}.so", built.platform, configuration.model_identifier),
                           workshop.make(configuration, dialects[c])});
      built.libraries.push_back(additions.back().name);
    }
    const auto archive = formats::open_zip(request.fmu, problems);
    base::require_none(problems);
    archive->write_with(built.file, additions);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
  return built;
}

}  // namespace seam::toolchain
