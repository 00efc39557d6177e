#include "ssp/package_reader.hpp"

namespace seam::ssp {
namespace {

using EmbeddedPlan = Packages;

const char* const place = "extra/org.seam-cosim/plan.yaml";

TEST_F(EmbeddedPlan, is_found_and_beats_the_default_experiment_and_a_plan_file_beats_it) {
  formats::RawZip zip;
  zip.add(place, "seam: 1\nplan: {step: 1 ms, coupling: foh}\nexperiment: {stop: 3 s}\n");
  pack(ssd(elements(component("A")), "<ssd:DefaultExperiment startTime=\"1\" stopTime=\"2\"/>"), zip);
  const auto d = read_sound();
  EXPECT_EQ(d.plan.step, 1e-3);
  EXPECT_EQ(d.experiment.start, 1.0);
  EXPECT_EQ(d.experiment.stop, 3.0);
  ReadOptions options;
  options.plan = load::read_plan_text("seam: 1\nplan: {step: 2 ms}\n", "p.yaml", problems_);
  const auto with_file = read_sound(options);
  EXPECT_EQ(with_file.plan.step, 2e-3);
  EXPECT_EQ(with_file.plan.coupling->coupling->name, "foh");
  options = {};
  options.embedded_plan = ReadOptions::EmbeddedPlan::ignored;
  EXPECT_FALSE(read_sound(options).plan.coupling);
}

TEST_F(EmbeddedPlan, cannot_alter_the_system_and_its_problems_have_a_place_in_the_package) {
  formats::RawZip zip;
  zip.add(place, "seam: 1\nsubsystems: {A: {model: gain}}\n");
  pack(ssd(elements(component("A"))), zip);
  expect_problem("x.ssp/extra/org.seam-cosim/plan.yaml:2:1", "\"subsystems\" is not a key of a plan file");
}

TEST_F(EmbeddedPlan, cannot_choose_a_file_outside_the_current_folder) {
  for (const char* file : {"/tmp/x.csv", "../x.csv", "a/../../x.csv"}) {
    formats::RawZip zip;
    zip.add(place, std::string("seam: 1\nrecord: {file: ") + file + "}\n");
    pack(ssd(elements(component("A"))), zip);
    expect_problem("plan.yaml:2:", "leads out of the current folder");
  }
}

}  // namespace
}  // namespace seam::ssp
