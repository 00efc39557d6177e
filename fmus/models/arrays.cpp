// y = A u and M = u u^T; the size n is a structural parameter.
#include "fmus/framework/model.hpp"

namespace seam::fmus {
namespace {

class Arrays final : public Model {
 public:
  explicit Arrays(Version version) : Model(version) {
    Variable size = parameter("n", 3.0, "");
    size.type = Type::uint64;
    size.causality = Causality::structural_parameter;
    n_ = add(std::move(size));
    Variable matrix = parameter("A", 0.0, "", Variability::tunable);
    matrix.start = "1 2 3 4 5 6 7 8 9";
    matrix.dimensions = {{3, n_}, {3, n_}};
    A_ = add(std::move(matrix));
    Variable from = input("u", 0.0, "");
    from.start = "1 0 0";
    from.dimensions = {{3, n_}};
    u_ = add(std::move(from));
    Variable to = output("y", "");
    to.dimensions = {{3, n_}};
    to.depends_on = {u_};
    y_ = add(std::move(to));
    Variable product = output("M", "");
    product.dimensions = {{3, n_}, {3, n_}};
    product.depends_on = {u_};
    M_ = add(std::move(product));
  }

  Traits traits() const override { return {.description = "y = A u and M = u u^T with n entries"}; }

  void evaluate() override {
    const auto n = static_cast<std::size_t>(integer(n_));
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        sum += real(A_, i * n + j) * real(u_, j);
        real(M_, i * n + j) = real(u_, i) * real(u_, j);
      }
      real(y_, i) = sum;
    }
  }

  StepReport step(double t, double h) override {
    set_time(t + h);
    evaluate();
    return {.reached = t + h};
  }

 private:
  int n_, A_, u_, y_, M_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Arrays>(version); }

}  // namespace seam::fmus
