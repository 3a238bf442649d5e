#!/bin/bash
# synth/recorded on runs made by hand: energy of a cycle and of each event is found again, never below 0; a run that was
# not fitted is foretold, or the check fails; windows that do not add up to the whole are refused, and
# more events than there is room for.
. "$(dirname "$0")/../system/expect.sh"
bin=${BUILD:-build}/synth/bin
cat >"$scratch/result" <<'EOT'
{"unit": "u", "config": "c", "clock": {"period_ns": 1}, "memories": [{"instance": "ram", "read_pj": 2, "write_pj": 3}]}
EOT
# made FOLDER CYCLE A B: 30 windows of 10 edges, in which a cycle costs CYCLE pJ and events A and B, and the RAM is read
# with each a (2 pJ of A are its). OpenSTA's watts are of a clock of 1 ns.
made() {
  mkdir "$scratch/$1"
  awk -v cycle="$2" -v a="$3" -v b="$4" -v at="$scratch/$1" 'BEGIN {
    for (i = 0; i < 30; i++) {
      na = i % 7; nb = i % 3
      print "window 10\nevent a " na "\nevent b " nb "\nram ram " na " 0" >at "/windows"
      watts[i] = (10 * cycle + (a - 2) * na + b * nb) / 10 / 1e3
      sum += watts[i] / 30; reads += na
    }
    print "edges 300\nram ram " reads " 0" >at "/activity"
    print "known 10 of 10\nTotal " sum " 0 1 2" >at "/power"
    for (i = 0; i < 30; i++) print "Total " watts[i] " 0 1 2" >at "/power"
  }'
}
made first 10 5 3
made second 10 5 3
made dearer 14 5 3
made negative 10 5 -1
value() { "$bin/synth_table" --get "$scratch/json" "recorded.by_event.$1"; }
recorded() { # CODE SAYS FITTED CHECKED
  cp "$scratch/result" "$scratch/json"
  expect "$1" "$2" "$bin/recorded" "$scratch/json" run "--app x" "$scratch/$3" check "--app y" "$scratch/$4"
}
recorded 0 "ratio 1.000" first second
for row in "pj.cycle 10" "pj.a 5" "pj.b 3" "residual 0" "ratio 1" "windows 30"; do
  check "found again: $row" "$([ "$(value "${row% *}")" = "${row#* }" ]; echo $?)"
done
recorded 1 "of what was measured in a run that was not fitted" first dearer
recorded 0 "ratio 1.000" negative negative
check "no event costs less than nothing: $(value pj.b)" "$([ "$(value pj.b)" = 0 ]; echo $?)"
sed -i '2s/ [0-9.e-]*/ 0.5/' "$scratch/second/power"
expect 1 "expected 0.99 to 1.01" "$bin/recorded" "$scratch/json" run "--app x" "$scratch/second"
made many 10 5 3
for e in {1..15}; do echo "event more$e 1"; done >>"$scratch/many/windows"
expect 2 "windows of more than 16 events" "$bin/recorded" "$scratch/json" run "--app x" "$scratch/many"
expect 2 "usage" "$bin/recorded" "$scratch/json" check "--app x" "$scratch/first"
finish
