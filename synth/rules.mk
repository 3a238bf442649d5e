##  make synth UNIT=u CONFIG=c [LIBERTY=file.lib[.gz]] [PARAMS="A=1"]   area, clock, storage and energy: build/synth/u-c.json
.PHONY: synth synth-tools synth-fit synth-readme
synth: bootstrap
	@test -n "$(UNIT)" -a -n "$(CONFIG)" || { echo "usage: make synth UNIT=mff_unit CONFIG=paper [LIBERTY=file] [PARAMS=\"TagEntries=128\"]" >&2; exit 2; }
	@BUILD=$(BUILD) $(if $(LIBERTY),LIBERTY=$(LIBERTY)) synth/synth "$(UNIT)" "$(CONFIG)" "$(PARAMS)"

SYNTH_BIN := $(BUILD)/synth/bin
SYNTH_PROGRAMS := $(patsubst %,$(SYNTH_BIN)/%,synth_prepare synth_report synth_table synth_picture plain_assigns ram_fit)
SYNTH_PARTS := $(patsubst %,$(BUILD)/obj/synth/%.o,design spec formula liberty ram_model result)
synth-tools: $(SYNTH_PROGRAMS) $(BUILD)/bin/wfgen
$(SYNTH_BIN)/plain_assigns $(SYNTH_BIN)/ram_fit: $(SYNTH_BIN)/%: $(BUILD)/obj/synth/%.o
$(filter $(SYNTH_BIN)/synth_%,$(SYNTH_PROGRAMS)): $(SYNTH_BIN)/synth_%: $(BUILD)/obj/synth/%.o
$(SYNTH_PROGRAMS): $(SYNTH_PARTS) $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter-out $(SYNTH_PARTS) %.a,$^) $(SYNTH_PARTS) $(filter %.a,$^) $(LIBS)
$(BUILD)/bin/wfgen: $(wildcard tb/model/wfgen*.[ch])
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I. \
	  -o $@.synth $(wildcard tb/model/wfgen*.c) sim/base/wf_alloc.c sim/base/wf_error.c -lexpat -linih && mv -f $@.synth $@
