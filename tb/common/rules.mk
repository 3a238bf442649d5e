##  make test-bus       the converters to AXI4 and TileLink-UL (rtl/common/buses.md) with a bus that stalls, mixes and fails
BUS_TESTS := $(addprefix $(BUILD)/tb/common/bus/,test_random test_directed)
.PHONY: test-bus
test-bus: $(BUS_TESTS)
	@set -e; for t in $^; do echo "== $$t"; WARPFAB_BUILD=$(BUILD) $$t; done
MORE_CHECKS += "bus/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-bus"
CAMPAIGN += "bus/tests: WF_CYCLES=10000000 $(MAKE) --no-print-directory BUILD=$(BUILD) test-bus"
