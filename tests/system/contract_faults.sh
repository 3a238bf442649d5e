#!/bin/bash
# What tests/system/contract.sh must find: in a copy a unit owes one function, which is right, and then each fault is
# put into its list, its page or a list of the fabric; and what contract_gpu.sh must.
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
file=sim/units/$unit/$unit.c reviewed=sim/units/$unit/reviewed.txt
exempt=tests/system/exempt.functions.txt
right=$scratch/right copy=$scratch/copy
BUILD=$(realpath "$build")
export BUILD # what copies are compared with

mkdir -p "$right" && cp -r --parents sim rtl scripts tests/system Makefile tb/units.mk "$right" || exit 2
sed -i -E '0,/^open: ([a-z_0-9]+)/s//owed (a seeded queue): \1\nopen:/' "$right/$list"
sed -i -E '/^## Contract/,/^## /s/^\|--.*/&\n| a seeded queue | in C | | |/' "$right/$page"
expect 0 ' 0 failed' env -C "$right" tests/system/contract.sh

clean= # is the copy as what is right? fault leaves it so, and nobody else
fresh() { clean= && rm -rf "$copy" && cp -rl "$right" "$copy" || exit 2; } # sed -i leaves the other name alone
fault() { # TEXT SCRIPT FILE [PART]: with the script of sed applied to the file the check fails and says TEXT
  [ "$clean" ] || fresh
  clean=1
  sed -i -E "$2" "$copy/$3"
  ! cmp -s "$right/$3" "$copy/$3" || check "$3: '$2' changes nothing" 1
  expect 1 "FAIL.*$1" env -C "$copy" "$tells" ${4-$unit}
  ln -f "$right/$3" "$copy/$3" || exit 2
}
tells=tests/system/contract.sh
fault 'is in the contract: \(nowhere\) begins no row' 's/^owed \(a seeded queue/owed (nowhere/' "$list"
fault 'names its row' 's/^owed \(a seeded queue\)/owed/' "$list"
fault 'in the contract: \(a seeded queue\) does not say' 's/^(\| a seeded queue .*)in C/\1in RTL/' "$page"
for said in 'in C' 'In C'; do
  fault 'in C is owed: another queue' "s/^\\| a seeded queue .*/&\\n| another queue | $said | | |/" "$page"
done
fault 'every function has one role: not listed' 's/^owed \(a seeded queue\).*//; /^$/d' "$list"
fault 'not there, or twice' 's/^(owed \(a seeded queue\): )(.*)/\1\2 \2/' "$list"
fault "of the fabric is there: $side.c:no_such" "s|^owed \(a seeded queue\).*|& $side.c:no_such|" "$list"
fault "what it does for a unit is owed there: .*: $theirs" "s/^gpu: $theirs\>/owed: $theirs\ngpu:/" \
  $side.functions.txt $side
fault "what units owe there has that role: $theirs" "s|^owed \(a seeded queue\).*|& $side.c:$theirs|" "$list" $side
fault 'what it does for units one of them owes: wf_lsu_idle' 's/^gpu: wf_lsu_idle/owed: wf_lsu_idle\ngpu:/' \
  sim/gpu/lsu.functions.txt sim/gpu/lsu
fault "what it does for them each owes: [a-z_]+: sim/gpu/lsu: wf_lsu_idle" \
  's/^gpu: wf_lsu_idle/owed (const wf_unit_class wf_unit_): wf_lsu_idle\ngpu:/' sim/gpu/lsu.functions.txt sim/gpu/lsu
unlisted='every function has one role: not listed'
for body in '{\n  return 0;\n}' '{ return 0; }'; do
  fault "$unlisted: seeded" "\$i static inline int seeded(void) $body" sim/gpu/ready.h sim/gpu/ready
done
# However its lines are laid out.
for text in 'static unsigned seeded(void) { /* sums */\n  return 0;\n}' 'static unsigned seeded(\n    void)\n{\n}' \
  '__attribute__((unused)) static unsigned\nseeded(void) { return 0; }' 'struct seed\nseeded(void) { // sums\n}'; do
  fault "$unlisted: seeded" "\$a $text" sim/mem/dram.c sim/mem/dram
done
fault "$unlisted: WF_NOTHING" '$a WF_NOTHING()\nint seeded(void) {\n}' sim/mem/dram.c sim/mem/dram
fault 'each line is a role' 's/^seam: /seat: /' $side.functions.txt $side

# Files without a list, and code that comes from elsewhere.
for header in sim/gpu/row.h sim/gpu/sm.c; do
  fault "$unlisted: seeded" '$a static inline int seeded(void) { return 0; }' $header ${header%.?}
done
fault 'exempt: .* as it was reviewed: seeded \(no role, new' '$a int seeded(void) {\n}' sim/gpu/simt.c files
fault 'each line is a reason with files: .*sim/gpu/seat.h' 's/^[^:]*: (sim.gpu.seat.h)/\1/' "$exempt" files
fault 'has a list or is exempt: undecided: sim/gpu/seat.h' 's| sim/gpu/seat.h||' "$exempt" files
fault 'has a list or is exempt: not there, or twice: sim/gpu/sm.h' 's| sim/gpu/seat.h|& sim/gpu/sm.h|' "$exempt" files
for new in sim/gpu/extra.c sim/mem/extra.h sim/units/extra.inc "sim/units/$unit/more/extra.c" sim/seam/extra.S \
  sim/base/wf_extra.h sim/ptx/extra.c sim/model/extra.cpp; do
  fresh
  mkdir -p "$copy/$(dirname $new)" && echo 'int seeded(void) { return 0; }' >"$copy/$new"
  expect 1 "FAIL.*has a list or is exempt: undecided: $new: it needs ${new%.*}.functions.txt, or a line in $exempt" \
    env -C "$copy" tests/system/contract.sh files
done
for link in sim/gpu/extra.c "sim/units/$unit/more"; do
  fresh
  ln -s ../../tb "$copy/$link"
  expect 1 "FAIL.*no file is a link: $link" env -C "$copy" tests/system/contract.sh files
done
# Headers that units meet elsewhere in sim, at once or through others.
for header in sim/base/wf_ring.h sim/ptx/types.h; do
  fault 'exempt: .* as it was reviewed: seeded \(no role, new' \
    '/^#(define|include)/{p;s/.*/static inline int seeded(void) { return 0; }/;:a;n;ba}' $header files
done
echo '#define SEEDED 1' >"$right/tb/seeded.h" && cp "$right/tb/seeded.h" "$right/math.h" && clean=
for text in '#include "extra.inc"' '  #  include "sim/gpu/../extra.h"' '#include "tb/extra.h"' '#include EXTRA' \
  '%:include "extra.inc"' '#include <tb/seeded.h>' '#include <math.h>' '#include_next <stdio.h>'; do
  fault 'can be read, .*sim/mem/dram.c:1:(include|digraph)' "1i \\$text" sim/mem/dram.c files
done
fault 'can be read, .*sim/mem/dram.c:[0-9]+:end' '$a #ifdef SEEDED\nvoid seeded(void) {\n#endif' sim/mem/dram.c files
rm "$right/math.h" "$right/tb/seeded.h" && clean=
for text in '__asm__("nop");' '#define SEEDED asm("nop")'; do
  fault 'can be read, .*sim/mem/dram.c:[0-9]+:asm' "\$a $text" sim/mem/dram.c files
done
# Flags, sources and ways of making the program that a rules.mk brings.
for text in 'CFLAGS_ALL += -DSEEDED=1:-DSEEDED=1' 'CFLAGS_ALL += -include tb/seeded.h:-include' \
  'CFLAGS_ALL += -Itb:-Itb' '$(BUILD)/obj/sim/mem/dram.o: CFLAGS_ALL += -Wp,-include,tb/seeded.h:-Wp,' \
  '$(BUILD)/warpfab: CC += @tb/seeded:@tb/seeded'; do
  fault "compiled as all are: sim/[a-z]+/[a-z_]+.c: .*${text##*:}" "\$a ${text%:*}" sim/gpu/rules.mk flags
done
mkdir -p "$right/tb/common" && echo 'int seeded;' >"$right/tb/common/seeded.c" && clean=
fault 'compiled as all are: tb/common/seeded.c' '$a $(BUILD)/lib/gpu.a: $(BUILD)/obj/tb/common/seeded.o' \
  sim/gpu/rules.mk flags
rm "$right/tb/common/seeded.c" && clean=
fault 'compiled as all are: touch .*/gen/errno.h' \
  '$a $(BUILD)/obj/sim/mem/dram.o: $(BUILD)/gen/errno.h\n$(BUILD)/gen/errno.h: ; touch $@' sim/gpu/rules.mk flags
for text in '$(BUILD)/obj/sim/mem/%.o: CFLAGS_ALL += -finstrument-functions|sim/mem/[a-z_]+.c: -finstrument-functions' \
  '$(BUILD)/warpfab: LIBS += -Wl,--wrap=wf_mem_send|.*/warpfab: -Wl,--wrap=wf_mem_send' \
  '$(BUILD)/warpfab: LIBS += -x c tb/seeded.c -x none|.*/warpfab: -x' 'CC = tb/seeded|tb/seeded -std=c11' \
  'export CPATH := tb|.*sim/gpu/rules.mk:[0-9]+:export' '-include tb/seeded.txt|.*tb/seeded.txt' \
  '$(BUILD)/obj/sim/mem/dram.o: ; $(CC) -x c -r tb/seeded.c -o $@|gcc -x c -r tb/seeded.c'; do
  fault "compiled as all are: ${text#*|}" "\$a ${text%%|*}" sim/gpu/rules.mk flags
done
fault 'compiled as all are: sh sim/apps/embed.sh .*cp tb/seeded.c' \
  's|^(.*sh sim/apps/embed.sh .*) && mv |\1 \&\& cp tb/seeded.c sim/mem/dram.c \&\& mv |' sim/apps/rules.mk flags
fault 'compiled as all are: sim/mem/unit_port.c: not in the program' \
  's|^(module_sources = .*)%/main.c|\1sim/mem/unit_port.c|' Makefile flags

# Names of the fabric in other objects, of a copy of what was built.
made=$scratch/made
mkdir -p "$made" && cp -rs "$BUILD/obj" "$BUILD/warpfab" "$made" || exit 2
built() { # TEXT OBJECT OTHER: with the other linked into the object
  ld -r -o "$made/new.o" "$BUILD/obj/$2" "$3" && mv "$made/new.o" "$made/obj/$2" || exit 2
  expect 1 "FAIL.*its own, and in the program: $1" env -C "$right" BUILD="$made" tests/system/contract.sh names
  ln -sf "$BUILD/obj/$2" "$made/obj/$2"
}
built '.*: in sim/.*\.o and in sim/' sim/apps/registry.o "$BUILD/obj/sim/mem/unit_port.o"
gcc -x c -c -o "$scratch/seeded.o" - <<<'int access(const char *path, int mode) { return !path + mode; }' || exit 2
built 'access: .* takes it from sim/apps/registry.o' sim/apps/registry.o "$scratch/seeded.o"
built 'access: a function in gen/units.o' gen/units.o "$scratch/seeded.o"
gcc -x c -c -o "$scratch/seeded.o" - <<<'int seeded;' || exit 2
built 'seeded: of sim/mem/dram.o, not in the program' sim/mem/dram.o "$scratch/seeded.o"
rm "$made/obj/sim/mem/dram.o"
expect 1 'FAIL.*sim/mem/dram.o.*make build' env -C "$right" BUILD="$made" tests/system/contract.sh names

# C++ and other than hardware in a unit's Verilog.
top=$(ls "$(dirname "$page")"/*.v | head -1) ini=$(scripts/units ini "$unit")
for text in 'initial $c("seeded();"); \$c' '`ifdef VERILATOR `ifdef' '`ifdef __ICARUS__ `ifdef' \
  '`elsif WF_BENCH `elsif' '`systemc_header `systemc_header' '/* " */ initial $c("seeded();"); /* " */ \$c' \
  'initial $system("seeded"); \$system' 'import "DPI-C" function void seeded(); import' \
  '`define SEEDED(x) $``x \$x' '`include "../../tb/seeded.vh" `include' 'wire \\seeded ; \\' \
  '// synthesis translate_off comment' \
  '/* pragma translate_on */ comment' 'real seeded; real' \
  'always #5 seeded = 1; #5' 'case (x) (* full_case *) full_case' '`else `else' '`ifdef SYNTHESIS `ifdef'; do
  fault "other than hardware: $top:[0-9]+: ${text##* }" "\$i ${text% *}" "$top" rtl
done
fault 'other than hardware: sim/model/wf_look.v:[0-9]+: \$c' '$i initial $c("seeded();");' sim/model/wf_look.v rtl
for maker in build-model shim.cpp one_copy.awk wf_look.v gen/wfgen_emit.c; do
  fault "models are made by is as it was reviewed: sim/model/$maker" '$a seeded' "sim/model/$maker" models
done
fault "other than hardware: $ini:[0-9]+: ../../tb" 's|^library = |&../../tb |' "$ini" rtl
fault "other than hardware: $ini:[0-9]+: seeded.vlt" 's|^sources = |&seeded.vlt |' "$ini" rtl

# Work inside a listed function, of a unit and of the fabric; layout, comments and messages are none.
changed='as it was reviewed: [a-z_]+ \([a-z]+, tokens: [0-9]+ -> [0-9]+\)'
work='\n  static unsigned n;\n  n++;'
fault "$changed" "0,/^static bool .*\{$/s//&$work/" "$file"
fault "$changed" "0,/^static .*\{$/s//&$work/" "$side.c" $side
for shared in sim/units/records.c sim/gpu/lsu.c sim/gpu/launch_pool.c sim/mem/unit_port.c; do
  fault "$changed" "0,/^static .*\{$/s//&$work/" "$shared" ${shared%.c}
done
for shared in sim/gpu/dispatch.c sim/mem/unit_port.c; do
  fault "$unlisted" '$a int seeded(void) {\n  return 0;\n}' "$shared" ${shared%.c}
done
# A text that may be a table is no message.
for text in '"3141 5926"' '"acbd"' '"a\\tb c"'; do
  fresh
  sed -i -E "0,/^static bool .*\{$/s//&\n  const char *seeded = $text;/" "$copy/$file"
  rm "$copy/$reviewed"
  env -C "$copy" tests/system/contract.sh --reviewed "$unit" >/dev/null
  sed -i -E '/const char \*seeded/y/abcd1234/badc2143/' "$copy/$file"
  expect 1 "FAIL.*$changed" env -C "$copy" tests/system/contract.sh "$unit"
done
# What stands outside of functions.
fault 'as it was reviewed: #SEEDED \(no role, new' '1i #define SEEDED(n) ((n) + 1)' "$file"
fault 'as it was reviewed: #SEEDED_PORTS \(no role, new' '1i #define SEEDED_PORTS(IN, OUT, P) (IN + OUT)' "$file"
for text in '#define SEEDED (sum += 1)' 'static const int seeded[] = {1, 2};' 'enum { SEEDED = 3 };' \
  '#if 1 + 1'$'\\n''#endif' 'static const char seeded[] = "\\x02\\1";' \
  '#include <errno.h>' '#include "sim/base/wf_rng.h"' 'struct seeded {'$'\\n''  int n; };'; do
  fault "as it was reviewed: outside:$unit.c \\(no role, tokens: [0-9]+ -> [0-9]+\\)" "1i \\$text" "$file"
done
fault 'as it was reviewed: outside:l2.h ' 's/^(#define WF_L2_SLOTS) .*/\1 4096u/' sim/mem/l2.h sim/mem/l2
fault 'as it was reviewed: outside:sm_state.h ' 's/WF_MAX_CTAS = [0-9]+/WF_MAX_CTAS = 1/' sim/gpu/sm_state.h files
fault 'as it was reviewed: [a-z_0-9]+ \([a-z]+, new' '$d' "$reviewed"
fault 'as it was reviewed: seeded \(no role, tokens: 7 -> gone' '1i seeded 7 12345678' "$reviewed"
fresh
rm "$copy/$reviewed"
expect 1 "FAIL.*$reviewed is missing: .*contract.sh --reviewed" env -C "$copy" tests/system/contract.sh "$unit"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh --reviewed "$unit"
sed -i -E '0,/^static bool .*\{$/s//&\n  \/* more is \/\/ said\n     here *\/  \/\/ and here/' "$copy/$file"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh "$unit"
sed -i -E "0,/^static bool .*\{$/s//&$work/" "$copy/$file"
expect 0 ' 0 failed' env -C "$copy" tests/system/contract.sh --reviewed "$unit"
check "one line of what was reviewed changes with it" \
  "$([ "$(diff "$right/$reviewed" "$copy/$reviewed" | grep -c '^>')" -eq 1 ]; echo $?)"

# Rows of what the GPU keeps: a unit's first that has a number of C in it, and a constant of a header.
tells=tests/system/contract_gpu.sh
table=$(grep -lE '^[A-Z_]+ = .* of .*\.h$' sim/units/*/gpu.txt | head -1)
unit=$(cut -d/ -f3 <<<"$table")
row=$(sed -n -E 's/^([a-z_]+\.[a-z_]+) = .*/\1/p' "$table" | head -1)
ini=$(scripts/units ini "${row%.*}") theirs="rows are priced as they are in C"
read -r word _ header < <(sed -n -E 's/^[A-Z_]+ = (.* of .*\.h)$/\1/p' "$table")
expect 0 ' 0 failed' env -C "$right" $tells
fault "$theirs: priced .*: $row = NSlice of 8 x 4 RAM" "s/^(gpu.${row#*.} = ).*/\\1NSlice of 8 x 4 RAM/" "$ini"
fault "$theirs: priced .*: ${row%.*}.seeded = 2 x 2 flops" "s/^gpu.${row#*.} = .*/&\\ngpu.seeded = 2 x 2 flops/" "$ini"
fault "$theirs: in C \\($table\\): $row" "/^gpu.${row#*.} = /d" "$ini"
fault "$theirs: priced .*: $row" "/^$row = /d" "$table"
fault "$theirs: priced .*:" "s/\\b($word (= )?)[0-9]+/\\14096/" "$header"
fault "has a number or a row: [A-Z_]+ = $word" "s/\\b$word\\b/SEEDED/" "$header"
fault "have a parameter, or are one: $row" "s/^$row = .*/rtl: $row = 8 x 4 RAM/" "$table"
fault "has a number or a row: seeded" '1i seeded' "$table"
# Rows of which C decides nothing, and each that a machine or the fabric decides.
for table in sim/units/*/gpu.txt; do
  while IFS=. read -r name row; do
    fault "$theirs: priced .*: $name.$row = 1 x 1 flops" "s/^(gpu.$row = ).*/\\11 x 1 flops/" \
      "$(scripts/units ini "$name")" "$(cut -d/ -f3 <<<"$table")"
  done < <(sed -n -E 's/^rtl: ([^ ]+) = .*/\1/p' "$table" | head -2)
  while read -r word _ header; do
    fault "$theirs: (priced|in C)" "s/\\b(${word##*.} (= )?)[0-9]+/\\14096/" "$header" "$(cut -d/ -f3 <<<"$table")"
  done < <(sed -n -E 's/^[A-Z_]+ = ((noc\.input|core|WF_MEM|WF_PAY).* of .*)/\1/p' "$table")
done
rm "$copy/$table"
expect 1 "FAIL.*$table is missing" env -C "$copy" $tells "$(cut -d/ -f3 <<<"$table")"
finish
