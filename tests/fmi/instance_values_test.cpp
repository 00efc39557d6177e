// Values of every type there and back, many at once, and what is said when one is not taken.
#include <limits>

#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

template <class Chosen>
class InstanceValues : public Unruly<Chosen> {
 protected:
  /// The name in FMI 2, or that in FMI 3.
  static std::string either(const char* second, const char* third) {
    return Instances<Chosen>::version == 2 ? second : third;
  }
};
TYPED_TEST_SUITE(InstanceValues, Versions);

TYPED_TEST(InstanceValues, types_that_both_versions_have_arrive_as_they_were_sent) {
  this->make("types");
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  this->instance_->set(this->variable("boolean_in"), Values{{}, {0}, {}});
  this->instance_->set(this->variable("enumeration_in"), Values{{}, {3}, {}});
  this->instance_->set(this->variable("string_in"), Values{{}, {}, {"gr\xc3\xbc\xc3\x9f"}});
  this->instance_->set(this->variable(this->either("integer_in", "int32_in")), Values{{}, {-2147483647 - 1}, {}});
  this->instance_->set(this->variable(this->either("real_in", "float64_in")), Values{{0.1}, {}, {}});
  this->instance_->exit_initialisation();
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->get("boolean_out").integers.at(0), 0);
  EXPECT_EQ(this->get("enumeration_out").integers.at(0), 3);
  EXPECT_EQ(this->get("string_out").texts.at(0), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(this->get(this->either("integer_out", "int32_out")).integers.at(0), -2147483648LL);
  EXPECT_EQ(this->real(this->either("real_out", "float64_out")), 0.1);
}

TYPED_TEST(InstanceValues, variables_of_one_type_go_in_one_call_and_keep_their_order) {
  this->make("state-space", this->listening());
  const auto parameters = this->references({"D22", "A11", "C12"});
  this->instance_->set(Type::float64, parameters, Values{{7.0, 8.0, 9.0}, {}, {}});
  this->initialise();
  this->calls_.clear();
  Values read{{0.0, 0.0, 0.0}, {}, {}};
  this->instance_->get(Type::float64, this->references({"A11", "C12", "D22"}), read);
  EXPECT_EQ(read.reals, (std::vector<double>{8.0, 9.0, 7.0}));
  EXPECT_EQ(this->calls_.size(), 1u);
}

TYPED_TEST(InstanceValues, texts_of_several_variables_are_copied_out_before_the_next_call) {
  this->begin("types");
  this->instance_->do_step(0.0, 0.5);
  const auto texts = this->references({"string_in", "string_out"});
  Values read{{}, {}, {"a text that was there before", ""}};
  this->instance_->get(Type::string, texts, read);
  this->instance_->set(Type::string, std::span(texts).first(1), Values{{}, {}, {"another"}});
  EXPECT_EQ(read.texts, (std::vector<std::string>(2, "a <text> & \"more\"")));
}

TYPED_TEST(InstanceValues, nothing_to_set_is_no_call) {
  this->make("types", this->listening());
  this->calls_.clear();
  Values none;
  this->instance_->set(Type::float64, {}, none);
  this->instance_->get(Type::boolean, {}, none);
  EXPECT_TRUE(this->calls_.empty());
}

TYPED_TEST(InstanceValues, strict_fmu_allows_every_type_to_be_set_and_read) {
  this->begin("strict");
  for (const auto& [name, type] : {std::pair("boolean", Type::boolean), std::pair("enumeration", Type::enumeration)}) {
    const std::string in = std::string(name) + "_in", out = std::string(name) + "_out";
    this->instance_->set(type, this->references({in}), Values{{}, {1}, {}});
    this->instance_->do_step(type == Type::boolean ? 0.0 : 0.5, 0.5);
    Values read{{}, {0}, {}};
    this->instance_->get(type, this->references({out}), read);
    EXPECT_EQ(read.integers.at(0), 1) << name;
  }
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceValues, setter_that_fails_names_variable_and_value) {
  this->begin("strict");
  const std::string said = failure_of([&] {
    this->instance_->set(this->variable("enumeration_in"), Values{{}, {9}, {}});
  });
  EXPECT_NE(said.find(this->function(this->either("SetInteger", "SetInt64")) + " (enumeration_in=9)"),
            std::string::npos)
      << said;
}

TYPED_TEST(InstanceValues, refused_value_is_named_and_the_instance_lives_on) {
  this->make_unruly("refuses");
  this->initialise();
  const std::string said = failure_of([&] { this->set_real("u", -1.25); });
  EXPECT_NE(said.find("refused " + this->function(this->either("SetReal", "SetFloat64")) + " (u=-1.25)"),
            std::string::npos)
      << said;
  EXPECT_EQ(this->instance_->mode(), Mode::stepping);
  this->set_real("u", 1.0);
}

TYPED_TEST(InstanceValues, getter_that_fails_names_the_variable_and_no_value) {
  this->make_unruly("refuses");
  this->initialise();
  const std::string said = failure_of([&] { this->real("u"); });
  EXPECT_NE(said.find(this->function(this->either("GetReal", "GetFloat64")) + " (u)"), std::string::npos) << said;
}

TYPED_TEST(InstanceValues, failure_of_many_variables_names_the_first_few) {
  this->begin("state-space");
  auto wrong = this->references({"u1", "u2", "A11", "A12", "A21", "A22", "B11"});
  wrong.push_back(4711);
  const std::string said = failure_of([&] {
    this->instance_->set(Type::float64, wrong, Values{std::vector<double>(8, 0.5), {}, {}});
  });
  EXPECT_NE(said.find("(u1=0.5, u2=0.5, A11=0.5, A12=0.5, A21=0.5, … 3 more)"), std::string::npos) << said;
}

TYPED_TEST(InstanceValues, number_that_does_not_fit_is_refused_before_the_fmu_sees_it) {
  this->begin("types", this->listening());
  this->calls_.clear();
  const std::string name = this->either("integer_in", "int8_in");
  const std::int64_t large = this->version == 2 ? std::int64_t{1} << 31 : 128;
  const std::string said = failure_of([&] { this->instance_->set(this->variable(name), Values{{}, {large}, {}}); });
  EXPECT_NE(said.find("cannot take the value " + std::to_string(large) + " for " + name), std::string::npos) << said;
  EXPECT_TRUE(this->calls_.empty());
}

TYPED_TEST(InstanceValues, type_that_does_not_occur_is_an_error) {
  this->begin("gain");
  Values values{{}, {0}, {}};
  const std::vector<InstanceBase::Reference> some{1};
  EXPECT_NE(failure_of([&] { this->instance_->get(Type::boolean, some, values); }).find("no variable of type Boolean"),
            std::string::npos);
}

TYPED_TEST(InstanceValues, every_true_is_1) {
  this->make_unruly("refuses");
  this->initialise();
  EXPECT_EQ(this->get("b").integers.at(0), 1);
  this->begin("types");
  this->instance_->set(this->variable("boolean_in"), Values{{}, {-5}, {}});
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->get("boolean_out").integers.at(0), 1);
}

using Fmi2Values = InstanceValues<Instance2>;

TEST_F(Fmi2Values, other_number_of_values_than_of_variables_is_refused) {
  begin("state-space");
  const auto inputs = references({"u1", "u2"});
  EXPECT_NE(failure_of([&] {
              instance_->set(Type::float64, inputs, Values{{1.0}, {}, {}});
            }).find("1 numbers for 2"),
            std::string::npos);
}

using Fmi3Values = InstanceValues<Instance3>;

TEST_F(Fmi3Values, start_values_of_all_types_arrive_to_the_bit) {
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

TEST_F(Fmi3Values, values_of_all_types_that_are_set_come_back_to_the_bit) {
  begin("types");
  const std::vector<std::pair<std::string, Values>> sent = {{"float32", {{-1.5}, {}, {}}},
                                                            {"int8", {{}, {127}, {}}},
                                                            {"uint8", {{}, {254}, {}}},
                                                            {"int16", {{}, {32767}, {}}},
                                                            {"uint16", {{}, {65534}, {}}},
                                                            {"uint32", {{}, {4294967294}, {}}},
                                                            {"int64", {{}, {std::int64_t{1} << 62}, {}}},
                                                            {"uint64", {{}, {-2}, {}}},
                                                            {"binary", {{}, {}, {std::string("a\0b\0", 4)}}}};
  for (const auto& [name, values] : sent) instance_->set(variable(name + "_in"), values);
  instance_->do_step(0.0, 0.5);
  for (const auto& [name, values] : sent) {
    const Values read = get(name + "_out");
    EXPECT_EQ(read.reals, values.reals) << name;
    EXPECT_EQ(read.integers, values.integers) << name;
    EXPECT_EQ(read.texts, values.texts) << name;
  }
}

TEST_F(Fmi3Values, arrays_have_the_size_that_was_configured) {
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

TEST_F(Fmi3Values, arrays_of_one_call_lie_one_after_the_other) {
  make("arrays", listening());
  instance_->configure({{&variable("n"), Values{{}, {2}, {}}}});
  calls_.clear();
  instance_->set(Type::float64, references({"A", "u"}), Values{{1, 2, 3, 4, 5, 6}, {}, {}});
  EXPECT_EQ(calls_, (std::vector<std::string>{"it fmi3SetFloat64(A=[1, 2, 3, 4], u=[5, 6]) -> OK"}));
  initialise();
  instance_->do_step(0.0, 0.5);
  Values read{std::vector<double>(6), {}, {}};
  instance_->get(Type::float64, references({"M", "y"}), read);
  EXPECT_EQ(read.reals, (std::vector<double>{25, 30, 30, 36, 17, 39}));
}

}  // namespace
}  // namespace seam::fmi
