#!/bin/bash
# The tables of parameters in units' pages: the defaults are those of the top modules in RTL, and what follows as
# "(bench: ...)" is of the set that the bench opens, [config tuned] or [config bench]. Each parameter has a row. A unit
# whose socket has a clock of its own (mhz) has one that its RTL closes at; of another the page says what falls short.
# That the bench opens what is priced is seen in runs: tests/system/gate.sh.
#   tests/system/defaults.sh [UNIT]...     (all)
. "$(dirname "$0")/expect.sh"

# NAME DEFAULT of the top modules' parameters, then NAME bench VALUE.
in_rtl() { # FOLDER
  local ini top
  for ini in "$1"/*.ini; do
    top=$(sed -n 's/^top *= *//p' "$ini" | head -n 1)
    [ -n "$top" ] || continue
    sed -n -E '/^module/,/^ *\) *\(/s/^ *parameter integer (\w+) *= *([0-9]+)[ ,]*(\/\/.*)?$/\1 \2/p' "$1/$top.v"
    awk -F ' *= *' '/^\[/ { on = /^\[config (tuned|bench)\]/ } on && NF == 2 { print $1, "bench", $2 }' "$ini"
  done
}
# The same of the page.
in_page() { # FOLDER
  awk -F ' *[|] *' '
    /^## / { on = /^## Parameters/ }
    $4 == "default" { table = on; next }
    NF < 6 { table = 0 }
    table && $2 !~ /^-+$/ {
      sub(/^`[a-z_]+`: /, "", $2)
      bench = $4
      if (!sub(/.*[(]bench: /, "", bench)) bench = ""
      sub(/[)].*/, "", bench); sub(/ *[(].*/, "", $4)
      n = split($2, name, /[,;] */); split($4, value, /[,;] */); split(bench, b, /[,;] */)
      for (i = 1; i <= n; i++) {
        print name[i], value[i]
        if (b[i] != "") print name[i], "bench", b[i]
      }
    }' "$1/README.md"
}
# Names of parameters that another page tells, which a description's first line names: "; ... (PAGE.md)".
in_others() { # FOLDER
  sed -n -s -E '1s/^;.*[(]([a-z_/]+[.]md)[)].*/\1/p' "$1"/*.ini | sort -u | while read -r page; do
    awk -F ' *[|] *' '/^## / { on = /^## Parameters/ } on && NF > 3 { print $2 }' "$page" | tr -s ', ' '\n'
  done
}
one() { # UNIT
  local folder odd
  folder=$(dirname "$(scripts/units ini "$1")")
  odd=$(comm -13 <(in_rtl "$folder" | sort -u) <(in_page "$folder" | sort -u) | sed 's/$/;/')
  check "$1: defaults of the page are those of the RTL${odd:+: not so: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(comm -23 <(in_rtl "$folder" | cut -d' ' -f1 | sort -u) \
    <({ in_page "$folder" | cut -d' ' -f1; in_others "$folder"; } | sort -u))
  check "$1: each parameter has a row${odd:+: not there: $odd}" "$([ -z "$odd" ]; echo $?)"
  clock "$1" "$folder/unit.ini"
}
# Machines on which the tables of caches' policies have the unit: today's have what OF_TODAY names.
of_caches() { # UNIT
  local macros=fermi16
  ! sed -n '/define OF_TODAY/,/[^\\]$/p' tests/cache/paper/policies.c | grep -qE -- "--unit $1[:\" ]" ||
    macros='[a-z0-9_]+'
  sed -n -E "s/.*--config ($macros)[^0-9a-z_].*/\1/p" tests/cache/paper/policies.c | tr '\n' ' '
}
# Machines of today of the table of all units, if the unit is in it.
of_together() { # UNIT
  sed -n '/together_units[[]UNITS[]] = {/,/};/p' tests/together/paper/runs.c | grep -q "\"$1\"" || return 0
  sed -n -E 's/.*columns[[]WHERE[]] = [{]"of-its-paper",(.*)[}];/\1/p' tests/together/paper/together.c | tr -d '",'
}
# A unit that gets every edge of its machines' clock, that of its example, those of its own tables and of the caches' if
# it is in them: each module closes at that, or the page says at what; of today's machines it names each.
machines() { # UNIT FOLDER
  local ini name config closes machine all today example own=gtx480
  example=$(cat sim/units/"$1"/*.c | tr '\n' ' ' | sed -n -E 's/.*\.example = *(("[^"]*" *)+),.*/\1/p')
  [[ $example =~ --config\ ([a-z0-9]+) ]] && own=${BASH_REMATCH[1]}
  all=$(sed -n -E 's/.*--config ([a-z0-9_]+).*/\1/p' tests/"$1"/paper/*.c 2>/dev/null)
  ! grep -qE -- "--unit $1[:\" ]" tests/cache/paper/policies.c || all+=" $(of_caches "$1")"
  today=" $(of_together "$1") "
  all+=$today
  for ini in "$2"/*.ini; do
    config=$(sed -n 's/^opens *= *//p' "$ini") name=$(sed -n 's/^name *= *//p' "$ini")
    [ -n "$config" ] || continue
    name=${name:-$(basename "$ini" .ini)}
    closes=$(scripts/figures get "$name {$config: MHz}")
    while read -r machine; do
      closes_at "$1" "$2" "$name" "$config" "$closes" "$machine" "$today"
    done < <(printf '%s\n' "$own" $all | sort -u)
  done
}
closes_at() { # UNIT FOLDER MODULE CONFIG MHZ MACHINE TODAY
  local has
  has=$(sed -n -E '/^\[core\]/,/^\[/s/^mhz *= *//p' "sim/gpu/configs/$6.ini")
  [ "$5" -ge "$has" ] || { [[ $7 != *" $6 "* ]] && grep -q "falls short.*<!-- $3 {$4: MHz} -->" "$2/README.md"; } ||
    grep -q "every edge.*\`$6\`, $has MHz" \
      <(tr '\n' ' ' <"$2/README.md" | sed -E 's/  */ /g; s/([0-9]),([0-9]{3})/\1\2/g')
  check "$1: $3 closes at $5 MHz, $6 has $has" $?
}
clock() { # UNIT INI
  local mhz config=paper closes ini of
  grep -q '"mhz"' sim/units/"$1"/*.c || { machines "$1" "$(dirname "$2")"; return; }
  mhz=$(sed -n -E 's/^ *[{]"mhz", NULL, [0-9]+, [0-9]+, ([0-9]+),.*/\1/p' sim/units/"$1"/*.c)
  ! grep -q '^\[config tuned\]' "$2" || config=tuned
  closes=$(scripts/figures get "$1 {$config: MHz}")
  # 0: as fast as the machine; then its results must tell what its own clock costs.
  if [ "${mhz:-0}" -gt 0 ]; then [ "$mhz" -le "$closes" ]; else grep -q '^<!-- figures clock: ' "docs/results/$1.md"; fi
  check "$1: ${mhz:-no} MHz in the bench, its RTL closes at $closes" $?
  [ "${mhz:-0}" -gt 0 ] || machines "$1" "$(dirname "$2")"
  # So does what else is timed of it: a module beside it, an SM's cycle around it.
  [ "${mhz:-0}" -gt 0 ] || return
  for ini in $(grep -l '^period_ps' "$(dirname "$2")"/*.ini); do
    of=$(basename "$ini" .ini)
    [ "$of" != unit ] || continue
    closes=$(scripts/figures get "$of {$config: MHz}")
    [ "$mhz" -le "$closes" ]; check "$1: $mhz MHz in the bench, $of closes at $closes" $?
  done
}
[ $# -gt 0 ] || set -- $(scripts/units list)
for unit; do one "$unit"; done
finish
