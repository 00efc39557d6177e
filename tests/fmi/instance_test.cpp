// Instances of both versions: the life the standard prescribes, and every type there and back.
#include <cmath>

#include "fmi/built_fmu.hpp"
#include "seam/fmi/instance2.hpp"
#include "seam/fmi/instance3.hpp"

namespace seam::fmi {
namespace {

using base::Outcome;

/// The two versions as one kind of test.
template <class Chosen>
class Instances : public BuiltFmus {
 protected:
  static constexpr int version = std::is_same_v<Chosen, Instance2> ? 2 : 3;

  void make(const std::string& name) {
    fmu_ = open(version, name);
    instance_ = std::make_unique<Chosen>("it", *fmu_, unpack(*fmu_), Logging::on);
  }
  void begin(const std::string& name, std::optional<double> stop = 10.0) {
    make(name);
    instance_->enter_initialisation({0.0, stop, std::nullopt});
    instance_->exit_initialisation();
  }
  const Variable& variable(const std::string& name) const { return *fmu_->description.find(name); }
  Values get(const std::string& name) {
    if constexpr (version == 2) {
      return instance_->get(variable(name));
    } else {
      return instance_->get(variable(name), 1);
    }
  }
  double real(const std::string& name) { return get(name).reals.at(0); }
  void set_real(const std::string& name, double value) { instance_->set(variable(name), Values{{value}, {}, {}}); }

  std::shared_ptr<const Fmu> fmu_;
  std::unique_ptr<Chosen> instance_;
};
using Versions = ::testing::Types<Instance2, Instance3>;
TYPED_TEST_SUITE(Instances, Versions);

TYPED_TEST(Instances, life_goes_from_instantiated_to_stepping_to_terminated) {
  this->make("strict");
  EXPECT_EQ(this->instance_->life(), Life::instantiated);
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  EXPECT_EQ(this->instance_->life(), Life::initialising);
  this->instance_->exit_initialisation();
  EXPECT_EQ(this->instance_->life(), Life::stepping);
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, Outcome::accepted);
  this->instance_->terminate();
  EXPECT_EQ(this->instance_->life(), Life::terminated);
  this->instance_->terminate();  // once is enough
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, destruction_is_legal_in_every_phase) {
  this->make("strict");
  this->instance_.reset();
  this->make("strict");
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  this->instance_.reset();
  this->begin("strict");
  this->instance_.reset();
  this->begin("strict");
  this->instance_->do_step(0.0, 0.5);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

// The oracle of all strict tests: it does see what is forbidden.
TYPED_TEST(Instances, strict_fmu_writes_down_an_illegal_call) {
  this->begin("strict");
  const std::string said = failure_of([&] { this->instance_->do_step(5.0, 0.5); });
  EXPECT_NE(said.find("DoStep (step 5 s -> 5.5 s)"), std::string::npos) << said;
  EXPECT_EQ(this->instance_->life(), Life::failed);
  EXPECT_TRUE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, identity_names_instance_file_version_and_tool) {
  this->make("gain");
  EXPECT_EQ(this->instance_->identity(), "it (gain.fmu, FMI " + std::to_string(this->version) + ".0, seam)");
}

TYPED_TEST(Instances, state_restored_goes_the_same_way_again_to_the_bit) {
  this->begin("strict");
  this->set_real("u", 3.0);
  this->instance_->do_step(0.0, 0.1);
  void* const state = this->instance_->save_state();
  this->set_real("u", -2.0);
  this->instance_->do_step(0.1, 0.1);
  const double once = this->real("y");
  this->instance_->restore_state(state);
  this->set_real("u", -2.0);
  this->instance_->do_step(0.1, 0.1);
  EXPECT_EQ(this->real("y"), once);
  EXPECT_NE(once, 1.0);
  this->instance_->free_state(state);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, discarded_step_is_rejected_where_it_stopped) {
  this->make("strict");
  this->set_real("discard_at", 0.25);
  this->instance_->enter_initialisation({0.0, 10.0, std::nullopt});
  this->instance_->exit_initialisation();
  const StepResult result = this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(result.outcome, Outcome::rejected);
  EXPECT_EQ(result.reached, this->version == 2 ? 0.25 : 0.0);
  EXPECT_NE(this->instance_->messages().last().find("the step passes discard_at"), std::string::npos);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, wish_to_end_is_an_outcome_and_no_error) {
  this->make("strict");
  this->set_real("terminate_at", 0.25);
  this->instance_->enter_initialisation({0.0, 10.0, std::nullopt});
  this->instance_->exit_initialisation();
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, Outcome::ended);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, after_an_error_it_is_freed_and_after_a_fatal_error_it_is_left_alone) {
  this->begin("bad-error");
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }).find("the step could not be computed"),
            std::string::npos);
  EXPECT_EQ(this->instance_->life(), Life::failed);
  this->begin("bad-fatal");
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }).find("broke down in"), std::string::npos);
  EXPECT_EQ(this->instance_->life(), Life::dead);
}

TYPED_TEST(Instances, tolerance_is_given_only_if_there_is_one) {
  this->make("strict");
  this->set_real("expected_tolerance", 1e-4);
  this->instance_->enter_initialisation({0.0, 1.0, 1e-4});
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, types_that_both_versions_have_arrive_as_they_were_sent) {
  this->make("types");
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  this->instance_->set(this->variable("boolean_in"), Values{{}, {0}, {}});
  this->instance_->set(this->variable("enumeration_in"), Values{{}, {3}, {}});
  this->instance_->set(this->variable("string_in"), Values{{}, {}, {"gr\xc3\xbc\xc3\x9f"}});
  this->instance_->set(this->variable(this->version == 2 ? "integer_in" : "int32_in"),
                       Values{{}, {-2147483647 - 1}, {}});
  this->instance_->set(this->variable(this->version == 2 ? "real_in" : "float64_in"), Values{{0.1}, {}, {}});
  this->instance_->exit_initialisation();
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->get("boolean_out").integers.at(0), 0);
  EXPECT_EQ(this->get("enumeration_out").integers.at(0), 3);
  EXPECT_EQ(this->get("string_out").texts.at(0), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(this->get(this->version == 2 ? "integer_out" : "int32_out").integers.at(0), -2147483648LL);
  EXPECT_EQ(this->real(this->version == 2 ? "real_out" : "float64_out"), 0.1);
}

using Fmi3Types = Instances<Instance3>;

TEST_F(Fmi3Types, start_values_of_all_types_arrive_to_the_bit) {
  begin("types");
  instance_->do_step(0.0, 0.5);
  EXPECT_EQ(get("float32_out").reals.at(0), 0.25);
  EXPECT_EQ(get("int8_out").integers.at(0), -128);
  EXPECT_EQ(get("uint8_out").integers.at(0), 255);
  EXPECT_EQ(get("int16_out").integers.at(0), -32768);
  EXPECT_EQ(get("uint16_out").integers.at(0), 65535);
  EXPECT_EQ(get("uint32_out").integers.at(0), 4294967295);
  EXPECT_EQ(get("int64_out").integers.at(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(static_cast<std::uint64_t>(get("uint64_out").integers.at(0)), ~std::uint64_t{0});
  EXPECT_EQ(get("binary_out").texts.at(0), std::string("\x00\xff\x10", 3));
  EXPECT_EQ(get("string_out").texts.at(0), "a <text> & \"more\"");
}

TEST_F(Fmi3Types, binary_with_zero_bytes_arrives_whole) {
  make("types");
  instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  const std::string bytes("a\0b\0", 4);
  instance_->set(variable("binary_in"), Values{{}, {}, {bytes}});
  instance_->exit_initialisation();
  instance_->do_step(0.0, 0.5);
  EXPECT_EQ(get("binary_out").texts.at(0), bytes);
}

TEST_F(Fmi3Types, arrays_have_the_size_that_was_configured) {
  make("arrays");
  instance_->configure({{&variable("n"), Values{{}, {2}, {}}}});
  instance_->set(variable("A"), Values{{1, 2, 3, 4}, {}, {}});
  instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  instance_->set(variable("u"), Values{{5, 6}, {}, {}});
  instance_->exit_initialisation();
  instance_->do_step(0.0, 0.5);
  EXPECT_EQ(instance_->get(variable("y"), 2).reals, (std::vector<double>{17, 39}));
  EXPECT_EQ(instance_->get(variable("M"), 4).reals, (std::vector<double>{25, 30, 30, 36}));
}

}  // namespace
}  // namespace seam::fmi
