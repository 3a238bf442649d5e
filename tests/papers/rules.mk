# Experiments: make paper-UNIT leaves build/paper/UNIT.json, UNIT.txt and UNIT.svg.
SHARED ?= ../shared
$(BUILD)/tests/papers/paper_%: tests/papers/%.c tests/papers/paper.c tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

##  make paper-mff      regenerate the MFF paper's figures: text, JSON and SVG in build/paper (about 20 min)
.PHONY: paper-mff
paper-mff: build $(BUILD)/tests/papers/paper_mff
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; $(BUILD)/tests/papers/paper_mff $(BUILD)/warpfab $(BUILD)/paper $(SHARED)/data/graphs data/debian12.mtx.gz | tee $(BUILD)/paper/mff.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/papers/mff.gp && echo "$(BUILD)/paper/mff.svg written"; exit $$status

# At 45 nm where that library is at hand, else with Debian's.
NANGATE := $(wildcard $(SHARED)/data/libs/nangate45/nangate45_typ.lib.gz)
##  make paper-mff-sizes   tag entries and work registers swept: area against speedup, build/paper/mff-sizes.{txt,json,svg} (about 20 min)
.PHONY: paper-mff-sizes
paper-mff-sizes: build synth-tools $(BUILD)/tests/papers/paper_mff_sizes
	@mkdir -p $(BUILD)/paper/runs
	@$(BUILD)/tests/papers/paper_mff_sizes --points | BUILD=$(BUILD) LIBERTY=$(NANGATE) NODE_NM=$(if $(NANGATE),45,180) xargs -P 2 -d '\n' -n 1 tests/papers/mff-area
	@set -o pipefail; g=$(SHARED)/data/graphs/cnr-2000.mtx.gz; [ -f $$g ] || g=data/debian12.mtx.gz; \
	  $(BUILD)/tests/papers/paper_mff_sizes $(BUILD)/warpfab $(BUILD)/paper $$g $(BUILD)/synth $(if $(NANGATE),45,180)nm | tee $(BUILD)/paper/mff-sizes.txt && \
	  gnuplot -e "folder='$(BUILD)/paper'" tests/papers/mff-sizes.gp && echo "$(BUILD)/paper/mff-sizes.svg written"

APCM_PAPER := $(wildcard tests/papers/apcm*.c) tests/papers/paper.c
$(BUILD)/tests/papers/paper_apcm: $(APCM_PAPER) tests/papers/apcm.h tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

##  make paper-apcm     regenerate the APCM paper's figures: build/paper/apcm.{txt,json,svg}; PART="12 14" some of them (runs are kept: build/paper/runs)
.PHONY: paper-apcm
paper-apcm: build $(BUILD)/tests/papers/paper_apcm
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; name=apcm$(if $(PART),-$(firstword $(PART))); \
	  $(BUILD)/tests/papers/paper_apcm $(BUILD)/warpfab $(BUILD)/paper $(SHARED)/data/graphs $(PART) | tee $(BUILD)/paper/$$name.txt; status=$$?; \
	  $(if $(PART),true,gnuplot -e "folder='$(BUILD)/paper'" tests/papers/apcm.gp && echo "$(BUILD)/paper/apcm.svg written"); exit $$status

##  make paper-trace    cycles of a traced BFS beside Accel-Sim's (needs SHARED, the folder with data/traces): build/paper/trace.{txt,json,svg}
.PHONY: paper-trace
paper-trace: build $(BUILD)/tests/papers/paper_trace
	@mkdir -p $(BUILD)/paper/runs
	@t=$(SHARED)/data/traces; [ -f $$t/accelsim-bfs-rtx3070.csv ] || { echo "SKIPPED paper-trace: no $$t/accelsim-bfs-rtx3070.csv"; exit 0; }; set -o pipefail; \
	  $(BUILD)/tests/papers/paper_trace $(BUILD)/warpfab $(BUILD)/paper $$t/accelsim-bfs-rodinia-graph4096 $$t/accelsim-bfs-rtx3070.csv | tee $(BUILD)/paper/trace.txt && \
	  gnuplot -e "folder='$(BUILD)/paper'" tests/papers/trace.gp && echo "$(BUILD)/paper/trace.svg written"
