/* Symbols with the names of libraries a host uses. A host that binds to them instead of its own ends at once. */
#include <stdlib.h>

#define FAKE(name) \
  __attribute__((visibility("default"))) void name(void) { abort(); }
FAKE(CVode)
FAKE(CVodeCreate)
FAKE(CVodeInit)
FAKE(CVodeReInit)
FAKE(N_VNew_Serial)
FAKE(dgemm)
FAKE(dgemm_)
FAKE(cblas_dgemm)
FAKE(dgeev_)
FAKE(LAPACKE_dgeev)
FAKE(zip_open)
FAKE(XML_Parse)
