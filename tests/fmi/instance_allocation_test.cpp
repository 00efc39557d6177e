// Numbers cross without an allocation once there is room for them. Sanitizers replace the operators themselves, so
// there is nothing to count under them; an FMU's own allocations are its own (deep binding) and not counted.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <cstdlib>
#include <new>

#include "fmi/living_instances.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Replacing the global operators counts every allocation of this program.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* place = std::malloc(size ? size : 1)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

namespace seam::fmi {
namespace {

template <class Chosen>
class InstanceAllocations : public Instances<Chosen> {
 protected:
  /// Allocations of one variable's way in and out, after the first time.
  long allocations_of(const std::string& name) {
    const Type type = this->variable(name + "_in").type;
    const auto in = this->references({name + "_in"}), out = this->references({name + "_out"});
    Values values = this->get(name + "_in");
    long before = 0;
    for (int round = 0; round < 3; ++round) {
      if (round == 1) before = allocations;
      this->instance_->set(type, in, values);
      this->instance_->do_step(t_, 0.125);
      this->instance_->get(type, out, values);
      t_ += 0.125;
    }
    return allocations - before;
  }

 private:
  double t_ = 0.0;
};
TYPED_TEST_SUITE(InstanceAllocations, Versions);

TYPED_TEST(InstanceAllocations, are_counted_at_all) {
  const long before = allocations;
  this->begin("types");
  EXPECT_GT(allocations, before);
}

TYPED_TEST(InstanceAllocations, of_numbers_of_any_type_end_with_the_first_call) {
  this->begin("types");
  std::vector<std::string> names{"boolean", "enumeration", "discrete"};
  if (this->version == 2) {
    names.insert(names.end(), {"real", "integer"});
  } else {
    names.insert(names.end(),
                 {"float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"});
  }
  for (const std::string& name : names) EXPECT_EQ(this->allocations_of(name), 0) << name;
}

TYPED_TEST(InstanceAllocations, of_derivatives_end_with_the_first_call) {
  this->begin("state-space");
  this->instance_->do_step(0.0, 0.125);
  const auto outputs = this->references({"y1", "y2"}), inputs = this->references({"u1", "u2"});
  const std::vector<double> seed{1.0, 1.0};
  std::vector<double> into(2);
  long before = 0;
  for (int round = 0; round < 3; ++round) {
    if (round == 1) before = allocations;
    this->instance_->directional(outputs, inputs, seed, into);
    this->instance_->output_derivatives(outputs, 1, into);
  }
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace seam::fmi
#endif
