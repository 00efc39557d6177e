// Every type of both versions, and arrays, through the raw C interface.
#include <fmi2.h>
#include <fmi3.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>

#include "fmus/library.hpp"

namespace seam::fmus {
namespace {

void no_log(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

class Types2 : public testing::Test {
 protected:
  Types2() {
    instance = library.function<fmi2InstantiateTYPE>("fmi2Instantiate")(
        "types", fmi2CoSimulation, library.token().c_str(), "file:///", &callbacks, fmi2False, fmi2False);
    call<fmi2SetupExperimentTYPE>("SetupExperiment", fmi2False, 0.0, 0.0, fmi2False, 0.0);
    call<fmi2EnterInitializationModeTYPE>("EnterInitializationMode");
  }
  ~Types2() override { library.function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(instance); }

  template <typename Function, typename... Arguments>
  fmi2Status call(const std::string& name, Arguments... arguments) {
    return library.function<Function>("fmi2" + name)(instance, arguments...);
  }
  void step() {
    call<fmi2ExitInitializationModeTYPE>("ExitInitializationMode");
    ASSERT_EQ(call<fmi2DoStepTYPE>("DoStep", 0.0, 0.1, fmi2True), fmi2OK);
  }
  template <typename Get, typename Set, typename Value>
  Value copied(const std::string& kind, const std::string& name, Value value) {
    const unsigned in = library.reference(name + "_in"), out = library.reference(name + "_out");
    EXPECT_EQ(call<Set>("Set" + kind, &in, 1u, &value), fmi2OK);
    step();
    Value result{};
    EXPECT_EQ(call<Get>("Get" + kind, &out, 1u, &result), fmi2OK);
    return result;
  }

  Library library{2, "types"};
  fmi2CallbackFunctions callbacks{no_log, std::calloc, std::free, nullptr, nullptr};
  fmi2Component instance = nullptr;
};

TEST_F(Types2, reals_pass_through) {
  EXPECT_EQ((copied<fmi2GetRealTYPE, fmi2SetRealTYPE>("Real", "real", 1e-308)), 1e-308);
}
TEST_F(Types2, discrete_reals_pass_through) {
  EXPECT_EQ((copied<fmi2GetRealTYPE, fmi2SetRealTYPE>("Real", "discrete", 3.25)), 3.25);
}
TEST_F(Types2, integers_pass_through) {
  const int lowest = std::numeric_limits<int>::min();
  EXPECT_EQ((copied<fmi2GetIntegerTYPE, fmi2SetIntegerTYPE>("Integer", "integer", lowest)), lowest);
}
TEST_F(Types2, booleans_pass_through) {
  EXPECT_EQ((copied<fmi2GetBooleanTYPE, fmi2SetBooleanTYPE>("Boolean", "boolean", 0)), 0);
}
TEST_F(Types2, enumerations_pass_through) {
  EXPECT_EQ((copied<fmi2GetIntegerTYPE, fmi2SetIntegerTYPE>("Integer", "enumeration", 3)), 3);
}
TEST_F(Types2, strings_pass_through) {
  const auto* text = "\xc3\xa4 <&> \"";
  EXPECT_STREQ((copied<fmi2GetStringTYPE, fmi2SetStringTYPE>("String", "string", text)), text);
}
TEST_F(Types2, start_values_are_those_of_the_description) {
  const unsigned real = library.reference("real_out"), text = library.reference("string_out");
  double value = 0.0;
  EXPECT_EQ(call<fmi2GetRealTYPE>("GetReal", &real, 1u, &value), fmi2OK);
  EXPECT_EQ(value, 1.5);
  const char* string = nullptr;
  EXPECT_EQ(call<fmi2GetStringTYPE>("GetString", &text, 1u, &string), fmi2OK);
  EXPECT_STREQ(string, "a <text> & \"more\"");
}
TEST_F(Types2, a_reference_of_another_type_is_an_error) {
  const unsigned reference = 1000;
  double value = 0.0;
  EXPECT_EQ(call<fmi2GetRealTYPE>("GetReal", &reference, 1u, &value), fmi2Error);
  EXPECT_EQ(call<fmi2GetRealTYPE>("GetReal", nullptr, 1u, &value), fmi2Error);
}

class Life3 : public testing::Test {
 protected:
  void open(const std::string& name) {
    library = std::make_unique<Library>(3, name);
    instance = library->function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "values", library->token().c_str(), nullptr, false, false, false, false, nullptr, 0, nullptr, nullptr, nullptr);
    ASSERT_NE(instance, nullptr);
  }
  ~Life3() override { library->function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(instance); }

  template <typename Function, typename... Arguments>
  fmi3Status call(const std::string& name, Arguments... arguments) {
    return library->function<Function>("fmi3" + name)(instance, arguments...);
  }
  void initialise() {
    ASSERT_EQ(call<fmi3EnterInitializationModeTYPE>("EnterInitializationMode", false, 0.0, 0.0, false, 0.0), fmi3OK);
    ASSERT_EQ(call<fmi3ExitInitializationModeTYPE>("ExitInitializationMode"), fmi3OK);
  }
  void step() {
    bool a = false, b = false, c = false;
    double last = 0.0;
    ASSERT_EQ(call<fmi3DoStepTYPE>("DoStep", 0.0, 0.1, true, &a, &b, &c, &last), fmi3OK);
    EXPECT_EQ(last, 0.1);
  }
  template <typename Get, typename Set, typename Value>
  void expect_copied(const std::string& kind, const std::string& name, Value value) {
    open("types");
    initialise();
    const unsigned in = library->reference(name + "_in"), out = library->reference(name + "_out");
    EXPECT_EQ(call<Set>("Set" + kind, &in, 1u, &value, 1u), fmi3OK);
    step();
    Value result{};
    EXPECT_EQ(call<Get>("Get" + kind, &out, 1u, &result, 1u), fmi3OK);
    EXPECT_EQ(result, value);
  }

  std::unique_ptr<Library> library;
  fmi3Instance instance = nullptr;
};

#define SEAM_PASSES(Kind, name, value)                                                        \
  TEST_F(Life3, name##_passes_through) {                                                      \
    expect_copied<fmi3Get##Kind##TYPE, fmi3Set##Kind##TYPE, fmi3##Kind>(#Kind, #name, value); \
  }
SEAM_PASSES(Float32, float32, 0.1f)
SEAM_PASSES(Float64, float64, 0.1)
SEAM_PASSES(Float64, discrete, -0.1)
SEAM_PASSES(Int8, int8, std::numeric_limits<std::int8_t>::min())
SEAM_PASSES(UInt8, uint8, std::numeric_limits<std::uint8_t>::max())
SEAM_PASSES(Int16, int16, std::numeric_limits<std::int16_t>::min())
SEAM_PASSES(UInt16, uint16, std::numeric_limits<std::uint16_t>::max())
SEAM_PASSES(Int32, int32, std::numeric_limits<std::int32_t>::min())
SEAM_PASSES(UInt32, uint32, std::numeric_limits<std::uint32_t>::max())
SEAM_PASSES(Int64, int64, std::numeric_limits<std::int64_t>::min())
SEAM_PASSES(UInt64, uint64, std::numeric_limits<std::uint64_t>::max())
SEAM_PASSES(Boolean, boolean, false)
SEAM_PASSES(Int64, enumeration, 3)

TEST_F(Life3, binaries_pass_through_with_their_zero_bytes) {
  open("types");
  initialise();
  const unsigned in = library->reference("binary_in"), out = library->reference("binary_out");
  const fmi3Byte bytes[] = {0, 255, 0, 7};
  const fmi3Binary value = bytes;
  std::size_t size = sizeof bytes;
  EXPECT_EQ(call<fmi3SetBinaryTYPE>("SetBinary", &in, 1u, &size, &value, 1u), fmi3OK);
  step();
  fmi3Binary result = nullptr;
  size = 0;
  EXPECT_EQ(call<fmi3GetBinaryTYPE>("GetBinary", &out, 1u, &size, &result, 1u), fmi3OK);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(result), size), std::string("\0\xff\0\7", 4));
}

TEST_F(Life3, arrays_follow_their_structural_parameter) {
  open("arrays");
  const unsigned n = library->reference("n"), A = library->reference("A"), u = library->reference("u"),
                 y = library->reference("y"), M = library->reference("M");
  const std::uint64_t size = 2;
  ASSERT_EQ(call<fmi3EnterConfigurationModeTYPE>("EnterConfigurationMode"), fmi3OK);
  ASSERT_EQ(call<fmi3SetUInt64TYPE>("SetUInt64", &n, 1u, &size, 1u), fmi3OK);
  ASSERT_EQ(call<fmi3ExitConfigurationModeTYPE>("ExitConfigurationMode"), fmi3OK);
  const double matrix[] = {1.0, 2.0, 3.0, 4.0}, vector[] = {5.0, -1.0};
  ASSERT_EQ(call<fmi3SetFloat64TYPE>("SetFloat64", &A, 1u, matrix, 4u), fmi3OK);
  initialise();
  ASSERT_EQ(call<fmi3SetFloat64TYPE>("SetFloat64", &u, 1u, vector, 2u), fmi3OK);
  step();
  const unsigned both[] = {y, M};
  double result[6] = {};
  ASSERT_EQ(call<fmi3GetFloat64TYPE>("GetFloat64", both, 2u, result, 6u), fmi3OK);
  const double expected[] = {3.0, 11.0, 25.0, -5.0, -5.0, 1.0};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(result[i], expected[i]) << i;
  EXPECT_EQ(call<fmi3GetFloat64TYPE>("GetFloat64", both, 2u, result, 5u), fmi3Error) << "one value too few";
}

TEST_F(Life3, adjoint_derivatives_are_rows_where_directional_ones_are_columns) {
  open("state-space");
  initialise();
  const unsigned outputs[] = {library->reference("y1"), library->reference("y2")};
  const unsigned inputs[] = {library->reference("u1"), library->reference("u2")};
  const double seed[] = {2.0, 7.0};
  double result[2] = {};
  ASSERT_EQ(call<fmi3GetAdjointDerivativeTYPE>("GetAdjointDerivative", outputs, 2u, inputs, 2u, seed, 2u, result, 2u),
            fmi3OK);
  EXPECT_EQ(result[0], 0.0);
  EXPECT_EQ(result[1], 1.0) << "D12 = 0.5 times the seed of y1";
  ASSERT_EQ(
      call<fmi3GetDirectionalDerivativeTYPE>("GetDirectionalDerivative", outputs, 2u, inputs, 2u, seed, 2u, result, 2u),
      fmi3OK);
  EXPECT_EQ(result[0], 3.5) << "D12 = 0.5 times the seed of u2";
  EXPECT_EQ(result[1], 0.0);
}

TEST_F(Life3, output_derivatives_are_those_of_the_states_under_held_inputs) {
  open("state-space");
  initialise();
  step();
  const unsigned names[] = {library->reference("y1"), library->reference("x2")};
  const fmi3Int32 orders[] = {1, 2};
  double slope = 0.0, x2 = 0.0;
  ASSERT_EQ(call<fmi3GetFloat64TYPE>("GetFloat64", names + 1, 1u, &x2, 1u), fmi3OK);
  ASSERT_EQ(call<fmi3GetOutputDerivativesTYPE>("GetOutputDerivatives", names, 1u, orders, &slope, 1u), fmi3OK);
  EXPECT_NE(x2, 0.0);
  EXPECT_EQ(slope, x2) << "y1 = x1 and x1' = x2 without inputs";
  EXPECT_EQ(call<fmi3GetOutputDerivativesTYPE>("GetOutputDerivatives", names, 1u, orders + 1, &slope, 1u), fmi3Error);
}

}  // namespace
}  // namespace seam::fmus
