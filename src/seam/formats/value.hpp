// A tree of values to be written as JSON or YAML; the entries of an object keep their order and may carry a comment.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace seam::formats {

class Value {
 public:
  struct Entry;
  using Array = std::vector<Value>;
  using Object = std::vector<Entry>;
  enum class Kind { null, boolean, integer, real, string, array, object, made_array };  // in the order of the variant

  // Defined where Entry is complete. Values are meant to convert, so none is explicit.
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  Value(std::nullptr_t);
  template <std::same_as<bool> B>  // no pointer becomes a boolean
  Value(B boolean) : Value() {
    set_boolean(boolean);
  }
  template <std::integral I>
  requires(!std::same_as<I, bool>) Value(I integer) : Value() { set_integer(static_cast<std::int64_t>(integer)); }
  Value(double real);
  Value(const char* text);
  Value(std::string_view text);
  Value(std::string text);
  template <class Content>  // none becomes null
  Value(const std::optional<Content>& content) : Value(content ? Value(*content) : Value()) {}

  static Value array(std::initializer_list<Value> items = {});
  static Value array(const std::vector<double>& numbers);
  static Value array(const std::vector<std::string>& texts);
  /// What `value_of` makes of each item.
  template <class Items, class Make>
  static Value list(const Items& items, Make value_of) {
    Value result = array();
    for (const auto& item : items) result.push(value_of(item));
    return result;
  }
  /// `count` items that are made one after the other while JSON is written: a list of millions is never in memory.
  /// What `make` refers to must live until then.
  static Value made_array(std::size_t count, std::function<Value(std::size_t)> make);
  static Value object(std::initializer_list<Entry> entries = {});
  /// A number whose writing YAML keeps (1.50, 1e3); JSON writes the number.
  static Value written(double real, std::string writing);

  /// Appends to an array; null becomes an array first.
  Value& push(Value item);
  /// Appends to an object; null becomes an object first. The key must be new.
  Value& add(std::string key, Value value, std::string comment = {});

  Kind kind() const { return static_cast<Kind>(content_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }
  bool boolean() const { return std::get<bool>(content_); }
  std::int64_t integer() const { return std::get<std::int64_t>(content_); }
  /// Of a real or an integer.
  double number() const;
  const std::string& writing() const { return std::get<Real>(content_).writing; }
  const std::string& string() const { return std::get<std::string>(content_); }
  const Array& items() const { return std::get<Array>(content_); }
  const Object& entries() const { return std::get<Object>(content_); }
  struct MadeArray {
    std::size_t count;
    std::shared_ptr<const std::function<Value(std::size_t)>> make;
  };
  const MadeArray& made_items() const { return std::get<MadeArray>(content_); }
  /// The value of a key of an object, or nullptr (also if this is no object).
  const Value* find(std::string_view key) const;

 private:
  void set_boolean(bool boolean);
  void set_integer(std::int64_t integer);

  struct Real {
    double number;
    std::string writing;
  };
  std::variant<std::monostate, bool, std::int64_t, Real, std::string, Array, Object, MadeArray> content_;
};

struct Value::Entry {
  std::string key;
  Value value;
  std::string comment = {};  ///< for YAML
};

}  // namespace seam::formats
