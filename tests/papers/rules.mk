# Experiments: a folder tests/UNIT/paper with a C file that defines `paper_this` (tests/papers/paper.h) is one.
SHARED ?= ../shared
PAPER_SHARED := $(filter-out %/check.c,$(wildcard tests/papers/*.[ch]))
PAPERS := $(sort $(patsubst tests/%/paper/,%,$(wildcard tests/*/paper/)))
##  make paper-UNIT     a paper's figures beside ours: build/paper/UNIT.{txt,json,svg}, docs/results/UNIT.md; PART="..." some of them (runs are kept); ORDERS=3: each row over three orders of arbitration
.PHONY: $(addprefix paper-,$(PAPERS))
define paper_rule
$(BUILD)/tests/papers/paper_$(1): $(wildcard tests/$(1)/paper/*.[ch]) $(PAPER_SHARED) \
  $(call archives,$(call below,report))
	@mkdir -p $$(@D)
	$$(call say,TEST)
	$(Q)$(CC) $$(CFLAGS_ALL) -rdynamic -o $$@ $$(filter %.c %.a,$$^) $(LIBS)
paper-$(1): build $(BUILD)/tests/papers/paper_$(1)
	@BUILD=$(BUILD) SHARED=$(SHARED) tests/papers/run $(1) $(PART)
endef
$(foreach u,$(PAPERS),$(eval $(call paper_rule,$(u))))

# Their own test: judgement, means, findings.
$(BUILD)/tests/papers/check: tests/papers/check.c $(filter-out %/main.c %/launched.c %/graph_kernels.c,$(PAPER_SHARED)) $(call archives,report store base)
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) -lcmocka $(LIBS)
MORE_CHECKS += "papers/rows: $(BUILD)/tests/papers/check" "papers/spot: BUILD=$(BUILD) tests/papers/spot.sh"
check-built: $(BUILD)/tests/papers/check
