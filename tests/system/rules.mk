# Tests of the command line as a user sees it.
MORE_CHECKS += "system/bad_input: BUILD=$(BUILD) tests/system/bad_input.sh"
MORE_CHECKS += "system/verified: BUILD=$(BUILD) tests/system/verified.sh"
MORE_CHECKS += "rtl/lint: $(MAKE) --no-print-directory BUILD=$(BUILD) lint" \
  "mff_unit/tests: $(MAKE) --no-print-directory BUILD=$(BUILD) test-mff_unit"
MORE_CHECKS += "system/apcm: BUILD=$(BUILD) tests/system/apcm.sh"
MORE_CHECKS += "system/sample: BUILD=$(BUILD) tests/system/sample.sh"
MORE_CHECKS += "system/spref: BUILD=$(BUILD) tests/system/spref.sh"
MORE_CHECKS += "system/spref_unit: BUILD=$(BUILD) tests/system/spref_unit.sh"
MORE_CHECKS += "system/trace: BUILD=$(BUILD) SHARED=$(SHARED) tests/system/trace.sh"
MORE_CHECKS += "system/trace_spref: BUILD=$(BUILD) SHARED=$(SHARED) tests/system/trace_spref.sh"
MORE_CHECKS += "system/teleport: BUILD=$(BUILD) tests/system/teleport.sh"
MORE_CHECKS += "system/dtbl: BUILD=$(BUILD) tests/system/dtbl.sh"

##  make test-trace-long     a trace of 1 GB (system/trace takes 40 MB) in bounded memory; some 2 minutes
.PHONY: test-trace-long
test-trace-long: all
	BUILD=$(BUILD) SHARED=$(SHARED) TRACE_MB=1000 tests/system/trace.sh
