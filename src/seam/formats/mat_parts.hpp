// The parts of a MATLAB level 4 file: headers of matrices and their bytes. Only source files of this room include it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace seam::formats::mat_parts {

static_assert(std::endian::native == std::endian::little, "the numbers are written as they lie in memory");

/// Tens: precision (0 double, 2 32-bit integer, 5 byte); ones: 1 for text.
enum class Kind : std::int32_t { doubles = 0, integers = 20, text = 51 };

inline void put(std::string& bytes, const void* first, std::size_t size) {
  bytes.append(static_cast<const char*>(first), size);
}

inline void put_header(std::string& bytes, const char* name, Kind kind, std::size_t rows, std::size_t columns) {
  const std::size_t name_length = std::strlen(name) + 1;
  const std::int32_t fields[] = {static_cast<std::int32_t>(kind), static_cast<std::int32_t>(rows),
                                 static_cast<std::int32_t>(columns), 0, static_cast<std::int32_t>(name_length)};
  put(bytes, fields, sizeof fields);
  put(bytes, name, name_length);
}

}  // namespace seam::formats::mat_parts
