#include "seam/report/initialisation_report.hpp"

#include <fmt/format.h>

#include "seam/report/text_shape.hpp"

namespace seam::report {
namespace {

using assembly::Assembly;
using formats::Value;
using Block = assembly::InitialisationOrder::Block;

std::vector<std::string> outputs_of(const Assembly& assembly, const Block& block) {
  std::vector<std::string> names;
  for (const assembly::OutputPlace& place : block.outputs) {
    const assembly::Member& member = assembly.members[static_cast<std::size_t>(place.member)];
    names.push_back(member.name + "." + member.outputs[static_cast<std::size_t>(place.output)].name);
  }
  return names;
}

std::vector<std::string> connections_of(const Assembly& assembly, const Block& block) {
  std::vector<std::string> texts;
  for (const int w : block.wires) {
    const assembly::Wire& wire = assembly.wires[static_cast<std::size_t>(w)];
    texts.push_back(assembly.source_name(wire) + " -> " + assembly.sink_name(wire));
  }
  return texts;
}

std::string loop_text(const Assembly& assembly, const Block& block, std::size_t indent) {
  const std::string head = fmt::format("loop of {}: ", block.outputs.size());
  const Indent below = blanks(indent + head.size());
  return head + wrapped(outputs_of(assembly, block), below) + below.text + "by " +
         wrapped(connections_of(assembly, block), blanks(below.columns + 3));
}

std::string level_text(const Assembly& assembly, const std::vector<const Block*>& blocks, int level) {
  const std::string head = fmt::format("  {:>3}  ", level + 1);
  const Indent below = blanks(head.size());
  std::vector<std::string> single;
  std::string loops;
  for (const Block* block : blocks) {
    if (!block->is_loop()) {
      single.push_back(outputs_of(assembly, *block).front());
      continue;
    }
    loops += (single.empty() && loops.empty() ? head : below.text) + loop_text(assembly, *block, head.size());
  }
  if (single.empty()) return loops;
  if (loops.starts_with(head)) loops.replace(0, head.size(), below.text);
  return head + wrapped(single, below) + loops;
}

}  // namespace

std::string initialisation_text(const engine::System& system, const Assembly& assembly) {
  const assembly::InitialisationOrder order = assembly::initialisation_order(assembly);
  std::vector<std::vector<const Block*>> levels;
  long loops = 0;
  for (const Block& block : order.blocks) {
    const auto level = static_cast<std::size_t>(block.level);
    if (level >= levels.size()) levels.resize(level + 1);
    levels[level].push_back(&block);
    loops += block.is_loop() ? 1 : 0;
  }
  std::string text = fmt::format("{}: the outputs at the start follow from each other in {} {}, {}\n",
                                 system.description.name, levels.size(), levels.size() == 1 ? "stage" : "stages",
                                 loops == 0   ? "without a loop"
                                 : loops == 1 ? "with 1 loop"
                                              : fmt::format("with {} loops", loops));
  for (std::size_t level = 0; level < levels.size(); ++level)
    text += level_text(assembly, levels[level], static_cast<int>(level));
  return text;
}

Value initialisation_value(const engine::System& system, const Assembly& assembly) {
  Value blocks = Value::array();
  for (const Block& block : assembly::initialisation_order(assembly).blocks) {
    Value connections = Value::array();
    for (const int w : block.wires) {
      const assembly::Wire& wire = assembly.wires[static_cast<std::size_t>(w)];
      connections.push(Value::object({{"from", assembly.source_name(wire)}, {"to", assembly.sink_name(wire)}}));
    }
    blocks.push(Value::object({{"stage", block.level + 1},
                               {"outputs", Value::array(outputs_of(assembly, block))},
                               {"loop", block.is_loop()},
                               {"connections", std::move(connections)}}));
  }
  return Value::object({{"name", system.description.name}, {"blocks", std::move(blocks)}});
}

}  // namespace seam::report
