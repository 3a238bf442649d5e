##  make paper-spref    regenerate the figures of prefetching into spare registers: build/paper/spref.{txt,json,svg} (about 11 min; SIZE=full: all kernels on all inputs, hours; runs are kept: build/paper/runs)
.PHONY: paper-spref
paper-spref: build $(BUILD)/tests/papers/paper_spref
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; name=spref$(addprefix -,$(SIZE)); $(BUILD)/tests/papers/paper_spref $(BUILD)/warpfab $(BUILD)/paper $(SIZE) | tee $(BUILD)/paper/$$name.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/spref/paper/spref.gp && echo "$(BUILD)/paper/spref.svg written"; exit $$status
