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
