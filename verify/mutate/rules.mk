# Mutation: [mutate] of a description, hand-written bugs in mutants.txt beside its tests.
MUTATE_BIN := $(BUILD)/verify/mutate/wf_mutate
MUTATE_UNITS = $(shell scripts/units with mutate $(UNIT))
$(MUTATE_BIN): $(wildcard verify/mutate/*.c) verify/mutate/mutate.h $(call archives,model base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

.PHONY: mutate mutate-check mutate-seeded mutate-seeded-check
##  make mutate [UNIT=u]   seeded faults of every unit, each of which some test must notice; survivors are listed
mutate: $(MUTATE_BIN)
	@$(MAKE) --no-print-directory $(call described_programs,mutate,kill)
	@worst=0; for u in $(MUTATE_UNITS); do \
	  $(MUTATE_BIN) run $(BUILD) $$u; code=$$?; [ $$code -gt $$worst ] && worst=$$code; done; exit $$worst
	@$(MAKE) --no-print-directory mutate-seeded UNIT="$(UNIT)"
##  make mutate-seeded [UNIT=u]   only the hand-written bugs; BUGS=12-20,31: only these (pieces add up)
mutate-seeded: $(BUILD)/verify/results/wf_results
	@$(MAKE) --no-print-directory $(call described_programs,mutate,seeded)
	@worst=0; for u in $(MUTATE_UNITS); do \
	  verify/mutate/seeded $(BUILD) $$u; code=$$?; [ $$code -gt $$worst ] && worst=$$code; done; \
	  $(BUILD)/verify/results/wf_results $(BUILD) $(MUTATE_UNITS) && exit $$worst
mutate-seeded-check:
	@set -e; for u in $(MUTATE_UNITS); do verify/mutate/seeded $(BUILD) $$u --check; done
MORE_CHECKS += "mutate/seeded: $(MAKE) --no-print-directory mutate-seeded-check BUILD=$(BUILD)"
mutate-check: $(MUTATE_BIN)
	@$(MAKE) --no-print-directory $(call described_programs,mutate,kill)
	@printf '%s\n' $(MUTATE_UNITS) | xargs -P 2 -I{} $(MUTATE_BIN) run $(BUILD) {} check
# The hand-written bugs are part of it.
CAMPAIGN += "mutate: $(MAKE) --no-print-directory mutate BUILD=$(BUILD)"
