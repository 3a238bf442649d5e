# Habits held by machines: the layout of files, faults that clang-tidy sees, and what pages say is there.
STYLE_FOLDERS := rtl tb sim verify synth tests tools
STYLE_NAMES := -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.v' -o -name '*.vh'
# Scripts; a change of two of them makes all models, or netlists, anew.
STYLE_SCRIPTS := -name '*.sh' -o -perm -100 ! -name '*.*' ! -path sim/model/build-model ! -path verify/mutate/netlist
STYLE_PAGES = $(shell find *.md data docs $(STYLE_FOLDERS) -name '*.md')
# tests/acc/programs are programs as users write them.
TIDY_STAMPS := $(patsubst %.c,$(BUILD)/tidy/%.ok,$(filter-out tests/acc/programs/%, \
  $(wildcard $(addsuffix /*.c,$(addprefix sim/,*/*/* */* *) \
  $(addprefix tb/,*/* *) $(addprefix tests/,*/* *) verify/* synth synth/* tools/*))))
# What a fault costs there is minutes of a processor: paths through functions, followed one by one.
# Without those that found only what cannot be.
empty :=
comma := ,
TIDY_DEEP := $(subst $(empty) ,$(comma),-* clang-analyzer-* \
  $(addprefix -clang-analyzer-,core.DivideZero core.NullDereference core.UndefinedBinaryOperatorResult \
    unix.Malloc valist.Uninitialized security.insecureAPI.* optin.performance*))
# Of the compiler's warnings those that gcc does not give, but for three that tests meet.
tidy_flags = $(filter-out -O% -march=% -g -Wno-error=%,$(CFLAGS_ALL)) -Wno-float-conversion -Wno-unused-function \
  -Wno-missing-field-initializers \
  -DWF_HOME='"."' -DWF_BUILD='"$(BUILD)"' -DWF_CLANG='""' -DWF_CUFLAGS='""' -DWF_VERSION='"0"'

.PHONY: format style style-layout style-tidy style-tidy-deep style-pages
##  make format         C as .clang-format says
format:
	@find $(STYLE_FOLDERS) scripts -name '*.[ch]' -exec clang-format -i {} +
##  make style          layout of files, clang-tidy, links and commands of pages (style-layout, style-tidy, style-pages)
style: style-layout style-tidy style-pages
# Only what is newer than the last time it was all right.
style-layout:
	@mkdir -p $(BUILD)/style
	@[ -e $(BUILD)/style/layout -a .clang-format -ot $(BUILD)/style/layout -a \
	  verify/style/layout -ot $(BUILD)/style/layout ] || touch -d @0 $(BUILD)/style/layout
	@touch $(BUILD)/style/layout.new
	@find $(STYLE_FOLDERS) scripts -type f \( $(STYLE_NAMES) -o $(STYLE_SCRIPTS) \) -newer $(BUILD)/style/layout -exec verify/style/layout {} +
	@mv $(BUILD)/style/layout.new $(BUILD)/style/layout
style-tidy: $(TIDY_STAMPS)
	@echo "tidy: $(words $(TIDY_STAMPS)) files"
##  make style-tidy-deep    the analyzer of clang over all C: three minutes
style-tidy-deep: $(TIDY_STAMPS:.ok=.deep)
	@echo "tidy: $(words $(TIDY_STAMPS)) files, every path"
# Findings are parts of docs/results/*.md, and their links are seen there.
style-pages: $(BUILD)/warpfab
	@verify/style/pages $(BUILD) $(filter-out $(wildcard tests/*/paper/findings*.md),$(STYLE_PAGES))
	@verify/style/layout $(STYLE_PAGES)
# Beside each stamp the headers it is made from.
$(BUILD)/tidy/%.ok: %.c .clang-tidy verify/style/tidy | $(BUILD)/gen/units.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	@verify/style/tidy $< "" $(tidy_flags) && touch $@
$(BUILD)/tidy/%.deep: %.c verify/style/tidy verify/style/rules.mk $(BUILD)/tidy/%.ok
	@verify/style/tidy $< '$(TIDY_DEEP)' $(tidy_flags) && touch $@
MORE_CHECKS += "style/layout: $(MAKE) --no-print-directory style-layout BUILD=$(BUILD)" \
  "style/tidy: $(MAKE) --no-print-directory style-tidy BUILD=$(BUILD)" \
  "style/pages: $(MAKE) --no-print-directory style-pages BUILD=$(BUILD)"
CAMPAIGN += "style/tidy-deep: $(MAKE) --no-print-directory style-tidy-deep BUILD=$(BUILD)"
