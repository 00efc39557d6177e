// Source FMUs of our own: x' = -k x, packed as a test wants them.
#pragma once

#include <string>

#include "formats/raw_zip.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::toolchain {

/// The C source of a version.
inline std::string decay_source(int version) {
  return formats::read_text(std::string(SEAM_SOURCE_DIR) + "/tests/toolchain/decay_fmi" + std::to_string(version) +
                            ".c");
}

/// `sources`: the inside of <CoSimulation>.
inline std::string decay_description2(const std::string& sources) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="decay" guid="{1}">
  <CoSimulation modelIdentifier="decay" canHandleVariableCommunicationStepSize="true">)" +
         sources + R"(</CoSimulation>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.25"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="0" causality="output" variability="continuous" initial="exact"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="1" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1" dependencies=""/></Outputs></ModelStructure>
</fmiModelDescription>
)";
}

inline std::string decay_description3() {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="decay" instantiationToken="{1}">
  <CoSimulation modelIdentifier="decay" canHandleVariableCommunicationStepSize="true"/>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.25"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="x" valueReference="1" causality="output" variability="continuous" initial="exact" start="1"/>
    <Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="1"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="1" dependencies=""/></ModelStructure>
</fmiModelDescription>
)";
}

inline const std::string listed_decay = R"(<SourceFiles><File name="decay.c"/></SourceFiles>)";

/// `set`: attributes and inside of the only <SourceFileSet>, such as `language="C99"><SourceFile name="a.c"/>`.
inline std::string build_description(const std::string& set, const std::string& beside = {}) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="decay">
    <SourceFileSet )" +
         set + "</SourceFileSet>" + beside + R"(
  </BuildConfiguration>
</fmiBuildDescription>
)";
}

inline const std::string decay_set =
    R"(language="C99"><SourceFile name="decay.c"/><PreprocessorDefinition name="FIRST" value="1"/><IncludeDirectory name="include"/>)";

/// Of either version, with everything in its place and a file of another platform.
inline formats::RawZip decay(int version) {
  formats::RawZip zip;
  zip.add("modelDescription.xml", version == 2 ? decay_description2(listed_decay) : decay_description3());
  zip.add({"sources/decay.c", decay_source(version), 8});
  if (version == 3) {
    zip.add("sources/buildDescription.xml", build_description(decay_set));
    zip.add("sources/include/rate.h", "#define RATE FIRST\n");
  }
  zip.add("resources/table.txt", "1 2 3\n").add("binaries/win64/decay.dll", "not ours");
  return zip;
}

}  // namespace seam::toolchain
