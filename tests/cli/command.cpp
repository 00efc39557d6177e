#include "cli/command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::cli {
namespace {

/// In the child: stream `number` goes to a file.
void redirect(int number, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, number) < 0) ::_exit(127);
}

}  // namespace

void Folder::write(const std::string& name, const std::string& text) const { formats::write_text(path(name), text); }

std::string Folder::read(const std::string& name) const { return formats::read_text(path(name)); }

bool Folder::has(const std::string& name) const { return std::filesystem::exists(path(name)); }

Words Folder::names() const {
  Words names;
  for (const auto& entry : std::filesystem::directory_iterator(path("."))) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

formats::Table Folder::table(const std::string& name) const {
  base::Problems problems;
  formats::Table table = formats::read_table(path(name), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return table;
}

formats::Value Folder::json(const std::string& name) const { return cli::json(read(name)); }

pid_t Folder::start(const Words& arguments, unsigned longest) const {
  Words words = {SEAM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process != 0) return process;
  if (::chdir(path(".").c_str()) != 0) ::_exit(127);
  redirect(STDOUT_FILENO, printed_.file("out"));
  redirect(STDERR_FILENO, printed_.file("err"));
  ::alarm(longest);
  ::execv(SEAM_PROGRAM, argv.data());
  ::_exit(127);
}

Ran Folder::wait(pid_t process) const {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  Ran ran;
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  ran.out = formats::read_text(printed_.file("out"));
  ran.err = formats::read_text(printed_.file("err"));
  return ran;
}

Ran Folder::seam(const Words& arguments) const { return wait(start(arguments)); }

formats::Value json(const std::string& text) {
  try {
    return formats::parse_json(text);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
    return {};
  }
}

double number(const formats::Value& object, const std::string& key) {
  const formats::Value* value = object.find(key);
  if (value && (value->is(formats::Value::Kind::real) || value->is(formats::Value::Kind::integer)))
    return value->number();
  ADD_FAILURE() << "no number \"" << key << "\"";
  return std::nan("");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

::testing::AssertionResult refused(const std::string& text, const std::string& place, const Words& words,
                                   const Words& flags) {
  const Folder folder("system.yaml", text);
  Words arguments = {"run", "system.yaml"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const Ran ran = folder.seam(arguments);
  const auto failure = [&] { return ::testing::AssertionFailure() << "standard error:\n" << ran.err << "\n"; };
  if (ran.exit_code != 1) return failure() << "exit code " << ran.exit_code;
  if (!ran.out.empty()) return failure() << "standard output: " << ran.out;
  if (ran.err.find(place + " ") == std::string::npos) return failure() << "not said: " << place;
  for (const std::string& word : words) {
    if (ran.err.find(word) == std::string::npos) return failure() << "not said: " << word;
  }
  if (folder.names() != Words{"system.yaml"}) return failure() << "something was written";
  return ::testing::AssertionSuccess();
}

}  // namespace seam::cli
