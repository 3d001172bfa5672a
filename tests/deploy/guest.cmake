# What the library may leave behind in a project that takes it in: its three targets, and cached variables of its own
# and of the packages it looked for. A macro, because it must see the host's variables.

macro(remember_host)
  get_cmake_property(host_cache_before CACHE_VARIABLES)
  get_directory_property(host_options_before COMPILE_OPTIONS)
  set(host_flags_before "${CMAKE_CXX_FLAGS}|${CMAKE_CXX_STANDARD}|${CMAKE_RUNTIME_OUTPUT_DIRECTORY}|${BUILD_TESTING}")
endmacro()

macro(check_host directory)
  if(NOT "${CMAKE_CXX_FLAGS}|${CMAKE_CXX_STANDARD}|${CMAKE_RUNTIME_OUTPUT_DIRECTORY}|${BUILD_TESTING}" STREQUAL
     host_flags_before)
    message(FATAL_ERROR "the host's flags, standard, output folder or BUILD_TESTING have changed")
  endif()
  get_directory_property(options COMPILE_OPTIONS)
  if(NOT "${options}" STREQUAL "${host_options_before}")
    message(FATAL_ERROR "the host's compile options have changed")
  endif()

  get_cmake_property(cache CACHE_VARIABLES)
  list(REMOVE_ITEM cache ${host_cache_before})
  list(FILTER cache EXCLUDE REGEX "^(SHARDPLAN_|shardplan_|Boost_|boost_|range-v3_|nlohmann_json_|FETCHCONTENT_)")
  list(FILTER cache EXCLUDE REGEX "^FIND_PACKAGE_MESSAGE_DETAILS_")
  if(cache)
    message(FATAL_ERROR "cached variables leak: ${cache}")
  endif()

  get_property(tests DIRECTORY ${directory} PROPERTY TESTS)
  if(tests)
    message(FATAL_ERROR "tests leak: ${tests}")
  endif()
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets EXCLUDE REGEX "^shardplan_(core|shardplan|io)$")
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  if(targets OR folders)
    message(FATAL_ERROR "targets or folders leak: ${targets} ${folders}")
  endif()
endmacro()
