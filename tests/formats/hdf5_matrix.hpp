// A dataset of an HDF5 file as the library itself reads it.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace seam::formats {

struct Matrix {
  hsize_t extent[2] = {0, 0};
  std::vector<double> numbers;
  std::string unit;

  Matrix(const std::string& path, const char* name) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, extent, nullptr);
    numbers.resize(extent[0] * extent[1]);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    const hid_t attribute = H5Aopen(set, "unit", H5P_DEFAULT), type = H5Aget_type(attribute);
    unit.resize(H5Tget_size(type));
    H5Aread(attribute, type, unit.data());
    H5Tclose(type);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
  }
  double operator()(std::size_t row, std::size_t run) const { return numbers[row * extent[1] + run]; }
};

}  // namespace seam::formats
