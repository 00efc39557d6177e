// Two linear marchers side by side: their micro steps wait for nothing but themselves, so both together take hardly
// longer than one. Every number is computed as if it were alone.
#pragma once

#include <array>
#include <vector>

#include "seam/assembly/linear_marcher.hpp"
#include "seam/ode/linear_pairs.hpp"

namespace seam::assembly {

class LinearPair final : public MarcherPair {
 public:
  static bool can(const LinearMarcher& first, const LinearMarcher& second);
  LinearPair(LinearMarcher& first, LinearMarcher& second);

  Outcomes march(const Stretches& stretches, const Notes& notes) override;

 private:
  using Written = LinearInputs::Written;
  /// A row of C and D of both, in twos, and where its outputs go among those of its kind; -1: one has fewer of them.
  struct OutputRow {
    std::vector<double> c, d;
    std::array<int, 2> number{};
  };

  std::vector<OutputRow> rows_of(const std::array<std::vector<int>, 2>& outputs) const;
  std::vector<double> in_twos(const std::array<const std::vector<double>*, 2>& matrices, int rows,
                              const std::array<int, 2>& columns, int most) const;
  Written write_inputs(const Stretches& stretches, const Notes& notes);
  bool is_zero(int column, int count, Written written) const;
  void narrow(int count, Written written);
  ode::PairKernels::Reading reading_begins(Written written, const Notes& notes) const;
  bool reads_on_the_way(const Notes& notes) const;
  void advance(int count, Written written, const Notes& notes);
  bool stays_finite(int steps) const;
  void read(const std::vector<OutputRow>& rows, ode::PairKernels::Reading reading, int count,
            const std::array<double*, 2>& to);
  void note_outputs(int count, Written written, const Notes& notes);

  std::array<LinearMarcher*, 2> marchers_;
  std::array<int, 2> n_{}, m_{};
  int states_ = 0, inputs_ = 0;  // the larger numbers
  const ode::PairKernels* kernels_;
  ode::LinearPair equations_;
  std::vector<double> A_, B_;
  bool narrows_ = false;
  int first_input_ = 0, used_inputs_ = 0;  // columns that are computed with; the others are 0
  std::vector<double> used_B_;
  std::vector<OutputRow> begin_outputs_, end_outputs_, last_outputs_;
  std::vector<double> stages_, ends_, followed_, x_;
  double nobody_ = 0.0;  // where an output goes that there is none of
};

}  // namespace seam::assembly
