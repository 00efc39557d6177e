# One model as FMUs of several versions of FMI: ${CMAKE_BINARY_DIR}/fmus/fmi2/NAME.fmu and fmi3/NAME.fmu.
#
#   seam_fmu(two-mass-left MODEL_SOURCES models/two_mass_left.cpp STATE DERIVATIVES)
#
# MODEL_SOURCES  define seam::fmus::make_model; or SAME_AS the name of another FMU, to share its model
# VERSIONS       2 3 unless said otherwise; 1 where it is said
# STATE          states can be saved, restored and serialised
# DERIVATIVES    directional, adjoint (FMI 3) and output derivatives
# INTERPOLATES   the highest order of the derivatives that inputs follow inside a step (FMI 1.0, 2)
# INTERMEDIATE   inputs are asked for inside a step (FMI 3)
# MODEL_EXCHANGE offers model exchange, too
# EVENTS         co-simulation can leave its events to the environment (FMI 3)
# NO_SIMULATION  offers no co-simulation
# ALIASES        every port that is a number has a negated alias (FMI 1.0)
# MILLISECONDS   refuses steps that are no multiples of 1 ms
# UNLISTED       the description lists no states, and declares the ports discrete (FMI 2, 3)
# POOR           exports no function that a plain run does not need
# STRICT         checks every call against the standard, see fmus/strict
# WITHOUT        functions left out although they are needed, without their prefix
# EXPORTS        further symbols that are exported

set(SEAM_FMI1_VALUES GetVersion SetDebugLogging GetReal SetReal GetInteger SetInteger GetBoolean SetBoolean GetString SetString)
set(SEAM_FMI1_SIMULATION GetTypesPlatform InstantiateSlave FreeSlaveInstance InitializeSlave TerminateSlave ResetSlave DoStep
    CancelStep SetRealInputDerivatives GetRealOutputDerivatives GetRealStatus)
set(SEAM_FMI1_EXCHANGE GetModelTypesPlatform InstantiateModel FreeModelInstance Initialize EventUpdate CompletedIntegratorStep
    SetTime SetContinuousStates GetContinuousStates GetDerivatives GetEventIndicators GetNominalContinuousStates
    GetStateValueReferences Terminate)
set(SEAM_FMI2_NEEDED GetTypesPlatform GetVersion Instantiate FreeInstance SetupExperiment EnterInitializationMode
    ExitInitializationMode Terminate GetReal SetReal GetInteger SetInteger DoStep)
set(SEAM_FMI2_REST SetDebugLogging Reset GetBoolean SetBoolean GetString SetString SetRealInputDerivatives CancelStep GetStatus
    GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus)
set(SEAM_FMI2_STATE GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate)
set(SEAM_FMI2_DERIVATIVES GetDirectionalDerivative GetRealOutputDerivatives)
set(SEAM_FMI2_EXCHANGE EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime
    SetContinuousStates GetDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates)
set(SEAM_FMI3_NEEDED GetVersion InstantiateCoSimulation FreeInstance EnterInitializationMode ExitInitializationMode Terminate
    GetFloat64 SetFloat64 GetInt32 SetInt32 GetInt64 SetInt64 DoStep)

set(SEAM_FMU_FLAGS STATE DERIVATIVES INTERMEDIATE MODEL_EXCHANGE EVENTS NO_SIMULATION ALIASES UNLISTED MILLISECONDS POOR STRICT)
set(SEAM_FMU_VALUES SAME_AS INTERPOLATES)
set(SEAM_FMU_LISTS MODEL_SOURCES VERSIONS WITHOUT EXPORTS)

# A part of the framework or a model, compiled so that a library can drop what it does not need.
function(seam_fmu_part name kind)
  add_library(${name} ${kind} ${ARGN})
  # Headers alone: the libraries of the rooms are linked where an FMU is made.
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/fmi-headers)
  target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${SEAM_WARNINGS}> ${SEAM_FMU_OPTIONS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT "${ARGN}" MATCHES "\\.c(;|$)") # CMake would look for headers of C, too
    target_precompile_headers(${name} REUSE_FROM seam_fmu_headers)
  endif()
endfunction()

# The names of the functions that an FMU exports, all with their prefix.
function(seam_fmu_exports version result)
  cmake_parse_arguments(FMU "${SEAM_FMU_FLAGS}" "${SEAM_FMU_VALUES}" "${SEAM_FMU_LISTS}" ${ARGN})
  set(functions ${SEAM_FMI${version}_NEEDED})
  if(version EQUAL 1)
    set(functions ${SEAM_FMI1_VALUES} ${SEAM_FMI1_SIMULATION})
    if(FMU_NO_SIMULATION)
      set(functions ${SEAM_FMI1_VALUES} ${SEAM_FMI1_EXCHANGE})
    endif()
    list(TRANSFORM functions PREPEND fmi)
    set(${result} ${functions} PARENT_SCOPE)
    return()
  elseif(version EQUAL 3 AND NOT FMU_POOR)
    set(functions "*") # FMI 3 wants all of them, needed or not
  elseif(NOT FMU_POOR)
    list(APPEND functions ${SEAM_FMI2_REST} ${SEAM_FMI2_STATE} ${SEAM_FMI2_DERIVATIVES})
    if(NOT FMU_STATE)
      list(REMOVE_ITEM functions ${SEAM_FMI2_STATE})
    endif()
    if(NOT FMU_DERIVATIVES)
      list(REMOVE_ITEM functions ${SEAM_FMI2_DERIVATIVES})
    endif()
    if(FMU_MODEL_EXCHANGE)
      list(APPEND functions ${SEAM_FMI2_EXCHANGE})
    endif()
  endif()
  if(FMU_WITHOUT)
    list(REMOVE_ITEM functions ${FMU_WITHOUT})
  endif()
  list(TRANSFORM functions PREPEND fmi${version})
  set(${result} ${functions} ${FMU_EXPORTS} PARENT_SCOPE)
endfunction()

# The object that tells a library what it is able to, one for each combination; result: its target.
function(seam_fmu_abilities result)
  cmake_parse_arguments(FMU "${SEAM_FMU_FLAGS}" "${SEAM_FMU_VALUES}" "${SEAM_FMU_LISTS}" ${ARGN})
  set(order 0)
  if(FMU_INTERPOLATES)
    set(order ${FMU_INTERPOLATES})
  endif()
  set(target seam_fmu_abilities_${order})
  set(definitions SEAM_INPUT_DERIVATIVES=${order})
  foreach(pair INTERMEDIATE:INTERMEDIATE_UPDATE MODEL_EXCHANGE:MODEL_EXCHANGE EVENTS:EVENT_MODE NO_SIMULATION:NO_SIMULATION
          MILLISECONDS:MILLISECONDS)
    string(REPLACE : ";" pair ${pair})
    list(GET pair 0 flag)
    list(GET pair 1 macro)
    set(value 0)
    if(FMU_${flag})
      set(value 1)
    endif()
    string(APPEND target ${value})
    list(APPEND definitions SEAM_${macro}=${value})
  endforeach()
  if(NOT TARGET ${target})
    seam_fmu_part(${target} OBJECT framework/abilities.cpp)
    target_compile_definitions(${target} PRIVATE ${definitions})
  endif()
  set(${result} ${target} PARENT_SCOPE)
endfunction()

# The library of one version: only what the script names is seen outside, what is not reached is dropped.
function(seam_fmu_library target version model)
  cmake_parse_arguments(FMU "STRICT" "FOLDER;IDENTIFIER;ABILITIES" "EXPORTS" ${ARGN})
  set(layer seam_fmu)
  if(FMU_STRICT)
    set(layer seam_fmu_strict)
  endif()
  if(version EQUAL 1) # FMI 1.0 has the identifier before each name
    foreach(function ${FMU_EXPORTS})
      list(APPEND aliases -Wl,--undefined=${function} -Wl,--defsym=${FMU_IDENTIFIER}_${function}=${function})
    endforeach()
    list(TRANSFORM FMU_EXPORTS PREPEND ${FMU_IDENTIFIER}_)
  endif()
  list(JOIN FMU_EXPORTS "; " exported)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "{ global: @exported@; local: *; };\n" @ONLY)
  add_library(${target} MODULE $<TARGET_OBJECTS:${model}> $<TARGET_OBJECTS:${layer}_fmi${version}>
                               $<TARGET_OBJECTS:${FMU_ABILITIES}>)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${FMU_IDENTIFIER} LIBRARY_OUTPUT_DIRECTORY ${FMU_FOLDER}
                                             LINK_DEPENDS ${script})
  # The archives by file: their users' libraries (SUNDIALS, LAPACK) must not come along.
  target_link_libraries(${target} PRIVATE ${layer}_framework $<TARGET_FILE:seam_models> $<TARGET_FILE:seam_ode>
                                          $<TARGET_FILE:seam_base>)
  add_dependencies(${target} seam_models seam_ode seam_base)
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,--gc-sections -Wl,--as-needed -Wl,-Bsymbolic ${aliases})
  if(NOT SEAM_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,--no-undefined -s)
  endif()
endfunction()

function(seam_fmu name)
  cmake_parse_arguments(FMU "${SEAM_FMU_FLAGS}" "${SEAM_FMU_VALUES}" "${SEAM_FMU_LISTS}" ${ARGN})
  set(model fmu_model_${name})
  if(FMU_SAME_AS)
    set(model fmu_model_${FMU_SAME_AS})
  else()
    seam_fmu_part(${model} OBJECT ${FMU_MODEL_SOURCES})
    add_executable(${model}_describe $<TARGET_OBJECTS:${model}>)
    target_link_libraries(${model}_describe PRIVATE seam_fmu_describe seam_fmu_framework $<TARGET_FILE:seam_models>
                                                    $<TARGET_FILE:seam_ode> $<TARGET_FILE:seam_base>)
    add_dependencies(${model}_describe seam_models seam_ode seam_base)
    set_target_properties(${model}_describe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/describe)
  endif()
  if(NOT FMU_VERSIONS)
    set(FMU_VERSIONS 2 3)
  endif()
  string(MAKE_C_IDENTIFIER ${name} identifier)
  set(abilities "")
  if(NOT FMU_NO_SIMULATION)
    list(APPEND abilities co_simulation)
  endif()
  foreach(ability STATE DERIVATIVES INTERPOLATES INTERMEDIATE MODEL_EXCHANGE EVENTS ALIASES UNLISTED)
    if(FMU_${ability})
      string(TOLOWER ${ability} word)
      list(APPEND abilities ${word})
    endif()
  endforeach()
  seam_fmu_abilities(abilities_object ${ARGN})
  foreach(version ${FMU_VERSIONS})
    set(target fmu${version}_${name})
    set(stage ${CMAKE_BINARY_DIR}/fmus/unpacked/fmi${version}/${name})
    set(platform linux64)
    if(version EQUAL 3)
      set(platform x86_64-linux)
    endif()
    seam_fmu_exports(${version} exports ${ARGN})
    set(layer "")
    if(FMU_STRICT)
      set(layer STRICT)
    endif()
    seam_fmu_library(${target} ${version} ${model} ${layer} FOLDER ${stage}/binaries/${platform} IDENTIFIER ${identifier}
                     ABILITIES ${abilities_object} EXPORTS ${exports})
    set(archive ${CMAKE_BINARY_DIR}/fmus/fmi${version}/${name}.fmu)
    add_custom_command(
      OUTPUT ${archive}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${stage}/resources ${CMAKE_BINARY_DIR}/fmus/fmi${version}
      COMMAND ${CMAKE_COMMAND} -E copy_if_different ${SEAM_FMU_READ_ME} ${stage}/resources/readme.txt
      COMMAND ${model}_describe ${version} ${name} ${identifier} ${abilities} > ${stage}/modelDescription.xml
      COMMAND ${CMAKE_COMMAND} -E tar cf ${archive} --format=zip modelDescription.xml binaries resources
      DEPENDS ${target} ${model}_describe ${SEAM_FMU_READ_ME}
      WORKING_DIRECTORY ${stage}
      COMMENT "FMI ${version}.0 FMU ${name}"
      VERBATIM)
    set_property(GLOBAL APPEND PROPERTY SEAM_FMU_ARCHIVES ${archive})
  endforeach()
endfunction()
