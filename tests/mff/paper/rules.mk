##  make paper-mff      regenerate the MFF paper's figures: text, JSON and SVG in build/paper (about 20 min)
.PHONY: paper-mff
paper-mff: build $(BUILD)/tests/papers/paper_mff
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; $(BUILD)/tests/papers/paper_mff $(BUILD)/warpfab $(BUILD)/paper $(SHARED)/data/graphs data/debian12.mtx.gz | tee $(BUILD)/paper/mff.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/mff/paper/mff.gp && echo "$(BUILD)/paper/mff.svg written"; exit $$status


$(BUILD)/tests/papers/paper_mff_sizes: tests/mff/paper/sizes.c $(PAPER_SHARED) tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

# At 45 nm where that library is at hand, else with Debian's.
NANGATE := $(wildcard $(SHARED)/data/libs/nangate45/nangate45_typ.lib.gz)
##  make paper-mff-sizes   tag entries and work registers swept: area against speedup, build/paper/mff-sizes.{txt,json,svg} (about 20 min)
.PHONY: paper-mff-sizes
paper-mff-sizes: build synth-tools $(BUILD)/tests/papers/paper_mff_sizes
	@mkdir -p $(BUILD)/paper/runs
	@$(BUILD)/tests/papers/paper_mff_sizes --points | BUILD=$(BUILD) LIBERTY=$(NANGATE) NODE_NM=$(if $(NANGATE),45,180) xargs -P 2 -d '\n' -n 1 tests/mff/paper/mff-area
	@set -o pipefail; g=$(SHARED)/data/graphs/cnr-2000.mtx.gz; [ -f $$g ] || g=data/debian12.mtx.gz; \
	  $(BUILD)/tests/papers/paper_mff_sizes $(BUILD)/warpfab $(BUILD)/paper $$g $(BUILD)/synth $(if $(NANGATE),45,180)nm | tee $(BUILD)/paper/mff-sizes.txt && \
	  gnuplot -e "folder='$(BUILD)/paper'" tests/mff/paper/mff-sizes.gp && echo "$(BUILD)/paper/mff-sizes.svg written"
