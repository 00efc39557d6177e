#include "guard.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "commands.hpp"
#include "output.hpp"
#include "seam/engine/run/blame.hpp"

namespace seam::cli {
namespace {

std::atomic<Answer> wanted_answer{Answer::text};
std::atomic<bool> leaving{false};
thread_local bool leaving_here = false;

/// Whether this thread is the one that says what there is to say. Another waits until the process is gone; one that
/// crashes while it speaks says no more.
bool may_speak() {
  if (leaving_here) return false;
  leaving_here = true;
  while (leaving.exchange(true)) pause();
  return true;
}

/// Text put together without allocating: a signal handler may not.
class FixedText {
 public:
  void add(const char* text) {
    for (; *text && used_ < text_.size(); ++text) text_[used_++] = *text;
  }
  /// Inside a JSON string: quotes, backslashes and control characters become harmless.
  void add_for_json(const char* text) {
    for (; *text && used_ < text_.size(); ++text) {
      const bool plain = static_cast<unsigned char>(*text) >= 0x20 && *text != '"' && *text != '\\';
      text_[used_++] = plain ? *text : ' ';
    }
  }
  void write_to(int descriptor) const {
    if (::write(descriptor, text_.data(), used_) < 0) return;  // no way is left to say it
  }

 private:
  std::array<char, 1024> text_{};
  std::size_t used_ = 0;
};

[[noreturn]] void leave(const char* what, const engine::RunningCall& call = engine::running_call()) {
  const int code = call.identity ? subsystem_failed : internal_error;
  if (may_speak()) {
    const int files = engine::save_results_in_emergency();
    FixedText text;
    text.add(call.identity ? "\nerror: " : "\ninternal error: seam ");
    if (call.identity) text.add(call.identity);
    text.add(what);
    if (call.identity) {
      text.add(" in ");
      text.add(call.function);
    }
    text.add(files > 0 ? "\n   what was recorded until then is in the result file\n" : "\n");
    text.write_to(STDERR_FILENO);
    if (wanted_answer == Answer::json) {
      FixedText json;
      json.add(code == subsystem_failed ? "{\"exit_code\": 4, \"error\": \"" : "{\"exit_code\": 70, \"error\": \"");
      json.add_for_json(call.identity ? call.identity : "seam");
      json.add_for_json(what);
      if (call.identity) {
        json.add(" in ");
        json.add_for_json(call.function);
      }
      json.add("\", \"problems\": []}\n");
      json.write_to(output_descriptor());
    }
  }
  _exit(code);
}

void on_crash(int signal) {
  switch (signal) {
    case SIGSEGV:
      leave(" crashed (segmentation fault)");
    case SIGBUS:
      leave(" crashed (bus error)");
    case SIGFPE:
      leave(" crashed (arithmetic exception)");
    case SIGILL:
      leave(" crashed (illegal instruction)");
    default:
      leave(" aborted");
  }
}

}  // namespace

void leave_interrupted() {
  if (may_speak()) {
    engine::save_results_in_emergency();
    if (wanted_answer == Answer::json) {
      FixedText json;
      json.add("{\"exit_code\": 130, \"error\": \"interrupted inside a step that did not end\", \"problems\": []}\n");
      json.write_to(output_descriptor());
    }
  }
  _exit(interrupted_by_user);
}

void watch_for_crash(Answer answer) {
  wanted_answer = answer;
  // A stack of its own: a crash may be a stack that ran over.
  static std::array<char, 65536> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error of the write, like a full disk
}

// Looks ten times within the limit; reading the clock for every call would cost as much as a small FMU.
void watch_for_hang(double seconds, Answer answer) {
  wanted_answer = answer;
  std::thread([seconds] {
    constexpr int looks = 10;
    struct Seen {
      engine::RunningCall call;
      int unchanged = 0;
    };
    std::array<Seen, engine::most_threads> threads;
    for (;;) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds / looks));
      for (int i = 0; i < engine::most_threads; ++i) {
        const engine::RunningCall call = engine::running_call_of(i);
        Seen& seen = threads[static_cast<std::size_t>(i)];
        seen.unchanged = call.identity && call.is_same_visit(seen.call) ? seen.unchanged + 1 : 0;
        seen.call = call;
        if (seen.unchanged >= looks) leave(" did not come back within --step-timeout", call);
      }
    }
  }).detach();
}

}  // namespace seam::cli
