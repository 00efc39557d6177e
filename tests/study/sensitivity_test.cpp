#include "seam/study/sensitivity.hpp"

#include <cmath>
#include <numbers>

#include "study/study_folder.hpp"

namespace seam::study {
namespace {

class SensitivityStudy : public StudyFolder {
 protected:
  /// The function of Ishigami and Homma 1990, as the value of a signal.
  Prepared ishigami(int samples, const std::string& more) const {
    formats::write_text(
        path("value.yaml"),
        "seam: 1\nsubsystems:\n  f: {model: constant, set: {value: 0}}\n  g: {model: gain, set: {k: 1}}\n"
        "connections: [f.y -> g.u]\nexperiment: {stop: 0.1}\nplan: {step: 0.1}\n");
    return prepared("seed: 5\nsamples: " + std::to_string(samples) + "\n" + more +
                        "vary:\n  x1: {uniform: [-3.141592653589793, 3.141592653589793]}\n"
                        "  x2: {uniform: [-3.141592653589793, 3.141592653589793]}\n"
                        "  x3: {uniform: [-3.141592653589793, 3.141592653589793]}\n"
                        "set: {f.value: \"{sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)}\"}\n"
                        "metrics: [{y: {final: g.y}}]\nsensitivities: [y]\n",
                    "value.yaml");
  }
};

struct Exact {
  double first[3], total[3];
};

/// Closed form: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2 is shared out among x1, x2 and x1 with x3.
Exact exact_ishigami() {
  const double a = 7.0, b = 0.1, pi4 = std::pow(std::numbers::pi, 4);
  const double one = 0.5 * std::pow(1.0 + b * pi4 / 5.0, 2), two = a * a / 8.0, both = 8.0 / 225.0 * b * b * pi4 * pi4;
  const double all = one + two + both;
  return {{one / all, two / all, 0.0}, {(one + both) / all, two / all, both / all}};
}

TEST_F(SensitivityStudy, finds_the_indices_of_the_ishigami_function) {
  const Exact exact = exact_ishigami();
  EXPECT_NEAR(exact.first[0], 0.3139, 1e-4);  // as the literature has them
  EXPECT_NEAR(exact.total[2], 0.2437, 1e-4);
  struct Trial {
    const char* sampling;
    double tolerance;
  };
  for (const Trial& trial : {Trial{"random", 0.1}, {"latin-hypercube", 0.1}, {"sobol", 0.03}}) {
    const Prepared study = ishigami(1024, std::string("sampling: ") + trial.sampling + "\n");
    EXPECT_EQ(study.points, 1024U * 5U);
    const StudyResult result = run(study, "r.csv", 2);
    ASSERT_EQ(result.sensitivities.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const SensitivityLine& line = result.sensitivities[i];
      EXPECT_EQ(line.path, "x" + std::to_string(i + 1));
      EXPECT_EQ(line.samples, 1024U);
      EXPECT_NEAR(line.first_order.value, exact.first[i], trial.tolerance) << trial.sampling << " " << line.path;
      EXPECT_NEAR(line.total.value, exact.total[i], trial.tolerance) << trial.sampling << " " << line.path;
      EXPECT_NEAR(line.first_order.value, exact.first[i], 4.0 * line.first_order.error) << trial.sampling;
      EXPECT_NEAR(line.total.value, exact.total[i], 4.0 * line.total.error) << trial.sampling;
      EXPECT_LT(line.total.error, 0.1);
    }
  }
  EXPECT_TRUE(read("r.sensitivities.csv")
                  .starts_with("method,metric,path,first_order,first_order_error,total,total_error,samples\n"
                               "as planned,y,x1,0."))
      << read("r.sensitivities.csv");
}

TEST_F(SensitivityStudy, the_variants_of_a_sample_differ_in_one_draw) {
  const Study study = ishigami(4, "sampling: sobol\n").study;
  for (std::size_t sample = 0; sample < 4; ++sample) {
    const auto texts = [&](std::size_t variant) { return point_of(study, 5 * sample + variant).texts; };
    for (std::size_t draw = 0; draw < 3; ++draw) {
      EXPECT_NE(texts(0)[draw], texts(1)[draw]);
      for (std::size_t variant = 2; variant < 5; ++variant)
        EXPECT_EQ(texts(variant)[draw], texts(variant == draw + 2 ? 1 : 0)[draw]);
    }
  }
}

TEST(Sensitivity, of_an_additive_model_both_indices_are_the_share_of_its_variance) {
  VariantValues values;  // y = 2 u + v, each of variance 1: u is drawn again
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const auto number = [&](const char* name, std::size_t dimension) {
      return 2.0 * std::sqrt(3.0) * (sobol_number({1, i, name}, dimension) - 0.5);
    };
    const double u = number("u", 0), v = number("v", 1), other = number("u2", 2), another = number("v2", 3);
    values.a.push_back(2.0 * u + v);
    values.b.push_back(2.0 * other + another);
    values.mixed.push_back(2.0 * other + v);
  }
  const SensitivityIndices indices = sensitivity_indices(values);
  EXPECT_NEAR(indices.first_order.value, 0.8, 0.005);
  EXPECT_NEAR(indices.total.value, 0.8, 0.005);
}

// x(T) = x0 + v0 T: both add up, and no draw acts together with another.
TEST_F(SensitivityStudy, finds_the_shares_of_place_and_speed_of_a_free_mass) {
  formats::write_text(path("free.yaml"),
                      "seam: 1\nsubsystems: {m: {model: mass-chain, set: {masses: [1]}}}\n"
                      "experiment: {stop: 2}\nplan: {step: 0.5}\n");
  const StudyResult result =
      run(prepared("seed: 2\nsamples: 512\nsampling: sobol\n"
                   "vary: {x: {uniform: [-1, 1]}, v: {uniform: [-1, 1]}}\nset: {m.x0: \"[{x}]\", m.v0: \"[{v}]\"}\n"
                   "metrics: [{far: {final: m.x1}}]\nsensitivities: [far]\n",
                   "free.yaml"),
          "r.csv");
  const double shares[] = {1.0 / 5.0, 4.0 / 5.0};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(result.sensitivities[i].first_order.value, shares[i], 0.01);
    EXPECT_NEAR(result.sensitivities[i].total.value, shares[i], 0.01);
  }
}

TEST_F(SensitivityStudy, samples_with_a_point_that_failed_are_left_out_and_nothing_that_varies_has_no_index) {
  const Prepared study = prepared(
      "seed: 1\nsamples: 40\nvary: {m: {uniform: [-0.1, 1]}, left.to_ground.k: {uniform: [9, 10]}}\n"
      "set: {left.masses: \"[{m}]\"}\nmetrics: [{start: {max: left.x1, to: 0}}, {end: {final: left.x1}}]\n"
      "sensitivities: [start, end]\n");
  const StudyResult result = run(study, "r.csv");
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.sensitivities.size(), 4U);
  EXPECT_LT(result.sensitivities[2].samples, 40U);
  EXPECT_GT(result.sensitivities[2].samples, 20U);
  EXPECT_TRUE(std::isnan(result.sensitivities[0].total.value));  // it is 1 m in every case
  EXPECT_GT(result.sensitivities[2].total.value, 0.5);
}

TEST_F(SensitivityStudy, says_what_cannot_be_shared_out) {
  const std::string drawn = "seed: 1\nsamples: 2\nvary: {left.to_ground.k: {uniform: [1, 2]}}\nmetrics: [radius]\n";
  EXPECT_NE(problems_of(drawn + "sensitivities: [radios]\n").find("did you mean \"radius\"?"), std::string::npos);
  EXPECT_NE(problems_of("metrics: [radius]\nsensitivities: [radius]\n").find("nothing is drawn"), std::string::npos);
}

}  // namespace
}  // namespace seam::study
