##  make app-classes    applications by how much a larger L1 helps them, against the paper's classes (2 minutes)
.PHONY: app-classes
app-classes: $(BUILD)/warpfab
	$(Q)BUILD=$(BUILD) tests/apps/classes.sh
# Kernels that users wrote for themselves are no faster than the applications' strategies.
MORE_CHECKS += "apps/user: BUILD=$(BUILD) tests/apps/user.sh rmat:scale=11,edges=20000 grid:x=30,y=20 er:scale=11"
##  make user-kernels   searches, paths and components that a user wrote, beside the applications, on the graphs at hand
.PHONY: user-kernels
user-kernels: $(BUILD)/warpfab
	$(Q)BUILD=$(BUILD) tests/apps/user.sh data/debian12.mtx.gz $(wildcard $(addprefix $(SHARED)/data/graphs/, \
	  soc-Epinions1.mtx.gz dblp-2010.mtx.gz cnr-2000.mtx.gz))
# What the application misses tells of machines that it was not told of.
MORE_CHECKS += "apps/misses: DRAWS=8 BUILD=$(BUILD) tests/apps/misses.sh"
CAMPAIGN += "apps/misses: DRAWS=100 SEED=7 BUILD=$(BUILD) tests/apps/misses.sh"
