##  make replay-all     the MFF unit's netlist and the full-size unit in Icarus too, against recordings of a run: minutes
.PHONY: replay-all
replay-all: build
	@BUILD=$(BUILD) tests/mff/replay_agree.sh all
CAMPAIGN += "replay-all: $(MAKE) --no-print-directory replay-all BUILD=$(BUILD)"
