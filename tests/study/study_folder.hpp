// A folder with the benchmark system in it and studies of it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/study/run_study.hpp"

namespace seam::study {

class StudyFolder : public ::testing::Test {
 protected:
  StudyFolder() {
    formats::write_text(path("pair.yaml"),
                        "seam: 1\nsubsystems:\n"
                        "  left: {model: mass-chain, set: {masses: [0.1], to_ground: {k: 10, d: 0.1}, "
                        "coupling: {kind: spring, k: 10, d: 0.1}, x0: [1]}}\n"
                        "  right: {model: mass-chain, set: {masses: [0.1], to_ground: {k: 10, d: 0.1}, "
                        "coupling: {kind: force}}}\n"
                        "connections: [left.F -> right.F_in, right.x1 -> left.x_in, right.v1 -> left.v_in]\n"
                        "experiment: {stop: 0.2}\nplan: {step: 0.01}\n");
  }

  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string read(const std::string& name) const { return formats::read_text(path(name)); }

  Prepared prepared(const std::string& text, const std::string& system = "pair.yaml") const {
    formats::write_text(path("study.yaml"), "study: 1\nsystem: " + system + "\n" + text);
    return prepare(path("study.yaml"));
  }

  /// What a person is told; empty if there is nothing wrong.
  std::string problems_of(const std::string& text) const {
    try {
      prepared(text);
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return {};
  }

  StudyResult run(const Prepared& prepared, const std::string& file, int workers = 1) const {
    StudySettings settings;
    settings.file = path(file);
    settings.workers = workers;
    settings.existing = StudySettings::Existing::replaced;
    return run_study(prepared, settings);
  }

  formats::TemporaryFolder folder_;
};

}  // namespace seam::study
