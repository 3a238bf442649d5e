# awk -v cells="DLL_X1 DLH_X1" -f synth/latch_arcs.awk LIBERTY: the library without the arcs from D to Q of its latches.
# OpenSTA 2.0.17 hands activity on through open latches, and around a loop through one for ever; all activity is known.
BEGIN { split(cells, list, " "); for (i in list) latch[list[i]] }
/^[ \t]*cell *\(/ { name = $0; sub(/.*\( *"?/, "", name); sub(/"? *\).*/, "", name); inside = name in latch }
inside && !held && /^[ \t]*timing *\(/ { held = 1; text = ""; depth = 0 }
held {
  text = text $0 "\n"
  depth += gsub(/\{/, "{") - gsub(/\}/, "}")
  if (depth == 0) {
    if (text !~ /related_pin[ \t]*:[ \t]*"D"/ || text ~ /timing_type[ \t]*:[ \t]*"?(setup|hold)/) printf "%s", text
    held = 0
  }
  next
}
{ print }
