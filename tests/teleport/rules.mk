##  make test-teleport-bus   the buffer's tests through its wrappers for AXI4 and TileLink-UL
.PHONY: test-teleport-bus
test-teleport-bus: $(addprefix $(BUILD)/tb/teleport/buffer/,test_random test_directed)
	@set -e; for u in axi4 tlul; do for t in $^; do echo "== $$u $$t"; WARPFAB_BUILD=$(BUILD) \
	  WF_UNIT=rtl/teleport_prefetch/teleport_$$u.ini WF_CONFIG=small,replay,tiny,odd WF_PLAIN=1 $$t; done; done
MORE_CHECKS += "teleport/bus: WF_CYCLES=100000 $(MAKE) --no-print-directory BUILD=$(BUILD) test-teleport-bus"
CAMPAIGN += "teleport/bus: WF_CYCLES=5000000 $(MAKE) --no-print-directory BUILD=$(BUILD) test-teleport-bus"
