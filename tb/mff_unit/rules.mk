# The MFF unit's tests: C programs that drive the RTL through the model layer. Models are built on demand.
MFF_TEST_SOURCES := $(sort $(wildcard tb/mff_unit/test_*.c))
MFF_TESTS := $(patsubst %.c,$(BUILD)/%,$(MFF_TEST_SOURCES))
MFF_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/mff_unit/mff_*.c))
MFF_ENV = WARPFAB_BUILD=$(BUILD)

$(BUILD)/tb/mff_unit/%: tb/mff_unit/%.c $(MFF_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-mff_unit test-mff_unit-long wave-mff
##  make test-mff_unit   the MFF unit against its reference model; test-mff_unit-long: ten million elements
test-mff_unit: $(MFF_TESTS)
	@set -e; for t in $(MFF_TESTS); do echo "== $$t"; $(MFF_ENV) $$t; done

test-mff_unit-long: $(BUILD)/tb/mff_unit/test_random
	@$(MFF_ENV) MFF_ELEMENTS=10000000 $<

##  make wave-mff        waveform of one gather: build/mff-gather.fst, and the README's picture of it
wave-mff: $(BUILD)/tb/mff_unit/wave
	@$(MFF_ENV) $< $(BUILD)/mff-gather.fst rtl/mff_unit/gather.svg
