// The settings of an FMU as a parameter set.
#pragma once

#include <set>
#include <string>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/model_description.hpp"
#include "seam/ssp/xml_text.hpp"
#include "seam/system/description.hpp"

namespace seam::ssp {

/// Of the XML Schema: types and arrays that only version 2.0 has.
enum class Version { ssp1, ssp2 };

Version version_needed(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu);

/// <ssv:ParameterSet> with the units it uses.
void write_parameter_set(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu, XmlText& xml);

/// <ssc:Unit>.
void write_unit(const std::string& name, const system::Unit& unit, XmlText& xml);

}  // namespace seam::ssp
