# The OpenACC translator is a program of its own: only it is linked against libclang, whose loading takes longer than
# many runs. Without libclang-14-dev it is left out, and `warpfab acc` says so.
ACC_CLANG := /usr/lib/llvm-14
ACC_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sim/acc/*.c))
ifneq ($(wildcard $(ACC_CLANG)/include/clang-c/Index.h),)
build: $(BUILD)/warpfab-acc
$(ACC_OBJECTS) $(patsubst %.c,$(BUILD)/tidy/%.ok,$(wildcard sim/acc/*.c)) \
  $(patsubst %.c,$(BUILD)/tidy/%.deep,$(wildcard sim/acc/*.c)) \
  $(BUILD)/tidy/tests/fuzz/fuzz_acc.ok $(BUILD)/tidy/tests/fuzz/fuzz_acc.deep: CFLAGS_ALL += -isystem $(ACC_CLANG)/include
$(BUILD)/warpfab-acc: $(ACC_OBJECTS) $(call archives,base)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $^ -L$(ACC_CLANG)/lib -lclang-14 $(LIBS)
else
FUZZ_LEFT_OUT += acc
endif
# What goes into translated programs is compiled with them.
$(BUILD)/tidy/sim/acc/include/%: CFLAGS_ALL += -isystem sim/cuda/include
# Fuzzing takes the sources as they are; libFuzzer has a main() of its own.
# obstack.h reckons from a null pointer.
FUZZ_FLAGS_acc := -Dmain=unused_main -isystem $(ACC_CLANG)/include -fno-sanitize=pointer-overflow
FUZZ_LIBS_acc := -L$(ACC_CLANG)/lib -lclang-14
