##  make paper-teleport   regenerate TELEPORT's figures: build/paper/teleport.{txt,json,svg} (runs are kept: build/paper/runs)
.PHONY: paper-teleport
paper-teleport: build $(BUILD)/tests/papers/paper_teleport
	@mkdir -p $(BUILD)/paper
	@awk -f tests/teleport/paper/teleport-lines.awk sim/apps/preload/{eds,hsp,jac,mma,ptf}.cu > $(BUILD)/paper/teleport-statements.txt
	@set -o pipefail; $(BUILD)/tests/papers/paper_teleport $(BUILD)/warpfab $(BUILD)/paper $(BUILD)/paper/teleport-statements.txt | tee $(BUILD)/paper/teleport.txt; \
	  status=$$?; gnuplot -e "folder='$(BUILD)/paper'" tests/teleport/paper/teleport.gp && echo "$(BUILD)/paper/teleport.svg written"; exit $$status
