// The memory of an Identification and the steps it is made of. Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/lti/identification.hpp"
#include "seam/lti/least_squares.hpp"
#include "seam/lti/singular_values.hpp"

namespace seam::lti {

struct Identification::Workspace {
  explicit Workspace(const IdentificationSize& size);

  /// Samples whose channels were divided by their scales, one channel after the other, each with room for the most.
  struct Record {
    std::vector<double> u, y;
    int count = 0;
  };

  int inputs, outputs, most_samples, block_rows, most_states;

  // of the latest record
  Record fitted, fresh;
  std::vector<double> input_scale, output_scale;  ///< root mean squares, or 1
  int hankel_leading;                             ///< rows that there is room for: as many as samples
  std::vector<double> hankel;                     ///< columns of data as rows, then R: [U^T Y^T] = Q R; column-major
  int hankel_rows = 0;
  double excitation = 0.0;
  double weakest_input = 0.0;    ///< smallest singular value of the inputs' own part of R
  double data_size = 0.0;        ///< norm of the outputs' columns of R
  int singular_count = 0;        ///< of the outputs' own part of R
  std::vector<double> triangle;  ///< a part of R

  // of the latest fit: the model of the scaled channels, and what the caller sees
  int order = 0;
  std::vector<double> A, B, C, D, x0;
  std::vector<double> B_seen, C_seen, D_seen;

  int equation_rows;  ///< at most
  std::vector<double> equations, right_side, column_norms;
  std::vector<double> filters, scratch, state, projector;
  std::vector<double> errors;

  SingularValues singular;
  LeastSquares least_squares;

  int input_rows() const { return block_rows * inputs; }
  int output_rows() const { return block_rows * outputs; }
  int data_columns() const { return input_rows() + output_rows(); }
  double& hankel_at(int row, int column) {
    return hankel[static_cast<std::size_t>(column) * static_cast<std::size_t>(hankel_leading) +
                  static_cast<std::size_t>(row)];
  }
  double input(const Record& record, int sample, int channel) const {
    return record.u[static_cast<std::size_t>(channel * most_samples + sample)];
  }
  double output(const Record& record, int sample, int channel) const {
    return record.y[static_cast<std::size_t>(channel * most_samples + sample)];
  }
  double& equation(int row, int column) {
    return equations[static_cast<std::size_t>(column) * static_cast<std::size_t>(equation_rows) +
                     static_cast<std::size_t>(row)];
  }

  /// False if a sample is not finite.
  bool take(const Samples& samples);
  Finding factorise(const IdentificationChoices& choices);
  /// Uncertainty and prominence.
  void judge(IdentificationReport& report) const;
  Finding choose_order(const IdentificationChoices& choices, double& gap);
  /// A and C, by the shift structure of the observability matrix. False if the states cannot be told apart.
  bool find_dynamics();
  /// B, D and the first state. False if they are not determined.
  bool find_inputs(const IdentificationChoices& choices);
  void unscale();
  /// Fills `errors` with those of the free run from `state`; the largest of them.
  double run_freely(const Record& record);
  /// The state at the first sample into `state`, from so many samples. B and D are known.
  bool fit_first_state(const Record& record, int samples);
  void sort_into(const Samples& samples, Record& record) const;
  void scale(Record& record) const;

 private:
  void write_hankel();
  bool find_inputs_by_simulation(FirstState first);
  bool find_inputs_by_projection();
  void write_free_response(int samples);
  void write_forced_response(int first_column);
  void write_projection();
  /// Columns of the equations scaled to length 1, solved, and scaled back; the solution is in right_side.
  bool solve_equations(int rows, int columns);
};

}  // namespace seam::lti
