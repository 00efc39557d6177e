#include "seam/formats/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "seam/formats/encoding.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/yaml_tree.hpp"

namespace seam::formats {
namespace {

// The first line up to `last` whose indentation holds a tab; 0 if there is none. Asked only after the parser gave up,
// because tabs are legal inside texts and brackets.
int tab_indented_line(const base::Source& source, int last) {
  const int lines = std::min(last, static_cast<int>(source.lines.size()));
  for (int line = 1; line <= lines; ++line) {
    const std::string& text = source.lines[static_cast<std::size_t>(line - 1)];
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos || text[first] == '#') continue;
    if (text.find('\t') < first) return line;
  }
  return 0;
}

std::string advice(const std::string& message) {
  if (message.find("illegal map value") != std::string::npos) {
    return "a text that holds \": \" must be quoted; a key must not be indented deeper than its neighbours";
  }
  if (message.find("end of map not found") != std::string::npos ||
      message.find("end of sequence not found") != std::string::npos)
    return "check the indentation of this line";
  if (message.find("flow") != std::string::npos) {
    return "a comma or a closing bracket is missing; inside { } a name with brackets must be quoted";
  }
  if (message.find("anchor") != std::string::npos) return "an alias *name needs an anchor &name above it";
  return {};
}

// Behind `begin` and before the end of the text; at the end of the text yaml-cpp's mark may be anywhere.
bool lies_between(const base::Location& begin, const base::Location& where, const base::Source& source) {
  const int lines = static_cast<int>(source.lines.size());
  if (where.line < begin.line || (where.line == begin.line && where.column <= begin.column)) return false;
  return where.line < lines || (where.line == lines && where.column <= static_cast<int>(source.lines.back().size()));
}

void add_parser_problem(const YAML::Exception& error, const YamlTree& tree, const base::Source& source,
                        base::Problems& problems) {
  base::Location where = tree.at(error.mark);
  const int last = where.line > 0 ? where.line + 1 : static_cast<int>(source.lines.size());
  if (const int line = tab_indented_line(source, last); line > 0) {
    where.line = line;
    where.column = static_cast<int>(source.lines[static_cast<std::size_t>(line - 1)].find('\t')) + 1;
    problems.add(where, "a tab cannot indent YAML; use spaces");
    return;
  }
  const std::optional<base::Location> open = tree.innermost_open();
  if (open && error.msg.find("flow not found") != std::string::npos && !lies_between(*open, where, source)) {
    problems.add(*open, "this bracket is never closed");
    return;
  }
  problems.add(where, fmt::format("this is not valid YAML: {}", error.msg), advice(error.msg));
}

// The scanner keeps every bracket of a line until the outermost one closes, and what follows on the line: gigabytes for
// a file of brackets alone. Counted without regard to quotes and remarks, so the bounds are far above what is allowed.
std::optional<std::size_t> hopeless_nesting(std::string_view text) {
  constexpr std::size_t hopeless = 1000;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ']' || text[i] == '}') && depth > 0) --depth;
    if (depth > hopeless) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> hopeless_length(std::string_view text) {
  constexpr std::size_t hopeless = 2 * most_nodes;
  std::size_t marks = 0;
  for (std::size_t at = text.find_first_of("[{,"); at != std::string_view::npos;
       at = text.find_first_of("[{,", at + 1)) {
    if (++marks > hopeless) return at;
  }
  return std::nullopt;
}

std::shared_ptr<const Node> parse(const std::string& text, const std::shared_ptr<const base::Source>& source,
                                  base::Problems& problems) {
  YamlTree tree(source, problems);
  const base::Location whole{source, 0, 0, 1};
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(tree)) {
    }
  } catch (const ReadingStopped&) {
    return nullptr;
  } catch (const YAML::Exception& error) {
    add_parser_problem(error, tree, *source, problems);
    return nullptr;
  } catch (const std::exception& error) {
    problems.add(whole, fmt::format("this is not valid YAML: {}", error.what()));
    return nullptr;
  }
  if (!tree.root()) problems.add(whole, "the file is empty");
  return tree.root();
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return entry.value.get();
  }
  return nullptr;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a single value";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "nothing";
}

std::shared_ptr<const Node> read_yaml(std::string text, std::string source_name, base::Problems& problems) {
  if (text.size() > largest_text_file) {
    auto source = std::make_shared<base::Source>(base::Source{std::move(source_name), {}});
    problems.add({std::move(source), 0, 0, 1}, fmt::format("the file is larger than {} MiB", largest_text_file >> 20));
    return nullptr;
  }
  const std::optional<BadByte> bad = find_bad_byte(text);
  if (!bad) text = with_plain_line_ends(text);
  const auto source = make_source(std::move(source_name), text);
  if (bad) {
    problems.add(locate(source, text, bad->offset), bad->what, "save the file as plain text in UTF-8");
    return nullptr;
  }
  if (const std::optional<std::size_t> place = hopeless_nesting(text)) {
    problems.add(locate(source, text, *place), fmt::format("this is nested deeper than {} levels", deepest_nesting));
    return nullptr;
  }
  if (const std::optional<std::size_t> place = hopeless_length(text)) {
    problems.add(locate(source, text, *place), fmt::format("the file has more than {} values", most_nodes));
    return nullptr;
  }
  return parse(text, source, problems);
}

}  // namespace seam::formats
