# Kernels: plain CUDA C to PTX by clang (no CUDA needed), and the PTX into the library as data.
# ptx60: for the vote instructions that clang offers.
CLANG ?= clang-14
APPS_KERNELS := $(wildcard sim/apps/kernels/*.cu)
APPS_PTX := $(patsubst sim/apps/kernels/%.cu,$(BUILD)/ptx/%.ptx,$(APPS_KERNELS))
CUFLAGS := -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S -std=c++17 \
  -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unknown-cuda-version \
  -Xclang -target-feature -Xclang +ptx60 -Isim/apps/kernels

$(BUILD)/ptx/%.ptx: sim/apps/kernels/%.cu $(wildcard sim/apps/kernels/*.cuh) sim/apps/rules.mk
	@mkdir -p $(@D)
	$(call say,PTX)
	$(Q)$(CLANG) $(CUFLAGS) $< -o $@

$(BUILD)/gen/apps_kernels.S: sim/apps/embed.sh $(APPS_PTX)
	@mkdir -p $(@D)
	$(Q)sh sim/apps/embed.sh $(APPS_PTX) > $@.new && mv $@.new $@

$(BUILD)/obj/gen/apps_kernels.o: $(BUILD)/gen/apps_kernels.S
	@mkdir -p $(@D)
	$(Q)$(CC) -c $< -o $@

$(BUILD)/lib/apps.a: $(BUILD)/obj/gen/apps_kernels.o
