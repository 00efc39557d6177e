#include "seam/load/resolved_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/number.hpp"
#include "seam/system/resolve.hpp"

namespace seam::load {

using formats::Value;
using system::SystemDescription;

std::string origin(const base::Location& where) {
  if (!where.source) return "default";
  const std::string& name = where.source->name;
  return name.rfind("--", 0) == 0 ? "from " + name : "from the file";
}

Value converted(const system::Value& value) {
  using Kind = system::Value::Kind;
  switch (value.kind) {
    case Kind::number:
      if (!value.unit.empty()) {
        return value.text.empty() ? formats::number_text(value.number) + " " + value.unit : value.text;
      }
      return value.text.empty() ? Value(value.number) : Value::written(value.number, value.text);
    case Kind::boolean:
      return value.boolean;
    case Kind::text:
      return value.text;
    case Kind::list: {
      Value list = Value::array();
      for (const system::Value& item : value.items) list.push(converted(item));
      return list;
    }
    case Kind::map: {
      Value map = Value::object();
      for (const auto& [name, entry] : value.entries) map.add(name, converted(entry));
      return map;
    }
  }
  return nullptr;
}

namespace {

/// Where an entry of the plan came from: analysis, if it was `auto`.
std::string origin_of_entry(const SystemDescription& description, const std::string& entry,
                            const base::Location& where) {
  for (const system::ChosenEntry& chosen : description.plan.chosen) {
    if (chosen.entry == entry) return "auto: " + chosen.why;
  }
  return origin(where);
}

Value request_value(const system::MethodRequest& method) {
  if (method.parameters.empty()) return method.name;
  Value parameters = Value::object();
  for (const system::Setting& setting : method.parameters) parameters.add(setting.name, converted(setting.value));
  return Value::object({{method.name, std::move(parameters)}});
}

Value request_value(const system::CouplingRequest& request) {
  if (request.coupling) return request_value(*request.coupling);
  Value parts = Value::object();
  if (request.emitter) parts.add("emitter", request_value(*request.emitter));
  if (request.receiver) parts.add("receiver", request_value(*request.receiver));
  if (request.samples) parts.add("samples", *request.samples);
  return parts;
}

Value method_value(const system::Method& method) {
  if (method.parameters.empty()) return method.name;
  Value parameters = Value::object();
  for (const auto& [name, number] : method.parameters) parameters.add(name, number);
  return Value::object({{method.name, std::move(parameters)}});
}

// By its parts, with every number: the name alone would leave the parameters to be chosen again.
Value coupling_value(const system::Coupling& coupling) {
  if (coupling.emitter.name.empty() && coupling.receiver.name.empty()) return coupling.name;
  Value parts = Value::object();
  if (!coupling.emitter.name.empty()) parts.add("emitter", method_value(coupling.emitter));
  if (!coupling.receiver.name.empty()) parts.add("receiver", method_value(coupling.receiver));
  parts.add("samples", coupling.samples == system::Samples::micro ? "micro" : "macro");
  return parts;
}

const char* feedthrough_word(system::Feedthrough feedthrough) {
  return feedthrough == system::Feedthrough::fresh ? "fresh" : "held";
}

void add_asked(const SystemDescription& description, Value& value) {
  const system::PlanRequest& plan = description.plan;
  Value subsystems = Value::object(), connections = Value::object();
  for (const system::SubsystemPlanRequest& request : plan.subsystems) {
    Value entry = Value::object();
    if (request.step) entry.add("step", *request.step, origin(request.step_where));
    if (request.micro_step) entry.add("micro_step", *request.micro_step, origin(request.micro_step_where));
    if (request.feedthrough)
      entry.add("feedthrough", feedthrough_word(*request.feedthrough), origin(request.feedthrough_where));
    if (request.via) entry.add("via", system::word(*request.via), origin(request.via_where));
    subsystems.add(request.pattern, std::move(entry));
  }
  for (const system::ConnectionPlanRequest& request : plan.connections) {
    connections.add(request.pattern, request_value(request.coupling), origin(request.where));
  }
  if (!subsystems.entries().empty()) value.add("subsystems", std::move(subsystems));
  if (!connections.entries().empty()) value.add("connections", std::move(connections));
}

void add_complete(const SystemDescription& description, const system::Plan& plan, Value& value) {
  base::Problems reported_before;
  const system::RequestedPlan asked = system::spread(description, reported_before);
  Value subsystems = Value::object(), connections = Value::object();
  for (std::size_t i = 0; i < plan.subsystems.size() && i < description.subsystems.size(); ++i) {
    if (description.subsystems[i].is_signal) continue;
    Value entry = Value::object();
    const system::SubsystemPlan& complete = plan.subsystems[i];
    const system::SubsystemPlanRequest& request = asked.subsystems[i];
    if (complete.multiple > 1) entry.add("step", complete.multiple * plan.step, origin(request.step_where));
    if (complete.micro_step > 0.0) entry.add("micro_step", complete.micro_step, origin(request.micro_step_where));
    entry.add("feedthrough", feedthrough_word(complete.feedthrough), origin(request.feedthrough_where));
    if (complete.via != system::Via::automatic)
      entry.add("via", system::word(complete.via),
                complete.via_choice == system::SubsystemPlan::ViaChoice::of_seam ? "the best that it offers" : "");
    subsystems.add(description.subsystems[i].name, std::move(entry));
  }
  for (std::size_t i = 0; i < plan.connections.size() && i < description.connections.size(); ++i) {
    const system::Coupling& coupling = plan.connections[i];
    connections.add(description.connections[i].to.text, coupling_value(coupling),
                    fmt::format("{}, {}", coupling.name, origin(asked.connections[i]->where)));
  }
  if (!subsystems.entries().empty()) value.add("subsystems", std::move(subsystems));
  if (!connections.entries().empty()) value.add("connections", std::move(connections));
}

void add_schedule(const SystemDescription& description, const system::Plan* plan, Value& value) {
  const system::PlanRequest& asked = description.plan;
  const bool turns = asked.schedule && asked.schedule->kind == system::Schedule::Kind::gauss_seidel;
  std::vector<std::string> names = turns ? asked.schedule->order : std::vector<std::string>();
  if (turns && plan) {
    names.clear();
    for (const int index : plan->order) names.push_back(description.subsystems[static_cast<std::size_t>(index)].name);
  }
  if (asked.schedule && asked.schedule->kind == system::Schedule::Kind::automatic) {
    value.add("schedule", system::auto_word, origin(asked.schedule_where));
    return;
  }
  const std::string why = origin_of_entry(description, "schedule", asked.schedule_where);
  if (names.empty()) {
    value.add("schedule", turns ? "gauss-seidel" : "jacobi", why);
    return;
  }
  Value schedule = Value::object();
  schedule.add("gauss-seidel", Value::array(names), asked.schedule->order.empty() ? "chosen from the connections" : "");
  value.add("schedule", std::move(schedule), why.starts_with(system::auto_word) ? why : "");
}

Value auto_step_value(const system::AutoStep& step) {
  Value wish = Value::object({{"target", step.target}});
  if (step.around) wish.add("around", *step.around);
  return Value::object({{system::auto_word, std::move(wish)}});
}

/// As it was asked for, or with every parameter.
void add_corrector(const system::PlanRequest& asked, const system::Plan* plan, Value& value) {
  if (!asked.corrector && (!plan || plan->corrector.name.empty())) return;
  if (!plan) {
    value.add("corrector", request_value(*asked.corrector), origin(asked.corrector->where));
    return;
  }
  const system::Corrector& corrector = plan->corrector;
  if (corrector.name.empty()) {
    value.add("corrector", "none", origin(asked.corrector->where));
    return;
  }
  Value parameters = Value::object();
  for (const auto& [name, chosen] : corrector.choices) parameters.add(name, chosen);
  for (const auto& [name, number] : corrector.numbers) parameters.add(name, number);
  if (!corrector.over.empty()) parameters.add("over", Value::array(corrector.over));
  value.add("corrector", Value::object({{corrector.name, std::move(parameters)}}));
}

}  // namespace

Value plan_value(const SystemDescription& description, const system::Plan* plan) {
  const system::PlanRequest& asked = description.plan;
  Value value = Value::object();
  if (asked.auto_step) {
    value.add("step", auto_step_value(*asked.auto_step), origin(asked.step_where));
  } else if (plan || asked.step) {
    value.add("step", plan ? plan->step : *asked.step, origin_of_entry(description, "step", asked.step_where));
  }
  add_schedule(description, plan, value);
  if (asked.coupling)
    value.add("coupling", request_value(*asked.coupling),
              origin_of_entry(description, "coupling", asked.coupling->where));
  const bool chosen_later = asked.coupling && asked.coupling->is_auto();
  if (asked.feedthrough || !chosen_later)
    value.add("feedthrough", feedthrough_word(asked.feedthrough.value_or(system::Feedthrough::held)),
              origin_of_entry(description, "feedthrough", asked.feedthrough_where));
  value.add("events", asked.events == system::Events::shared ? "shared" : "local", origin(asked.events_where));
  const system::Threads threads = asked.threads.value_or(system::Threads{});
  const bool plain = threads.most && threads.use == system::Threads::Use::when_they_gain;
  value.add("threads", plain ? Value(*threads.most) : Value(system::words(threads)), origin(asked.threads_where));
  add_corrector(asked, plan, value);
  if (plan) {
    add_complete(description, *plan, value);
  } else {
    add_asked(description, value);
  }
  return value;
}

}  // namespace seam::load
