# SPDX-License-Identifier: MIT
# From gcov's listings: "REACHED<tab>FILE<tab>LINE<tab>TEXT" of each statement that is an error.
# TEXT is the statement's begin, on one line.

BEGIN {
  call = "(^|[^A-Za-z_0-9])(" helpers ")\\("
  lead = "^([^ ]*[^A-Za-z_0-9])?(" helpers ")\\("
}

function finish() {
  statement = substr(statement, 1, 100)
  sub(/ +$/, "", statement)
  if (site != "") print site statement
  site = ""
}

/^ *-: *0:Source:/ {
  finish()
  file = $0
  sub(/^ *-: *0:Source:/, "", file)
  # The browser's part is compiled elsewhere.
  ours = file ~ /^(src|include)\// && file !~ /^src\/gl\/web\//
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
  if (site != "") {
    statement = statement (statement ~ /\($/ ? "" : " ") code
    if (code ~ /[;}]$/ || length(statement) > 100) finish()
    next
  }
  if (code ~ /\[\[noreturn\]\]|^(inline |static )?void /) next
  if (code !~ /(^|[^A-Za-z_0-9])throw([^A-Za-z_0-9]|$)/ && code !~ call) next
  whole = count ~ /^[0-9]/ && count !~ /\*$/
  leads = count ~ /^[0-9]/ && (code ~ /^throw([^A-Za-z_0-9]|$)/ || code ~ lead)
  site = (whole || leads ? 1 : 0) "\t" file "\t" line "\t"
  statement = code
  if (code ~ /[;}]$/) finish()
}

END { finish() }
