#!/bin/bash
# What tests/system/contract.sh must find: in a copy a unit owes one function, which is right, and then each fault is
# put into its list, its page or a list of the fabric.
. "$(dirname "$0")/expect.sh"
unit=$(scripts/units list | head -1)
list=sim/units/$unit/functions.txt
page=$(dirname "$(scripts/units ini "$unit")")/README.md
# A seam at which a unit sits, and a function that the fabric has there.
for list_of_side in sim/gpu/*.functions.txt; do
  grep -q '^gpu: ' "$list_of_side" && grep -q '^seam: ' "$list_of_side" &&
    grep -qF -- "$(sed -n 's/^seam: //p' "$list_of_side")" sim/units/*/*.c && break
done
side=${list_of_side%.functions.txt}
theirs=$(sed -n -E 's/^gpu: ([a-z_0-9]+).*/\1/p' "$list_of_side" | head -1)
right=$scratch/right copy=$scratch/copy

mkdir -p "$right" && cp -r --parents sim rtl scripts tests/system "$right" || exit 2
sed -i -E '0,/^open: ([a-z_0-9]+)/s//owed (a seeded queue): \1\nopen:/' "$right/$list"
sed -i -E '/^## Contract/,/^## /s/^\|--.*/&\n| a seeded queue | in C | | |/' "$right/$page"
expect 0 ' 0 failed' env -C "$right" tests/system/contract.sh

fault() { # TEXT SCRIPT FILE [UNIT]: with the script of sed applied to the file the check fails and says TEXT
  rm -rf "$copy" && cp -rl "$right" "$copy" || exit 2 # sed -i leaves the other name alone
  sed -i -E "$2" "$copy/$3"
  ! cmp -s "$right/$3" "$copy/$3" || check "$3: '$2' changes nothing" 1
  expect 1 "FAIL.*$1" env -C "$copy" tests/system/contract.sh ${4-$unit}
}
fault 'is in the contract: \(nowhere\) begins no row' 's/^owed \(a seeded queue/owed (nowhere/' "$list"
fault 'names its row' 's/^owed \(a seeded queue\)/owed/' "$list"
fault 'in the contract: \(a seeded queue\) does not say' 's/^(\| a seeded queue .*)in C/\1in RTL/' "$page"
fault 'in C is owed: another queue' 's/^\| a seeded queue .*/&\n| another queue | in C | | |/' "$page"
fault 'every function has one role: not listed' 's/^owed \(a seeded queue\).*//; /^$/d' "$list"
fault 'not there, or twice' 's/^(owed \(a seeded queue\): )(.*)/\1\2 \2/' "$list"
fault "of the fabric is there: $side.c:no_such" "s|^owed \(a seeded queue\).*|& $side.c:no_such|" "$list"
fault "what it does for a unit is owed there: .*:$theirs" "s/^gpu: $theirs\>/owed: $theirs\ngpu:/" \
  $side.functions.txt ""
fault "what units owe there has that role: $theirs" "s|^owed \(a seeded queue\).*|& $side.c:$theirs|" "$list" ""
fault 'what it does for units one of them owes: wf_lsu_idle' 's/^gpu: wf_lsu_idle/owed: wf_lsu_idle\ngpu:/' \
  sim/gpu/lsu.functions.txt ""
for body in '{\n  return 0;\n}' '{ return 0; }'; do
  fault 'every function has one role: not listed: seeded' "\$i static inline int seeded(void) $body" sim/gpu/ready.h ""
done
fault 'each line is a role' 's/^seam: /seat: /' $side.functions.txt ""

# Work inside a listed function, of a unit and of the fabric; layout, comments and texts are none.
file=sim/units/$unit/$unit.c reviewed=sim/units/$unit/reviewed.txt
work='\n  static unsigned n;\n  n++;'
fault 'as it was reviewed: [a-z_]+ \([a-z]+, tokens: [0-9]+ -> [0-9]+\)' "0,/^static bool .*\{$/s//&$work/" "$file"
fault 'as it was reviewed: [a-z_]+ \([a-z]+, tokens: [0-9]+ -> [0-9]+\)' "0,/^static .*\{$/s//&$work/" "$side.c" ""
for shared in sim/units/records.c sim/gpu/lsu.c sim/gpu/launch_pool.c sim/mem/unit_port.c; do
  fault 'as it was reviewed: [a-z_]+ \([a-z]+, tokens: [0-9]+ -> [0-9]+\)' "0,/^static .*\{$/s//&$work/" "$shared" ""
done
for shared in sim/gpu/dispatch.c sim/mem/unit_port.c; do
  fault 'every function has one role: not listed' '$a int seeded(void) {\n  return 0;\n}' "$shared" ""
done
fault 'as it was reviewed: #SEEDED \(, new' '1i #define SEEDED(n) ((n) + 1)' "$file"
fault 'as it was reviewed: [a-z_0-9]+ \([a-z]+, new' '$d' "$reviewed"
fault 'as it was reviewed: seeded \(, tokens: 7 -> gone' '1i seeded 7 12345678' "$reviewed"
rm "$copy/$reviewed"
expect 1 "FAIL.*$reviewed is missing: .*contract.sh --reviewed" env -C "$copy" tests/system/contract.sh "$unit"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh --reviewed "$unit"
sed -i -E '0,/^static bool .*\{$/s//&\n  \/* more is \/\/ said\n     here *\/  \/\/ and here/' "$copy/$file"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh "$unit"
sed -i -E "0,/^static bool .*\{$/s//&$work/" "$copy/$file"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh --reviewed "$unit"
check "one line of what was reviewed changes with it" \
  "$([ "$(diff "$right/$reviewed" "$copy/$reviewed" | grep -c '^>')" -eq 1 ]; echo $?)"
finish
