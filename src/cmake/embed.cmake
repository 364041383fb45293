# SPDX-License-Identifier: MIT
# Writes the C++ file that defines a function declared in a header, which returns chunks of GLSL.
#   cmake "-DCHUNKS=a.glsl|b.glsl" -DHEADER=glsl_text/chunks.hpp -DSPACE=trigon::detail::glsl_text -DFUNCTION=chunks
#         -DOUTPUT=chunks.cpp -P embed.cmake
set(piece_bytes 16000)  # compilers bound the length of one literal; neighbours are joined

string(REPLACE "|" ";" files "${CHUNKS}")
set(entries "")
set(count 0)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(FIND "${text}" ")glsl\"" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${file}: holds )glsl\", which would end its C++ literal")
  endif()
  string(LENGTH "${text}" length)
  set(literals "R\"glsl()glsl\"")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${piece_bytes} piece)
    string(APPEND literals "\n     R\"glsl(${piece})glsl\"")
    math(EXPR begin "${begin} + ${piece_bytes}")
  endwhile()
  string(APPEND entries "    {\"${name}\",\n     ${literals}},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUTPUT}" "// Generated from glsl/ by src/cmake/embed.cmake.
#include \"${HEADER}\"

#include <array>

namespace ${SPACE} {
namespace {

constexpr std::array<core::Chunk, ${count}> all{{
${entries}}};

}  // namespace

std::span<const core::Chunk> ${FUNCTION}() { return all; }

}  // namespace ${SPACE}
")
