/*
 * Writes down what a process does to the files below one folder, so that a power cut can be played afterwards: disk.ts reads the
 * log and knows what was synced and what was not. The process itself notices nothing.
 *
 * Loaded by LD_PRELOAD. POWER_ROOT: the folder. POWER_LOG: a folder outside it, for a log of each process and its children.
 * A record's time is taken after what it tells of, but for a sync before: a sync covers what had ended when it began.
 * Memory maps are not seen: SQLite maps its -shm file, which a restart makes anew; those files are left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CREATE = 1, MKDIR, RENAME, UNLINK, WRITE, SIZE, SYNC, BLIND, LINK };

/* As records.ts reads it; then a path, another path, data. */
struct head {
  uint64_t time, inode, offset;
  uint32_t kind, path, other, data;
};

#define MAX_FD 65536
static ino_t watched[MAX_FD]; /* the inode behind a descriptor, 0 when it is none of ours */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], logs[PATH_MAX], preload[PATH_MAX];
static size_t root_length;
static int log_fd = -1;

#define REAL(name) ({ static __typeof__(&name) found; if (!found) found = dlsym(RTLD_NEXT, #name); found; })

__attribute__((constructor)) static void begin(void) {
  const char *in = getenv("POWER_ROOT"), *to = getenv("POWER_LOG"), *self = getenv("LD_PRELOAD");
  if (!in || !to || !self) return;
  snprintf(root, sizeof root, "%s", in);
  snprintf(logs, sizeof logs, "%s", to);
  snprintf(preload, sizeof preload, "%s", self);
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/%d.log", logs, getpid());
  log_fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_fd >= 0) root_length = strlen(root);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Fills `full` and answers 1 when the path lies in the folder, or is it. */
static int inside(int at, const char *path, char *full) {
  if (!root_length || !path) return 0;
  if (path[0] == '/' || at == AT_FDCWD) {
    snprintf(full, PATH_MAX, "%s", path);
  } else {
    char link[64], folder[PATH_MAX / 2];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t n = readlink(link, folder, sizeof folder - 1);
    if (n < 0) return 0;
    folder[n] = 0;
    snprintf(full, PATH_MAX, "%s/%s", folder, path);
  }
  if (strncmp(full, root, root_length) || (full[root_length] != '/' && full[root_length] != 0)) return 0;
  size_t length = strlen(full);
  return length < 4 || strcmp(full + length - 4, "-shm");
}

static void append(struct head head, const char *path, const char *other, const struct iovec *data, int parts) {
  int error = errno;
  head.path = path ? strlen(path) : 0;
  head.other = other ? strlen(other) : 0;
  struct iovec all[3 + IOV_MAX] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}};
  int n = 3;
  size_t left = head.data;
  for (int i = 0; i < parts && left && n < 3 + IOV_MAX; i++) {
    size_t take = data[i].iov_len < left ? data[i].iov_len : left;
    all[n++] = (struct iovec){data[i].iov_base, take};
    left -= take;
  }
  size_t whole = sizeof head + head.path + head.other + head.data;
  /* A log with a hole would prove nothing. */
  if (left || REAL(writev)(log_fd, all, n) != (ssize_t)whole) abort();
  errno = error;
}

static void tell(uint32_t kind, ino_t inode, uint64_t offset, const char *path, const char *other) {
  append((struct head){.time = now(), .inode = inode, .offset = offset, .kind = kind}, path, other, NULL, 0);
}

/* A descriptor can be closed unseen, inside the C library or by a system call, and be a socket's by now: so it is asked. */
static ino_t inode_of(int fd) {
  struct stat found;
  if (fd < 0 || fd >= MAX_FD || !watched[fd]) return 0;
  int error = errno;
  int is_same = !fstat(fd, &found) && found.st_ino == watched[fd] && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
  errno = error;
  return is_same ? found.st_ino : 0;
}

/* What this layer cannot follow is told, and spoils the run: better no proof than a wrong one. */
static void blind(int fd, const char *what) {
  if (!inode_of(fd)) return;
  pthread_mutex_lock(&lock);
  tell(BLIND, 0, 0, what, NULL);
  pthread_mutex_unlock(&lock);
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  __typeof__(&openat) real = REAL(openat);
  if (!inside(at, path, full)) {
    int other = real(at, path, flags, mode);
    if (other >= 0 && other < MAX_FD) watched[other] = 0;
    return other;
  }
  pthread_mutex_lock(&lock);
  int fd, created = 0;
  for (;;) {
    fd = -1, errno = ENOENT;
    if (!(flags & O_CREAT) || !(flags & O_EXCL)) fd = real(at, path, flags & ~O_CREAT, mode);
    if (fd >= 0 || errno != ENOENT || !(flags & O_CREAT)) break;
    fd = real(at, path, flags | O_EXCL, mode);
    created = fd >= 0;
    if (created || errno != EEXIST || (flags & O_EXCL)) break;
  }
  struct stat found;
  if (fd >= MAX_FD) abort();
  if (fd >= 0 && !fstat(fd, &found)) {
    watched[fd] = found.st_ino;
    if (created) tell(CREATE, found.st_ino, 0, full, NULL);
    else if (flags & O_TRUNC) tell(SIZE, found.st_ino, 0, NULL, NULL);
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPEN(name, at_parameter, at)                                 \
  int name(at_parameter const char *path, int flags, ...) {          \
    va_list rest;                                                    \
    va_start(rest, flags);                                           \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                    \
    return open_at(at, path, flags, mode);                           \
  }
#define COMMA ,
OPEN(open, , AT_FDCWD)
OPEN(open64, , AT_FDCWD)
OPEN(openat, int at COMMA, at)
OPEN(openat64, int at COMMA, at)
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (fd >= 0 && fd < MAX_FD) watched[fd] = 0;
  return REAL(close)(fd);
}

/* `at` < 0: where the descriptor stood. */
static ssize_t wrote(int fd, const struct iovec *data, int parts, off_t at, ssize_t written) {
  ino_t inode = inode_of(fd);
  if (!inode || written <= 0) return written;
  pthread_mutex_lock(&lock);
  off_t offset = at >= 0 ? at : lseek(fd, 0, SEEK_CUR) - written;
  struct head head = {.time = now(), .inode = inode, .offset = offset, .kind = WRITE, .data = (uint32_t)written};
  append(head, NULL, NULL, data, parts);
  pthread_mutex_unlock(&lock);
  return written;
}
#define ONE (&(struct iovec){(void *)data, size}), 1
ssize_t write(int fd, const void *data, size_t size) { return wrote(fd, ONE, -1, REAL(write)(fd, data, size)); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return wrote(fd, ONE, at, REAL(pwrite)(fd, data, size, at)); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { return wrote(fd, ONE, at, REAL(pwrite64)(fd, data, size, at)); }
ssize_t writev(int fd, const struct iovec *data, int n) { return wrote(fd, data, n, -1, REAL(writev)(fd, data, n)); }
ssize_t pwritev(int fd, const struct iovec *data, int n, off_t at) { return wrote(fd, data, n, at, REAL(pwritev)(fd, data, n, at)); }
ssize_t pwritev64(int fd, const struct iovec *data, int n, off_t at) { return wrote(fd, data, n, at, REAL(pwritev64)(fd, data, n, at)); }

static int resized(int fd, off_t length, int failed) {
  if (failed || !inode_of(fd)) return failed;
  pthread_mutex_lock(&lock);
  tell(SIZE, inode_of(fd), length, NULL, NULL);
  pthread_mutex_unlock(&lock);
  return 0;
}
int ftruncate(int fd, off_t length) { return resized(fd, length, REAL(ftruncate)(fd, length)); }
int ftruncate64(int fd, off_t length) { return resized(fd, length, REAL(ftruncate64)(fd, length)); }

static int synced(int fd, uint64_t since, int failed) {
  if (failed || !inode_of(fd)) return failed;
  pthread_mutex_lock(&lock);
  append((struct head){.time = since, .inode = inode_of(fd), .kind = SYNC}, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
int fsync(int fd) { uint64_t since = now(); return synced(fd, since, REAL(fsync)(fd)); }
int fdatasync(int fd) { uint64_t since = now(); return synced(fd, since, REAL(fdatasync)(fd)); }

/* Names change under the lock: their order in the log is the order in which they happened. */
static int rename_at(int from_at, const char *from, int to_at, const char *to) {
  char full[PATH_MAX], other[PATH_MAX];
  int from_here = inside(from_at, from, full), to_here = inside(to_at, to, other);
  if (!from_here && !to_here) return REAL(renameat)(from_at, from, to_at, to);
  pthread_mutex_lock(&lock);
  int failed = REAL(renameat)(from_at, from, to_at, to);
  if (!failed) from_here && to_here ? tell(RENAME, 0, 0, full, other) : tell(BLIND, 0, 0, "rename over the border", NULL);
  pthread_mutex_unlock(&lock);
  return failed;
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return rename_at(from_at, from, to_at, to); }

static int unlink_at(int at, const char *path, int flags) {
  char full[PATH_MAX];
  if (!inside(at, path, full)) return REAL(unlinkat)(at, path, flags);
  pthread_mutex_lock(&lock);
  int failed = REAL(unlinkat)(at, path, flags);
  if (!failed) tell(UNLINK, 0, 0, full, NULL);
  pthread_mutex_unlock(&lock);
  return failed;
}
int unlink(const char *path) { return unlink_at(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlink_at(at, path, flags); }
int rmdir(const char *path) { return unlink_at(AT_FDCWD, path, AT_REMOVEDIR); }

static int made(const char *path, int failed) {
  struct stat found;
  if (!failed && !stat(path, &found)) tell(MKDIR, found.st_ino, 0, path, NULL);
  return failed;
}
int mkdir(const char *path, mode_t mode) {
  char full[PATH_MAX];
  if (!inside(AT_FDCWD, path, full)) return REAL(mkdir)(path, mode);
  pthread_mutex_lock(&lock);
  int failed = made(full, REAL(mkdir)(path, mode));
  pthread_mutex_unlock(&lock);
  return failed;
}
char *mkdtemp(char *path) {
  char full[PATH_MAX];
  if (!inside(AT_FDCWD, path, full)) return REAL(mkdtemp)(path);
  pthread_mutex_lock(&lock);
  char *folder = REAL(mkdtemp)(path);
  if (folder) made(folder, 0);
  pthread_mutex_unlock(&lock);
  return folder;
}

ssize_t sendfile64(int to, int from, off_t *at, size_t size) { blind(to, "sendfile"); return REAL(sendfile64)(to, from, at, size); }
int posix_fallocate64(int fd, off_t at, off_t size) { blind(fd, "posix_fallocate"); return REAL(posix_fallocate64)(fd, at, size); }
int link(const char *from, const char *to) {
  char full[PATH_MAX], other[PATH_MAX];
  int from_here = inside(AT_FDCWD, from, full), to_here = inside(AT_FDCWD, to, other);
  if (!from_here && !to_here) return REAL(link)(from, to);
  pthread_mutex_lock(&lock);
  int failed = REAL(link)(from, to);
  if (!failed) from_here && to_here ? tell(LINK, 0, 0, full, other) : tell(BLIND, 0, 0, "link over the border", NULL);
  pthread_mutex_unlock(&lock);
  return failed;
}

/* A child may get an environment of its own, such as a decoder: what it does is written down too. */
int execvp(const char *file, char *const arguments[]) {
  if (root_length) {
    setenv("LD_PRELOAD", preload, 1);
    setenv("POWER_ROOT", root, 1);
    setenv("POWER_LOG", logs, 1);
    setenv("UV_USE_IO_URING", "0", 1);
  }
  return REAL(execvp)(file, arguments);
}
