# One room of the engine: a folder, a namespace and a library.
#
#   seam_room(lti DOES "linear systems" SEES base SOURCES a.cpp b.cpp LINKS Eigen3::Eigen WORDS LAPACKE_)
#
# DOES   what the room is for, one sentence
# SEES   the rooms it may include; tools/check_rooms reads this list and fails on any other include
# APART  sources that are compiled one by one, because they use a name that another source of the room uses, too, or
#        because a program links some of them alone (an FMU takes no SUNDIALS from ode); the others are compiled eight
#        at a time, since parsing the same headers is most of their cost
# LINKS  libraries from outside, used by this room alone
# WORDS  words no other room may say (checked by tools/check_rooms); LAPACKE_ and cv* stand for all words that begin so
function(seam_room name)
  cmake_parse_arguments(ROOM "" "DOES" "SEES;SOURCES;APART;LINKS;WORDS" ${ARGN})
  add_library(seam_${name} STATIC ${ROOM_SOURCES} ${ROOM_APART})
  set_target_properties(seam_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ROOM_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(seam_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(seam_${name} PRIVATE ${SEAM_WARNINGS})
  if(NOT name STREQUAL base)
    target_link_libraries(seam_${name} PUBLIC seam_base)
  endif()
  foreach(seen ${ROOM_SEES})
    target_link_libraries(seam_${name} PUBLIC seam_${seen})
  endforeach()
  target_link_libraries(seam_${name} PRIVATE ${ROOM_LINKS})
  # a room without fmt must have its macros too, or GCC refuses the headers
  target_compile_definitions(seam_${name} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_precompile_headers(seam_${name} REUSE_FROM seam_room_headers)
  set_target_properties(seam_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# One test program a room: tests/<room>/*_test.cpp. A suite whose name ends in Slow is left to `make test-slow`.
function(seam_room_tests room)
  cmake_parse_arguments(TEST "" "" "SOURCES;APART;LINKS" ${ARGN})
  add_executable(test_${room} ${TEST_SOURCES} ${TEST_APART})
  # Four files are compiled as one, since headers are most of their cost; APART are those whose names others use, too.
  set_target_properties(test_${room} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  set_source_files_properties(${TEST_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(test_${room} PRIVATE ${SEAM_WARNINGS} ${SEAM_TEST_OPTIONS})
  target_compile_definitions(test_${room} PRIVATE SEAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SEAM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(test_${room} PRIVATE ${TEST_LINKS} GTest::gtest_main fmt::fmt)
  target_precompile_headers(test_${room} REUSE_FROM seam_test_headers)
  set(slow "*Slow.*:*Slow/*")
  # NO_PRETTY_VALUES: the name of a test must not hold the bytes of its parameter
  gtest_discover_tests(test_${room} TEST_PREFIX ${room}. TEST_FILTER "-${slow}" NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600)
  gtest_discover_tests(test_${room} TEST_PREFIX ${room}. TEST_FILTER "${slow}" NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                       TEST_LIST test_${room}_SLOW PROPERTIES TIMEOUT 3600 LABELS slow)
endfunction()

set(SEAM_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi)
# With precompiled headers GCC 12 sees copies beyond a string's end in std::string's operator+, where there are none.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND SEAM_WARNINGS -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# What a test computes is computed in the rooms; without inlining GCC takes half as long for the tests themselves.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(SEAM_TEST_OPTIONS -O0)
endif()
if(SEAM_SANITIZE)
  add_compile_options(-fsanitize=${SEAM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${SEAM_SANITIZE})
endif()
