// Systems whose corrector has models that were not read from their equations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coupling/live.hpp"
#include "seam/load/assemble.hpp"

namespace seam::coupling {

struct Given {
  std::unique_ptr<assembly::Assembly> assembly;
  Program program;
};

inline Given given(const std::string& text, const std::vector<GivenModel>& models) {
  const engine::System system = open(text);
  base::Problems problems;
  auto assembly =
      std::make_unique<assembly::Assembly>(std::move(*load::assemble(system.description, system.plan, {}, problems)));
  CompileOptions options;
  options.models = models;
  auto program = compile(*assembly, system.plan, options, problems);
  base::require_none(problems);
  return {std::move(assembly), std::move(*program)};
}

/// Two masses on springs and dampers; the second owns what couples them.
struct Masses {
  double m1 = 10.0, k1 = 1e6, d1 = 1.0, m2 = 10.0, k2 = 1e7, d2 = 2.0, kc = 2e5, dc = 2e2;
};

/// I: f1, F -> x1, v1, a1; II: f1, x_in, v_in -> x1, v1, a1, F.
inline std::vector<GivenModel> models_of(const Masses& w, double x0 = 0.1) {
  lti::StateSpace one{lti::Matrix{{0, 1}, {-w.k1 / w.m1, -w.d1 / w.m1}}, lti::Matrix{{0, 0}, {1 / w.m1, 1 / w.m1}},
                      lti::Matrix::Zero(3, 2), lti::Matrix::Zero(3, 2)};
  one.C << lti::Matrix::Identity(2, 2), one.A.row(1);
  one.D.row(2) = one.B.row(1);
  lti::StateSpace two{lti::Matrix{{0, 1}, {-(w.k2 + w.kc) / w.m2, -(w.d2 + w.dc) / w.m2}},
                      lti::Matrix{{0, 0, 0}, {1 / w.m2, w.kc / w.m2, w.dc / w.m2}}, lti::Matrix::Zero(4, 2),
                      lti::Matrix::Zero(4, 3)};
  two.C << lti::Matrix::Identity(2, 2), two.A.row(1), w.kc, w.dc;
  two.D.row(2) = two.B.row(1);
  two.D.row(3) << 0, -w.kc, -w.dc;
  return {{0, one, lti::Vector{{x0, 0}}}, {1, two, lti::Vector{{x0, 0}}}};
}

/// Parameters of the dual oscillator as the models have them, by those that it has.
struct Wrong {
  double m1 = 1.0, k1 = 1.0, m2 = 1.0, k2 = 1.0, coupling = 1.0;
};
inline std::vector<GivenModel> oscillator_models(const Wrong& w) {
  Masses all;
  all.m1 *= w.m1;
  all.k1 *= w.k1;
  all.m2 *= w.m2;
  all.k2 *= w.k2;
  all.kc *= w.coupling;
  all.dc *= w.coupling;
  return models_of(all);
}

}  // namespace seam::coupling
