# Mutation: [mutate] of rtl/UNIT/unit.ini, hand-written bugs in tb/UNIT/mutants.txt.
MUTATE_BIN := $(BUILD)/tb/mutate/wf_mutate
MUTATE_UNITS := $(sort $(notdir $(patsubst %/,%,$(dir $(shell grep -ls '^\[mutate\]' rtl/*/unit.ini)))))
$(MUTATE_BIN): $(wildcard tb/mutate/*.c) tb/mutate/mutate.h $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
# The programs that kill, from the units' descriptions.
mutate_killers = $(addprefix $(BUILD)/,$(sort $(shell sed -n 's/^kill *= *\([^ ]*\).*/\1/p' $(patsubst %,rtl/%/unit.ini,$(1)))))

.PHONY: mutate mutate-check
##  make mutate [UNIT=u]   seeded faults of every unit, each of which some test must notice; survivors are listed
mutate: $(MUTATE_BIN) $(call mutate_killers,$(or $(UNIT),$(MUTATE_UNITS)))
	@worst=0; for u in $(or $(UNIT),$(MUTATE_UNITS)); do \
	  $(MUTATE_BIN) run $(BUILD) $$u; code=$$?; [ $$code -gt $$worst ] && worst=$$code; \
	  if [ -x tb/$$u/mutate ]; then tb/$$u/mutate $(BUILD) $(BUILD)/tb/$$u/test_random; code=$$?; \
	    [ $$code -gt $$worst ] && worst=$$code; fi; done; exit $$worst
mutate_checks = $(addprefix mutate-check-,$(or $(UNIT),$(MUTATE_UNITS)))
.PHONY: $(mutate_checks)
mutate-check: $(mutate_checks)
$(mutate_checks): mutate-check-%: $(MUTATE_BIN) $(call mutate_killers,$(or $(UNIT),$(MUTATE_UNITS)))
	@$(MUTATE_BIN) run $(BUILD) $* check
