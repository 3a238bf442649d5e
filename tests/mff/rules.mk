##  make replay-all     the MFF unit's netlist and the full-size unit in Icarus too, against recordings of a run: minutes
.PHONY: replay-all
replay-all: build
	@BUILD=$(BUILD) tests/mff/replay_agree.sh all
CAMPAIGN += "replay-all: $(MAKE) --no-print-directory replay-all BUILD=$(BUILD)"

##  make test-mff-bus   the unit's tests through its wrappers for AXI4 and TileLink-UL
.PHONY: test-mff-bus
test-mff-bus: $(addprefix $(BUILD)/tb/mff/,test_random test_directed)
	@set -e; for u in axi4 tlul; do for t in $^; do echo "== $$u $$t"; \
	  WARPFAB_BUILD=$(BUILD) WF_UNIT=rtl/mff_unit/mff_$$u.ini WF_CONFIG=$(or $(WF_CONFIG),small,tiny) WF_PLAIN=1 $$t; done; done
MORE_CHECKS += "mff/bus: WF_CYCLES=60000 $(MAKE) --no-print-directory BUILD=$(BUILD) test-mff-bus"
CAMPAIGN += "mff/bus: WF_CONFIG=small,tiny,three WF_CYCLES=3000000 $(MAKE) --no-print-directory BUILD=$(BUILD) test-mff-bus"
