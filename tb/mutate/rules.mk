# Mutation: [mutate] of rtl/UNIT/unit.ini, hand-written bugs in tb/UNIT/mutants.txt.
MUTATE_BIN := $(BUILD)/tb/mutate/wf_mutate
MUTATE_UNITS := $(sort $(notdir $(patsubst %/,%,$(dir $(shell grep -ls '^\[mutate\]' rtl/*/unit.ini)))))
$(MUTATE_BIN): $(wildcard tb/mutate/*.c) tb/mutate/mutate.h $(call archives,tbmodel base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
# The programs that kill, from the units' descriptions.
mutate_programs = $(addprefix $(BUILD)/,$(sort $(shell sed -n 's/^$(1) *= *\([^ ]*\).*/\1/p' $(patsubst %,rtl/%/unit.ini,$(2)))))
SEEDED_UNITS := $(patsubst tb/%/mutants.txt,%,$(wildcard tb/*/mutants.txt))

.PHONY: mutate mutate-check mutate-seeded mutate-seeded-check
##  make mutate [UNIT=u]   seeded faults of every unit, each of which some test must notice; survivors are listed
mutate: $(MUTATE_BIN) $(call mutate_programs,kill,$(filter $(MUTATE_UNITS),$(or $(UNIT),$(MUTATE_UNITS))))
	@worst=0; for u in $(or $(UNIT),$(MUTATE_UNITS)); do \
	  $(MUTATE_BIN) run $(BUILD) $$u; code=$$?; [ $$code -gt $$worst ] && worst=$$code; done; exit $$worst
	@$(if $(filter $(SEEDED_UNITS),$(or $(UNIT),$(MUTATE_UNITS))),$(MAKE) --no-print-directory mutate-seeded UNIT="$(filter $(SEEDED_UNITS),$(or $(UNIT),$(MUTATE_UNITS)))")
##  make mutate-seeded [UNIT=u]   only the hand-written bugs, tb/UNIT/mutants.txt
mutate-seeded: $(call mutate_programs,seeded,$(filter $(SEEDED_UNITS),$(or $(UNIT),$(SEEDED_UNITS))))
	@worst=0; for u in $(or $(UNIT),$(SEEDED_UNITS)); do \
	  tb/mutate/seeded $(BUILD) $$u; code=$$?; [ $$code -gt $$worst ] && worst=$$code; done; exit $$worst
mutate-seeded-check:
	@set -e; for u in $(SEEDED_UNITS); do tb/mutate/seeded $(BUILD) $$u --check; done
MORE_CHECKS += "mutate/seeded: $(MAKE) --no-print-directory mutate-seeded-check BUILD=$(BUILD)"
mutate_checks = $(addprefix mutate-check-,$(or $(UNIT),$(MUTATE_UNITS)))
.PHONY: $(mutate_checks)
mutate-check: $(mutate_checks)
$(mutate_checks): mutate-check-%: $(MUTATE_BIN) $(call mutate_programs,kill,$(filter $(MUTATE_UNITS),$(or $(UNIT),$(MUTATE_UNITS))))
	@$(MUTATE_BIN) run $(BUILD) $* check
