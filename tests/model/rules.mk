##  make bench-model   speed of the model layer itself
.PHONY: bench-model
bench-model: $(BUILD)/tests/model/bench_model
	@$<
$(BUILD)/tests/model/bench_model: tests/model/bench_model.c $(call archives,model base)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) -lcmocka $(LIBS)
