# Versions of data in all modes of the caches: ten million transactions in each.
CAMPAIGN += "gpu/versions: WF_VERSIONS=10000000 $(BUILD)/tests/gpu/test_versions"
