#!/bin/bash
# Each module that a page of results prices, and what the GPU keeps beside it (`gpu.NAME`), stands in the contract of
# its unit: no part of the area is without a function. A module that has a table of its own is told there. And
# synth/prices check tells of prices whose Verilog has changed.
#   tests/system/contract_prices.sh
. "$(dirname "$0")/expect.sh"
. synth/description.sh
priced() { # PAGE KIND: "SECTION NAME" of each row of its tables by module; kind: module, or gpu
  awk -v kind="$2" '
    /^<!-- synthesis / { section = $3; sub(/:$/, "", section) }
    /^<!-- end of synthesis/ { section = ""; table = "" }
    /^By module of the GPU/ { table = "gpu"; next }
    /^By module, / { table = "module"; next }
    /^Longest path/ { table = "" }
    section && table == kind && $1 == "|" && $2 ~ /^[a-z]/ && $2 != "module" {
      sub(/__[0-9]+$/, "", $2)
      print section, $2
    }' "$1" | sort -u
}
# "DESCRIPTION NAME" of all that the GPU keeps for a unit.
all_kept() { # UNIT
  local name
  for name in $(scripts/units with synth); do
    [ "$(scripts/units group "$name")" = "$(scripts/units group "$1")" ] || continue
    kept "$(scripts/units ini "$name")" | sed "s/^/$name /"
  done
}
for unit in $(scripts/units list); do
  page=docs/results/$(scripts/units group "$unit").md
  readme=$(dirname "$(scripts/units ini "$unit")")/README.md
  [ -f "$page" ] && grep -q '^## Contract' "$readme" || continue
  contract=$(sed -n '/^## Contract/,/^## [^C]/p' "$readme")
  for kind in module gpu; do
    # What the GPU keeps has names that are words of any text: only figures name it.
    [ $kind = module ] || contract=$(grep -o '{[^}]*: um2}' <<<"$contract")
    all=$(priced "$page" $kind; [ $kind = module ] || all_kept "$unit")
    missing=$(while read -r section name; do
      [ -z "$name" ] || grep -qw -- "$name" <<<"$contract" || echo "$section: $name"
    done <<<"$all" | sort -u)
    rows=$(sort -u <<<"$all" | grep -c .)
    [ "$rows" != 0 ] || continue
    [ -z "$missing" ]
    check "$unit: the contract tells of $rows rows ($kind) of $page" $?
    [ -z "$missing" ] || echo "$missing" | sed 's/^/      not told: /'
  done
done

# A netlist of another text than that of today is told, one whose comments alone changed is not.
copy=$scratch/copy file=rtl/common/wf_counter_ram.v
mkdir "$copy" && cp -rs "$PWD"/{Makefile,data,docs,rtl,scripts,sim,synth,tb,tests} "$copy" && rm "$copy/$file" || exit 2
prices() { # STATUS TEXT SCRIPT: of the file through sed
  sed -E "$3" "$file" >"$copy/$file"
  expect "$1" "$2" env -C "$copy" BUILD="$(realpath "$build")" synth/prices check
}
prices 0 'is what its figures and records make' '1s/$/ A comment more./'
prices 1 '^> - 45 nm: `spref` `paper`' 's/drain_q <= ALL/drain_q <= ALL - 1/'
finish
