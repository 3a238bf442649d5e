# warpfab: `make run` and `make check` are all a new user needs; `make help` lists the rest.
BUILD ?= build
SHELL := /bin/bash
CC := gcc
ARCH ?= native
CFLAGS ?= -O3 -march=$(ARCH) -g
# Whether something "may be used uninitialized" depends on what the processor's vectors make of the code: no error.
WARN := -Wall -Wextra -Werror -Wno-error=maybe-uninitialized -Wconversion -Wno-sign-conversion
# No fused multiply-add behind our back: PTX says where one happens.
CFLAGS_ALL := -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off -fPIC \
  $(WARN) $(CFLAGS) -I. -I$(BUILD)/gen $(EXTRA_CFLAGS)
# Commands are shown with V=1.
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")
LIBS := -linih -lcjson -lsqlite3 -lz -llzma -lzstd -lm -ldl -lpthread

# Lowest layer last: an archive may use only those to its right.
MODULES := cli sweep report store cuda apps energy gpu units replay model trace graph ptx mem base
# sim/model/gen is the generator of models, a program of its own.
module_sources = $(filter-out %/main.c sim/model/gen/%,$(wildcard sim/$(1)/*.c sim/$(1)/*/*.c))
archives = $(patsubst %,$(BUILD)/lib/%.a,$(filter $(1),$(MODULES)))
# A unit's folders: rtl/FOLDER (its unit.ini says [unit] name = UNIT), tb/UNIT, sim/units/UNIT, tests/UNIT.
UNITS := $(patsubst sim/units/%/,%,$(sort $(wildcard sim/units/*/)))

.PHONY: all build help
all: build
build: $(BUILD)/warpfab

help:
	@sed -n 's/^##  *//p' $(MAKEFILE_LIST)

define module_rules
$(BUILD)/lib/$(1).a: $(patsubst %.c,$(BUILD)/obj/%.o,$(call module_sources,$(1)))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(call say,AR)
	$(Q)ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach m,$(MODULES),$(eval $(call module_rules,$(m))))

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(BUILD)/warpfab: $(BUILD)/obj/sim/cli/main.o $(call archives,$(MODULES))
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic -o $@ -Wl,--whole-archive $(LINK_WHOLE) -Wl,--no-whole-archive \
	  $(filter-out $(LINK_WHOLE),$^) $(LIBS)

# The classes of the units there are (sim/seam/unit.h).
$(BUILD)/gen/units.c: $(wildcard sim/units/*/) Makefile
	@mkdir -p $(@D)
	$(Q){ printf '#include "sim/seam/unit.h"\n\n'; printf 'extern const wf_unit_class wf_unit_%s;\n' $(UNITS); \
	  printf 'const wf_unit_class *const wf_unit_list[] = {'; \
	  printf '&wf_unit_%s, ' $(UNITS); printf 'NULL};\n'; } >$@.new && \
	  { cmp -s $@.new $@ || cp $@.new $@; rm $@.new; touch $@; }
$(BUILD)/obj/gen/units.o: $(BUILD)/gen/units.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@
$(BUILD)/lib/units.a: $(BUILD)/obj/gen/units.o

# Tests: tests/<module>/test_*.c, each one cmocka program over its module and the layers below; tests/<unit>/ over all.
TEST_SOURCES := $(wildcard tests/*/test_*.c)
TESTS := $(patsubst %.c,$(BUILD)/%,$(TEST_SOURCES))
from = $(if $(filter $(1),$(firstword $(2))),$(2),$(call from,$(1),$(wordlist 2,$(words $(2)),$(2))))
below = $(if $(filter $(1),$(MODULES)),$(call from,$(1),$(MODULES)),$(MODULES))
define test_rule
$(BUILD)/$(basename $(1)): $(1) $(call archives,$(call below,$(word 2,$(subst /, ,$(1)))))
	@mkdir -p $$(@D)
	$$(call say,TEST)
	$(Q)$(CC) $$(CFLAGS_ALL) -MMD -MP -o $$@ $$(filter %.c %.o %.a,$$^) -lcmocka $(LIBS)
endef
$(foreach t,$(TEST_SOURCES),$(eval $(call test_rule,$(t))))

##  make test-MODULE   build and run the unit tests of one module (tests/MODULE)
.PHONY: $(addprefix test-,$(MODULES))
$(addprefix test-,$(MODULES)): test-%:
	@$(MAKE) --no-print-directory $(filter $(BUILD)/tests/$*/%,$(TESTS))
	@set -e; for t in $(filter $(BUILD)/tests/$*/%,$(TESTS)); do echo "== $$t"; $$t; done

##  make run            BFS and PageRank on the shipped graph, without and with a unit (UNIT=mff), side by side
.PHONY: run bootstrap
bootstrap:
	@scripts/bootstrap
run: bootstrap
	@$(MAKE) --no-print-directory -j2 build >$(BUILD).log 2>&1 || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@BUILD=$(BUILD) UNIT=$(UNIT) scripts/demo

##  make quick-look     a first result in under a minute: one program without and with one unit (UNIT=apcm)
.PHONY: quick-look
quick-look: bootstrap
	@$(MAKE) --no-print-directory -j2 build >$(BUILD).log 2>&1 || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@BUILD=$(BUILD) UNIT=$(UNIT) scripts/quick-look

##  make check          everything that must hold, with a list of what passed (CI runs this)
# MORE_CHECKS grows by one line per check: "name: command", added by the rules.mk that brings it.
CHECKS = $(foreach t,$(filter-out $(UNITS:%=$(BUILD)/tests/%/%),$(TESTS)), \
  "$(patsubst $(BUILD)/%,%,$(t)): $(t)") $(MORE_CHECKS)
.PHONY: check check-built
check: bootstrap
	@$(MAKE) -j2 --no-print-directory build $(TESTS)
	@$(MAKE) --no-print-directory check-built
check-built: build $(TESTS)
	@BUILD=$(BUILD) scripts/check $(CHECKS)

##  make quick          two minutes: build, unit tests, tests and lint and layout of what changed
.PHONY: quick
quick: build $(TESTS)
	@BUILD=$(BUILD) scripts/quick $(CHECKS)

##  make campaign       hours: the long form of every check (all proofs, coverage, mutation, seeded bugs, ten million cycles, fuzzing)
# CAMPAIGN grows as MORE_CHECKS does.
.PHONY: campaign
campaign: bootstrap build $(TESTS)
	@BUILD=$(BUILD) WARPFAB_QUICK= CHECK_LOGS=campaign scripts/check $(CAMPAIGN)

##  make bench          speed of the bench against its targets, as ratios from one run
.PHONY: bench
bench: bootstrap build
	@BUILD=$(BUILD) SHARED=$(SHARED) UNIT=$(UNIT) scripts/bench

##  make clean          remove everything built
.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
-include */rules.mk */*/rules.mk */*/*/rules.mk
include tb/units.mk
