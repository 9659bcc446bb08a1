// Preloaded: with FAIL=write:3, the third write() of the C library fails; with FAIL=write:3+, so do all
// calls after it. The number of calls of each function is written to the file in COUNT_TO.
// Calls of forked processes count, too.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

enum function { MALLOC, READ, WRITE, FSYNC, FCHMOD, RENAME, OPEN, FUNCTIONS };
static const char* const names[] = {"malloc", "read", "write", "fsync", "fchmod", "rename", "open"};

static atomic_long calls_before[FUNCTIONS];
static atomic_long* calls = calls_before;
static int count_to = -1;

static struct {
    enum { unread, none, one, all_from } what;
    enum function function;
    long number;
} asked;

static void read_what_fails(void) {
    const char* const text = getenv("FAIL");
    asked.what = none;
    for (int k = 0; text != NULL && k < FUNCTIONS; ++k) {
        const size_t length = strlen(names[k]);
        if (strncmp(text, names[k], length) != 0 || text[length] != ':') continue;
        char* rest = NULL;
        asked.number = strtol(text + length + 1, &rest, 10);
        asked.function = (enum function)k;
        asked.what = *rest == '+' ? all_from : one;
    }
}

static int fails(enum function function, int error) {
    const long number = ++calls[function];
    if (asked.what == unread) read_what_fails();
    if (asked.what == none || asked.function != function) return 0;
    if (asked.what == all_from ? number < asked.number : number != asked.number) return 0;
    errno = error;
    return 1;
}

void* malloc(size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
    return fails(MALLOC, ENOMEM) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return fails(MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}
void* aligned_alloc(size_t to, size_t size) {
    return fails(MALLOC, ENOMEM) ? NULL : __libc_memalign(to, size);
}
ssize_t read(int file, void* bytes, size_t size) {
    return fails(READ, EIO) ? -1 : syscall(SYS_read, file, bytes, size);
}
ssize_t write(int file, const void* bytes, size_t size) {
    return fails(WRITE, ENOSPC) ? -1 : syscall(SYS_write, file, bytes, size);
}
int fsync(int file) { return fails(FSYNC, EIO) ? -1 : (int)syscall(SYS_fsync, file); }
int fchmod(int file, mode_t mode) {
    return fails(FCHMOD, EPERM) ? -1 : (int)syscall(SYS_fchmod, file, mode);
}
int rename(const char* from, const char* to) {
    if (fails(RENAME, EIO)) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int open(const char* path, int flags, ...) {
    va_list words;
    va_start(words, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(words, mode_t) : 0;
    va_end(words);
    return fails(OPEN, EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

// while the process may open it
__attribute__((constructor)) static void begin(void) {
    void* const shared =
        mmap(NULL, sizeof calls_before, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    calls = shared;
    for (int k = 0; k < FUNCTIONS; ++k) calls[k] = calls_before[k];
    const char* const name = getenv("COUNT_TO");
    if (name != NULL)
        count_to = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

__attribute__((destructor)) static void count(void) {
    for (int k = 0; count_to >= 0 && k < FUNCTIONS; ++k)
        dprintf(count_to, "%s %ld\n", names[k], (long)calls[k]);
}
