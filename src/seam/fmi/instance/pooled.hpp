// Objects of one size that lie side by side in memory, however far apart their owners are.
#pragma once

#include <memory>
#include <memory_resource>
#include <utility>

namespace seam::fmi {

inline std::pmr::memory_resource& pool() {
  static std::pmr::synchronized_pool_resource blocks;
  return blocks;
}

template <class Object>
struct ReturnToPool {
  void operator()(Object* object) const {
    object->~Object();
    pool().deallocate(object, sizeof(Object), alignof(Object));
  }
};
template <class Object>
using PooledPointer = std::unique_ptr<Object, ReturnToPool<Object>>;

template <class Object, class... Arguments>
PooledPointer<Object> make_pooled(Arguments&&... arguments) {
  void* memory = pool().allocate(sizeof(Object), alignof(Object));
  try {
    return PooledPointer<Object>(new (memory) Object(std::forward<Arguments>(arguments)...));
  } catch (...) {
    pool().deallocate(memory, sizeof(Object), alignof(Object));
    throw;
  }
}

}  // namespace seam::fmi
