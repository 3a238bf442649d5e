# The SPREF unit's tests: C programs that drive the RTL through the model layer. Models are built on demand.
SPREF_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/spare_reg_pref/test_*.c)))
SPREF_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/spare_reg_pref/spref_*.c))
SPREF_ENV = WARPFAB_BUILD=$(BUILD)
.SECONDARY: $(SPREF_OBJECTS)

$(BUILD)/tb/spare_reg_pref/%: tb/spare_reg_pref/%.c $(SPREF_OBJECTS) $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.o %.a,$^) -lcmocka $(LIBS)

.PHONY: test-spref test-spref-long
##  make test-spref       the SPREF unit against its reference model; test-spref-long: many more programs
test-spref: $(SPREF_TESTS)
	@set -e; for t in $(SPREF_TESTS); do echo "== $$t"; $(SPREF_ENV) $$t; done
test-spref-long: $(BUILD)/tb/spare_reg_pref/test_random
	@$(SPREF_ENV) SPREF_PROGRAMS=20000 $<
MORE_CHECKS += "spare_reg_pref/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-spref"
