##  make bench-mem     speed of the memory system alone, ns per core cycle
.PHONY: bench-mem
$(BUILD)/tests/mem/bench_mem: tests/mem/bench_mem.c $(BUILD)/lib/mem.a $(BUILD)/lib/base.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -o $@ $(filter %.c %.a,$^)
bench-mem: $(BUILD)/tests/mem/bench_mem
	$<
