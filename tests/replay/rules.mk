# Recordings and scripts in three engines; refusals. The MFF unit's netlist and the full-size unit in Icarus apart: minutes.
MORE_CHECKS += "replay/agree: BUILD=$(BUILD) tests/replay/agree.sh" "replay/refused: BUILD=$(BUILD) tests/replay/refused.sh" \
  "replay/pictures: BUILD=$(BUILD) sim/replay/pictures check"
##  make replay-all     the MFF unit's netlist and the full-size unit in Icarus too, against recordings of a run
.PHONY: replay-all
replay-all: build
	@BUILD=$(BUILD) tests/replay/agree.sh all
CAMPAIGN += "replay-all: $(MAKE) --no-print-directory replay-all BUILD=$(BUILD)"
