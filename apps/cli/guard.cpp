#include "guard.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "commands.hpp"
#include "output.hpp"
#include "seam/engine/run/blame.hpp"
#include "seam/study/workers.hpp"

namespace seam::cli {
namespace {

std::atomic<Answer> wanted_answer{Answer::text};
std::atomic<bool> leaving{false}, main_is_done{false};
pid_t watching = 0;
int copy_speaks_to = -1;  ///< the descriptor of a copy that works for the process that watches
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
  /// A text of an FMU, for a terminal and inside a JSON string.
  void add_foreign(const char* text) {
    for (; *text && used_ < text_.size(); ++text) {
      const bool obeyed = static_cast<unsigned char>(*text) < 0x20 || *text == 0x7f;
      text_[used_++] = obeyed ? ' ' : *text == '"' ? '\'' : *text == '\\' ? '/' : *text;
    }
  }
  void write_to(int descriptor) const {
    if (::write(descriptor, text_.data(), used_) < 0) return;  // no way is left to say it
  }

 private:
  std::array<char, 2048> text_{};
  std::size_t used_ = 0;
};

/// What ends the program.
struct Ending {
  const char* what;
  engine::RunningCall call = engine::running_call();
  const char* detail = nullptr;

  int exit_code() const { return call.identity ? subsystem_failed : internal_error; }
  void add_to(FixedText& text) const {
    text.add_foreign(call.identity ? call.identity : "seam");
    text.add(what);
    if (detail) {
      text.add(" (");
      text.add_foreign(detail);
      text.add(")");
    }
    if (!call.identity || !call.function) return;
    text.add(" in ");
    text.add(call.function);
  }
};

/// Standard output gets an answer, unless it has one.
void answer(const char* code, const Ending& ending) {
  if (wanted_answer != Answer::json || has_printed()) return;
  FixedText json;
  json.add("{\"exit_code\": ");
  json.add(code);
  json.add(", \"error\": \"");
  ending.add_to(json);
  json.add("\", \"problems\": []}\n");
  json.write_to(output_descriptor());
}

/// Results and answer are those of the process that watches; its copies, the workers of a study, have none to give.
[[noreturn]] void leave(const Ending& ending) {
  if (may_speak()) {
    const bool is_copy = getpid() != watching;
    FixedText text;
    if (is_copy && copy_speaks_to >= 0) {
      const char mark[] = {study::begins_last_words, '\0'};
      text.add(mark);
      ending.add_to(text);
      text.write_to(copy_speaks_to);
      _exit(ending.exit_code());
    }
    const int files = is_copy ? 0 : engine::save_results_in_emergency();
    text.add(ending.call.identity ? "\nerror: " : "\ninternal error: ");
    ending.add_to(text);
    text.add(files > 0 ? "\n   what was recorded until then is in the result file\n" : "\n");
    text.write_to(STDERR_FILENO);
    if (!is_copy) answer(ending.call.identity ? "4" : "70", ending);
  }
  _exit(ending.exit_code());
}

/// The call that runs now. When main is done, libraries that could not be unloaded may still have code to run.
engine::RunningCall call_to_blame() {
  const engine::RunningCall call = engine::running_call();
  if (call.identity || !main_is_done || !engine::fmu_was_called()) return call;
  return {"an FMU", "the code that runs when the program ends"};
}

void on_crash(int signal) {
  switch (signal) {
    case SIGSEGV:
      leave({" crashed (segmentation fault)", call_to_blame()});
    case SIGBUS:
      leave({" crashed (bus error)", call_to_blame()});
    case SIGFPE:
      leave({" crashed (arithmetic exception)", call_to_blame()});
    case SIGILL:
      leave({" crashed (illegal instruction)", call_to_blame()});
    default:
      leave({" aborted", call_to_blame()});
  }
}

/// Without an FMU that runs it is our own output that has no reader left.
void on_closed_pipe(int) {
  const engine::RunningCall call = engine::running_call();
  if (call.identity) leave({" was ended by SIGPIPE: it wrote to a closed pipe or socket", call});
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

/// An alarm may go off after the call that set it.
void on_alarm(int) {
  const engine::RunningCall call = engine::running_call();
  const char* const what = " was ended by SIGALRM: an alarm that seam did not set";
  leave({what, call.identity || !engine::fmu_was_called() ? call : engine::RunningCall{"an FMU"}});
}

void on_exit_call() {
  if (const engine::RunningCall call = engine::running_call(); call.identity) leave({" called exit", call});
}

void on_quick_exit_call() { leave({" called quick_exit", call_to_blame()}); }

[[noreturn]] void on_uncaught_exception() {
  const char* const what = " threw an exception that nothing caught";
  const engine::RunningCall call = call_to_blame();
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& exception) {
    leave({what, call, exception.what()});
  } catch (...) {
    leave({what, call});
  }
  leave({" aborted", call});
}

}  // namespace

void leave_interrupted() {
  if (may_speak()) {
    const int files = engine::save_results_in_emergency();
    const engine::RunningCall call = engine::running_call();
    Ending ending{" was interrupted inside a step that did not end", {}};
    if (call.identity) ending = {" did not come back after the program was interrupted", call};
    FixedText text;
    text.add("\n");
    ending.add_to(text);
    text.add(files > 0 ? "\n   what was recorded until then is in the result file\n" : "\n");
    text.write_to(STDERR_FILENO);
    answer("130", ending);
  }
  _exit(interrupted_by_user);
}

namespace {

void catch_signals() {
  // A stack of its own: a crash may be a stack that ran over.
  static std::array<char, 65536> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_crash;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  action.sa_handler = on_closed_pipe;
  sigaction(SIGPIPE, &action, nullptr);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, nullptr);
}

}  // namespace

void watch_copy(int words) {
  copy_speaks_to = words;
  catch_signals();
}

void watch_for_crash(Answer answer) {
  wanted_answer = answer;
  watching = getpid();
  catch_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error of the write, like a full disk
  std::atexit(on_exit_call);
  std::at_quick_exit(on_quick_exit_call);
  std::set_terminate(on_uncaught_exception);
}

void expect_ends_of_libraries() { main_is_done = true; }

// Looks ten times within the limit; reading the clock for every call would cost as much as a small FMU.
void watch_for_hang(double seconds, Answer answer) {
  wanted_answer = answer;
  std::array<char, 32> limit{};
  std::snprintf(limit.data(), limit.size(), "%g s", seconds);
  std::thread([seconds, limit] {
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
        if (seen.unchanged >= looks) leave({" did not come back within --step-timeout", call, limit.data()});
      }
    }
  }).detach();
}

}  // namespace seam::cli
