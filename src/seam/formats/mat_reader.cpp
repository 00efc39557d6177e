#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_set>

#include "seam/base/error.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/mat.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 31;
constexpr std::size_t most_numbers = std::size_t{1} << 27;  // of the table: constants and aliases take room here too

/// What cannot be read; said as a problem.
struct Unreadable {
  std::string what;
};

template <class Number>
Number number_at(std::string_view bytes, std::size_t index) {
  Number number;
  std::memcpy(&number, bytes.data() + index * sizeof(Number), sizeof(Number));
  return number;
}

/// A matrix as it lies in the file, column by column.
struct Matrix {
  int precision = 0;  ///< 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 byte
  std::size_t rows = 0, columns = 0;
  std::string_view bytes;

  static std::size_t size_of(int precision) {
    constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
    return sizes[precision];
  }
  double at(std::size_t row, std::size_t column) const {
    const std::size_t index = column * rows + row;
    switch (precision) {
      case 0:
        return number_at<double>(bytes, index);
      case 1:
        return static_cast<double>(number_at<float>(bytes, index));
      case 2:
        return number_at<std::int32_t>(bytes, index);
      case 3:
        return number_at<std::int16_t>(bytes, index);
      case 4:
        return number_at<std::uint16_t>(bytes, index);
      default:
        return number_at<std::uint8_t>(bytes, index);
    }
  }
};

using Matrices = std::map<std::string, Matrix, std::less<>>;

/// The matrices up to data_2, the last one that counts.
Matrices split(std::string_view bytes) {
  constexpr std::size_t header = 5 * sizeof(std::int32_t);
  Matrices matrices;
  while (bytes.size() >= header && matrices.find("data_2") == matrices.end()) {
    const auto field = [&](std::size_t i) { return number_at<std::int32_t>(bytes, i); };
    const std::int32_t type = field(0), name_length = field(4);
    if (type < 0 || type > 59 || type % 10 > 1 || field(1) < 0 || field(2) < 0 || field(3) != 0 || name_length < 1)
      throw Unreadable{"it is no MAT file of level 4 with numbers of this machine's byte order"};
    Matrix matrix{type / 10, static_cast<std::size_t>(field(1)), static_cast<std::size_t>(field(2)), {}};
    bytes.remove_prefix(header);
    const auto length = static_cast<std::size_t>(name_length);
    if (length > bytes.size()) throw Unreadable{"it ends inside the name of a matrix"};
    const std::string name(bytes.substr(0, bytes.substr(0, length).find('\0')));
    bytes.remove_prefix(length);
    const std::size_t size = matrix.rows * matrix.columns;  // both below 2^31
    if (size > bytes.size() / Matrix::size_of(matrix.precision))
      throw Unreadable{fmt::format("it ends inside the matrix \"{}\"", name)};
    matrix.bytes = bytes.substr(0, size * Matrix::size_of(matrix.precision));
    bytes.remove_prefix(matrix.bytes.size());
    matrices.emplace(name, matrix);
  }
  return matrices;
}

const Matrix& needed(const Matrices& matrices, const char* name) {
  const auto found = matrices.find(name);
  if (found == matrices.end()) throw Unreadable{fmt::format("it has no matrix \"{}\"", name)};
  return found->second;
}

enum class Layout { normal, transposed };

double element(const Matrix& matrix, Layout layout, std::size_t row, std::size_t column) {
  return layout == Layout::normal ? matrix.at(row, column) : matrix.at(column, row);
}
std::size_t rows_of(const Matrix& matrix, Layout layout) {
  return layout == Layout::normal ? matrix.rows : matrix.columns;
}
std::size_t columns_of(const Matrix& matrix, Layout layout) {
  return layout == Layout::normal ? matrix.columns : matrix.rows;
}

/// A row of characters without the blanks and zeros that fill it up.
std::string text_at(const Matrix& matrix, Layout layout, std::size_t row) {
  std::string text;
  for (std::size_t i = 0; i < columns_of(matrix, layout); ++i) {
    const double code = element(matrix, layout, row, i);
    text += code >= 0.0 && code < 256.0 ? static_cast<char>(static_cast<unsigned char>(code)) : '?';
  }
  text = text.substr(0, text.find('\0'));
  const std::size_t last = text.find_last_not_of(" \t");
  return text.substr(0, last == std::string::npos ? 0 : last + 1);
}

Layout layout_of(const Matrix& classes) {
  if (classes.rows < 4 || classes.columns < 8 || text_at(classes, Layout::normal, 0) != "Atrajectory")
    throw Unreadable{"it holds no trajectories (its matrix \"Aclass\" says something else)"};
  return text_at(classes, Layout::normal, 3) == "binTrans" ? Layout::transposed : Layout::normal;
}

/// "angle [rad|deg]": rad.
std::string unit_in(const std::string& description) {
  const std::size_t open = description.rfind('[');
  if (description.empty() || description.back() != ']' || open == std::string::npos) return {};
  const std::string inside = description.substr(open + 1, description.size() - open - 2);
  return inside.substr(0, inside.find('|'));
}

class MatReader {
 public:
  explicit MatReader(std::string_view bytes)
      : matrices_(split(bytes)),
        layout_(layout_of(needed(matrices_, "Aclass"))),
        names_(needed(matrices_, "name")),
        descriptions_(needed(matrices_, "description")),
        places_(needed(matrices_, "dataInfo")),
        constants_(needed(matrices_, "data_1")),
        values_(needed(matrices_, "data_2")) {}

  Table read() {
    const std::size_t variables = rows_of(names_, layout_), rows = rows_of(values_, layout_);
    if (rows_of(places_, layout_) != variables || rows_of(descriptions_, layout_) != variables ||
        columns_of(places_, layout_) < 2)
      throw Unreadable{"its matrices name, description and dataInfo do not fit together"};
    if (variables > most_numbers / std::max<std::size_t>(rows, 1))
      throw Unreadable{fmt::format("{} variables at {} times are too many to be read at once", variables, rows)};
    std::optional<std::size_t> time;
    for (std::size_t v = 0; v < variables && !time; ++v) {
      if (element(places_, layout_, v, 0) == 0.0) time = v;
    }
    if (!time) throw Unreadable{"none of its variables is the time"};
    add(*time);
    for (std::size_t v = 0; v < variables; ++v) {
      if (v != *time) add(v);
    }
    return std::move(table_);
  }

 private:
  void add(std::size_t variable) {
    std::string name = text_at(names_, layout_, variable);
    if (name.empty() || find_bad_byte(name)) throw Unreadable{fmt::format("variable {} has no name", variable + 1)};
    if (!seen_.insert(name).second) throw Unreadable{fmt::format("\"{}\" names two variables", name)};
    const double which = element(places_, layout_, variable, 0);
    const double place = element(places_, layout_, variable, 1);
    const bool constant = which == 1.0;
    const Matrix& matrix = constant ? constants_ : values_;
    if (!constant && which != 0.0 && which != 2.0) {
      table_.leave_out(std::move(name), holds_texts);  // of OpenModelica
      return;
    }
    const double column = std::abs(place) - 1.0;
    if (!(column >= 0.0 && column < static_cast<double>(columns_of(matrix, layout_))) || column != std::floor(column) ||
        (constant && rows_of(matrix, layout_) == 0))
      throw Unreadable{fmt::format("there is nothing where \"{}\" should be", name)};
    std::vector<double> numbers(rows_of(values_, layout_));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double number = element(matrix, layout_, constant ? 0 : i, static_cast<std::size_t>(column));
      numbers[i] = place < 0.0 ? -number : number;
    }
    std::string unit = unit_in(text_at(descriptions_, layout_, variable));
    if (find_bad_byte(unit)) unit.clear();
    table_.names.push_back(std::move(name));
    table_.units.push_back(std::move(unit));
    table_.columns.push_back(std::move(numbers));
  }

  Matrices matrices_;
  Layout layout_;
  const Matrix &names_, &descriptions_, &places_, &constants_, &values_;
  Table table_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Table read_mat_bytes(std::string_view bytes, const std::string& source_name, base::Problems& problems) {
  try {
    return MatReader(bytes).read();
  } catch (const Unreadable& reason) {
    problems.add({}, fmt::format("\"{}\" cannot be read: {}", source_name, reason.what),
                 "results are read as Dymola, OpenModelica and seam write them");
  }
  return {};
}

Table read_mat(const std::string& path, base::Problems& problems) {
  try {
    return read_mat_bytes(read_text(path, largest_file), path, problems);
  } catch (const base::Error& error) {
    problems.add({}, error.what());
  }
  return {};
}

}  // namespace seam::formats
