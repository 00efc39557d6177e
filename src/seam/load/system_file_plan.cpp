// plan: step, schedule, coupling and feedthrough, and what differs for single subsystems and connections.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::CouplingRequest;
using system::Feedthrough;
using system::MethodRequest;
using system::Value;

const Keys plan_keys{
    {"step", "schedule", "coupling", "feedthrough", "events", "threads", "subsystems", "connections", "corrector"},
    {"modes", "switching"}};
const Keys subsystem_keys{{"step", "micro_step", "feedthrough", "via"}, {}};
const Keys part_keys{{"emitter", "receiver", "samples"}};

bool is_part(const std::string& key) { return std::ranges::find(part_keys.known, key) != part_keys.known.end(); }

// NAME | {NAME: {parameter: value}}
std::optional<MethodRequest> read_method(const Node& node, std::string_view what, base::Problems& problems) {
  if (node.kind == Node::Kind::map && node.entries.size() == 1) {
    const Node::Entry& entry = node.entries.front();
    return MethodRequest{entry.key,
                         read_settings(*entry.value, fmt::format("what follows \"{}\"", entry.key), problems),
                         entry.key_where};
  }
  if (node.kind == Node::Kind::scalar && !node.text.empty()) return MethodRequest{node.text, {}, node.where};
  problems.add(node.where,
               fmt::format("{} must be the name of a method, and this is {}", what,
                           node.kind == Node::Kind::map ? "a map of several" : formats::kind_name(node.kind)),
               "write NAME or {NAME: {parameter: value}}");
  return std::nullopt;
}

}  // namespace

std::optional<CouplingRequest> read_coupling(const Node& node, base::Problems& problems) {
  CouplingRequest request;
  request.where = node.where;
  const bool parts = std::ranges::any_of(node.entries, [](const auto& e) { return is_part(e.key); });
  if (!parts) {
    request.coupling = read_method(node, "a coupling", problems);
    if (!request.coupling) return std::nullopt;
    return request;
  }
  check_keys(node, "a coupling given by its parts", part_keys, problems);
  if (const Node* emitter = node.find("emitter")) request.emitter = read_method(*emitter, "emitter", problems);
  if (const Node* receiver = node.find("receiver")) request.receiver = read_method(*receiver, "receiver", problems);
  if (const Node* samples = node.find("samples")) {
    request.samples_where = samples->where;
    if (read_word(*samples, "samples", {"macro", "micro"}, problems)) request.samples = samples->text;
  }
  return request;
}

std::optional<Feedthrough> read_feedthrough(const Node& node, base::Problems& problems) {
  const auto word = read_word(node, "feedthrough", {"held", "fresh"}, problems);
  if (!word) return std::nullopt;
  return *word == 0 ? Feedthrough::held : Feedthrough::fresh;
}

std::optional<system::Schedule> read_schedule(const Node& node, base::Problems& problems) {
  system::Schedule schedule;
  if (node.kind != Node::Kind::map) {
    const auto word = read_word(node, "schedule", {"jacobi", "gauss-seidel", system::auto_word}, problems);
    if (!word) return std::nullopt;
    schedule.kind = static_cast<system::Schedule::Kind>(*word);
    return schedule;
  }
  check_keys(node, "schedule", {{"gauss-seidel"}, {}}, problems);
  const Node* order = node.find("gauss-seidel");
  if (!order || !expect(*order, Node::Kind::sequence, "the order of gauss-seidel", problems)) return std::nullopt;
  schedule.kind = system::Schedule::Kind::gauss_seidel;
  for (const auto& item : order->items) {
    schedule.order.push_back(read_text(*item, "a subsystem of the order", problems).value_or(""));
    schedule.order_where.push_back(item->where);
  }
  return schedule;
}

namespace {

void read_subsystem_plans(const Node& node, system::PlanRequest& plan, base::Problems& problems) {
  if (!expect(node, Node::Kind::map, "plan.subsystems", problems)) return;
  for (const Node::Entry& entry : node.entries) {
    const Node& value = *entry.value;
    if (!expect(value, Node::Kind::map, fmt::format("the plan of \"{}\"", entry.key), problems)) continue;
    check_keys(value, "a subsystem of the plan", subsystem_keys, problems);
    system::SubsystemPlanRequest request;
    request.pattern = entry.key;
    request.where = entry.key_where;
    if (const Node* step = value.find("step")) {
      request.step = read_time(*step, "step", problems);
      request.step_where = step->where;
    }
    if (const Node* step = value.find("micro_step")) {
      request.micro_step = read_time(*step, "micro_step", problems);
      request.micro_step_where = step->where;
    }
    if (const Node* feedthrough = value.find("feedthrough")) {
      request.feedthrough = read_feedthrough(*feedthrough, problems);
      request.feedthrough_where = feedthrough->where;
    }
    if (const Node* via = value.find("via")) {
      request.via = read_via(*via, problems);
      request.via_where = via->where;
    }
    plan.subsystems.push_back(std::move(request));
  }
}

void read_connection_plans(const Node& node, system::PlanRequest& plan, base::Problems& problems) {
  if (!expect(node, Node::Kind::map, "plan.connections", problems)) return;
  for (const Node::Entry& entry : node.entries) {
    std::optional<CouplingRequest> coupling = read_coupling(*entry.value, problems);
    if (!coupling) continue;
    plan.connections.push_back({entry.key, std::move(*coupling), entry.key_where});
  }
}

}  // namespace

void read_step(const Value& value, std::string_view what, system::PlanRequest& plan, base::Problems& problems) {
  plan.step_where = value.where;
  plan.step.reset();
  plan.auto_step.reset();
  if (value.kind == Value::Kind::text && value.text == system::auto_word) {
    plan.auto_step.emplace();
    return;
  }
  if (value.kind != Value::Kind::map) {
    plan.step = read_time(value, what, problems);
    return;
  }
  check_keys(value, what, {{system::auto_word}}, problems);
  const Value* const wish = find(value, system::auto_word);
  if (!wish || wish->kind != Value::Kind::map) {
    if (wish) problems.add(wish->where, "what follows \"auto\" must be a map", "write {auto: {target: 0.01}}");
    return;
  }
  check_keys(*wish, "step: auto", {{"target", "around"}}, problems);
  plan.auto_step.emplace();
  if (const Value* target = find(*wish, "target")) {
    const auto error = read_finite(*target, "target", problems);
    if (error && !(*error > 0.0))
      problems.add(target->where, fmt::format("an expected error of {} cannot be reached", *error),
                   "give one above 0, for example 0.01 for one per cent");
    plan.auto_step->target = error.value_or(plan.auto_step->target);
  }
  if (const Value* around = find(*wish, "around")) {
    plan.auto_step->around = read_time(*around, "around", problems);
    if (plan.auto_step->around && !(*plan.auto_step->around > 0.0))
      problems.add(around->where, "the search for a step must begin above 0 s");
    plan.step = plan.auto_step->around;
  }
}

system::PlanRequest read_plan(const Node& node, base::Problems& problems) {
  system::PlanRequest plan;
  if (!expect(node, Node::Kind::map, "plan", problems)) return plan;
  check_keys(node, "plan", plan_keys, problems);
  base::Problems said_by_step;
  if (const Node* step = node.find("step")) read_step(read_value(*step, said_by_step), "step", plan, problems);
  if (const Node* schedule = node.find("schedule")) {
    plan.schedule = read_schedule(*schedule, problems);
    plan.schedule_where = schedule->where;
  }
  if (const Node* coupling = node.find("coupling")) plan.coupling = read_coupling(*coupling, problems);
  if (const Node* feedthrough = node.find("feedthrough")) {
    plan.feedthrough = read_feedthrough(*feedthrough, problems);
    plan.feedthrough_where = feedthrough->where;
  }
  if (const Node* events = node.find("events")) {
    plan.events = read_word(*events, "events", {"local", "shared"}, problems) == 1 ? system::Events::shared
                                                                                   : system::Events::local;
    plan.events_where = events->where;
  }
  if (const Node* threads = node.find("threads")) {
    const auto text = read_text(*threads, "threads", problems);
    plan.threads = text ? system::parse_threads(*text) : std::nullopt;
    if (text && !plan.threads)
      problems.add(threads->where, fmt::format("\"{}\" is no number of threads", *text), system::threads_mend);
    plan.threads_where = threads->where;
  }
  if (const Node* corrector = node.find("corrector")) plan.corrector = read_method(*corrector, "corrector", problems);
  if (const Node* subsystems = node.find("subsystems")) read_subsystem_plans(*subsystems, plan, problems);
  if (const Node* connections = node.find("connections")) read_connection_plans(*connections, plan, problems);
  return plan;
}

}  // namespace seam::load
