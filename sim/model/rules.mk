##  make model UNIT=u CONFIG=c [PARAMS="A=1 B=2"] [VARIANT=fast|lean|trace|cov|xrand]   build one model library
.PHONY: model
model:
	@test -n "$(UNIT)" -a -n "$(CONFIG)" || \
	  { echo "usage: make model UNIT=mff CONFIG=paper [PARAMS=\"TagEntries=128\"] [VARIANT=fast]" >&2; exit 2; }
	@BUILD=$(BUILD) ARCH=$(ARCH) sim/model/build-model "$(UNIT)" "$(CONFIG)" "$(PARAMS)" "$(VARIANT)"
