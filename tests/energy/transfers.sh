#!/bin/bash
# Transfers that units are billed for are those that their RTL counts.
. "$(dirname "$0")/../system/expect.sh"
# The unit stands behind the GPU.
counter() { sed -n -E "s/^[ \t]*\"$1\":[ \t]*([0-9]+).*/\1/p" "$scratch/json" | tail -n 1; }
# counted TRANSFERS COUNTER...: as many as these together, and some
counted() {
  local name=$1 is of=0 more
  is=$(counter "$1_transfers") && shift
  for more; do of=$((of + $(counter "$more"))); done
  check "$name: ${is:-none} transfers, the RTL counts $of ($*)" "$([ "${is:-0}" -gt 0 ] && [ "$is" = "$of" ]; echo $?)"
}
run() { "$warpfab" run "$@" --json "$scratch/json" >/dev/null; check "warpfab run $*" $?; }

run --app kmn --set app.points=2048 --unit apcm
counted acc accesses
counted ld loads
run --app join --config k20c --set app.left=2048 --set app.right=2048 --set app.keys=64 --set app.form=dtbl --unit dtbl
counted dtbl_kern kernels
counted dtbl_agg groups
counted dtbl_mem mem_reads mem_writes
counted dtbl_tb blocks_native blocks_group
counted dtbl_done block_ends
counted dtbl_kmu_grp kmu_groups
run --app join --config k20c --set app.left=1024 --set app.right=1024 --set app.keys=32 --set app.form=cdp --unit dtbl
counted dtbl_kmu_launch kmu_launches
counted dtbl_kmu_kern kmu_kernels
run --app jac --set app.rows=128 --set app.cols=128 --unit teleport
counted teleport_buffer_acc loads stores
counted teleport_buffer_fetch fetches
run --app pagerank --graph rmat:scale=11,edges=20000 --set app.supersteps=1 --set app.strategy=edges --unit mff
counted mff_sm_cmd sm_flits
counted mff_sm_rsp sm_rsp_words sm_rsp_done
run --config fermi16 --app hmst --graph rmat:scale=9,edges=3000 --unit spref
counted spref_in instructions
counted spref_cnt edge_beats
counted spref_ld edge_told_loads
counted spref_done injected_head injected_tail
counted spref_edge_tell edge_told
counted spref_edge_u_in edge_told edge_told_loads
finish
