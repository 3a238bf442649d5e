# Tests of teleport_controller: C programs that drive the RTL through the model layer. Models are built on demand.
TELEPORT_CONTROLLER_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/teleport_controller/test_*.c)))
TELEPORT_CONTROLLER_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/teleport_controller/tpc_*.c))
.SECONDARY: $(TELEPORT_CONTROLLER_OBJECTS)

$(BUILD)/tb/teleport_controller/%: tb/teleport_controller/%.c $(TELEPORT_CONTROLLER_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-teleport_controller test-teleport_controller-long
##  make test-teleport_controller   TELEPORT's controller against its reference model; -long: ten million cycles
test-teleport_controller: $(TELEPORT_CONTROLLER_TESTS)
	@set -e; for t in $(TELEPORT_CONTROLLER_TESTS); do echo "== $$t"; WARPFAB_BUILD=$(BUILD) $$t; done
test-teleport_controller-long: $(BUILD)/tb/teleport_controller/test_random
	@WARPFAB_BUILD=$(BUILD) TELEPORT_CYCLES=10000000 $<
MORE_CHECKS += "teleport_controller/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-teleport_controller"
