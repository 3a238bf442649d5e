##  make lint [LINT_DIRS="rtl/common ..."]   every RTL module through Verilator, Icarus and Yosys: no warning passes
LINT_DIRS ?= $(sort $(dir $(wildcard rtl/*/*.v)))
LINT_MODULES := $(wildcard $(addsuffix /*.v,$(patsubst %/,%,$(LINT_DIRS))))
LINT_STAMPS := $(patsubst %.v,$(BUILD)/lint/%.ok,$(LINT_MODULES))
.PHONY: lint
lint: $(LINT_STAMPS)
	@echo "lint: $(words $(LINT_STAMPS)) modules clean in verilator, iverilog and yosys"
$(BUILD)/lint/%.ok: %.v verify/lint/lint verify/lint/misread.awk $(wildcard rtl/*/*.v rtl/*/*.vh)
	@mkdir -p $(@D)
	@verify/lint/lint $< && touch $@
