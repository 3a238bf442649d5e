#!/bin/bash
# A user's own kernel that uses the unit: gather.cu without it and with it, both against sums made here.
. "$(dirname "$0")/../system/expect.sh"
words() { od -An -v -tu4 -w4 "$1"; }
run="$warpfab run --ptx tests/mff/gather.cu --kernel gather --graph rmat:scale=10,edges=8000 --grid 4 --block 256"
run="$run --param buf:4096 --param graph:out_row --param graph:out_col --param file:$scratch/value --param u32:1024"
unit="--unit mff --shared 17408"
head -c 4096 data/debian12.mtx.gz >$scratch/value
expect 0 'gather on .* cycles' $run --dump 0:$scratch/plain --dump 1:$scratch/row --dump 2:$scratch/col
expect 0 'unit mff .*words_checked 8000' $run $unit --base mff.c_base=2 --base mff.v_base=3 --dump 0:$scratch/mff
for part in row col value; do words $scratch/$part >$scratch/$part.txt; done
awk 'FILENAME ~ /row.txt$/ { row[n++] = $1 } FILENAME ~ /col.txt$/ { col[m++] = $1 }
  FILENAME ~ /value.txt$/ { value[k++] = $1 }
  END { for (v = 0; v + 1 < n; v++) {
      sum = 0
      for (e = row[v]; e < row[v + 1]; e++) sum = (sum + value[col[e]]) % 4294967296
      printf "%.0f\n", sum } }' $scratch/row.txt $scratch/col.txt $scratch/value.txt >$scratch/want
[ "$(wc -l <$scratch/want)" -eq 1024 ] || { echo "FAIL  the reference has not 1024 sums"; failed=$((failed + 1)); }
for form in plain mff; do
  words $scratch/$form | awk '{ print $1 }' >$scratch/got
  if cmp -s $scratch/want $scratch/got; then
    passed=$((passed + 1)); echo "ok    $form: sums as here"
  else
    failed=$((failed + 1)); echo "FAIL  $form: other sums"
  fi
done
expect 2 'v_base = 0x.*: must be a multiple of 4' $run $unit --base mff.c_base=2 --base mff.v_base=3+2
expect 2 'the memory of parameter 3 has 4096 bytes' $run $unit --base mff.v_base=3+4096
expect 2 'parameter 4 is a value' $run $unit --base mff.v_base=4
expect 2 'parameter 5 is not there' $run $unit --base mff.v_base=5
expect 2 'no base register w_base; there are c_base v_base b_base' $run $unit --base mff.w_base=3
expect 2 'mff is not among the units' $run --base mff.v_base=3
large="$run $unit --set memory.mib=8192"
expect 2 'mff.v_base: memory at 0x.* to 0x1.* does not fit the unit.s 32 bits' \
  ${large/file:$scratch\/value/buf:4294967296} --base mff.v_base=3
expect 2 'mff.v_base: memory at 0x1.* to 0x1.* does not fit the unit.s 32 bits' \
  ${large/buf:4096/buf:4294967296} --base mff.v_base=3
expect 0 'unit mff .*words_checked 8000' $large --base mff.c_base=2 --base mff.v_base=3
finish
