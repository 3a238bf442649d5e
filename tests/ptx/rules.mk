##  make bench-ptx   nanoseconds per warp instruction of the PTX executor, by instruction
.PHONY: bench-ptx
bench-ptx: $(BUILD)/tests/ptx/bench_ptx
	$(Q)$<
$(BUILD)/tests/ptx/bench_ptx: tests/ptx/bench_ptx.c tests/ptx/lane_harness.h $(call archives,ptx base)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) -lcmocka $(LIBS)

# CUDA programs as clang compiles them at each level: they load, and compute what the host does.
MORE_CHECKS += "ptx/accepts: BUILD=$(BUILD) tests/ptx/accepts.sh"
CAMPAIGN += "ptx/accepts: BUILD=$(BUILD) tests/ptx/accepts.sh --all"
MORE_CHECKS += "ptx/programs: BUILD=$(BUILD) tests/ptx/programs.sh"
