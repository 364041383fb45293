# SPDX-License-Identifier: MIT
# From gcov's listings with branches: "REACHED<tab>FILE<tab>LINE<tab>TEXT" of each statement that is
# an error. TEXT is the statement's begin, on one line.

BEGIN {
  call = "(^|[^A-Za-z_0-9])(" helpers ")\\("
  lead = "^([^ ]*[^A-Za-z_0-9])?(" helpers ")\\("
  # Where a result, and not an exception, says that something failed: these statements of these
  # files. Lookups and questions whose answer is no, and kernels that are cut since they are too
  # large, are no errors. Where a condition is handed to a check, the check's own throw counts.
  returns["src/core/shape.cpp"] = "return std::nullopt"
  returns["src/gl/caps.cpp"] = "return (false|[{][}]|\"[^\"]|framebuffer_status_name)|[?] \"\" :"
  returns["src/gl/egl/egl.cpp"] = "return ([{](EGL_NO_CONTEXT|[{][}]), |std::nullopt)"
  returns["src/gl/egl/gbm.cpp"] = "return [{]([{][}]|path, nullptr), "
  returns["src/io/json_text.cpp"] = "return fmt::format"
  returns["src/image/png.cpp"] = "return false"
  returns["src/io/text.hpp"] = "return std::nullopt"
}

function finish() {
  statement = substr(statement, 1, 100)
  sub(/ +$/, "", statement)
  if (site != "") print reached "\t" site statement
  site = ""
}

/^ *-: *0:Source:/ {
  finish()
  file = $0
  sub(/^ *-: *0:Source:/, "", file)
  # The browser's part is compiled elsewhere.
  ours = file ~ /^(src|include)\// && file !~ /^src\/gl\/web\//
}

# A call that never came back is the error.
ours && site != "" && /^call +[0-9]+ returned 0%/ { reached = 1 }
# A constant that is returned has no code of its own: each way out of its line must be taken.
ours && site != "" && is_constant && /^branch +[0-9]+ (taken 0%|never executed)/ && !/\(throw\)/ {
  reached = 0
}

!ours || !match($0, /^ *[^ :]+: *[0-9]+:/) { next }

{
  code = substr($0, RLENGTH + 1)
  split(substr($0, 1, RLENGTH - 1), part, ":")
  count = part[1]
  line = part[2] + 0
  gsub(/ /, "", count)
  sub(/\/\/.*/, "", code)
  gsub(/^ +| +$/, "", code)
  if (site != "" && !is_whole) {
    statement = statement (statement ~ /\($/ ? "" : " ") code
    is_whole = code ~ /[;}]$/ || ++lines > 8
    # The optimizer may leave the code of a call with the last of its lines.
    if (!has_count && leads && count ~ /^[0-9]/) reached = 1
    next
  }
  finish()
  if (code ~ /\[\[noreturn\]\]|^(inline |static )?void /) next
  is_return = file in returns && code ~ returns[file]
  is_constant = is_return && code ~ /return (false|[{][}]);/
  if (!is_return && code !~ /(^|[^A-Za-z_0-9])throw([^A-Za-z_0-9]|$)/ && code !~ call) next
  # gcov marks a line with an asterisk if a part of it was not run: with `if (bad) fail();` that may
  # be the error. Where the error begins the line it was reached if the line was.
  leads = code ~ /^throw([^A-Za-z_0-9]|$)/ || code ~ lead || (is_return && code ~ /^return /)
  reached = count ~ /^[0-9]/ && (leads || count !~ /\*$/)
  has_count = count != "-"
  site = file "\t" line "\t"
  statement = code
  is_whole = code ~ /[;}]$/
  lines = 1
}

END { finish() }
