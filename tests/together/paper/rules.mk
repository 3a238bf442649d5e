TOGETHER_PARTS := traces whole beside beside-a100 beside-h100 beside-rtx4090
##  make paper-together-all   the table of all units and all its further parts; together-all.json has what each writes
.PHONY: paper-together-all
paper-together-all: build
	@status=0; begun=$$(date +%s); for part in "" $(TOGETHER_PARTS); do \
	  $(MAKE) --no-print-directory paper-together PART="$$part" || status=1; \
	done; BUILD=$(BUILD) tests/together/paper/merge $(TOGETHER_PARTS) && \
	echo "$(BUILD)/paper/together-all.json written, $$(( ($$(date +%s) - begun) / 60 )) minutes"; exit $$status
