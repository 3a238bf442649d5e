# Record and replay: the program that plays a recording on a unit alone, and its checks.
$(BUILD)/warpfab-replay: $(BUILD)/obj/sim/replay/main.o $(call archives,replay model graph base)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic -o $@ $^ $(LIBS)
build: $(BUILD)/warpfab-replay

##  make replay FILE=f [UNIT=u] [CONFIG=c] [ENGINES="verilator icarus gates"]   a recording on the unit alone: outputs must agree
ENGINES ?= verilator icarus gates
.PHONY: replay
replay: $(BUILD)/warpfab-replay
	@test -n "$(FILE)" || \
	  { echo "usage: make replay FILE=f.wfr.zst [UNIT=mff] [CONFIG=small] [ENGINES=\"verilator icarus gates\"]" >&2; exit 2; }
	@BUILD=$(BUILD) sim/replay/replay "$(FILE)" "$(UNIT)" "$(CONFIG)" $(ENGINES)

##  make wave UNIT=u    timing diagrams of a unit's page, drawn from what its RTL does with the scripts that ask for one
.PHONY: wave
wave: $(BUILD)/warpfab-replay
	@test -n "$(UNIT)" || { echo "usage: make wave UNIT=apcm" >&2; exit 2; }
	@BUILD=$(BUILD) sim/replay/pictures draw $(UNIT)

# The reader takes lines from sim/graph's source of plain, gzip and Zstandard files.
FUZZ_NEEDS_replay := graph model
