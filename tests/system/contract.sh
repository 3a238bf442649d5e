#!/bin/bash
# No part of a unit lives in C unsaid: sim/units/UNIT/functions.txt tells of each function of a socket what it is for,
# and FILE.functions.txt in sim/gpu, sim/mem and sim/units of each function of FILE.c and FILE.h: of the fabric's side
# of a seam, which knows no unit, of the GPU around units, or of what sockets share.
#   ROLE: NAME...
#   open    settings, models, memory            ports    puts on ports and takes from them what others say
#   gpu     the GPU around the unit does it     check    compares what the RTL did with what is right
#   rival   of a published rival, not the unit  trace   machine code of traces, analysed where no RTL runs
#   report  figures, text                       hint     a compiler's knowledge, which the unit can do without
#   owed    the unit's own work, which is still in C
# A unit's owed lines name the row of its page's contract that says so, with "in C", by how the row begins; they
# also name what the fabric does for the unit, as FILE:NAME:   owed (ROW): NAME... FILE:NAME...
# A list of the fabric says which sockets stand there, by a text that these have:   seam: TEXT
# or who owes a function:   owed (TEXT): NAME...
# Files of these folders and of sim/seam that meet no unit stand in exempt.functions.txt beside this, as WHY: FILE...,
# and so do all C files of the folders of sim whose headers those include (sim/base, sim/ptx, ...). A new file is in
# none, and fails until someone decides.
# Beside each list stands what was reviewed with it, reviewed.txt or FILE.reviewed.txt: each function, each macro with
# parameters, and of each file all that stands outside of these (includes, constants, types, tables), with its tokens
# and a sum of them. Work that is added inside a listed function, or moved into a table, changes its line: whoever
# changes it looks at its role again, and --reviewed writes the lines anew, for the commit's reader to see. Of other
# folders the headers that these meet are reviewed so.
# What is in no list fails, and what is listed and not there; a function owed whose row is missing or does not say
# "in C", a row with "in C" for which nothing is owed, and what the fabric does for units and none of them owes; and
# code that comes from elsewhere: an include of what is no header of sim or of the system, a link, assembler; in what
# make runs a flag of the compiler or the linker that is not in use today, a source that is not of sim, another way to
# make an object; in what was built a name of the fabric that another object has too, or that it takes from above it;
# in Verilog what lets C++ run in a unit's model, or tells a synthesizer what a simulator does not see; and what models
# of RTL are made by, if it is other than was reviewed (models.reviewed.txt). Any other folder (sim/apps, sim/cli, ...)
# may get files without a line here: the fabric can call nothing in them by its name.
# Not seen: what the .c files of other folders do in functions that their headers have (sim/ptx, sim/base, ...), through
# pointers that the fabric is given, or before main; what make runs while it reads its files; work that hides in a
# message (functions.awk); and whether a role that someone gave is true, which is for who reads it.
#   tests/system/contract.sh [--reviewed] [UNIT | FILE | files | flags | names | rtl | models]...     (all)
# FILE: a list's, as sim/gpu/lsu; files: whether each has a list or is exempt; flags: how make would compile and link
# them; names: whether the program that was built last (BUILD) has them; rtl: of all units.
. "$(dirname "$0")/expect.sh"
roles='open|ports|gpu|check|rival|trace|report|hint|owed'
exempt=tests/system/exempt.functions.txt

defined() { awk -f tests/system/functions.awk "$@"; }
# After what functions.awk could not read, why.
why() {
  sed -E 's|^(.*\?[^ ]*:include)$|\1 (only #include "sim/....h", or a <....h> that tests/system/functions.awk names)|
    s|^(.*\?[^ ]*:asm)$|\1 (assembler is neither read nor reviewed)|
    s|^(.*\?[^ ]*:name)$|\1 (a definition without a name: a macro without a semicolon before it?)|
    s|^(.*\?[^ ]*:(brace\|end))$|\1 (braces do not close, or not in each branch of an #if)|
    s|^(.*\?[^ ]*:digraph)$|\1 (write the sign itself)|'
}
listed() { # LIST [ROLE]: names
  sed -n -E "s/^(${2:-$roles})( \([^)]*\))?: //p" "$1" | tr -s ' ' '\n' | sort
}
bodies() { awk -v bodies=1 -f tests/system/functions.awk "$@" | LC_ALL=C sort; } # NAME TOKENS SUM
# changed LIST LINES BODIES: each function that is not as it was reviewed, with its role.
changed() {
  awk -v list="$1" '
    BEGIN { while ((getline line < list) > 0) if (line ~ /^[a-z]+( \([^)]*\))?: /) {
      role = line; sub(/[ :].*/, "", role)
      sub(/^[a-z]+( \([^)]*\))?: /, "", line)
      n = split(line, word)
      for (i = 1; i <= n; i++) of[word[i]] = role
    } }
    { sign = substr($0, 1, 1); line = substr($0, 3); split(line, part, " ") }
    sign == "<" { was[part[1]] = was[part[1]] " " part[2] }
    sign == ">" { is[part[1]] = is[part[1]] " " part[2] }
    function role_of(name) { return name in of ? of[name] : "no role" }
    END {
      for (name in is) if (!(name in was)) printf " %s (%s, new, tokens:%s)", name, role_of(name), is[name]
      for (name in was) printf " %s (%s, tokens:%s ->%s)", name, role_of(name), was[name], is[name] ? is[name] : " gone"
    }' < <(diff "$2" "$3" | grep '^[<>]')
}
# reviewed NAME LIST FILE...: each function is as it was when its role was looked at.
reviewed() {
  local name=$1 list=$2 sums=${2%functions.txt}reviewed.txt same odd=
  shift 2
  bodies "$@" >"$scratch/bodies"
  [ -z "$review" ] || cp "$scratch/bodies" "$sums"
  [ -r "$sums" ] || { check "$name: $sums is missing: tests/system/contract.sh --reviewed" 1; return; }
  cmp -s "$sums" "$scratch/bodies"
  same=$?
  [ $same -eq 0 ] || odd=$(changed "$list" "$sums" "$scratch/bodies")
  check "$name: every function is as it was reviewed${odd:+:$odd: is its role in $list still all that it does, and
      nothing that the hardware should? Then tests/system/contract.sh --reviewed}" $same
}
# all_of NAME LIST FILE...: each line is a role with names, and each function of the files has one.
all_of() {
  local name=$1 list=$2 odd
  shift 2
  odd=$(grep -n -v -E "^(#|seam: |($roles): |owed \([^)]+\): )" "$list")
  check "$name: each line is a role with names${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(diff <(defined "$@" | sort -u) <(listed "$list" | grep -v /) |
    sed -n 's/^</not listed:/p; s/^>/not there, or twice:/p' | why)
  check "$name: every function has one role${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  reviewed "$name" "$list" "$@"
}

# ---- units ----

list_of() { echo "sim/units/$1/functions.txt"; }
contract() { # UNIT: the contract's rows, each from its first word
  sed -n '/^## Contract/,/^## /p' "$(dirname "$(scripts/units ini "$1")")/README.md" | sed -n 's/^| *//p'
}
owed_rows() { sed -n -E 's/^owed \(([^)]+)\):.*/\1/p' "$(list_of "$1")" | sort -u; }
begins() { awk -v start="$1" 'index($0, start) == 1'; }

# Every row that the list names is one, and says "in C".
rows_exist() {
  local row found
  owed_rows "$1" | while read -r row; do
    found=$(contract "$1" | begins "$row")
    [ "$(grep -c . <<<"$found")" -eq 1 ] || { echo "($row) begins no row, or several"; continue; }
    grep -qwi 'in C' <<<"$found" || echo "($row) does not say \"in C\""
  done
}
# Every row that says "in C" is named.
rows_owed() {
  local row
  contract "$1" | grep -wi 'in C' | while IFS= read -r row; do
    owed_rows "$1" | awk -v row="$row" 'index(row, $0) == 1 { n++ } END { exit !n }' || echo "$row"
  done
}
# What it names of the fabric is there.
names_of_fabric() {
  local name
  listed "$(list_of "$1")" | grep / | while read -r name; do
    [ -r "${name%:*}" ] && defined "${name%:*}" | grep -qx "${name#*:}" || echo "$name"
  done
}
one() {
  local unit=$1 list odd
  list=$(list_of "$1")
  [ -r "$list" ] || { check "$unit: $list is missing" 1; return; }
  all_of "$unit" "$list" sim/units/"$unit"/*.[ch]
  odd=$(grep '^owed:' "$list")
  check "$unit: what is owed names its row${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(rows_exist "$unit")
  check "$unit: what is owed is in the contract${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(rows_owed "$unit")
  check "$unit: what the contract says is in C is owed${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(names_of_fabric "$unit")
  check "$unit: what is owed of the fabric is there${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}

# ---- what sockets share, and the GPU's parts that blocks, launches and loads go through ----

# What units owe of FILE, without .c or .h.
owed_of() {
  cat sim/units/*/functions.txt | sed -n -E 's/^owed \([^)]*\): //p' | tr ' ' '\n' | sed -n "s|^$1\.[ch]:||p" | sort -u
}
# Units whose sockets have the text.
with_text() { grep -lF -- "$1" sim/units/*/*.c | cut -d/ -f3 | sort -u; }
# not_owed FILE NAME UNIT...: those that do not owe what the file does for them.
not_owed() {
  local file=$1 name=$2 unit
  shift 2
  for unit; do
    listed "$(list_of "$unit")" owed | grep -qx "$file\.[ch]:$name" || echo "$unit: $file: $name"
  done
}
# shared FILE: 1 if it has no list.
shared() {
  local list=$1.functions.txt odd text names name
  [ -r "$list" ] || { check "$1: $list is missing" 1; return 1; }
  all_of "$1" "$list" $(ls "$1".[ch] 2>/dev/null)
  odd=$(owed_of "$1" | comm -13 <(listed "$list" owed | sort -u) -)
  check "$1: what units owe there has that role${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(owed_of "$1" | comm -13 - <(sed -n 's/^owed: //p' "$list" | tr -s ' ' '\n' | sort -u))
  check "$1: what it does for units one of them owes${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(sed -n -E 's/^owed \(([^)]+)\): /\1\t/p' "$list" | while IFS=$'\t' read -r text names; do
    for name in $names; do not_owed "$1" "$name" $(with_text "$text"); done
  done)
  check "$1: what it does for them each owes${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  return 0
}

# ---- the fabric's sides of seams ----

side() {
  local list=$1.functions.txt name odd
  shared "$1" || return
  check "$1: the list names the seam" "$(grep -q '^seam: .' "$list"; echo $?)"
  odd=$(for name in $(sed -n 's/^owed: //p' "$list"); do
    not_owed "$1" "$name" $(with_text "$(sed -n 's/^seam: //p' "$list")")
  done)
  check "$1: what it does for a unit is owed there${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}

# ---- all files ----

exempt_files() {
  sed -n -E 's/^[^#:]+: //p' "$exempt" | tr -s ' ' '\n' | sed -E 's/^(.*)\.\[ch\]$/\1.c\n\1.h/'
}
here='^sim/(gpu|mem|seam|units)/'
# Headers elsewhere in sim that files of these folders include, and what those include.
met() {
  local all= more
  more=$(find sim/{gpu,mem,seam,units} -name '*.[ch]')
  while [ "$more" != "$all" ]; do
    all=$more
    more=$(sed -n -E 's|^#include "(sim/[^"]+)".*|\1|p' $all 2>/dev/null | sort -u - <(echo "$all"))
  done
  grep -v -E "$here" <<<"$all"
}
met_folders() { met | cut -d/ -f1-2 | sort -u; }
# What make would run for the whole program, through the awk script with what is given.
make_lines() {
  env -u CFLAGS -u EXTRA_CFLAGS -u ARCH -u CLANG -u MAKEFLAGS -u MFLAGS \
    make --no-print-directory -n BUILD="$scratch/made" build 2>&1 |
    awk -v build="$scratch/made" -v here="$here" "$@" -f tests/system/make_lines.awk
}
flags() {
  make_lines -v sources="$(find sim/{gpu,mem,seam,units} -name '*.c' | tr '\n' ' ')" |
    sed "s|$scratch/made|\$(BUILD)|g" | head -5
  # What would change these lines' meaning unseen.
  find . -path './build*' -prune -o \( -name Makefile -o -name '*.mk' \) -print | xargs grep -nE \
    '^([^#]*[^#a-z])?(export|SHELL|\.SHELLFLAGS|(GNU)?MAKEFLAGS|MFLAGS)\>|^ *[-s]?include ' |
    grep -v -E '^\./Makefile:[0-9]+:(SHELL := /bin/bash|-include \*|-include \$\(shell find|include tb/units.mk$)'
}
all_files() {
  local list unit odd met
  met=$(met)
  odd=$(grep -n -v -E '^(#|[^:]+:( sim/[a-z0-9_/]+\.([ch]|\[ch\]|cpp))+$)' "$exempt")
  check "exempt: each line is a reason with files${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$({
    find sim/{gpu,mem,seam,units} ! -type d | grep -v -E '\.(ini|txt)$|/rules\.mk$'
    find $(met_folders) ! -type d -regextype egrep -regex '.*\.([ch]|cpp|inc|S)'
  } | sort | diff - <({
    for list in sim/{gpu,mem,units}/*.functions.txt; do ls "${list%.functions.txt}".[ch] 2>/dev/null; done
    for unit in $(scripts/units list); do ls sim/units/"$unit"/*.[ch]; done
    exempt_files
  } | sort) | sed -n -E "s|^< (.*)(\.[a-zA-Z]+)$|undecided: \1\2: it needs \1.functions.txt, or a line in $exempt|p
    s/^>/not there, or twice:/p")
  check "every file has a list or is exempt${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(find sim -type l)
  check "no file is a link${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  reviewed exempt "$exempt" $({ exempt_files | grep -E "$here"; echo "$met"; } |
    while read -r file; do ls "$file"; done 2>/dev/null)
  odd=$({ find sim/{gpu,mem,seam,units} -name '*.[ch]'; echo "$met"; } |
    xargs awk -f tests/system/functions.awk | grep '^?' | why)
  check "every file can be read, and includes headers of sim alone${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}
all_flags() {
  local odd
  odd=$(flags)
  check "every file is linked, and compiled as all are${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}
all_names() {
  local objects odd
  objects=$(make_lines -v objects=1 | sed "s|^$scratch/made|$build|")
  odd=$(ls $objects "$warpfab" 2>&1 >/dev/null | sed -n '1s/$/: make build/p')
  [ "$odd" ] || odd=$(nm -A $objects "$warpfab" 2>&1 |
    awk -v here="$here" -v below="^($(met_folders | paste -sd'|'))/" -v program="$warpfab" -f tests/system/names.awk |
    head -5)
  check "every name of the fabric is its own, and in the program${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}
# Sources of models: all of rtl that is neither a page nor for tools, in descriptions by names of its own folder.
all_rtl() {
  local odd
  odd=$(find rtl -type l
    find rtl -type f ! -name '*.core' ! -name '*.f' ! -name '*.ini' ! -name '*.md' ! -name '*.sdc' ! -name '*.svg' \
      -print0 | xargs -0 awk -f tests/system/verilog.awk sim/model/wf_look.v
    awk '/^[^ ]/ { key = $1; $1 = $2 = "" }
      { for (i = 1; i <= NF; i++)
          if ((key == "sources" && $i !~ /^([a-z0-9_]+\.v)?$/) ||
              (key ~ /^(library|include)$/ && $i !~ /^(\.\.?\/?[a-z0-9_]*)?$/))
            print FILENAME ":" FNR ": " $i }' rtl/*/*.ini)
  check "no Verilog is other than hardware${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}
# What makes a model of RTL, and stands in each one: each file with a sum of all of it, since comments speak to tools.
all_models() {
  local file sums=tests/system/models.reviewed.txt odd
  for file in sim/model/{build-model,one_copy.awk,wf_look.v,shim.cpp,shim_print.h,shim_wave.cpp,wf_model_abi.h} \
    sim/model/gen/*.[ch]; do
    echo "$file: $(cksum <"$file")"
  done >"$scratch/models"
  [ -z "$review" ] || cp "$scratch/models" "$sums"
  odd=$(diff "$sums" "$scratch/models" 2>&1 | sed -n 's/^> \(.*\):.*/\1/p')
  check "what models are made by is as it was reviewed${odd:+: $odd: does it what RTL should? If not,
      tests/system/contract.sh --reviewed}" "$(cmp -s "$sums" "$scratch/models"; echo $?)"
}

review=
[ "${1-}" != --reviewed ] || { review=1; shift; }
sides=$(grep -l '^bool wf_[a-z0-9_]*_sit(' sim/gpu/*.c | sed 's/\.c$//')
[ $# -gt 0 ] ||
  set -- $({ ls sim/{gpu,mem,units}/*.functions.txt | sed 's/\.functions\.txt$//'; echo "$sides"; } | sort -u) \
    files flags names rtl models $(scripts/units list)
for name; do
  case $name in
    */*) if grep -qxF "$name" <<<"$sides"; then side "$name"; else shared "$name"; fi ;;
    files) all_files ;;
    flags) all_flags ;;
    names) all_names ;;
    rtl) all_rtl ;;
    models) all_models ;;
    *) one "$name" ;;
  esac
done
finish
