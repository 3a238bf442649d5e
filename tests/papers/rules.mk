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

APCM_PAPER := $(wildcard tests/papers/apcm*.c) tests/papers/cache.c tests/papers/paper.c
$(BUILD)/tests/papers/paper_apcm: $(APCM_PAPER) tests/papers/apcm.h tests/papers/cache.h tests/papers/paper.h $(call archives,$(call below,report))
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

DTBL_PAPER := $(wildcard tests/papers/dtbl*.c) tests/papers/cache.c tests/papers/paper.c
$(BUILD)/tests/papers/paper_dtbl: $(DTBL_PAPER) tests/papers/dtbl.h tests/papers/cache.h tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
$(BUILD)/tests/papers/timeline_occupancy: tests/papers/timeline_occupancy.c $(call archives,base)
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

# The RTL places the blocks of the DTBL forms; empty: the GPU's own dispatcher does, and joins groups in no time and without limit.
# It keeps 16 lines of records; the paper has none: --set dtbl.lines=0.
DTBL_UNIT ?= --unit dtbl
##  make paper-dtbl     regenerate the DTBL paper's figures: build/paper/dtbl.{txt,json,svg}, dtbl-occupancy.svg (PART=forms or table: some; runs are kept: build/paper/runs; about 20 min)
.PHONY: paper-dtbl paper-dtbl-timeline
paper-dtbl: build $(BUILD)/tests/papers/paper_dtbl paper-dtbl-timeline
	@set -o pipefail; name=dtbl$(addprefix -,$(PART)); \
	  $(BUILD)/tests/papers/paper_dtbl $(BUILD)/warpfab $(BUILD)/paper $(SHARED)/data/graphs "$(DTBL_UNIT)" $(PART) | tee $(BUILD)/paper/$$name.txt; status=$$?; \
	  $(if $(PART),true,gnuplot -e "folder='$(BUILD)/paper'; table=$(if $(DTBL_UNIT),1,0)" tests/papers/dtbl.gp && echo "$(BUILD)/paper/dtbl.svg written"); exit $$status

# One application over time, after the paper's figure 32.
paper-dtbl-timeline: build $(BUILD)/tests/papers/timeline_occupancy
	@mkdir -p $(BUILD)/paper
	@set -e; g=$(SHARED)/data/graphs/dblp-2010.mtx.gz; [ -f $$g ] || g=cite:n=65536,degree=4; \
	  for form in flat cdp dtbl; do unit=; [ $$form = dtbl ] && unit="$(DTBL_UNIT)"; \
	    $(BUILD)/warpfab run --config k20c --app bfs_dp --graph $$g --set app.form=$$form $$unit --timeline $(BUILD)/paper/dtbl-$$form.trace.json >/dev/null; \
	    $(BUILD)/tests/papers/timeline_occupancy $(BUILD)/paper/dtbl-$$form.trace.json 5000 >$(BUILD)/paper/dtbl-occupancy-$$form.dat; done; \
	  gnuplot -e "folder='$(BUILD)/paper'; app='bfs_dp $$(basename $$g)'" tests/papers/dtbl-occupancy.gp; echo "$(BUILD)/paper/dtbl-occupancy.svg written"

SPREF_PAPER := $(wildcard tests/papers/spref*.c) tests/papers/cache.c tests/papers/paper.c
$(BUILD)/tests/papers/paper_spref: $(SPREF_PAPER) tests/papers/spref.h tests/papers/cache.h tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

##  make paper-spref    regenerate the figures of prefetching into spare registers: build/paper/spref.{txt,json,svg} (about 11 min; SIZE=full: all kernels on all inputs, hours; runs are kept: build/paper/runs)
.PHONY: paper-spref
paper-spref: build $(BUILD)/tests/papers/paper_spref
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; name=spref$(addprefix -,$(SIZE)); $(BUILD)/tests/papers/paper_spref $(BUILD)/warpfab $(BUILD)/paper $(SIZE) | tee $(BUILD)/paper/$$name.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/papers/spref.gp && echo "$(BUILD)/paper/spref.svg written"; exit $$status

TELEPORT_PAPER := $(wildcard tests/papers/teleport*.c) tests/papers/cache.c tests/papers/paper.c
$(BUILD)/tests/papers/paper_teleport: $(TELEPORT_PAPER) tests/papers/teleport.h tests/papers/cache.h tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic -o $@ $(filter %.c %.a,$^) $(LIBS)

##  make paper-teleport   regenerate TELEPORT's figures: build/paper/teleport.{txt,json,svg} (runs are kept: build/paper/runs)
.PHONY: paper-teleport
paper-teleport: build $(BUILD)/tests/papers/paper_teleport
	@mkdir -p $(BUILD)/paper
	@awk -f tests/papers/teleport-lines.awk sim/apps/kernels/{eds,hsp,jac,mma,ptf}.cu > $(BUILD)/paper/teleport-statements.txt
	@set -o pipefail; $(BUILD)/tests/papers/paper_teleport $(BUILD)/warpfab $(BUILD)/paper $(BUILD)/paper/teleport-statements.txt | tee $(BUILD)/paper/teleport.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/papers/teleport.gp && echo "$(BUILD)/paper/teleport.svg written"; exit $$status
