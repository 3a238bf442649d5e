##  make paper-apcm     regenerate the APCM paper's figures: build/paper/apcm.{txt,json,svg}; PART="12 14" some of them (runs are kept: build/paper/runs)
.PHONY: paper-apcm
paper-apcm: build $(BUILD)/tests/papers/paper_apcm
	@mkdir -p $(BUILD)/paper
	@set -o pipefail; name=apcm$(if $(PART),-$(firstword $(PART))); \
	  $(BUILD)/tests/papers/paper_apcm $(BUILD)/warpfab $(BUILD)/paper $(SHARED)/data/graphs $(PART) | tee $(BUILD)/paper/$$name.txt; status=$$?; \
	  $(if $(PART),true,gnuplot -e "folder='$(BUILD)/paper'" tests/apcm/paper/apcm.gp && echo "$(BUILD)/paper/apcm.svg written"); exit $$status
