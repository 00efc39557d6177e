// YAML (and JSON, which is YAML) as a tree that knows where each of its parts was written.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::formats {

struct Node {
  enum class Kind { null, scalar, sequence, map };
  struct Entry {
    std::string key;
    base::Location key_where;
    std::shared_ptr<const Node> value;
  };

  Kind kind = Kind::null;
  std::string text;     ///< of a scalar, without quotes
  bool quoted = false;  ///< or a block text: it was written as text, even if it looks like a number
  base::Location where;
  std::vector<std::shared_ptr<const Node>> items;
  std::vector<Entry> entries;

  /// The value of `key`, or nullptr.
  const Node* find(std::string_view key) const;
};

inline constexpr std::size_t deepest_nesting = 64;
inline constexpr std::size_t most_nodes = 2'000'000;  ///< after aliases are expanded

/// One document. Null after a problem that leaves nothing to go on with; problems such as a duplicate key do not.
/// Not supported, and said so: merge keys, tags, keys that are not text, several documents.
std::shared_ptr<const Node> read_yaml(std::string text, std::string source_name, base::Problems& problems);

/// "a list", "a map", … for messages.
std::string_view kind_name(Node::Kind kind);

}  // namespace seam::formats
