// The call log: one line a call, with names and values.
#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

template <class Chosen>
class InstanceCallLog : public Instances<Chosen> {
 protected:
  std::string line(const std::string& name, const std::string& rest) const {
    return "it " + this->function(name) + rest;
  }
  static std::string real_word() { return Instances<Chosen>::version == 2 ? "Real" : "Float64"; }
};
TYPED_TEST_SUITE(InstanceCallLog, Versions);

TYPED_TEST(InstanceCallLog, tells_a_life_from_begin_to_end) {
  this->make("strict", this->listening());
  EXPECT_EQ(this->calls_.size(), 1u);
  EXPECT_EQ(this->calls_[0].find(this->line(this->version == 2 ? "Instantiate" : "InstantiateCoSimulation", "(token=")),
            0u);
  EXPECT_TRUE(this->calls_[0].ends_with("loggingOn=false) -> instance")) << this->calls_[0];
  this->calls_.clear();
  this->initialise();
  this->set_real("u", 0.1);
  this->instance_->do_step(0.0, 0.5);
  EXPECT_DOUBLE_EQ(this->real("y"), 0.55);
  this->instance_.reset();
  std::vector<std::string> expected;
  if (this->version == 2) {
    expected = {this->line("SetupExperiment", "(startTime=0, stopTime=10) -> OK"),
                this->line("EnterInitializationMode", "() -> OK")};
  } else {
    expected = {this->line("EnterInitializationMode", "(startTime=0, stopTime=10) -> OK")};
  }
  expected.push_back(this->line("ExitInitializationMode", "() -> OK"));
  expected.push_back(this->line("Set" + this->real_word(), "(u=0.1) -> OK"));
  expected.push_back(this->line("DoStep", "(t=0, h=0.5, noSetFMUStatePriorToCurrentPoint=true) -> OK"));
  expected.push_back(this->line("Get" + this->real_word(), "(y=0.55) -> OK"));
  expected.push_back(this->line("Terminate", "() -> OK"));
  expected.push_back(this->line("FreeInstance", "()"));
  EXPECT_EQ(this->calls_, expected);
}

TYPED_TEST(InstanceCallLog, tells_of_states_by_number) {
  this->begin("gain", this->listening());
  this->calls_.clear();
  void* const state = this->instance_->save_state();
  this->instance_->do_step(0.0, 0.5);
  this->instance_->restore_state(state);
  const auto bytes = this->instance_->serialise(state);
  this->instance_->deserialise(bytes);
  this->instance_->free_state(state);
  const bool second = this->version == 2;
  const std::string size = std::to_string(bytes.size() - 1);
  EXPECT_EQ(this->calls_, (std::vector<std::string>{
                              "it " + this->state_function("GetFMU") + "(state=1) -> OK",
                              this->line("DoStep", "(t=0, h=0.5, noSetFMUStatePriorToCurrentPoint=false) -> OK"),
                              "it " + this->state_function("SetFMU") + "(state=1) -> OK",
                              "it " + this->state_function("SerializedFMU") + "Size(state=1, size=" + size + ") -> OK",
                              "it " + this->state_function("SerializeFMU") + "(state=1, size=" + size + ") -> OK",
                              "it " + this->state_function(second ? "DeSerializeFMU" : "DeserializeFMU") +
                                  "(size=" + size + ", state=2) -> OK",
                              "it " + this->state_function("FreeFMU") + "(state=1) -> OK"}));
}

TYPED_TEST(InstanceCallLog, shows_twenty_values_and_counts_the_rest) {
  this->begin("state-space", this->listening());
  this->calls_.clear();
  std::vector<InstanceBase::Reference> many;
  for (int i = 0; i < 32; ++i) many.push_back(this->variable(i % 2 == 0 ? "u1" : "u2").value_reference);
  this->instance_->set(Type::float64, many, Values{std::vector<double>(32, 1e-300), {}, {}});
  ASSERT_EQ(this->calls_.size(), 1u);
  EXPECT_TRUE(this->calls_[0].ends_with(", u1=1e-300, u2=1e-300, … 12 more) -> OK")) << this->calls_[0];
}

TYPED_TEST(InstanceCallLog, shows_values_of_every_type) {
  this->begin("types", this->listening());
  this->instance_->do_step(0.0, 0.5);
  const auto last_after = [&](const std::string& name) {
    this->get(name);
    return this->calls_.back();
  };
  EXPECT_EQ(last_after("boolean_out"), this->line("GetBoolean", "(boolean_out=true) -> OK"));
  EXPECT_EQ(last_after("string_out"), this->line("GetString", "(string_out=\"a <text> & \"more\"\") -> OK"));
  EXPECT_EQ(last_after("enumeration_out"),
            this->line(this->version == 2 ? "GetInteger" : "GetInt64", "(enumeration_out=2) -> OK"));
  if (this->version == 2) return;
  EXPECT_EQ(last_after("uint64_out"), this->line("GetUInt64", "(uint64_out=18446744073709551615) -> OK"));
  EXPECT_EQ(last_after("binary_out"), this->line("GetBinary", "(binary_out=3 bytes) -> OK"));
  EXPECT_EQ(last_after("float32_out"), this->line("GetFloat32", "(float32_out=0.25) -> OK"));
}

TYPED_TEST(InstanceCallLog, tells_of_warnings_discarded_steps_and_errors) {
  this->begin("bad-warns", this->listening());
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->calls_.back(),
            this->line("DoStep", "(t=0, h=0.5, noSetFMUStatePriorToCurrentPoint=true) -> Warning"));
  this->begin("bad-error", this->listening());
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }), "");
  EXPECT_EQ(this->calls_.back(), this->line("DoStep", "(t=0, h=1, noSetFMUStatePriorToCurrentPoint=true) -> Error"));
  this->make("strict", this->listening());
  this->set_real("discard_at", 0.25);
  this->initialise();
  this->calls_.clear();
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->calls_.front(),
            this->line("DoStep", "(t=0, h=0.5, noSetFMUStatePriorToCurrentPoint=true) -> Discard"));
  if (this->version == 3) return;
  EXPECT_EQ(this->calls_[1], this->line("GetRealStatus", "(fmi2LastSuccessfulTime=0.25) -> OK"));
  EXPECT_EQ(this->calls_[2], this->line("GetBooleanStatus", "(fmi2Terminated=false) -> OK"));
}

TYPED_TEST(InstanceCallLog, tells_of_derivatives) {
  this->begin("state-space", this->listening());
  this->instance_->do_step(0.0, 0.5);
  const std::vector<double> seed{1.0};
  std::vector<double> into(2);
  this->instance_->directional(this->references({"y1", "y2"}), this->references({"u2"}), seed, into);
  EXPECT_EQ(this->calls_.back(), this->line("GetDirectionalDerivative", "(of y1, y2 by u2) -> OK"));
}

TYPED_TEST(InstanceCallLog, hostile_names_cannot_harm_a_terminal) {
  this->begin("bad-hostile-names", this->listening());
  for (const Variable& v : this->fmu_->description.variables) {
    if (v.type == Type::float64) this->get(v.name);
  }
  for (const std::string& line : this->calls_) EXPECT_EQ(line.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace seam::fmi
