# Experiments: make paper-UNIT leaves build/paper/UNIT.json, UNIT.txt and UNIT.svg. A unit's program is tests/UNIT/paper/UNIT*.c.
SHARED ?= ../shared
PAPER_SHARED := tests/papers/cache.c tests/papers/paper.c
define paper_rule
$(BUILD)/tests/papers/paper_$(1): $(wildcard tests/$(1)/paper/$(1)*.[ch]) $(PAPER_SHARED) $(wildcard tests/papers/*.h) $(call archives,$(call below,report))
	@mkdir -p $$(@D)
	$$(call say,TEST)
	$(Q)$(CC) $$(CFLAGS_ALL) -rdynamic -o $$@ $$(filter %.c %.a,$$^) $(LIBS)
endef
$(foreach u,$(UNITS),$(eval $(call paper_rule,$(u))))
$(BUILD)/tests/papers/paper_trace: tests/papers/trace.c $(PAPER_SHARED) tests/papers/paper.h $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

##  make paper-trace    cycles of a traced BFS beside Accel-Sim's (needs SHARED, the folder with data/traces): build/paper/trace.{txt,json,svg}
.PHONY: paper-trace
paper-trace: build $(BUILD)/tests/papers/paper_trace
	@mkdir -p $(BUILD)/paper/runs
	@t=$(SHARED)/data/traces; [ -f $$t/accelsim-bfs-rtx3070.csv ] || { echo "SKIPPED paper-trace: no $$t/accelsim-bfs-rtx3070.csv"; exit 0; }; set -o pipefail; \
	  $(BUILD)/tests/papers/paper_trace $(BUILD)/warpfab $(BUILD)/paper $$t/accelsim-bfs-rodinia-graph4096 $$t/accelsim-bfs-rtx3070.csv | tee $(BUILD)/paper/trace.txt && \
	  gnuplot -e "folder='$(BUILD)/paper'" tests/papers/trace.gp && echo "$(BUILD)/paper/trace.svg written"

