##  make fuzz           feed generated input to the readers, SECONDS=60 for each; FUZZ=graph picks one
# tests/fuzz/fuzz_<x>.c (libFuzzer) is built with the sources of sim/<x> and sim/base. Optional beside it:
# <x>.dict, a dictionary; seeds_<x>.c, a program that writes first inputs into the folder it is given;
# seeds/<x>/, a folder of them. The corpus is kept in $(BUILD)/fuzz/<x>/corpus. A finding fails the run
# and is left in $(BUILD)/fuzz/<x>/.
SECONDS ?= 60
FUZZ ?= $(filter-out $(FUZZ_LEFT_OUT),$(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_CC ?= clang-14
FUZZ_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off -O1 -g -fno-omit-frame-pointer \
  -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fno-sanitize-recover=undefined -I. -I$(BUILD)/gen \
  -DWF_HOME='"."' -DWF_BUILD='"$(BUILD)"'
FUZZ_LIBS := -linih -lcjson -lsqlite3 -lz -llzma -lzstd -lm -ldl -lpthread
# FUZZ_NEEDS_<x>: further modules, FUZZ_FLAGS_<x>, FUZZ_LIBS_<x>: of the compiler; in the rules.mk of the fuzzed one.
# What a module gives to other programs (include/) is none of its own.
fuzz_sources = $(filter-out $(wildcard sim/*/include/*),$(foreach m,$(1) $(FUZZ_NEEDS_$(1)) base,$(call module_sources,$(m))))
fuzz_headers = $(wildcard $(call src_dir,$(1))/*.h sim/base/*.h)

.PHONY: fuzz $(addprefix fuzz-,$(FUZZ))
fuzz: $(addprefix fuzz-,$(FUZZ))

define fuzz_rule
$(BUILD)/fuzz/$(1)/fuzz: tests/fuzz/fuzz_$(1).c $(call fuzz_sources,$(1)) $(call fuzz_headers,$(1))
	@mkdir -p $$(@D)
	$$(call say,FUZZ)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer,address,undefined $$(FUZZ_FLAGS_$(1)) -o $$@ $$(filter %.c,$$^) $(FUZZ_LIBS) $$(FUZZ_LIBS_$(1))

$(BUILD)/fuzz/$(1)/corpus: $(wildcard tests/fuzz/seeds_$(1).c) $(wildcard tests/fuzz/seeds/$(1)/*)
	@mkdir -p $$@
	$(if $(wildcard tests/fuzz/seeds_$(1).c),$(FUZZ_CC) $(FUZZ_CFLAGS) -o $(BUILD)/fuzz/$(1)/seeds \
	  tests/fuzz/seeds_$(1).c $(call fuzz_sources,$(1)) $(FUZZ_LIBS) && $(BUILD)/fuzz/$(1)/seeds $$@)
	$(if $(wildcard tests/fuzz/seeds/$(1)/*),cp tests/fuzz/seeds/$(1)/* $$@)
	@touch $$@

fuzz-$(1): $(BUILD)/fuzz/$(1)/fuzz $(BUILD)/fuzz/$(1)/corpus
	ASAN_OPTIONS=quarantine_size_mb=64 $(BUILD)/fuzz/$(1)/fuzz -max_total_time=$(SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
	  -print_final_stats=1 -verbosity=0 $(addprefix -dict=,$(wildcard tests/fuzz/$(1).dict)) \
	  -artifact_prefix=$(BUILD)/fuzz/$(1)/ $(BUILD)/fuzz/$(1)/corpus
endef
$(foreach x,$(FUZZ),$(eval $(call fuzz_rule,$(x))))
CAMPAIGN += "fuzz: $(MAKE) --no-print-directory BUILD=$(BUILD) fuzz SECONDS=300"
