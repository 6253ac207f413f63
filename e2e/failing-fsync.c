/* Preloaded into a program: while the file named by FAILING_FSYNC exists, no write can be made durable. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_unless_failing(long call, int descriptor) {
  const char *fault = getenv("FAILING_FSYNC");
  if (fault && access(fault, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(call, descriptor);
}

int fsync(int descriptor) { return sync_unless_failing(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_unless_failing(SYS_fdatasync, descriptor); }
