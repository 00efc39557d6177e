// Many runs of the same variables in one HDF5 file: one dataset a variable, row x run.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace seam::formats {

/// Runs are added one after the other. Where one has fewer rows than another the rest is NaN. The unit of a dataset is
/// its attribute "unit". base::Error names the path.
class Hdf5Matrices {
 public:
  struct Variable {
    std::string name;  ///< of its dataset; a / in it becomes an underscore
    std::string unit;
  };
  /// How much of a file that is there already stays.
  struct Kept {
    std::size_t runs = 0;  ///< 0: the file is made anew
  };
  Hdf5Matrices(std::string path, const std::vector<Variable>& variables, Kept kept);
  ~Hdf5Matrices();
  Hdf5Matrices(const Hdf5Matrices&) = delete;
  Hdf5Matrices& operator=(const Hdf5Matrices&) = delete;

  /// One column a variable.
  void add(const std::vector<std::vector<double>>& run);
  /// Errors appear here rather than vanish in the destructor.
  void close();

 private:
  struct Handles;
  void create_sets(std::size_t rows);
  void open_sets();
  void write_block();
  [[noreturn]] void fail(const std::string& why = {});

  std::string path_;
  std::vector<Variable> variables_;
  std::size_t runs_ = 0, rows_ = 0;                      ///< in the file
  std::size_t block_runs_ = 0;                           ///< that are written together
  std::vector<std::vector<std::vector<double>>> block_;  ///< runs that wait
  std::unique_ptr<Handles> handles_;
};

}  // namespace seam::formats
