// An archive that libzip has open, closed without writing; for the files of this room.
#pragma once

#include <zip.h>

#include <string>
#include <utility>

#include "seam/formats/zip.hpp"

namespace seam::formats {

struct ZipHandle {
  ZipHandle(zip_t* opened, std::string from) : archive(opened), path(std::move(from)) {}
  ~ZipHandle() { zip_discard(archive); }
  ZipHandle(const ZipHandle&) = delete;
  ZipHandle& operator=(const ZipHandle&) = delete;

  zip_t* archive;
  std::string path;
};

}  // namespace seam::formats
