// A function of an FMU's C interface. C has no exceptions, but a library in C++ may throw one all the same.
#pragma once

namespace seam::fmi {

/// Called like a pointer to the function. An exception ends in std::terminate here, while the call is still on the
/// watch of its thread, instead of passing through code of ours; it costs nothing where none is thrown.
template <class Type>
class FmuFunction;

template <class Result, class... Arguments>
class FmuFunction<Result(Arguments...)> {
 public:
  FmuFunction() = default;
  explicit FmuFunction(void* address) : function_(reinterpret_cast<Result (*)(Arguments...)>(address)) {}

  [[gnu::always_inline]] Result operator()(Arguments... arguments) const noexcept { return function_(arguments...); }
  /// Whether the FMU has it.
  explicit operator bool() const { return function_ != nullptr; }
  bool operator==(const FmuFunction&) const = default;

 private:
  Result (*function_)(Arguments...) = nullptr;
};

}  // namespace seam::fmi
