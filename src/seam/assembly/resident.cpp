#include "seam/assembly/resident.hpp"

#include <deque>
#include <utility>

namespace seam::assembly {
namespace {

struct Home {
  const ThreadTeam& team;
  int thread;
  template <class Work>
  auto operator()(Work&& work) const {
    return team.on(thread, std::forward<Work>(work));
  }
};

/// Every call is made by the thread that is its home. What only reads numbers kept here is not sent there.
class Resident final : public Subsystem,
                       Equations,
                       DiscretePart,
                       DiscretePorts,
                       Observables,
                       Persistence,
                       Tuning,
                       Diagnostics {
 public:
  Resident(const Home& home, std::unique_ptr<Subsystem> inner) : home_(home), inner_(std::move(inner)) {
    const Facets& own = inner_->facets();
    facets_.equations = own.equations ? this : nullptr;
    facets_.discrete_part = own.discrete_part ? this : nullptr;
    facets_.discrete_ports = own.discrete_ports ? this : nullptr;
    facets_.observables = own.observables ? this : nullptr;
    facets_.states = own.states;
    facets_.persistence = own.persistence ? this : nullptr;
    facets_.tuning = own.tuning ? this : nullptr;
    facets_.diagnostics = own.diagnostics ? this : nullptr;
  }
  ~Resident() override {
    home_([&] { inner_.reset(); });
  }

  Capabilities capabilities() const override {
    return home_([&] { return inner_->capabilities(); });
  }
  bool feeds_through(int output, int input, Phase phase) const override {
    return home_([&] { return inner_->feeds_through(output, input, phase); });
  }
  StepFunction prepare(const Calls& calls) override {
    steps_.push_back({this, home_([&] { return inner_->prepare(calls); })});
    return StepFunction::of(steps_.back());
  }
  void initialise(double t0) override {
    home_([&] { inner_->initialise(t0); });
  }
  void begin_steps(Out outputs) override {
    home_([&] { inner_->begin_steps(outputs); });
  }
  void evaluate(double t, Sources sources, In inputs, Out outputs) override {
    home_([&] { inner_->evaluate(t, sources, inputs, outputs); });
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

 private:
  std::optional<LinearModel> linearise(double t, In inputs) override {
    return home_([&] { return inner_->facets().equations->linearise(t, inputs); });
  }
  std::optional<lti::Matrix> feedthrough_matrix(double t, Sources sources, In inputs) override {
    return home_([&] { return inner_->facets().equations->feedthrough_matrix(t, sources, inputs); });
  }
  LinearOffer linear_offer() const override {
    return home_([&] { return inner_->facets().equations->linear_offer(); });
  }
  bool tell_linear(double t, In inputs, const LinearNumbers& numbers) override {
    return home_([&] { return inner_->facets().equations->tell_linear(t, inputs, numbers); });
  }
  bool had_event() const override { return inner_->facets().equations->had_event(); }
  EventfulEquations* eventful() override { return inner_->facets().equations->eventful(); }

  bool is_concerned(double t, In inputs) override {
    return home_([&] { return part().is_concerned(t, inputs); });
  }
  void exchange(double t, In inputs, Out outputs) override {
    home_([&] { part().exchange(t, inputs, outputs); });
  }
  Wish update() override {
    return home_([&] { return part().update(); });
  }
  void read(Out outputs) override {
    home_([&] { part().read(outputs); });
  }
  void refresh(double t, In inputs, Out outputs) override {
    home_([&] { part().refresh(t, inputs, outputs); });
  }
  bool jumped() const override { return part().jumped(); }
  bool takes_part() const override { return part().takes_part(); }
  bool hears_news(double t, In inputs) override {
    return home_([&] { return part().hears_news(t, inputs); });
  }
  void leave(double t) override {
    home_([&] { part().leave(t); });
  }
  Arrival advance_to_event(const Step& step, const InputPolynomials& input, Out outputs) override {
    return home_([&] { return part().advance_to_event(step, input, outputs); });
  }
  bool can_go_back() const override { return part().can_go_back(); }
  std::string what_changed() const override {
    return home_([&] { return part().what_changed(); });
  }

  void give(std::span<const DiscreteValue> inputs) override {
    home_([&] { inner_->facets().discrete_ports->give(inputs); });
  }
  void take(std::span<DiscreteValue> outputs) override {
    home_([&] { inner_->facets().discrete_ports->take(outputs); });
  }
  std::vector<Observable> variables() const override { return inner_->facets().observables->variables(); }
  const std::vector<int>& outputs_of_steps() const override { return inner_->facets().observables->outputs_of_steps(); }
  void choose(const std::vector<int>& outputs, const std::vector<int>& variables) override {
    home_([&] { inner_->facets().observables->choose(outputs, variables); });
  }
  void observe(Out reals, std::span<DiscreteValue> discrete_values) override {
    home_([&] { inner_->facets().observables->observe(reals, discrete_values); });
  }
  std::string serialise() override {
    return home_([&] { return inner_->facets().persistence->serialise(); });
  }
  void resume(double t, std::string_view state) override {
    home_([&] { inner_->facets().persistence->resume(t, state); });
  }
  void follow(int input, double factor, double offset) override {
    home_([&] { inner_->facets().tuning->follow(input, factor, offset); });
  }
  bool tells_signals() const override { return inner_->facets().tuning->tells_signals(); }
  double signal_at(int input, double t, Limit limit, Sources sources) const override {
    return home_([&] { return inner_->facets().tuning->signal_at(input, t, limit, sources); });
  }
  double next_corner(int input, double t, Sources sources) const override {
    return home_([&] { return inner_->facets().tuning->next_corner(input, t, sources); });
  }
  void tune(int parameter, double number, const DiscreteValue& discrete_value) override {
    home_([&] { inner_->facets().tuning->tune(parameter, number, discrete_value); });
  }
  std::string complaint() const override {
    return home_([&] { return inner_->facets().diagnostics->complaint(); });
  }
  std::vector<std::string> remarks() const override {
    return home_([&] { return inner_->facets().diagnostics->remarks(); });
  }

  DiscretePart& part() const { return *inner_->facets().discrete_part; }

  /// A function of the inner one, called at home.
  struct ResidentStep {
    const Resident* resident;
    StepFunction inner;
    Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) const {
      return resident->home_([&] { return inner.advance(step, input, outputs); });
    }
  };

  Home home_;
  std::unique_ptr<Subsystem> inner_;
  std::deque<ResidentStep> steps_;  // stay where they are
};

}  // namespace

std::unique_ptr<Subsystem> make_resident(const ThreadTeam& team, int thread,
                                         const std::function<std::unique_ptr<Subsystem>()>& make) {
  const Home home{team, thread};
  std::unique_ptr<Subsystem> inner = home([&] { return make(); });
  if (!inner) return nullptr;
  return std::make_unique<Resident>(home, std::move(inner));
}

}  // namespace seam::assembly
