# Tests of teleport_buffer: C programs that drive the RTL through the model layer. Models are built on demand.
TELEPORT_BUFFER_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/teleport_buffer/test_*.c)))
TELEPORT_BUFFER_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/teleport_buffer/tpb_*.c))
.SECONDARY: $(TELEPORT_BUFFER_OBJECTS)

$(BUILD)/tb/teleport_buffer/%: tb/teleport_buffer/%.c $(TELEPORT_BUFFER_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-teleport_buffer test-teleport_buffer-long
##  make test-teleport_buffer   TELEPORT's buffer against its reference model; -long: ten million cycles
test-teleport_buffer: $(TELEPORT_BUFFER_TESTS)
	@set -e; for t in $(TELEPORT_BUFFER_TESTS); do echo "== $$t"; WARPFAB_BUILD=$(BUILD) $$t; done
test-teleport_buffer-long: $(BUILD)/tb/teleport_buffer/test_random
	@WARPFAB_BUILD=$(BUILD) TELEPORT_CYCLES=10000000 $<
MORE_CHECKS += "teleport_buffer/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-teleport_buffer"
