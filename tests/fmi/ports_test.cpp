#include "seam/fmi/description/ports.hpp"

#include <gtest/gtest.h>

namespace seam::fmi {
namespace {

using Names = std::vector<std::string>;

Variable variable(const std::string& name, Causality causality, std::vector<Dimension> dimensions = {}) {
  Variable v;
  v.name = name;
  v.causality = causality;
  v.dimensions = std::move(dimensions);
  return v;
}

Dimension fixed(std::uint64_t size) { return {size, std::nullopt}; }
Dimension given_by(std::uint32_t reference) { return {std::nullopt, reference}; }

/// n = 2 (reference 7), u[n] in, M[n, 3] out, a scalar output, and what is no port.
ModelDescription description() {
  ModelDescription d;
  d.version = Version::fmi3;
  Variable n = variable("n", Causality::structural_parameter);
  n.type = Type::uint64;
  n.value_reference = 7;
  n.start = {"2"};
  Variable u = variable("u", Causality::input, {given_by(7)});
  u.start = {"1.5", "-2.5"};
  u.unit = "N";
  Variable switched = variable("switched", Causality::output);
  switched.variability = Variability::discrete;
  Variable count = variable("count", Causality::output);
  count.type = Type::int32;
  Variable single = variable("single", Causality::input);
  single.type = Type::float32;
  d.variables = {n,
                 u,
                 variable("hidden", Causality::local),
                 variable("M", Causality::output, {given_by(7), fixed(3)}),
                 switched,
                 count,
                 single};
  return d;
}

Names names_of(const std::vector<system::Port>& ports) {
  Names names;
  for (const system::Port& port : ports) names.push_back(port.name);
  return names;
}

TEST(Ports, arrays_are_flattened_row_by_row_and_counted_from_1) {
  const ModelDescription d = description();
  const Ports ports = ports_of(d, {});
  EXPECT_EQ(names_of(ports.inputs), (Names{"u[1]", "u[2]", "single"}));
  EXPECT_EQ(names_of(ports.outputs),
            (Names{"M[1,1]", "M[1,2]", "M[1,3]", "M[2,1]", "M[2,2]", "M[2,3]", "switched", "count"}));
}

TEST(Ports, structural_parameters_that_are_set_give_the_size) {
  const ModelDescription d = description();
  const Ports ports = ports_of(d, {{7, 3}});
  EXPECT_EQ(names_of(ports.inputs), (Names{"u[1]", "u[2]", "u[3]", "single"}));
  EXPECT_EQ(ports.outputs.size(), 11u);
  EXPECT_EQ(element_name(d, d.variables[3], {{7, 3}}, 8), "M[3,3]");
  EXPECT_EQ(ports_of(d, {{7, 0}}).outputs.size(), 2u);
}

TEST(Ports, variables_know_where_their_elements_begin) {
  const ModelDescription d = description();
  const Ports ports = ports_of(d, {});
  ASSERT_EQ(ports.input_variables.size(), 2u);
  EXPECT_EQ(ports.input_variables[0].elements, 2u);
  EXPECT_EQ(ports.input_variables[1].first, 2u);
  EXPECT_EQ(ports.output_variables[1].first, 6u);
  EXPECT_EQ(ports.output_variables[1].variable, &d.variables[4]);
}

TEST(Ports, start_unit_and_variability_are_those_of_the_variable) {
  const ModelDescription d = description();
  const Ports ports = ports_of(d, {});
  EXPECT_EQ(ports.inputs[0].start, 1.5);
  EXPECT_EQ(ports.inputs[1].start, -2.5);
  EXPECT_EQ(ports.inputs[2].start, 0.0);
  EXPECT_EQ(ports.inputs[1].unit, "N");
  EXPECT_EQ(ports.inputs[0].variability, system::Variability::continuous);
  EXPECT_EQ(ports.outputs.back().variability, system::Variability::discrete);
}

TEST(Ports, one_start_value_is_that_of_every_element) {
  ModelDescription d = description();
  d.variables[1].start = {"4"};
  for (const std::size_t element : {0u, 1u}) EXPECT_EQ(ports_of(d, {}).inputs[element].start, 4.0);
}

TEST(Ports, start_value_with_a_plus_sign_is_read) {
  ModelDescription d = description();
  d.variables[1].start = {"+1.5", " 2.5"};
  EXPECT_EQ(ports_of(d, {}).inputs[0].start, 1.5);
  EXPECT_EQ(ports_of(d, {}).inputs[1].start, 2.5);
}

TEST(Ports, nominal_is_a_size_where_the_variable_has_one) {
  ModelDescription d = description();
  d.variables[1].nominal = -1e5;
  const Ports ports = ports_of(d, {});
  EXPECT_EQ(ports.inputs[1].nominal, 1e5);
  EXPECT_FALSE(ports.outputs[0].nominal);
}

// Later, M depends on u and `switched` on nothing; at the start it is the other way round, and of `count` nothing is
// said.
TEST(Ports, dependencies_at_the_start_are_those_of_the_initial_unknowns) {
  ModelDescription d = description();
  d.structure.outputs = {{3, std::vector<std::size_t>{1}, {}, 0}, {4, std::vector<std::size_t>{}, {}, 0}};
  d.structure.initial_unknowns = {{3, std::vector<std::size_t>{}, {}, 0}, {4, std::vector<std::size_t>{1}, {}, 0}};
  const Ports ports = ports_of(d, {});
  const int M = 0, switched = 6, count = 7, u = 1, single = 2;
  EXPECT_TRUE(feeds_through(d, ports, M, u));
  EXPECT_FALSE(feeds_through(d, ports, switched, u));
  EXPECT_FALSE(depends_at_start(d, ports, M, u));
  EXPECT_TRUE(depends_at_start(d, ports, switched, u));
  EXPECT_FALSE(depends_at_start(d, ports, switched, single));
  EXPECT_TRUE(depends_at_start(d, ports, count, single));
}

TEST(Ports, initial_unknowns_without_dependencies_say_nothing) {
  ModelDescription d = description();
  d.structure.outputs = {{3, std::vector<std::size_t>{1}, {}, 0}};
  d.structure.initial_unknowns = {{3, std::nullopt, {}, 0}};
  const Ports ports = ports_of(d, {});
  EXPECT_TRUE(depends_at_start(d, ports, 0, 1));
  EXPECT_FALSE(depends_at_start(d, ports, 0, 2));
}

TEST(ElementCount, scalar_has_one_and_an_array_the_product) {
  const ModelDescription d = description();
  EXPECT_EQ(element_count(d, variable("x", Causality::local), {}), 1u);
  EXPECT_EQ(element_count(d, d.variables[3], {}), 6u);
  EXPECT_EQ(element_count(d, variable("x", Causality::local, {fixed(4), fixed(5), fixed(6)}), {}), 120u);
  EXPECT_EQ(element_count(d, variable("x", Causality::local, {fixed(0), fixed(5)}), {}), 0u);
}

TEST(ElementCount, unknown_and_absurd_sizes_are_none) {
  ModelDescription d = description();
  EXPECT_FALSE(element_count(d, variable("x", Causality::local, {given_by(99)}), {}));
  EXPECT_FALSE(element_count(d, variable("x", Causality::local, {Dimension{}}), {}));
  EXPECT_FALSE(element_count(d, variable("x", Causality::local, {fixed(1u << 31), fixed(1u << 31), fixed(4)}), {}));
  EXPECT_FALSE(element_count(d, d.variables[1], {{7, ~std::uint64_t{0}}}));
  d.variables[0].start.clear();
  EXPECT_FALSE(element_count(d, d.variables[1], {}));
  EXPECT_EQ(names_of(ports_of(d, {}).inputs), Names{"single"});  // an array of unknown size is no port
}

}  // namespace
}  // namespace seam::fmi
