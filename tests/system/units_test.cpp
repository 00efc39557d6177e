#include "seam/system/units.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace seam::system {
namespace {

constexpr double pi = std::numbers::pi;

Unit unit(std::string_view text) {
  const auto parsed = parse_unit(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Unit{});
}

double in(double value, std::string_view from, std::string_view to) {
  EXPECT_TRUE(same_dimension(unit(from), unit(to))) << from << " " << to;
  return convert(value, unit(from), unit(to));
}

TEST(Units, derived_units_are_products_of_base_units) {
  const std::pair<const char*, const char*> equal[] = {
      {"N", "kg.m/s2"}, {"J", "N.m"},     {"W", "J/s"},    {"Pa", "N/m2"}, {"V", "W/A"},   {"C", "A.s"},
      {"F", "C/V"},     {"Ohm", "V/A"},   {"S", "A/V"},    {"Wb", "V.s"},  {"T", "Wb/m2"}, {"H", "Wb/A"},
      {"Hz", "1/s"},    {"kat", "mol/s"}, {"lx", "lm/m2"}, {"Nm", "N.m"},  {"L", "dm3"},
  };
  for (const auto& [a, b] : equal) {
    EXPECT_TRUE(same_dimension(unit(a), unit(b))) << a << " " << b;
    EXPECT_NEAR(unit(a).factor, unit(b).factor, 1e-15) << a << " " << b;
  }
}

TEST(Units, exponents_may_be_written_in_every_usual_way) {
  for (const char* text :
       {"m/s2", "m/s^2", "m.s-2", "m.s^-2", "m*s-2", "m/s/s", "m·s-2", "m/(s.s)", "(m/s)/s", "m.(s2)^-1", "m+1/s2"}) {
    EXPECT_EQ(unit(text).exponents, (std::array<int, 8>{0, 1, -2, 0, 0, 0, 0, 0})) << text;
  }
}

TEST(Units, values_are_converted) {
  EXPECT_DOUBLE_EQ(in(36.0, "km/h", "m/s"), 10.0);
  EXPECT_DOUBLE_EQ(in(60.0, "rpm", "rad/s"), 2.0 * pi);
  EXPECT_DOUBLE_EQ(in(180.0, "deg", "rad"), pi);
  EXPECT_DOUBLE_EQ(in(25.0, "degC", "K"), 298.15);
  EXPECT_NEAR(in(212.0, "degF", "degC"), 100.0, 1e-10);
  EXPECT_DOUBLE_EQ(in(1.0, "bar", "Pa"), 1e5);
  EXPECT_DOUBLE_EQ(in(2.0, "t", "kg"), 2000.0);
  EXPECT_DOUBLE_EQ(in(5.0, "%", "1"), 0.05);
  EXPECT_DOUBLE_EQ(in(1.0, "kWh", "J"), 3.6e6);
  EXPECT_DOUBLE_EQ(in(1.0, "L", "m3"), 1e-3);
  EXPECT_DOUBLE_EQ(in(1.0, "cm2", "m2"), 1e-4);
  EXPECT_DOUBLE_EQ(in(1.0, "d", "min"), 1440.0);
}

TEST(Units, times_in_milliseconds_are_the_doubles_a_person_would_write) {
  EXPECT_EQ(in(1.0, "ms", "s"), 0.001);
  EXPECT_EQ(in(0.3, "ms", "s"), 0.0003);
  EXPECT_EQ(in(0.7, "ms", "s"), 0.0007);
  EXPECT_EQ(in(5.0, "us", "s"), 5e-6);
  EXPECT_EQ(in(5.0, "µs", "s"), 5e-6);
}

TEST(Units, whole_symbols_come_before_prefixes) {
  EXPECT_DOUBLE_EQ(unit("min").factor, 60.0);                                       // not milli-inch
  EXPECT_EQ(unit("Pa").exponents, (std::array<int, 8>{1, -1, -2, 0, 0, 0, 0, 0}));  // not peta-a
  EXPECT_EQ(unit("cd").exponents[6], 1);                                            // not centi-day
  EXPECT_DOUBLE_EQ(unit("ft").factor, 0.3048);                                      // not femto-tonne
  EXPECT_DOUBLE_EQ(unit("h").factor, 3600.0);
  EXPECT_DOUBLE_EQ(unit("dam").factor, 10.0);
  EXPECT_DOUBLE_EQ(unit("mm").factor, 1e-3);
  EXPECT_DOUBLE_EQ(unit("MPa").factor, 1e6);
  EXPECT_DOUBLE_EQ(unit("mg").factor, 1e-6);
}

TEST(Units, unknown_and_malformed_units_are_none) {
  for (const char* text : {"", " ", "foo", "m/", "/s", "m..s", "m^", "m^-", "m s", "(m", "m)", "kkg", "mmin", "2m",
                           "m/s)", "µ", "k", "1 1"}) {
    EXPECT_FALSE(parse_unit(text)) << text;
  }
  EXPECT_FALSE(parse_unit(std::string(1000, '(')));
  EXPECT_FALSE(parse_unit("m999"));
}

TEST(Units, quotient_that_can_be_read_in_two_ways_is_refused) {
  EXPECT_FALSE(parse_unit("J/kg.K"));
  EXPECT_EQ(unit("J/(kg.K)").exponents, unit("J/kg/K").exponents);
}

TEST(Units, dimensions_differ_where_physics_does) {
  EXPECT_FALSE(same_dimension(unit("kg"), unit("m")));
  EXPECT_FALSE(same_dimension(unit("N"), unit("N.m")));
  EXPECT_TRUE(same_dimension(unit("rad/s"), unit("1/s")));
  EXPECT_TRUE(same_dimension(unit("rad"), unit("1")));
  EXPECT_TRUE(same_dimension(unit("Hz"), unit("1/s")));
  EXPECT_FALSE(same_dimension(unit("Hz"), unit("rad/s")));  // a factor of 2 pi would be lost
}

TEST(Units, offset_counts_only_where_the_unit_stands_alone) {
  EXPECT_EQ(unit("degC").offset, 273.15);
  EXPECT_EQ(unit("W/degC").offset, 0.0);
  EXPECT_EQ(unit("degC2").offset, 0.0);
  const Conversion c = conversion(unit("degC"), unit("degF"));
  EXPECT_NEAR(c.gain, 1.8, 1e-15);
  EXPECT_NEAR(c.offset, 32.0, 1e-12);
}

TEST(Units, have_the_same_meaning_to_the_digits_that_people_write) {
  const Unit rpm = *parse_unit("rpm");
  EXPECT_TRUE(same_meaning(rpm, Unit{rpm.exponents, 0.10471976}));
  EXPECT_FALSE(same_meaning(rpm, Unit{rpm.exponents, 0.1048}));
  EXPECT_FALSE(same_meaning(rpm, Unit{{0, 0, -1}, rpm.factor}));
  EXPECT_FALSE(same_meaning(*parse_unit("degC"), *parse_unit("K")));
  EXPECT_TRUE(same_meaning(*parse_unit("Hz"), Unit{{0, 0, -1}}));
}

}  // namespace
}  // namespace seam::system
