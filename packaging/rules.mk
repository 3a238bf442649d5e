# Installation: programs, library with versioned symbols, headers, what models of RTL are built from, man pages,
# completion; Debian packages.
VERSION := 0.1.0
SOVERSION := 0
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
INSTALLED := $(BUILD)/install
# Packagers' flags for the linker.
EXTRA_LDFLAGS ?=

$(BUILD)/obj/sim/cli/main.o: CFLAGS_ALL += -DWF_VERSION='"$(VERSION)"'
$(BUILD)/obj/sim/cli/main.o: packaging/rules.mk

# All objects of the library but the one that knows where the tree is: the installed one knows PREFIX.
library_objects = $(filter-out %/wf_home.o,$(foreach m,$(filter-out cli,$(MODULES)),$(patsubst %.c,$(BUILD)/obj/%.o,$(call module_sources,$(m))))) \
  $(addprefix $(BUILD)/obj/gen/,units.o apps_kernels.o page_texts.o)
cli_objects = $(BUILD)/obj/sim/cli/main.o $(patsubst %.c,$(BUILD)/obj/%.o,$(call module_sources,cli))
$(INSTALLED)/wf_home.o: sim/base/wf_home.c FORCE
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -DWF_BUILD=% -DWF_HOME=%,$(CFLAGS_ALL)) -DWF_HOME='"$(PREFIX)/share/warpfab"' -c $< -o $@
.PHONY: FORCE
FORCE:
$(INSTALLED)/libwarpfab.so.$(VERSION): $(call library_objects) $(INSTALLED)/wf_home.o packaging/libwarpfab.map
	$(call say,LINK)
	$(Q)$(CC) -shared -Wl,-soname,libwarpfab.so.$(SOVERSION) -Wl,--version-script,packaging/libwarpfab.map -Wl,-z,defs \
	  $(EXTRA_LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)
$(INSTALLED)/warpfab: $(call cli_objects) $(call library_objects) $(INSTALLED)/wf_home.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic $(EXTRA_LDFLAGS) -o $@ $^ $(LIBS)
$(INSTALLED)/warpfab-replay: $(BUILD)/obj/sim/replay/main.o $(call library_objects) $(INSTALLED)/wf_home.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic $(EXTRA_LDFLAGS) -o $@ $^ $(LIBS)

##  make man            manual pages, from what --help says
.PHONY: man
man: $(BUILD)/warpfab
	@BUILD=$(BUILD) packaging/man $(VERSION)

##  make install        programs, libwarpfab, headers, RTL, man pages, completion: PREFIX=/usr/local DESTDIR=
.PHONY: install install-files
install: bootstrap
	@$(MAKE) --no-print-directory install-files
install-files: build man
	@$(MAKE) --no-print-directory $(INSTALLED)/warpfab $(INSTALLED)/warpfab-replay $(INSTALLED)/libwarpfab.so.$(VERSION)
	@BUILD=$(BUILD) LIBS="$(LIBS)" packaging/install "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" $(VERSION) $(SOVERSION)
MORE_CHECKS += "install/prefix: BUILD=$(BUILD) packaging/check" "install/flows: BUILD=$(BUILD) packaging/check-flows"

##  make flows          file lists, FuseSoC cores, constraints and Bender.yml, from the units' descriptions
.PHONY: flows
flows: $(BUILD)/bin/wfgen
	@BUILD=$(BUILD) packaging/flows write

##  make deb            Debian packages, in build/deb; make check-deb tries them: lintian, and a root of their own
.PHONY: deb check-deb
deb: bootstrap
	@scripts/bootstrap packaging/apt-packages.txt
	@BUILD=$(BUILD) packaging/deb $(VERSION)
check-deb:
	@BUILD=$(BUILD) packaging/check-deb $(VERSION)
CAMPAIGN += "install/deb: $(MAKE) --no-print-directory BUILD=$(BUILD) deb check-deb"
