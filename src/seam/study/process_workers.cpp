#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>

#include "seam/base/error.hpp"
#include "seam/study/workers.hpp"

namespace seam::study {
namespace {

constexpr std::string_view end_of_point = ".\n";

/// One copy of this process: it is told a point on one pipe and answers with rows on another.
struct Worker {
  pid_t process = -1;
  int questions = -1, answers = -1;
  std::optional<std::size_t> point;
  std::string heard;
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A whole line, or nothing at the end.
std::optional<std::string> read_line(int descriptor) {
  std::string line;
  for (char letter = 0;;) {
    const ssize_t got = ::read(descriptor, &letter, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (letter == '\n') return line;
    line += letter;
  }
}

/// The life of a copy. It leaves without going back: nothing of the original is its to tidy up.
[[noreturn]] void live_as_worker(int questions, int answers, const WorkOrder& order, const Transport& transport) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  if (order.begin_process) order.begin_process(answers);
  const Work work = order.hire();
  while (const auto question = read_line(questions)) {
    std::string answer;
    for (const Row& row : work(std::stoull(*question))) answer += transport.line(row);
    if (!write_all(answers, answer.append(end_of_point))) break;
  }
  ::_exit(0);
}

std::string words_of_end(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}: {}", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit code {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

class WorkerProcesses {
 public:
  WorkerProcesses(const WorkOrder& order, const Transport& transport)
      : order_(order), transport_(transport), workers_(static_cast<std::size_t>(order.workers)), next_(order.first) {
    ::signal(SIGPIPE, SIG_IGN);  // a worker that died is noticed by what it no longer says
  }
  WorkerProcesses(const WorkerProcesses&) = delete;
  WorkerProcesses& operator=(const WorkerProcesses&) = delete;
  ~WorkerProcesses() {
    for (Worker& worker : workers_) dismiss(worker, SIGKILL);
  }

  void work() {
    for (Worker& worker : workers_) ask(worker);
    for (std::size_t wanted = order_.first; wanted < order_.end;) {
      if (order_.stop_asked && order_.stop_asked->load(std::memory_order_relaxed)) return;
      listen();
      for (auto found = ready_.extract(wanted); !found.empty(); found = ready_.extract(++wanted))
        order_.deliver(wanted, std::move(found.mapped()));
    }
  }

 private:
  /// The next point, to a process that is made if there is none.
  void ask(Worker& worker) {
    if (next_ >= order_.end) {
      dismiss(worker, 0);
      return;
    }
    if (worker.process < 0) start(worker);
    worker.point = next_++;
    write_all(worker.questions, std::to_string(*worker.point) + "\n");
  }

  void start(Worker& worker) {
    int down[2], up[2];
    if (::pipe(down) != 0) throw base::Error(base::Failure::internal, "no pipe to a worker could be made");
    if (::pipe(up) != 0) throw base::Error(base::Failure::internal, "no pipe from a worker could be made");
    const pid_t process = ::fork();
    if (process < 0) throw base::Error(base::Failure::internal, "no process for a worker could be made");
    if (process == 0) {
      for (const Worker& other : workers_) {
        if (other.questions >= 0) ::close(other.questions);
        if (other.answers >= 0) ::close(other.answers);
      }
      ::close(down[1]);
      ::close(up[0]);
      live_as_worker(down[0], up[1], order_, transport_);
    }
    ::close(down[0]);
    ::close(up[1]);
    worker = {process, down[1], up[0], {}, {}};
  }

  /// How it ended; a signal of 0 lets it end by itself.
  int dismiss(Worker& worker, int signal) {
    if (worker.process < 0) return 0;
    ::close(worker.questions);
    ::close(worker.answers);
    if (signal != 0) ::kill(worker.process, signal);
    int status = 0;
    while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker = {};
    return status;
  }

  void listen() {
    std::vector<pollfd> waited;
    for (const Worker& worker : workers_) waited.push_back({worker.answers, POLLIN, 0});
    constexpr int patience = 100;  // ms, so that a wish to stop is noticed
    if (::poll(waited.data(), waited.size(), patience) <= 0) return;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].answers >= 0 && waited[i].revents != 0) hear(workers_[i]);
    }
  }

  void hear(Worker& worker) {
    char buffer[65536];
    const ssize_t got = ::read(worker.answers, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      const auto point = worker.point;
      const std::string words = worker.heard;
      std::string reason = "the process that ran it died (" + words_of_end(dismiss(worker, 0)) + ")";
      if (words.starts_with(begins_last_words)) reason = words.substr(1);
      if (point) ready_[*point] = transport_.lost(*point, reason);
      return ask(worker);
    }
    worker.heard.append(buffer, static_cast<std::size_t>(got));
    if (!worker.heard.ends_with(end_of_point)) return;
    std::vector<Row> rows;
    for (std::size_t at = 0; at + end_of_point.size() < worker.heard.size();) {
      const std::size_t end = worker.heard.find('\n', at);
      rows.push_back(transport_.row(worker.heard.substr(at, end - at), *worker.point));
      at = end + 1;
    }
    worker.heard.clear();
    ready_[*worker.point] = std::move(rows);
    worker.point.reset();
    ask(worker);
  }

  const WorkOrder& order_;
  const Transport& transport_;
  std::vector<Worker> workers_;
  std::map<std::size_t, std::vector<Row>> ready_;
  std::size_t next_;
};

}  // namespace

void work_by_processes(const WorkOrder& order, const Transport& transport) { WorkerProcesses(order, transport).work(); }

}  // namespace seam::study
