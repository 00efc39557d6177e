#include "seam/assembly/resident.hpp"

#include <utility>

namespace seam::assembly {
namespace {

struct Home {
  const Crew& crew;
  int thread;
  template <class Work>
  auto operator()(Work&& work) const {
    return crew.on(thread, std::forward<Work>(work));
  }
};

class ResidentEvents final : public DiscretePart {
 public:
  ResidentEvents(const Home& home, DiscretePart& part) : home_(home), part_(part) {}

  bool is_concerned(double t, In inputs) override {
    return home_([&] { return part_.is_concerned(t, inputs); });
  }
  void exchange(double t, In inputs, Out outputs) override {
    home_([&] { part_.exchange(t, inputs, outputs); });
  }
  Wish update() override {
    return home_([&] { return part_.update(); });
  }
  void read(Out outputs) override {
    home_([&] { part_.read(outputs); });
  }
  void refresh(double t, In inputs, Out outputs) override {
    home_([&] { part_.refresh(t, inputs, outputs); });
  }
  bool jumped() const override { return part_.jumped(); }
  bool takes_part() const override { return part_.takes_part(); }
  bool hears_news(double t, In inputs) override {
    return home_([&] { return part_.hears_news(t, inputs); });
  }
  void leave(double t) override {
    home_([&] { part_.leave(t); });
  }
  Arrival advance_to_event(const Step& step, const InputPolynomials& input, Out outputs) override {
    return home_([&] { return part_.advance_to_event(step, input, outputs); });
  }
  bool can_go_back() const override { return part_.can_go_back(); }
  std::string what_changed() const override {
    return home_([&] { return part_.what_changed(); });
  }

 private:
  Home home_;
  DiscretePart& part_;
};

class Resident final : public Subsystem {
 public:
  Resident(const Home& home, std::unique_ptr<Subsystem> inner)
      : home_(home), inner_(std::move(inner)), step_(inner_->step_function()) {}
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  ~Resident() override {
    home_([&] { inner_.reset(); });
  }

  Capabilities capabilities() const override {
    return home_([&] { return inner_->capabilities(); });
  }
  bool feeds_through(int output, int input) const override {
    return home_([&] { return inner_->feeds_through(output, input); });
  }
  bool depends_at_start(int output, int input) const override {
    return home_([&] { return inner_->depends_at_start(output, input); });
  }
  void prepare(double length, int degree) override {
    home_([&] { inner_->prepare(length, degree); });
  }
  void prepare_once(double length, int degree) override {
    home_([&] { inner_->prepare_once(length, degree); });
  }
  void split(double macro_step, int calls) override {
    home_([&] { inner_->split(macro_step, calls); });
  }
  void expect_evaluations() override {
    home_([&] { inner_->expect_evaluations(); });
  }
  void initialise(double t0) override {
    home_([&] { inner_->initialise(t0); });
  }
  void begin_steps(Out outputs) override {
    home_([&] { inner_->begin_steps(outputs); });
  }

  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) override {
    return home_([&] { return inner_->advance(step, input, outputs); });
  }
  StepFunction step_function() override {
    step_ = home_([&] { return inner_->step_function(); });
    const auto call = [](void* who, const Step& step, const InputPolynomials& input, Out outputs) {
      const auto& self = *static_cast<const Resident*>(who);
      return self.home_([&] { return self.step_.call(self.step_.who, step, input, outputs); });
    };
    return {call, this};
  }
  bool is_same_in_parts(double part) const override {
    return home_([&] { return inner_->is_same_in_parts(part); });
  }
  bool shows_micro_points() const override { return inner_->shows_micro_points(); }
  void evaluate(double t, Sources sources, In inputs, Out outputs) override {
    home_([&] { inner_->evaluate(t, sources, inputs, outputs); });
  }
  std::optional<lti::Matrix> feedthrough_matrix(double t, Sources sources, In inputs) override {
    return home_([&] { return inner_->feedthrough_matrix(t, sources, inputs); });
  }

  DiscretePart* discrete_part() override {
    DiscretePart* const part = home_([&] { return inner_->discrete_part(); });
    if (!part) return nullptr;
    if (!events_) events_ = std::make_unique<ResidentEvents>(home_, *part);
    return events_.get();
  }

  void give(std::span<const DiscreteValue> inputs) override {
    home_([&] { inner_->give(inputs); });
  }
  void take(std::span<DiscreteValue> outputs) override {
    home_([&] { inner_->take(outputs); });
  }
  void follow(int input, double factor, double offset) override {
    home_([&] { inner_->follow(input, factor, offset); });
  }
  void tune(int parameter, double number, const DiscreteValue& discrete_value) override {
    home_([&] { inner_->tune(parameter, number, discrete_value); });
  }

  std::string complaint() const override {
    return home_([&] { return inner_->complaint(); });
  }
  std::vector<std::string> remarks() const override {
    return home_([&] { return inner_->remarks(); });
  }

  /// What it keeps to itself is let go at home too.
  Snapshot save() override {
    Snapshot snapshot = home_([&] { return inner_->save(); });
    if (!snapshot.handle) return snapshot;
    const auto let_go = [home = home_](std::shared_ptr<void>* kept) { home([&] { delete kept; }); };
    snapshot.handle =
        std::shared_ptr<std::shared_ptr<void>>(new std::shared_ptr<void>(std::move(snapshot.handle)), let_go);
    return snapshot;
  }
  void restore(const Snapshot& snapshot) override {
    Snapshot own = snapshot;
    if (own.handle) own.handle = *static_cast<std::shared_ptr<void>*>(snapshot.handle.get());
    home_([&] { inner_->restore(own); });
  }
  std::string serialise() override {
    return home_([&] { return inner_->serialise(); });
  }
  void resume(double t, std::string_view state) override {
    home_([&] { inner_->resume(t, state); });
  }

  bool shows_states() const override { return inner_->shows_states(); }
  std::span<double> states() override { return inner_->states(); }
  std::span<const std::string> state_names() const override { return inner_->state_names(); }
  LinearOffer linear_offer() const override {
    return home_([&] { return inner_->linear_offer(); });
  }
  bool tell_linear(double t, In inputs, const LinearNumbers& numbers) override {
    return home_([&] { return inner_->tell_linear(t, inputs, numbers); });
  }
  bool had_event() const override { return inner_->had_event(); }
  std::optional<LinearModel> linearise(double t, In inputs) override {
    return home_([&] { return inner_->linearise(t, inputs); });
  }
  EventfulEquations* eventful_equations() override { return inner_->eventful_equations(); }

 private:
  Home home_;
  std::unique_ptr<Subsystem> inner_;
  StepFunction step_;
  std::unique_ptr<ResidentEvents> events_;
};

}  // namespace

std::unique_ptr<Subsystem> make_resident(const Crew& crew, int thread,
                                         const std::function<std::unique_ptr<Subsystem>()>& make) {
  const Home home{crew, thread};
  std::unique_ptr<Subsystem> inner = home([&] { return make(); });
  if (!inner) return nullptr;
  return std::make_unique<Resident>(home, std::move(inner));
}

}  // namespace seam::assembly
