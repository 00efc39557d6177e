#include "seam/formats/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::formats {

YamlTree::YamlTree(std::shared_ptr<const base::Source> source, base::Problems& problems)
    : source_(std::move(source)), problems_(problems) {}

base::Location YamlTree::at(const YAML::Mark& mark) const {
  if (mark.is_null()) return {source_, 0, 0, 1};
  return {source_, mark.line + 1, mark.column + 1, 1};
}

std::optional<base::Location> YamlTree::innermost_open() const {
  if (open_.empty()) return std::nullopt;
  return open_.back().node->where;
}

void YamlTree::stop(const base::Location& where, std::string what, std::string mend) {
  problems_.add(where, std::move(what), std::move(mend));
  throw ReadingStopped{};
}

void YamlTree::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ == 1) return;
  const base::Location where = at(mark);
  const auto line = static_cast<std::size_t>(where.line);
  const bool marker = line >= 1 && line <= source_->lines.size() && source_->lines[line - 1].rfind("---", 0) == 0;
  if (marker) stop(where, "a second document begins here", "keep one document a file");
  stop(where, "this does not continue what stands above it", "check the indentation and the brackets before it");
}

void YamlTree::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  auto node = std::make_shared<Node>();
  node->where = at(mark);
  const Sized sized{std::move(node)};
  check_size(1, 0, sized.node->where);
  remember(anchor, sized);
  place(sized);
}

void YamlTree::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                        const std::string& value) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::scalar;
  node->text = value;
  node->quoted = tag == "!";
  node->where = at(mark);
  check_tag(tag, node->where);
  node->where.length = written_length(node->where, value);
  if (node->quoted) check_closed(node->where);
  const Sized sized{std::move(node)};
  check_size(1, 0, sized.node->where);
  remember(anchor, sized);
  place(sized);
}

void YamlTree::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) stop(at(mark), "this alias stands inside the value it names", "write the value out");
  check_size(found->second.nodes, found->second.height, at(mark));
  place(found->second);
}

void YamlTree::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                               YAML::EmitterStyle::value) {
  open_collection(Node::Kind::sequence, mark, tag, anchor);
}

void YamlTree::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                          YAML::EmitterStyle::value) {
  open_collection(Node::Kind::map, mark, tag, anchor);
}

void YamlTree::open_collection(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
  OpenCollection collection;
  collection.node = std::make_shared<Node>();
  collection.node->kind = kind;
  collection.node->where = at(mark);
  collection.anchor = anchor;
  check_tag(tag, collection.node->where);
  check_size(1, 1, collection.node->where);
  open_.push_back(std::move(collection));
}

void YamlTree::close_collection() {
  OpenCollection closed = std::move(open_.back());
  open_.pop_back();
  const Sized sized{std::move(closed.node), closed.nodes, closed.height + 1};
  remember(closed.anchor, sized);
  place(sized);
}

void YamlTree::place(Sized sized) {
  if (open_.empty()) {
    root_ = std::move(sized.node);
    return;
  }
  OpenCollection& parent = open_.back();
  parent.nodes += sized.nodes;
  parent.height = std::max(parent.height, sized.height);
  if (parent.node->kind == Node::Kind::map) {
    place_in_map(parent, std::move(sized));
  } else {
    parent.node->items.push_back(std::move(sized.node));
  }
}

void YamlTree::place_in_map(OpenCollection& map, Sized sized) {
  if (!map.key) {
    if (sized.node->kind != Node::Kind::scalar) {
      stop(sized.node->where, fmt::format("a key must be text, and this is {}", kind_name(sized.node->kind)),
           "quote it if the text itself was meant");
    }
    map.key = std::move(sized.node);
    return;
  }
  const std::shared_ptr<const Node> key = std::exchange(map.key, nullptr);
  if (key->text == "<<" && !key->quoted) {
    problems_.add(key->where, "merge keys (<<) are not supported", "write the entries out");
    return;
  }
  const auto [first, is_new] = map.first_places.emplace(key->text, key->where);
  if (!is_new) {
    problems_.add(key->where, fmt::format("\"{}\" is given twice", key->text),
                  fmt::format("the first is on line {}; remove one of them", first->second.line));
    return;
  }
  if (sized.node->kind == Node::Kind::null) {
    // The mark of a value that is not there is that of the next token, perhaps some lines below.
    auto missing = std::make_shared<Node>(*sized.node);
    missing->where = key->where;
    sized.node = std::move(missing);
  }
  map.node->entries.push_back({key->text, key->where, std::move(sized.node)});
}

void YamlTree::remember(YAML::anchor_t anchor, const Sized& sized) {
  if (anchor != 0) anchors_[anchor] = sized;
}

// Aliases share nodes, so a bomb costs nothing here; it is refused for what it would be when walked.
void YamlTree::check_size(std::size_t more_nodes, std::size_t height, const base::Location& where) {
  nodes_ += more_nodes;
  if (nodes_ > most_nodes) stop(where, fmt::format("the file expands to more than {} values", most_nodes));
  if (open_.size() + height > deepest_nesting) {
    stop(where, fmt::format("this is nested deeper than {} levels", deepest_nesting));
  }
}

// yaml-cpp hands over "?" for plain and "!" for quoted scalars that carry no tag.
void YamlTree::check_tag(const std::string& tag, const base::Location& where) {
  if (tag.empty() || tag == "?" || tag == "!") return;
  problems_.add(where, "tags (!…) are not supported", "remove the tag");
}

// yaml-cpp takes a quote that the end of the file closes.
void YamlTree::check_closed(const base::Location& where) {
  auto line = static_cast<std::size_t>(where.line - 1);
  if (where.line < 1 || line >= source_->lines.size()) return;
  std::size_t at = source_->lines[line].find_first_of("\"'|>", static_cast<std::size_t>(where.column - 1));
  if (at == std::string::npos) return;  // behind an anchor on the line above
  const char quote = source_->lines[line][at];
  if (quote == '|' || quote == '>') return;  // a block text
  for (++at; line < source_->lines.size(); ++line, at = 0) {
    const std::string& text = source_->lines[line];
    for (; at < text.size(); ++at) {
      const bool doubled = quote == '\'' && text[at] == quote && at + 1 < text.size() && text[at + 1] == quote;
      const bool escape = quote == '"' && text[at] == '\\';
      if (doubled || escape) {
        ++at;
      } else if (text[at] == quote) {
        return;
      }
    }
  }
  stop(where, "this quote is never closed");
}

int YamlTree::written_length(const base::Location& where, const std::string& value) const {
  const auto line_index = static_cast<std::size_t>(where.line - 1);
  if (where.line < 1 || line_index >= source_->lines.size()) return 1;
  const std::string& line = source_->lines[line_index];
  const auto column = static_cast<std::size_t>(where.column - 1);
  if (column >= line.size()) return 1;
  const char opening = line[column];
  if (opening == '"' || opening == '\'') {
    std::size_t end = column + 1;
    while (end < line.size() && line[end] != opening) end += line[end] == '\\' && opening == '"' ? 2 : 1;
    return static_cast<int>(std::min(end + 1, line.size()) - column);
  }
  const std::size_t found = line.find(value, column);  // behind an anchor the mark is that of the anchor
  return found == std::string::npos ? 1 : static_cast<int>(std::max<std::size_t>(1, found - column + value.size()));
}

}  // namespace seam::formats
