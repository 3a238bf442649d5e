# Benches: C programs that drive RTL through the model layer; models are built on demand. A bench is a folder of
# tb/ (or one below it, for a unit with several top modules) with test_*.c; its other sources are linked into each of its tests.
BENCHES := $(patsubst tb/%/,%,$(sort $(dir $(wildcard tb/*/test_*.c tb/*/*/test_*.c))))
BENCH_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/*/test_*.c tb/*/*/test_*.c)))
BENCH_COMMON := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/common/*.c))
bench_tests = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tb/$(1)/test_*.c)))
bench_parts = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tb/$(1)/test_%.c,$(wildcard tb/$(1)/*.c)))
.SECONDARY: $(BENCH_COMMON) $(foreach b,$(BENCHES),$(call bench_parts,$(b)))

define bench_rule
$(BUILD)/tb/$(1)/%: tb/$(1)/%.c $(call bench_parts,$(1)) $(BENCH_COMMON) $(call archives,model base)
	@mkdir -p $$(@D)
	$$(call say,TEST)
	$(Q)$(CC) $$(CFLAGS_ALL) -MMD -MP -o $$@ $$(filter %.c %.o %.a,$$^) -lcmocka $(LIBS)
endef
$(foreach b,$(BENCHES),$(eval $(call bench_rule,$(b))))

##  make test-UNIT     a unit's RTL against its reference model; test-UNIT-long: its [tests] long = ..., ten million cycles or more
unit_benches = $(filter $(1) $(1)/%,$(BENCHES))
unit_bench_tests = $(foreach b,$(call unit_benches,$(1)),$(call bench_tests,$(b)))
unit_tests_key = $(shell sed -n '/^\[tests\]/,/^\[[^t]/s/^$(2) *= *//p' \
  $(wildcard $(dir $(shell grep -l '^name *= *$(1)$$' rtl/*/unit.ini))*.ini)$(3))
long_runs = $(call unit_tests_key,$(1),long, | tr ' ' '|')
# [tests] check = NAME=VALUE ...: how much of it `make check` runs.
check_settings = $(call unit_tests_key,$(1),check)
define unit_rules
.PHONY: test-$(1) test-$(1)-long
test-$(1): $(call unit_bench_tests,$(1)) $(filter $(BUILD)/tests/$(1)/%,$(TESTS))
	@set -e; for t in $$^; do echo "== $$$$t"; WARPFAB_BUILD=$(BUILD) $$$$t; done
test-$(1)-long: $(call unit_bench_tests,$(1))
	@set -e; for r in $$(foreach r,$$(call long_runs,$(1)),'$$(r)'); do \
	  IFS='|' read -r t vars <<<"$$$$r"; echo "== $$$$r"; env WARPFAB_BUILD=$(BUILD) $$$${vars//|/ } $(BUILD)/$$$$t; done
MORE_CHECKS += "$(1)/tests: $(strip $(call check_settings,$(1)) $(MAKE)) --no-print-directory BUILD=$(BUILD) test-$(1)"
CAMPAIGN += "$(1)/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-$(1) test-$(1)-long"
MORE_CHECKS += $(foreach s,$(wildcard tests/$(1)/*.sh),"$(s:tests/%.sh=%): BUILD=$(BUILD) SHARED=$(SHARED) $(s)")
endef
$(foreach u,$(UNITS),$(eval $(call unit_rules,$(u))))
