# The APCM unit's tests: C programs that drive the RTL through the model layer. Models are built on demand.
APCM_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/apcm/test_*.c)))
APCM_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/apcm/apcm_*.c))
APCM_ENV = WARPFAB_BUILD=$(BUILD)
.SECONDARY: $(APCM_OBJECTS)

$(BUILD)/tb/apcm/%: tb/apcm/%.c $(APCM_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-apcm test-apcm-long
##  make test-apcm       the APCM unit against its reference model; test-apcm-long: ten million cycles
test-apcm: $(APCM_TESTS)
	@set -e; for t in $(APCM_TESTS); do echo "== $$t"; $(APCM_ENV) $$t; done
test-apcm-long: $(BUILD)/tb/apcm/test_random
	@$(APCM_ENV) APCM_CYCLES=10000000 $<
MORE_CHECKS += "apcm/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-apcm"
