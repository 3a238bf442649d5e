# Formal proofs: [formal NAME] sections of rtl/*/*.ini, property modules in tb/UNIT/proofs.
FORMAL_BIN := $(BUILD)/verify/formal/wf_formal
FORMAL_UNITS = $(shell scripts/units groups 'formal ' $(UNIT))
$(FORMAL_BIN): $(wildcard verify/formal/*.c) $(wildcard verify/formal/*.h) $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)

.PHONY: formal formal-quick formal-selftest formal-page
##  make formal [UNIT=u]           every proof of every unit, two at a time, kept while nothing changed; writes docs/results
formal: $(FORMAL_BIN)
	@BUILD=$(BUILD) verify/formal/formal prove $(FORMAL_UNITS)
	@$(MAKE) --no-print-directory formal-page
##  make formal-quick [UNIT=u]     the proofs that `make check` runs
formal-quick: $(FORMAL_BIN)
	@BUILD=$(BUILD) verify/formal/formal quick $(FORMAL_UNITS)
##  make formal-selftest [UNIT=u]  seeded bugs, each of which its proof must catch
formal-selftest: $(FORMAL_BIN)
	@BUILD=$(BUILD) verify/formal/formal bugs $(FORMAL_UNITS)
formal-page: $(FORMAL_BIN)
	@set -e; for u in $(FORMAL_UNITS); do $(FORMAL_BIN) page $(BUILD) $$u; done
MORE_CHECKS += "formal-quick: $(MAKE) --no-print-directory formal-quick BUILD=$(BUILD)"
CAMPAIGN += "formal: $(MAKE) --no-print-directory formal BUILD=$(BUILD)" \
  "formal-selftest: $(MAKE) --no-print-directory formal-selftest BUILD=$(BUILD)"
