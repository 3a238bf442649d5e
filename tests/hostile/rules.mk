# What a full or failing machine does to every command: tests/hostile/faults.c.
HOSTILE_LIBRARY := $(BUILD)/tests/hostile/faults.so
$(HOSTILE_LIBRARY): tests/hostile/faults.c
	@mkdir -p $(@D)
	$(call say,SO)
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -shared -fPIC -o $@ $< -ldl

check-built: $(HOSTILE_LIBRARY)
MORE_CHECKS += "hostile/faults: BUILD=$(BUILD) tests/hostile/hostile.sh 14"
CAMPAIGN += "hostile: $(MAKE) --no-print-directory BUILD=$(BUILD) hostile"

##  make hostile        every command with failing calls, then the same under ASan and UBSan; CALLS=200 of each function (0: all, hours)
CALLS ?= 200
HOSTILE_CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
# There the faults are linked in: a preloaded malloc does not go with ASan's.
HOSTILE_WRAPS := $(foreach f, \
  malloc calloc realloc free write pwrite pwrite64 open open64 fopen fopen64 mmap rename fsync fdatasync close fflush glob,-Wl,--wrap=$(f))
$(BUILD)/tests/hostile/faults.o: tests/hostile/faults.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -DWF_LINKED -c -o $@ $<
.PHONY: hostile
hostile: build $(HOSTILE_LIBRARY)
	BUILD=$(BUILD) tests/hostile/hostile.sh $(CALLS)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/hostile $(BUILD)/hostile/tests/hostile/faults.o
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/hostile CFLAGS="$(HOSTILE_CFLAGS)" \
	  LIBS="$(BUILD)/hostile/tests/hostile/faults.o $(HOSTILE_WRAPS) $(LIBS)" $(BUILD)/hostile/warpfab $(BUILD)/hostile/warpfab-replay
	BUILD=$(BUILD)/hostile WARPFAB_BUILD=$(BUILD) tests/hostile/hostile.sh $(CALLS)
	ASAN_OPTIONS=handle_segv=0:handle_sigfpe=0:handle_sigill=0 BUILD=$(BUILD)/hostile WARPFAB_BUILD=$(BUILD) tests/system/lossless.sh
	BUILD=$(BUILD)/hostile WARPFAB_BUILD=$(BUILD) tests/system/bad_input.sh
