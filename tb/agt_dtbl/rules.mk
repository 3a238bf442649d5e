# Tests of the DTBL scheduler: C programs that drive the RTL through the model layer. Models are built on demand.
DTBL_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/agt_dtbl/test_*.c)))
DTBL_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/agt_dtbl/dtbl_*.c))
DTBL_ENV = WARPFAB_BUILD=$(BUILD)
.SECONDARY: $(DTBL_OBJECTS)

$(BUILD)/tb/agt_dtbl/%: tb/agt_dtbl/%.c $(DTBL_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-agt_dtbl test-agt_dtbl-long
##  make test-agt_dtbl   the DTBL scheduler against its reference model and judge; test-agt_dtbl-long: ten million cycles
test-agt_dtbl: $(DTBL_TESTS)
	@set -e; for t in $(DTBL_TESTS); do echo "== $$t"; $(DTBL_ENV) $$t; done
test-agt_dtbl-long: $(BUILD)/tb/agt_dtbl/test_random
	@$(DTBL_ENV) DTBL_CYCLES=10000000 $<
MORE_CHECKS += "agt_dtbl/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-agt_dtbl"
