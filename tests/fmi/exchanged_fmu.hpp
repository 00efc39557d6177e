// The FMU of exchange_fmu.cpp for model exchange behind the contract of a subsystem, in both versions.
#pragma once

#include "fmi/built_fmu.hpp"
#include "fmi/description_text.hpp"
#include "formats/raw_zip.hpp"
#include "seam/fmi/model_exchange/model_exchange.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fmi {

inline std::string exchange_description2(const std::string& abilities) {
  const auto variable = [](int reference, const std::string& name, const std::string& attributes,
                           const std::string& type) {
    return "<ScalarVariable name=\"" + name + "\" valueReference=\"" + std::to_string(reference) + "\" " + attributes +
           "><" + type + "/></ScalarVariable>\n";
  };
  const std::string discrete = "variability=\"discrete\" ";
  return fmi2("<ModelExchange modelIdentifier=\"exchange\" " + abilities + "/>\n<ModelVariables>\n" +
              variable(1, "u", "causality=\"input\"", "Real start=\"0\"") + variable(2, "x", "", "Real") +
              variable(3, "der(x)", "", "Real derivative=\"2\"") + variable(4, "h", "causality=\"output\"", "Real") +
              variable(5, "der(h)", "", "Real derivative=\"4\"") + variable(6, "v", "", "Real") +
              variable(7, "der(v)", "", "Real derivative=\"6\"") + variable(8, "y", "causality=\"output\"", "Real") +
              variable(10, "k", discrete + "causality=\"input\"", "Integer start=\"0\"") +
              variable(11, "count", discrete + "causality=\"output\"", "Integer") +
              variable(12, "doubled", discrete + "causality=\"output\"", "Integer") +
              variable(13, "relay", discrete + "causality=\"output\"", "Boolean") +
              "</ModelVariables>\n<ModelStructure><Outputs><Unknown index=\"4\" dependencies=\"4\"/>"
              "<Unknown index=\"8\" dependencies=\"1 2\"/><Unknown index=\"10\"/><Unknown index=\"11\"/>"
              "<Unknown index=\"12\"/></Outputs><Derivatives><Unknown index=\"3\"/><Unknown index=\"5\"/>"
              "<Unknown index=\"7\"/></Derivatives></ModelStructure>\n");
}

inline std::string exchange_description3(const std::string& abilities) {
  const auto variable = [](int reference, const std::string& type, const std::string& name,
                           const std::string& attributes) {
    return "<" + type + " name=\"" + name + "\" valueReference=\"" + std::to_string(reference) + "\" " + attributes +
           "/>\n";
  };
  const std::string output = "causality=\"output\"";
  return fmi3("<ModelExchange modelIdentifier=\"exchange\" " + abilities + "/>\n<ModelVariables>\n" + time3 +
              variable(1, "Float64", "u", "causality=\"input\" start=\"0\"") + variable(2, "Float64", "x", "") +
              variable(3, "Float64", "der(x)", "derivative=\"2\"") + variable(4, "Float64", "h", output) +
              variable(5, "Float64", "der(h)", "derivative=\"4\"") + variable(6, "Float64", "v", "") +
              variable(7, "Float64", "der(v)", "derivative=\"6\"") + variable(8, "Float64", "y", output) +
              variable(10, "Int32", "k", "causality=\"input\" start=\"0\"") + variable(11, "Int32", "count", output) +
              variable(12, "Int32", "doubled", output) + variable(13, "Boolean", "relay", output) +
              variable(14, "Float64", "z_h", "") + variable(15, "Float64", "z_u", "") +
              "</ModelVariables>\n<ModelStructure><Output valueReference=\"4\" dependencies=\"4\"/>"
              "<Output valueReference=\"8\" dependencies=\"1 2\"/><Output valueReference=\"11\"/>"
              "<Output valueReference=\"12\"/><Output valueReference=\"13\"/>"
              "<ContinuousStateDerivative valueReference=\"3\"/><ContinuousStateDerivative valueReference=\"5\"/>"
              "<ContinuousStateDerivative valueReference=\"7\"/><EventIndicator valueReference=\"14\"/>"
              "<EventIndicator valueReference=\"15\"/></ModelStructure>\n");
}

/// Outputs are h, y; discrete values in k, out count, doubled, relay.
class Exchanged : public BuiltFmus, public ::testing::WithParamInterface<int> {
 protected:
  using Outcome = assembly::Outcome;
  using Sources = assembly::Sources;

  /// What the FMU says of itself; the names differ between the versions.
  std::string saves_states() const {
    return GetParam() == 2 ? "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
                           : "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" ";
  }
  std::string gives_derivatives() const {
    return GetParam() == 2 ? "providesDirectionalDerivative=\"true\" " : "providesDirectionalDerivatives=\"true\" ";
  }
  std::string completes_steps(const std::string& wanted = "true") const {
    if (GetParam() == 3) return "needsCompletedIntegratorStep=\"" + wanted + "\" ";
    return std::string("completedIntegratorStepNotNeeded=\"") + (wanted == "true" ? "false" : "true") + "\" ";
  }

  FmuSetup setup(const std::string& behaviour, const std::string& abilities) {
    const std::string path = folder_.file("exchange" + std::to_string(++made_) + ".fmu");
    const std::string library = formats::read_text(SEAM_EXCHANGE_FMU);
    std::string text = GetParam() == 2 ? exchange_description2(abilities) : exchange_description3(abilities);
    if (GetParam() == 2) text.replace(text.find("guid="), 0, "numberOfEventIndicators=\"2\" ");
    formats::write_text(path, formats::RawZip()
                                  .add("modelDescription.xml", text)
                                  .add("binaries/linux64/exchange.so", library)
                                  .add("binaries/x86_64-linux/exchange.so", library)
                                  .bytes());
    base::Problems problems;
    auto opened = open_fmu(path, problems);
    EXPECT_TRUE(opened) << problems.text();
    FmuSetup result;
    result.name = behaviour;
    result.fmu = std::make_shared<const Fmu>(opened.value_or(Fmu{}));
    result.connected_inputs = {0, 1};
    result.experiment.stop = 10.0;
    result.experiment.tolerance = 1e-9;
    return result;
  }
  void make(const std::string& behaviour, const std::string& abilities) {
    subsystem_ = make_model_exchange(setup(behaviour, abilities));
    step_ = subsystem_->prepare({0.01});
  }
  void make(const std::string& behaviour = "it") { make(behaviour, completes_steps() + saves_states()); }
  void begin() {
    subsystem_->initialise(0.0);
    const std::vector<double> all{input_, 0.0};  // the engine hands over a double for k, too
    subsystem_->evaluate(0.0, Sources::live, all, outputs_);
    subsystem_->begin_steps(outputs_);
  }
  Outcome step(double t, double length) {
    const std::vector<double> all{input_, 0.0};
    const assembly::InputPolynomials input{all.data(), 0, 2};
    return step_.advance({t, length, Sources::live}, input, outputs_);
  }
  /// In steps of 10 ms, which no event of the FMU meets by chance.
  void run_to(double end) {
    for (int n = 0; 0.01 * n < end - 1e-9; ++n) ASSERT_EQ(step(0.01 * n, 0.01), Outcome::accepted) << 0.01 * n;
  }
  void give(int k) {
    const system::DiscreteValue discrete_value{k, {}};
    subsystem_->facets().discrete_ports->give({&discrete_value, 1});
  }
  std::vector<system::DiscreteValue> taken() {
    std::vector<system::DiscreteValue> discrete_values(3);
    subsystem_->facets().discrete_ports->take(discrete_values);
    return discrete_values;
  }
  std::int64_t count() { return taken()[0].integer; }
  bool relay() { return taken()[2].integer != 0; }
  double height() const { return outputs_[0]; }
  double y() const { return outputs_[1]; }
  std::string remark() const { return subsystem_->facets().diagnostics->remarks().at(0); }

  double input_ = 0.0;
  std::vector<double> outputs_ = {-1.0, -1.0};
  std::unique_ptr<assembly::Subsystem> subsystem_;
  assembly::StepFunction step_;
  int made_ = 0;
};

}  // namespace seam::fmi
