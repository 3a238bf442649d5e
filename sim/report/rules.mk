# What a page brings along for a browser, as text: uPlot (uplot/: dist of the npm package uplot 1.6.32, MIT) and the
# page's own script.
PAGE_TEXTS := uplot:uplot/uPlot.iife.min.js uplot_style:uplot/uPlot.min.css uplot_licence:uplot/LICENSE script:page.js
$(BUILD)/gen/page_texts.c: $(foreach t,$(PAGE_TEXTS),sim/report/$(lastword $(subst :, ,$(t)))) sim/report/rules.mk
	@mkdir -p $(@D)
	$(Q){ printf '#include "sim/report/page_internal.h"\n'; for t in $(PAGE_TEXTS); do \
	  printf '\nconst char wf_page_%s[] =\n' "$${t%%:*}"; \
	  sed 's/[\\"?]/\\&/g; s/^/"/; s/$$/\\n"/' "sim/report/$${t#*:}"; printf ';\n'; done; } >$@
$(BUILD)/obj/gen/page_texts.o: $(BUILD)/gen/page_texts.c sim/report/page_internal.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@
$(BUILD)/lib/report.a: $(BUILD)/obj/gen/page_texts.o
