// x' = A x + B u, y = C x + D u with two inputs, states and outputs.
#include "seam/models/state_space.hpp"

#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

models::Model equations(std::span<const double> p) {
  const auto matrix = [&](std::size_t first) {
    lti::Matrix M(2, 2);
    M << p[first], p[first + 1], p[first + 2], p[first + 3];
    return M;
  };
  return models::state_space({matrix(0), matrix(4), matrix(8), matrix(12)}, {p[16], p[17]}, {"u1", "u2"}, {"y1", "y2"});
}

// A damped oscillator, an integrating input each, and a feed-through from the second input to the first output.
std::vector<Variable> parameters() {
  struct Entry {
    const char* name;
    double start;
  };
  std::vector<Variable> result;
  for (const auto& [name, start] : {Entry{"A11", 0.0},
                                    {"A12", 1.0},
                                    {"A21", -4.0},
                                    {"A22", -0.4},  //
                                    {"B11", 1.0},
                                    {"B12", 0.0},
                                    {"B21", 0.0},
                                    {"B22", 1.0},  //
                                    {"C11", 1.0},
                                    {"C12", 0.0},
                                    {"C21", 0.0},
                                    {"C22", 1.0},  //
                                    {"D11", 0.0},
                                    {"D12", 0.5},
                                    {"D21", 0.0},
                                    {"D22", 0.0}}) {
    result.push_back(parameter(name, start, "", Variability::tunable));
  }
  result.push_back(parameter("x10", 1.0, ""));
  result.push_back(parameter("x20", 0.0, ""));
  return result;
}

class TwoByTwo final : public OdeModel {
 public:
  explicit TwoByTwo(Version version) : OdeModel(version, parameters(), equations) {}
  Traits traits() const override { return {.description = "linear system with two inputs, states and outputs"}; }
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<TwoByTwo>(version); }

}  // namespace seam::fmus
