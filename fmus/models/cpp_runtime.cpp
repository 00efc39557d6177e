// y' = u by one Euler step a call, on a detour through all that C++ libraries bring along: streams on standard output
// and standard error, locales, exceptions inside, threads, and a library of its own that it loads.
#include <dlfcn.h>

#include <condition_variable>
#include <exception>
#include <iomanip>
#include <iostream>
#include <locale>
#include <mutex>
#include <sstream>
#include <thread>

#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

/// A number as text with a decimal comma, and back: 17 digits keep every bit.
double through_text(double number) {
  std::stringstream text;
  text.imbue(std::locale(std::locale::classic(), new DecimalComma));
  text << std::setprecision(17) << number;
  if (text.str().find('.') != std::string::npos) throw std::logic_error("the locale was not used: " + text.str());
  double read = 0.0;
  text >> read;
  return read;
}

struct Carried : std::runtime_error {
  explicit Carried(double value) : std::runtime_error("carries a number"), number(value) {}
  double number;
};

/// Thrown in another thread, which is waited for, and caught in this one.
double through_a_thread(double number) {
  std::mutex mutex;
  std::condition_variable told;
  std::exception_ptr carried;
  std::thread thread([&] {
    const std::lock_guard lock(mutex);
    try {
      throw Carried(number);
    } catch (...) {
      carried = std::current_exception();
    }
    told.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    told.wait(lock, [&] { return carried != nullptr; });
  }
  thread.join();
  try {
    std::rethrow_exception(carried);
  } catch (const Carried& caught) {
    return caught.number;
  }
}

class CppRuntime final : public Model {
 public:
  explicit CppRuntime(Version version) : Model(version) {
    u_ = add(input("u", 1.0, ""));
    y_ = add(output("y", ""));
  }
  ~CppRuntime() override {
    if (library_) dlclose(library_);
  }
  Traits traits() const override { return {.description = "integrator that uses streams, locales, threads and more"}; }

  bool created(const std::string&) override {
    std::cout << "cpp-runtime: " << std::fixed << 0.5 << std::endl;
    std::cerr << "cpp-runtime: created" << std::endl;
    library_ = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    scale_ = library_ ? reinterpret_cast<double (*)(double, int)>(dlsym(library_, "ldexp")) : nullptr;
    return scale_ != nullptr;
  }
  StepReport step(double t, double h) override {
    std::cout << "cpp-runtime: " << std::scientific << t << '\n';
    real(y_) += scale_(through_a_thread(through_text(h * real(u_))), 0);
    set_time(t + h);
    return {.reached = t + h};
  }

 private:
  int u_, y_;
  void* library_ = nullptr;
  double (*scale_)(double, int) = nullptr;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<CppRuntime>(version); }

}  // namespace seam::fmus
