#include "seam/formats/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/yaml.hpp"

namespace seam::formats {
namespace {

using Json = nlohmann::ordered_json;

Json scalar(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::boolean:
      return value.boolean();
    case Value::Kind::integer:
      return value.integer();
    case Value::Kind::real:
      return std::isfinite(value.number()) ? Json(value.number()) : Json(nullptr);
    case Value::Kind::string:
      return value.string();
    default:
      return nullptr;
  }
}

void append(const Json& json, std::string& text) { text += json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// In the layout of nlohmann's dump. Only scalars pass through that library: a whole tree of its own would be twice as
/// large as the text.
void write(const Value& value, int indent, int depth, std::string& text) {
  const bool is_made = value.kind() == Value::Kind::made_array;
  const bool is_array = is_made || value.kind() == Value::Kind::array;
  if (!is_array && value.kind() != Value::Kind::object) return append(scalar(value), text);
  const auto begin_line = [&](int at) {
    if (indent >= 0) text.append("\n").append(static_cast<std::size_t>(indent * at), ' ');
  };
  bool empty = true;
  const auto next = [&] {
    if (!empty) text += ',';
    empty = false;
    begin_line(depth + 1);
  };
  text += is_array ? '[' : '{';
  if (is_made) {
    for (std::size_t i = 0; i < value.made_items().count; ++i) {
      next();
      write((*value.made_items().make)(i), indent, depth + 1, text);
    }
  } else if (is_array) {
    for (const Value& item : value.items()) {
      next();
      write(item, indent, depth + 1, text);
    }
  } else {
    for (const auto& entry : value.entries()) {
      next();
      append(entry.key, text);
      text += indent >= 0 ? ": " : ":";
      write(entry.value, indent, depth + 1, text);
    }
  }
  if (!empty) begin_line(depth);
  text += is_array ? ']' : '}';
}

// The names of its functions are nlohmann's.
class ValueBuilder : public nlohmann::json_sax<Json> {
 public:
  ValueBuilder(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Value take() { return std::move(root_); }

  bool null() override { return place(nullptr); }
  bool boolean(bool value) override { return place(value); }
  bool number_integer(number_integer_t value) override { return place(value); }
  bool number_unsigned(number_unsigned_t value) override {
    const auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return value > largest ? place(static_cast<double>(value)) : place(value);
  }
  bool number_float(number_float_t value, const string_t&) override { return place(value); }
  bool string(string_t& value) override { return place(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value::object()); }
  bool start_array(std::size_t) override { return open(Value::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (!open_.back().keys.insert(value).second)
      fail(std::nullopt, fmt::format("the key \"{}\" is given twice", value));
    open_.back().key = value;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    std::string reason = error.what();
    if (const std::size_t colon = reason.rfind(": "); colon != std::string::npos) reason.erase(0, colon + 2);
    fail(position, reason);
  }

 private:
  struct Open {
    Value value;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  [[noreturn]] void fail(std::optional<std::size_t> position, const std::string& reason) {
    std::string place(name_);
    if (position) {
      const base::Location where = locate(nullptr, text_, *position > 0 ? *position - 1 : 0);
      place += fmt::format(":{}:{}", where.line, where.column);
    }
    throw base::Error(base::Failure::file, fmt::format("{}: this is not valid JSON: {}", place, reason));
  }

  bool open(Value value) {
    if (open_.size() >= deepest_nesting) fail(std::nullopt, fmt::format("nested deeper than {}", deepest_nesting));
    open_.push_back({std::move(value), {}, {}});
    return true;
  }

  bool close() {
    Value closed = std::move(open_.back().value);
    open_.pop_back();
    return place(std::move(closed));
  }

  bool place(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is(Value::Kind::array)) {
      open_.back().value.push(std::move(value));
    } else {
      open_.back().value.add(std::move(open_.back().key), std::move(value));
    }
    return true;
  }

  std::string_view text_, name_;
  std::vector<Open> open_;
  Value root_;
};

}  // namespace

std::string to_json(const Value& value, int indent) {
  std::string text;
  write(value, indent, 0, text);
  return text;
}

Value parse_json(std::string_view text, std::string_view name) {
  ValueBuilder builder(text, name);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace seam::formats
