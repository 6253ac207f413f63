/* Preloaded into a program: listing the folder named by HUNG_FOLDER never returns, as on a disk of a network that is gone. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hang_if_hung(const char *folder) {
  const char *hung = getenv("HUNG_FOLDER");
  while (hung && strcmp(folder, hung) == 0) pause();
}

int scandir(const char *folder, struct dirent ***names, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  hang_if_hung(folder);
  int (*real)(const char *, struct dirent ***, int (*)(const struct dirent *),
              int (*)(const struct dirent **, const struct dirent **)) = dlsym(RTLD_NEXT, "scandir");
  return real(folder, names, filter, compare);
}

int scandir64(const char *folder, struct dirent64 ***names, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  hang_if_hung(folder);
  int (*real)(const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
              int (*)(const struct dirent64 **, const struct dirent64 **)) = dlsym(RTLD_NEXT, "scandir64");
  return real(folder, names, filter, compare);
}
