##  make synth UNIT=u CONFIG=c [LIBERTY="file.lib[.gz]..." or folder] [PARAMS="A=1"]   area, clock, storage and energy: build/synth/u-c.json
.PHONY: synth synth-tools synth-fit synth-page power
synth: bootstrap
	@test -n "$(UNIT)" -a -n "$(CONFIG)" || \
	  { echo "usage: make synth UNIT=mff CONFIG=paper [LIBERTY=file] [PARAMS=\"TagEntries=128\"]" >&2; exit 2; }
	@BUILD=$(BUILD) $(if $(LIBERTY),LIBERTY="$(LIBERTY)") synth/synth "$(UNIT)" "$(CONFIG)" "$(PARAMS)"

##  make power UNIT=u CONFIG=c   energy of a clocked cycle at the activity of a recorded run, after make synth
power: synth-tools $(BUILD)/warpfab $(BUILD)/warpfab-replay
	@test -n "$(UNIT)" -a -n "$(CONFIG)" || { echo "usage: make power UNIT=apcm CONFIG=paper" >&2; exit 2; }
	@BUILD=$(BUILD) $(if $(LIBERTY),LIBERTY="$(LIBERTY)") synth/power "$(UNIT)" "$(CONFIG)"

SYNTH_BIN := $(BUILD)/synth/bin
SYNTH_PROGRAMS := $(addprefix $(SYNTH_BIN)/, \
  synth_prepare synth_report synth_table synth_picture plain_assigns ram_fit activity recorded liberty_join)
SYNTH_PARTS := $(patsubst %,$(BUILD)/obj/synth/%.o,design spec formula liberty ram_model nonnegative result)
synth-tools: $(SYNTH_PROGRAMS) $(BUILD)/bin/wfgen
$(addprefix $(SYNTH_BIN)/,plain_assigns ram_fit activity recorded liberty_join): $(SYNTH_BIN)/%: $(BUILD)/obj/synth/%.o
$(filter $(SYNTH_BIN)/synth_%,$(SYNTH_PROGRAMS)): $(SYNTH_BIN)/synth_%: $(BUILD)/obj/synth/%.o
$(SYNTH_PROGRAMS): $(SYNTH_PARTS) $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter-out $(SYNTH_PARTS) %.a,$^) $(SYNTH_PARTS) $(filter %.a,$^) $(LIBS)
$(BUILD)/bin/wfgen: $(wildcard sim/model/gen/wfgen*.[ch]) sim/base/wf_place.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I. \
	  -o $@.synth $(wildcard sim/model/gen/wfgen*.c) sim/base/wf_alloc.c sim/base/wf_error.c sim/base/wf_place.c -lexpat -linih && \
	  mv -f $@.synth $@

##  make synth-page UNIT=u   the tables of results of unit u in build/synth into docs/results; 7 nm: make prices
synth-page: synth-tools
	@scripts/units ini "$(UNIT)" >/dev/null || { echo "usage: make synth-page UNIT=mff" >&2; exit 2; }
	@$(SYNTH_BIN)/synth_table --page docs/results/$$(scripts/units group $(UNIT)).md \
	  $(sort $(filter-out %@7nm.json,$(wildcard $(BUILD)/synth/$(UNIT)-*nm.json)))

##  make gpu-rows       what the GPU keeps for each unit (gpu.NAME), priced anew in docs/results, without a synthesis
.PHONY: gpu-rows
gpu-rows: synth-tools
	@BUILD=$(BUILD) SHARED=$(SHARED) synth/gpu_rows

##  make prices         every unit in NanGate and in ASAP7, and its gain by area, into docs/results/prices.md
.PHONY: prices
prices: synth-tools $(BUILD)/warpfab $(BUILD)/warpfab-replay
	@BUILD=$(BUILD) SHARED=$(SHARED) synth/prices

MORE_CHECKS += "synth/prices: BUILD=$(BUILD) synth/prices check" "synth/gpu_rows: BUILD=$(BUILD) SHARED=$(SHARED) synth/gpu_rows check"

##  make synth-fit      the RAM prices of synth/ram_table.csv again, from the tables in SHARED
synth-fit: synth-tools
	@test -d $(SHARED)/data/libs/cacti || { echo "SKIPPED synth-fit: no $(SHARED)/data/libs/cacti"; exit 0; }; \
	  $(SYNTH_BIN)/ram_fit $(SHARED)/data/libs/cacti/*.csv $(SHARED)/data/libs/nangate45/fakeram \
	    $(SHARED)/data/libs/asap7/README.md >synth/ram_table.csv.new && \
	  mv -f synth/ram_table.csv.new synth/ram_table.csv

##  make equiv          the netlists of control modules proven equal to their RTL (synth/equiv.list)
.PHONY: equiv
equiv: synth-tools
	@BUILD=$(BUILD) synth/equiv
CAMPAIGN += "equiv: $(MAKE) --no-print-directory BUILD=$(BUILD) equiv"
