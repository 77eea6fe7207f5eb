# SPDX-License-Identifier: GPL-3.0-or-later
# What the project gives to the worker, for a build of this folder alone: no Qt, no internet, an old CMake.

set(worker_root ${CMAKE_CURRENT_SOURCE_DIR}/../..)
set(DDP_WORKER_VERSION "unknown" CACHE STRING "What --version tells")
set(worker_version ${DDP_WORKER_VERSION})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
find_package(Threads REQUIRED)
add_library(ddp_warnings INTERFACE)

add_library(ddp_cli11 INTERFACE)
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp HINTS ${worker_root}/third_party REQUIRED)
if(NOT CLI11_INCLUDE_DIR) # REQUIRED is of CMake 3.18
  message(FATAL_ERROR "CLI/CLI.hpp of CLI11 is not found; set CLI11_INCLUDE_DIR")
endif()
target_include_directories(ddp_cli11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})
set(DDP_CLI11_FILE_OPTIONS -O0)

# By its own program where a module put that into the PATH. Debian gives the library another name.
find_program(OTF2_CONFIG otf2-config)
get_filename_component(otf2_bin "${OTF2_CONFIG}" DIRECTORY)
find_path(OTF2_INCLUDE_DIR otf2/otf2.h HINTS ${otf2_bin}/../include)
find_library(OTF2_LIBRARY NAMES otf2 open-trace-format2 HINTS ${otf2_bin}/../lib ${otf2_bin}/../lib64)
set(worker_otf2 "")
if(OTF2_INCLUDE_DIR AND OTF2_LIBRARY)
  add_library(worker_otf2 INTERFACE)
  target_include_directories(worker_otf2 SYSTEM INTERFACE ${OTF2_INCLUDE_DIR})
  target_link_libraries(worker_otf2 INTERFACE ${OTF2_LIBRARY} m)
  set(worker_otf2 worker_otf2)
endif()
message(STATUS "Worker: OTF2 ${OTF2_LIBRARY}")
