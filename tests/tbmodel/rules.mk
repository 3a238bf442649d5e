##  make bench-model   speed of the model layer itself
.PHONY: bench-model
bench-model: $(BUILD)/tests/tbmodel/bench_model
	@$<
$(BUILD)/tests/tbmodel/bench_model: tests/tbmodel/bench_model.c $(call archives,tbmodel base)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) -lcmocka $(LIBS)
