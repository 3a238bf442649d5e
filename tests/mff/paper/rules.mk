# Sizes that are synthesized, at 45 nm where that library is at hand, else with Debian's; a quarter of the
# registers is of C.
MFF_SIZES := "TagEntries=64 WorkRegs=1024 CRegs=256" "TagEntries=64" "TagEntries=128" "WorkRegs=1024 CRegs=256" \
  "WorkRegs=4096 CRegs=1024" "" "WorkRegs=16384 CRegs=4096" "TagEntries=512"
NANGATE := $(wildcard $(SHARED)/data/libs/nangate45/nangate45_typ.lib.gz)
##  make paper-mff-sizes   tag entries and work registers swept: area against speedup (about 20 min)
.PHONY: paper-mff-sizes
paper-mff-sizes: build synth-tools
	@printf '%s\n' $(MFF_SIZES) | BUILD=$(BUILD) $(if $(NANGATE),LIBERTY=$(NANGATE))  \
	  xargs -P 2 -d '\n' -n 1 synth/synth mff tuned
	@$(MAKE) --no-print-directory paper-mff PART=sizes
