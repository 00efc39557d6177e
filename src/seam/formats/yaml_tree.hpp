// Builds the located tree from yaml-cpp's events. Inside formats only: it includes yaml-cpp.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "seam/formats/yaml.hpp"

namespace seam::formats {

/// Thrown through the parser when reading on makes no sense; the problem is already noted.
struct ReadingStopped {};

class YamlTree : public YAML::EventHandler {
 public:
  YamlTree(std::shared_ptr<const base::Source> source, base::Problems& problems);

  std::shared_ptr<const Node> root() const { return root_; }
  base::Location at(const YAML::Mark& mark) const;
  /// Where the innermost list or map that is not yet finished begins.
  std::optional<base::Location> innermost_open() const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close_collection(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close_collection(); }

 private:
  /// A finished node with what it costs to expand it.
  struct Sized {
    std::shared_ptr<const Node> node;
    std::size_t nodes = 1;
    std::size_t height = 0;
  };
  struct OpenCollection {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor = 0;
    std::size_t nodes = 1;
    std::size_t height = 0;
    std::shared_ptr<const Node> key;  ///< of a map whose value comes next
    std::unordered_map<std::string, base::Location> first_places;
  };

  void open_collection(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void close_collection();
  void place(Sized sized);
  void place_in_map(OpenCollection& map, Sized sized);
  void remember(YAML::anchor_t anchor, const Sized& sized);
  void check_size(std::size_t more_nodes, std::size_t height, const base::Location& where);
  void check_tag(const std::string& tag, const base::Location& where);
  void check_closed(const base::Location& where);
  int written_length(const base::Location& where, const std::string& value) const;
  [[noreturn]] void stop(const base::Location& where, std::string what, std::string mend = {});

  std::shared_ptr<const base::Source> source_;
  base::Problems& problems_;
  std::vector<OpenCollection> open_;
  std::unordered_map<YAML::anchor_t, Sized> anchors_;
  std::shared_ptr<const Node> root_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace seam::formats
