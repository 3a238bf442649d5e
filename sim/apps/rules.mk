# Kernels: plain CUDA C to PTX by clang (no CUDA needed), and the PTX into the library as data.
# ptx60: for the vote instructions that clang offers.
CLANG ?= clang-14
APPS_KERNELS := $(wildcard sim/apps/*/*.cu)
APPS_PTX := $(patsubst %.cu,$(BUILD)/ptx/%.ptx,$(notdir $(APPS_KERNELS)))
CUFLAGS := -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S -std=c++17 \
  -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wno-unknown-cuda-version \
  -Xclang -target-feature -Xclang +ptx60
# What is compiled for `warpfab run --ptx x.cu` takes the same, and finds the same headers.
CLANG_USERS := $(addprefix $(BUILD)/obj/sim/,cli/kernel_text.o cuda/clang.o cuda/compile.o)
$(CLANG_USERS): CFLAGS_ALL += -DWF_CLANG='"$(CLANG)"' -DWF_CUFLAGS='"$(CUFLAGS)"'
$(CLANG_USERS): sim/apps/rules.mk
OWN_CUFLAGS := -Werror -Isim/apps $(addprefix -I,$(wildcard sim/apps/*/))
# In these a loop's test and the branch back come last, as assemblers lay them out: units find loops by
# branches backwards.
APPS_PLAIN_LAYOUT := hbfs hsssp hmst lsbfs lssssp lsmst stcon
$(APPS_PLAIN_LAYOUT:%=$(BUILD)/ptx/%.ptx): CUFLAGS += -mllvm -disable-block-placement
$(APPS_PLAIN_LAYOUT:%=$(BUILD)/ptx/%.ptx): PTX_LAYOUT = .raw && awk -f sim/apps/fall_through.awk $@.raw > $@

vpath %.cu $(wildcard sim/apps/*/)
$(BUILD)/ptx/%.ptx: %.cu $(wildcard sim/apps/*.cuh sim/apps/*/*.cuh) sim/apps/rules.mk sim/apps/fall_through.awk
	@mkdir -p $(@D)
	$(call say,PTX)
	$(Q)$(CLANG) $(CUFLAGS) $(OWN_CUFLAGS) $< -o $@$(PTX_LAYOUT)

$(BUILD)/gen/apps_kernels.S: sim/apps/embed.sh $(APPS_PTX)
	@mkdir -p $(@D)
	$(Q)sh sim/apps/embed.sh $(APPS_PTX) > $@.new && mv $@.new $@

$(BUILD)/obj/gen/apps_kernels.o: $(BUILD)/gen/apps_kernels.S
	@mkdir -p $(@D)
	$(Q)$(CC) -c $< -o $@

$(BUILD)/lib/apps.a: $(BUILD)/obj/gen/apps_kernels.o
