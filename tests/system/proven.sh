#!/bin/bash
# Assertions that the bench's models leave out (WF_ASSERT_PROVEN) are proven without bound: the proof that is named as
# their module has an engine without bound, and the table that `make formal` wrote says that all of its rules are
# proven. Of wf_fair it is the proof of the module that says Proven(1). That the RTL of today is still what was proven
# `make formal` tells, and the samples of it that `make check` makes.
. "$(dirname "$0")/expect.sh"

modules() {
  grep -l 'WF_ASSERT_\(STABLE_\)\?PROVEN(' rtl/*/*.v
  grep -lzE 'wf_fair[[:space:]]*#\([^;]*\.Proven\(1\)' rtl/*/*.v
}
row_of() { cat docs/results/*.md | grep "^| \`$1\` |" | cut -d'|' -f5; } # MODULE: what was proven

for file in $(modules | grep -v /wf_fair.v | sort -u); do
  module=$(basename "$file" .v)
  engine=$(cat "$(dirname "$file")"/*.ini | awk -v of="[formal $module]" '/^\[/ { on = $0 == of } on && /^engine *=/')
  grep -qE 'pdr|induction' <<<"$engine"
  check "$module: a proof without bound" $?
  row=$(row_of "$module")
  grep -qE '^ *[0-9]+ rules proven \([a-z]+\) *$' <<<"$row"
  check "$module: all of its rules proven (${row:-no such proof})" $?
done
# Nothing else is left out.
same "WF_BENCH is read in one place" rtl/common/wf_assert.vh "$(grep -l WF_BENCH rtl/*/*.v rtl/*/*.vh)"
finish
