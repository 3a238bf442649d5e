##  make app-classes    applications by how much a larger L1 helps them, against the paper's classes (2 minutes)
.PHONY: app-classes
app-classes: $(BUILD)/warpfab
	$(Q)BUILD=$(BUILD) tests/apps/classes.sh
