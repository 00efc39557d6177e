// What the strict FMU computes: x' = k (u - x), y = x, z = x + u, copies of every type, and steps that are discarded or
// end the run where the test wants them to.
#include "fmus/models/copying_model.hpp"

namespace seam::fmus {
namespace {

constexpr double never = 1e300;

class Strict final : public CopyingModel {
 public:
  explicit Strict(Version version) : CopyingModel(version) {
    if (version == Version::fmi3) add_vectors_size();
    k_ = add(parameter("k", 1.0, "", Variability::tunable));
    x0_ = add(parameter("x0", 1.0, ""));
    discard_at_ = add(parameter("discard_at", never, "s"));
    discard_limit_ = add(parameter("discard_limit", 0.0, "s"));
    terminate_at_ = add(parameter("terminate_at", never, "s"));
    add(parameter("expected_tolerance", 0.0, ""));
    Variable constant = parameter("c", 3.0, "", Variability::constant);
    constant.causality = Causality::local;
    add(std::move(constant));
    u_ = add(input("u", 0.0, ""));
    add_states();
    add_copies();
    if (version == Version::fmi3) add_vectors();
  }

  Traits traits() const override { return {.description = "accepts only what the standard allows"}; }

  void initialise() override { real(x_) = real(x0_); }

  void evaluate() override {
    real(y_) = real(x_);
    real(z_) = real(x_) + real(u_);
    real(der_) = real(k_) * (real(u_) - real(x_));
    copy();
    if (n_ < 0) return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(integer(n_)); ++i) real(y_vector_, i) = real(u_vector_, i);
  }

  StepReport step(double t, double h) override {
    const double discard_at = real(discard_at_), terminate_at = real(terminate_at_);
    const bool second = version() != Version::fmi3;
    if (t < discard_at && discard_at <= t + h && h > real(discard_limit_)) {
      log(Status::discard, "the step passes discard_at", LogForm::text);
      if (second) advance(t, discard_at - t);
      return {Status::discard, second ? discard_at : t};
    }
    if (t + h <= terminate_at) {
      advance(t, h);
      return {.reached = t + h};
    }
    log(Status::discard, "the step passes terminate_at", LogForm::text);
    // FMI 2 has no other way to ask for the end than to discard the step (4.2.2).
    advance(t, second ? terminate_at - t : h);
    return {second ? Status::discard : Status::ok, memory().time, Ending::asks_to_end};
  }

  bool linearise() override { return true; }

  std::optional<double> partial(int unknown, int known) const override {
    const double k = memory().reals[variables()[static_cast<std::size_t>(k_)].offset];
    if (known != u_ && known != x_) return std::nullopt;
    const bool input = known == u_;
    if (unknown == y_) return input ? 0.0 : 1.0;
    if (unknown == z_) return 1.0;
    if (unknown == der_) return input ? k : -k;
    return std::nullopt;
  }

  std::optional<double> output_derivative(int output) const override {
    if (output != y_ && output != z_) return std::nullopt;
    return memory().reals[variables()[static_cast<std::size_t>(der_)].offset];
  }

 private:
  void add_vectors_size() {
    Variable size = parameter("n", 2.0, "");
    size.type = Type::uint64;
    size.causality = Causality::structural_parameter;
    n_ = add(std::move(size));
  }

  void add_vectors() {
    Variable from = input("u_vector", 0.0, "");
    from.start = "1 2";
    from.dimensions = {{2, n_}};
    u_vector_ = add(std::move(from));
    Variable to = output("y_vector", "");
    to.dimensions = {{2, n_}};
    to.depends_on = {u_vector_};
    y_vector_ = add(std::move(to));
  }

  void add_states() {
    Variable state = output("x", "");
    state.causality = Causality::local;
    x_ = add(std::move(state));
    Variable derivative = output("der(x)", "");
    derivative.causality = Causality::local;
    derivative.derivative_of = x_;
    derivative.depends_on = {x_, u_};
    der_ = add(std::move(derivative));
    Variable y = output("y", "");
    y.depends_on = {x_};
    y_ = add(std::move(y));
    Variable z = output("z", "");
    z.depends_on = {x_, u_};
    z_ = add(std::move(z));
  }

  void advance(double t, double h) {
    real(x_) += h * real(k_) * (real(u_) - real(x_));
    set_time(t + h);
    evaluate();
  }

  int n_ = -1, k_, x0_, discard_at_, discard_limit_, terminate_at_, u_, u_vector_ = -1, y_vector_ = -1;
  int x_ = -1, der_ = -1, y_ = -1, z_ = -1;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<Strict>(version); }

}  // namespace seam::fmus
