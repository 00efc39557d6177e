// Counts the ticks of an input clock, and sums up a clocked input.
#include "fmus/framework/ode_model.hpp"

namespace seam::fmus {
namespace {

class ClockedCounter final : public OdeModel {
 public:
  explicit ClockedCounter(Version version)
      : OdeModel(version, {}, [](std::span<const double>) { return models::Model{}; }) {
    Variable tick = clock("tick", Causality::input, Ticking::triggered);
    tick.can_be_deactivated = true;
    tick_ = add(std::move(tick));
    u_ = add(clocked(input("u", 0.0, ""), tick_));
    previous_count_ = add(state("previous_count", Type::int32));
    previous_sum_ = add(state("previous_sum", Type::float64));
    Variable count = state("count", Type::int32);
    count.causality = Causality::output;
    count.previous = previous_count_;
    count.depends_on = {tick_};
    count_ = add(std::move(count));
    Variable sum = state("sum", Type::float64);
    sum.causality = Causality::output;
    sum.previous = previous_sum_;
    sum.depends_on = {tick_, u_};
    sum_ = add(std::move(sum));
    total_ = add(discrete_output("total", Type::int32));
  }

  Traits traits() const override { return {.description = "counts the ticks of its clock"}; }

  // A clock that is taken back leaves the states as they were (FMI 3.0.2, 2.3.5).
  void evaluate() override {
    const bool active = switches() && ticks(tick_);
    integer(count_) = integer(previous_count_) + (active ? 1 : 0);
    real(sum_) = real(previous_sum_) + (active ? real(u_) : 0.0);
    if (switches()) integer(total_) = integer(count_);
  }

  EventReport update() override {
    integer(previous_count_) = integer(count_);
    real(previous_sum_) = real(sum_);
    return {};
  }

 private:
  Variable state(const char* name, Type type) const {
    Variable variable = clocked(local(name, ""), tick_);
    variable.type = type;
    return variable;
  }

  int tick_, u_, previous_count_, previous_sum_, count_, sum_, total_;
};

}  // namespace

std::unique_ptr<Model> make_model(Version version) { return std::make_unique<ClockedCounter>(version); }

}  // namespace seam::fmus
