# Coverage: [coverage] of a description.
COVERAGE_BIN := $(BUILD)/verify/coverage/wf_coverage
COVERAGE_UNITS = $(shell scripts/units with coverage $(UNIT))
$(COVERAGE_BIN): $(wildcard verify/coverage/*.c) verify/coverage/coverage.h $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
# Programs that keys of a section name: $(call described_programs,SECTION,KEY).
described_programs = $(addprefix $(BUILD)/,$(sort $(shell for u in $$(scripts/units with $(1) $(UNIT)); do \
  sed -n '/^\[$(1)\]/,/^\[/s/^$(2) *= *\([^ ]*\).*/\1/p' $$(scripts/units ini $$u); done)))

.PHONY: coverage coverage-programs
##  make coverage [UNIT=u]   lines, branches, toggles and functional bins that a unit's tests cover; sources with counts
coverage: $(COVERAGE_BIN) $(BUILD)/verify/results/wf_results
	@$(MAKE) --no-print-directory $(call described_programs,coverage,run)
	@BUILD=$(BUILD) verify/coverage/coverage $(COVERAGE_UNITS); code=$$?; \
	  $(BUILD)/verify/results/wf_results $(BUILD) $(COVERAGE_UNITS) && exit $$code
CAMPAIGN += "coverage: $(MAKE) --no-print-directory coverage BUILD=$(BUILD)"
