// The FMU of unruly_fmu.cpp, wrapped up for either version. SEAM_UNRULY_FMU is its library.
#pragma once

#include <string>

#include "fmi/description_text.hpp"
#include "formats/raw_zip.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fmi {

/// `attributes` are those of its co-simulation.
inline std::string unruly_description(int version, const std::string& attributes) {
  const std::string interface = "<CoSimulation modelIdentifier=\"unruly\" " + attributes +
                                "/>\n<LogCategories><Category name=\"quiet\"/><Category name=\"loud\"/>" +
                                "</LogCategories>\n<ModelVariables>\n";
  if (version == 2) {
    return fmi2(interface +
                "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real start=\"0\"/>"
                "</ScalarVariable>\n<ScalarVariable name=\"b\" valueReference=\"2\" causality=\"output\" "
                "variability=\"discrete\"><Boolean/></ScalarVariable>\n"
                "</ModelVariables>\n<ModelStructure><Outputs><Unknown index=\"2\"/></Outputs></ModelStructure>\n");
  }
  return fmi3(interface + time3 +
              "<Float64 name=\"u\" valueReference=\"1\" causality=\"input\" start=\"0\"/>\n"
              "<Boolean name=\"b\" valueReference=\"2\" causality=\"output\"/>\n"
              "</ModelVariables>\n<ModelStructure><Output valueReference=\"2\"/></ModelStructure>\n");
}

inline std::string unruly_archive(int version,
                                  const std::string& attributes = "canHandleVariableCommunicationStepSize=\"true\"") {
  const std::string library = formats::read_text(SEAM_UNRULY_FMU);
  return formats::RawZip()
      .add("modelDescription.xml", unruly_description(version, attributes))
      .add("binaries/linux64/unruly.so", library)
      .add("binaries/x86_64-linux/unruly.so", library)
      .bytes();
}

}  // namespace seam::fmi
