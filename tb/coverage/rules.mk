# Coverage: [coverage] of rtl/UNIT/unit.ini.
COVERAGE_BIN := $(BUILD)/tb/coverage/wf_coverage
COVERAGE_UNITS := $(sort $(notdir $(patsubst %/,%,$(dir $(shell grep -ls '^\[coverage\]' rtl/*/unit.ini)))))
$(COVERAGE_BIN): $(wildcard tb/coverage/*.c) tb/coverage/coverage.h $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
coverage_tests = $(addprefix $(BUILD)/,$(sort $(shell sed -n '/^\[coverage\]/,/^\[[^c]/s/^run *= *\([^ ]*\).*/\1/p' $(patsubst %,rtl/%/unit.ini,$(1)))))

.PHONY: coverage
##  make coverage [UNIT=u]   lines, branches, toggles and functional bins that a unit's tests cover; sources with counts
coverage: $(COVERAGE_BIN) $(call coverage_tests,$(or $(UNIT),$(COVERAGE_UNITS)))
	@BUILD=$(BUILD) tb/coverage/coverage $(or $(UNIT),$(COVERAGE_UNITS))
