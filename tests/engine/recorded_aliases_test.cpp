// Further names that an FMI 3 description gives a variable (FMI 3.0.2, 2.4.7.5): recorded under them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/zip.hpp"

namespace seam::engine {
namespace {

using Names = std::vector<std::string>;

class RecordedAliases : public FmuWorkshop {
 protected:
  /// Our FMU of local variables, where some variables have further names.
  RecordedAliases() {
    base::Problems problems;
    const auto archive = formats::open_zip(folder_.file(fmu(3, "locals")), problems);
    if (!archive) throw base::ProblemsFound(problems);
    const std::string name = "modelDescription.xml";
    std::string text = archive->read(*archive->find(name), std::size_t{1} << 20);
    for (const auto& [variable, alias] : {std::pair{"y2", "second"},
                                          {"body.x3", "third"},
                                          {"body.x3", "sub.third"},
                                          {"k", "stiffness"},
                                          {"steps", "count"},
                                          {"vector", "direction"}})
      add(variable, alias, text);
    formats::write_text(folder_.file(name), text);
    archive->write_with(folder_.file("named.fmu"), {{name, folder_.file(name)}});
  }

  std::string text(const std::string& variables) const {
    return "seam: 1\nsubsystems: {a: {fmu: named.fmu}}\nexperiment: {stop: 1}\nplan: {step: 0.125}\nrecord: "
           "{variables: [" +
           variables + "]}\n";
  }
  Names names_of(const std::string& variables) const {
    Names names = table_of(text(variables)).names;
    names.erase(names.begin());
    return names;
  }

 private:
  static void add(const std::string& variable, const std::string& alias, std::string& text) {
    const std::size_t name = text.find(" name=\"" + variable + "\"");
    const std::size_t begin = text.rfind('<', name) + 1, end = text.find('>', name);
    const std::string element = "<Alias name=\"" + alias + "\"/>";
    if (text[end - 1] != '/') {
      text.insert(end + 1, element);
    } else {
      text.replace(end - 1, 2, ">" + element + "</" + text.substr(begin, name - begin) + ">");
    }
  }
};

TEST_F(RecordedAliases, have_the_values_of_the_variable_whether_it_is_recorded_itself_or_not) {
  const auto alone = table_of(text("a.sub.third, a.count, a.second, a.stiffness"));
  EXPECT_EQ(alone.names, (Names{"time", "a.stiffness", "a.second", "a.sub.third", "a.count"}));
  const auto both =
      table_of(text("a.body.x3, a.third, a.sub.third, a.steps, a.count, a.y2, a.second, a.k, a.stiffness"));
  EXPECT_EQ(both.names.size(), 10u);
  for (const auto& [name, alias] : {std::pair{"a.body.x3", "a.third"},
                                    {"a.body.x3", "a.sub.third"},
                                    {"a.steps", "a.count"},
                                    {"a.y2", "a.second"},
                                    {"a.k", "a.stiffness"}})
    EXPECT_EQ(column(both, alias), column(both, name)) << alias;
  for (const char* const alias : {"a.sub.third", "a.count", "a.second", "a.stiffness"})
    EXPECT_EQ(column(alone, alias), column(both, alias)) << alias;
  EXPECT_EQ(column(alone, "a.sub.third").back(), 2.0 * 3.0);  // k i t^2
  EXPECT_EQ(column(alone, "a.second").back(), 2.0);
  EXPECT_EQ(column(alone, "a.count").back(), 8.0);
}

TEST_F(RecordedAliases, of_arrays_are_recorded_element_by_element) {
  EXPECT_EQ(names_of("a.direction"), (Names{"a.direction[1]", "a.direction[2]", "a.direction[3]"}));
  const auto some = table_of(text("\"a.direction[3]\", \"a.vector[2]\", \"a.direction[2]\""));
  EXPECT_EQ(some.names, (Names{"time", "a.vector[2]", "a.direction[2]", "a.direction[3]"}));
  EXPECT_EQ(column(some, "a.direction[2]"), column(some, "a.vector[2]"));
  EXPECT_EQ(column(some, "a.direction[3]").back(), 3.0);
}

TEST_F(RecordedAliases, belong_to_the_group_of_the_variable_and_are_no_ports) {
  const Names locals = names_of("a.locals");
  EXPECT_EQ(std::ranges::count(locals, "a.third"), 1);
  EXPECT_EQ(std::ranges::count(locals, "a.body.x3"), 1);
  EXPECT_EQ(std::ranges::count(locals, "a.second"), 0);
  EXPECT_EQ(names_of("a.outputs"), (Names{"a.y1", "a.y2", "a.y3", "a.y4"}));
  EXPECT_EQ(names_of("a.parameters"), (Names{"a.k", "a.stiffness"}));
  Names all = names_of("\"**\"");
  EXPECT_EQ(std::ranges::count(all, "a.second"), 1);
  EXPECT_EQ(std::ranges::count(all, "a.y2"), 1);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST_F(RecordedAliases, are_found_by_patterns_and_meant_by_names_that_are_nearly_theirs) {
  EXPECT_EQ(names_of("\"a.**third\""), (Names{"a.sub.third", "a.third"}));
  try {
    run_text(text("a.sub.thrid"));
    ADD_FAILURE() << "it is no name of a variable";
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find("did you mean \"a.sub.third\"?"), std::string::npos) << found.what();
  }
}

}  // namespace
}  // namespace seam::engine
