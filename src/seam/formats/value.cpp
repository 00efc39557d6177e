#include "seam/formats/value.hpp"

#include <utility>

namespace seam::formats {

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
Value::Value(std::nullptr_t) {}
Value::Value(double real) : content_(Real{real, {}}) {}
Value::Value(const char* text) : content_(std::string(text)) {}
Value::Value(std::string_view text) : content_(std::string(text)) {}
Value::Value(std::string text) : content_(std::move(text)) {}

void Value::set_boolean(bool boolean) { content_ = boolean; }
void Value::set_integer(std::int64_t integer) { content_ = integer; }

Value Value::array(std::initializer_list<Value> items) {
  Value value;
  value.content_ = Array(items);
  return value;
}

Value Value::array(const std::vector<double>& numbers) {
  Value value;
  value.content_ = Array(numbers.begin(), numbers.end());
  return value;
}

Value Value::array(const std::vector<std::string>& texts) {
  Value value;
  value.content_ = Array(texts.begin(), texts.end());
  return value;
}

Value Value::made_array(std::size_t count, std::function<Value(std::size_t)> make) {
  Value value;
  value.content_ = MadeArray{count, std::make_shared<const std::function<Value(std::size_t)>>(std::move(make))};
  return value;
}

Value Value::object(std::initializer_list<Entry> entries) {
  Value value;
  value.content_ = Object(entries);
  return value;
}

Value Value::written(double real, std::string writing) {
  Value value;
  value.content_ = Real{real, std::move(writing)};
  return value;
}

Value& Value::push(Value item) {
  if (is(Kind::null)) content_ = Array{};
  std::get<Array>(content_).push_back(std::move(item));
  return *this;
}

Value& Value::add(std::string key, Value value, std::string comment) {
  if (is(Kind::null)) content_ = Object{};
  std::get<Object>(content_).push_back({std::move(key), std::move(value), std::move(comment)});
  return *this;
}

double Value::number() const {
  return is(Kind::integer) ? static_cast<double>(integer()) : std::get<Real>(content_).number;
}

const Value* Value::find(std::string_view key) const {
  if (!is(Kind::object)) return nullptr;
  for (const Entry& entry : entries()) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace seam::formats
