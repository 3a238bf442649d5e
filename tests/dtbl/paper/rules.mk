$(BUILD)/tests/papers/timeline_occupancy: tests/dtbl/paper/timeline_occupancy.c $(call archives,base)
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
	  $(if $(PART),true,gnuplot -e "folder='$(BUILD)/paper'; table=$(if $(DTBL_UNIT),1,0)" tests/dtbl/paper/dtbl.gp && echo "$(BUILD)/paper/dtbl.svg written"); exit $$status

# One application over time, after the paper's figure 32.
paper-dtbl-timeline: build $(BUILD)/tests/papers/timeline_occupancy
	@mkdir -p $(BUILD)/paper
	@set -e; g=$(SHARED)/data/graphs/dblp-2010.mtx.gz; [ -f $$g ] || g=cite:n=65536,degree=4; \
	  for form in flat cdp dtbl; do unit=; [ $$form = dtbl ] && unit="$(DTBL_UNIT)"; \
	    $(BUILD)/warpfab run --config k20c --app bfs_dp --graph $$g --set app.form=$$form $$unit --timeline $(BUILD)/paper/dtbl-$$form.trace.json >/dev/null; \
	    $(BUILD)/tests/papers/timeline_occupancy $(BUILD)/paper/dtbl-$$form.trace.json 5000 >$(BUILD)/paper/dtbl-occupancy-$$form.dat; done; \
	  gnuplot -e "folder='$(BUILD)/paper'; app='bfs_dp $$(basename $$g)'" tests/dtbl/paper/dtbl-occupancy.gp; echo "$(BUILD)/paper/dtbl-occupancy.svg written"
