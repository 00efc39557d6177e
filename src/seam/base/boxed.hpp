// A value of a type that its holder's header need not define: copied as a whole, unlike behind a std::unique_ptr.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace seam::base {

template <class T>
class Boxed {
 public:
  /// Where this is called T is defined, and so it is known how to copy and delete one.
  template <class... Arguments>
  requires(!(sizeof...(Arguments) == 1 &&
             (std::is_same_v<std::remove_cvref_t<Arguments>, Boxed> && ...))) explicit Boxed(Arguments&&... arguments)
      : value_(new T(std::forward<Arguments>(arguments)...), [](T* value) { delete value; }),
        copy_([](const T& value) { return new T(value); }) {}
  Boxed(const Boxed& other) : value_(other.copy_(*other), other.value_.get_deleter()), copy_(other.copy_) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(Boxed other) noexcept {
    value_.swap(other.value_);
    std::swap(copy_, other.copy_);
    return *this;
  }
  ~Boxed() = default;

  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T, void (*)(T*)> value_;
  T* (*copy_)(const T&);
};

}  // namespace seam::base
