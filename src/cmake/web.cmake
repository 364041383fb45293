# SPDX-License-Identifier: MIT
# For a browser, with Emscripten: the header-only libraries, and the flags.

# /usr/include itself would add the headers of another C library.
set(web_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${web_headers})
foreach(header fmt/core.h nlohmann/json.hpp glm/glm.hpp gtest/gtest.h)
  get_filename_component(folder ${header} DIRECTORY)
  find_path(${folder}_PARENT ${header} PATHS /usr/local/include /usr/include NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(${folder}_PARENT)
  if(${folder}_PARENT)
    file(CREATE_LINK ${${folder}_PARENT}/${folder} ${web_headers}/${folder} SYMBOLIC)
  endif()
endforeach()

add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt SYSTEM INTERFACE ${web_headers})
# A separator that is fixed needs no std::locale, whose facets would make the module larger.
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${web_headers})
target_compile_definitions(nlohmann_json::nlohmann_json INTERFACE JSON_NO_IO)  # no streams
add_library(glm::glm INTERFACE IMPORTED)
target_include_directories(glm::glm SYSTEM INTERFACE ${web_headers})
if(fmt_PARENT)
  set(fmt_FOUND TRUE)
endif()
if(nlohmann_PARENT)
  set(nlohmann_json_FOUND TRUE)
endif()
if(glm_PARENT)
  set(glm_FOUND TRUE)
endif()

# WebAssembly's own exceptions make smaller code than those emulated in JavaScript, and so do the
# other two, which each browser with exceptions knows. libc++ 13 has no std::bit_cast, which public
# headers use.
add_compile_options(-fwasm-exceptions -mnontrapping-fptoint -msign-ext
                    "SHELL:-include ${PROJECT_SOURCE_DIR}/src/cmake/web/bit_cast.hpp")
add_link_options(-fwasm-exceptions -sMIN_WEBGL_VERSION=1 -sMAX_WEBGL_VERSION=2
                 -sALLOW_MEMORY_GROWTH=1)
set_source_files_properties(src/tensor/print_number.cpp PROPERTIES COMPILE_FLAGS
                            "-include ${PROJECT_SOURCE_DIR}/src/cmake/web/charconv.hpp")
