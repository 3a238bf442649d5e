# Versions of data in all modes of the caches: ten million transactions in each.
CAMPAIGN += "gpu/versions: WF_VERSIONS=10000000 $(BUILD)/tests/gpu/test_versions"
# It counts what the rules of bypass decide.
$(BUILD)/tests/gpu/test_versions: CFLAGS_ALL += -Wl,--wrap=wf_bypass_decides
