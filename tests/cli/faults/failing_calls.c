// Preloaded: the nth call of a function of the C library fails, FAIL=write:3, or with a + after it
// that one and all that follow. COUNT=write has the number of calls written to the file in COUNT_TO.
// Calls of a process that is forked count, too.
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

static atomic_long calls_before;
static atomic_long* calls = &calls_before;
static int count_to = -1;

static int is_named(const char* variable, const char* function) {
    const char* text = getenv(variable);
    const size_t length = strlen(function);
    return text != NULL && strncmp(text, function, length) == 0 &&
           (text[length] == ':' || text[length] == 0);
}

static int fails(const char* function, int error) {
    const int counted = is_named("COUNT", function), failing = is_named("FAIL", function);
    if (!counted && !failing) return 0;
    const long number = ++*calls;
    if (!failing) return 0;
    char* rest = NULL;
    const long at = strtol(strchr(getenv("FAIL"), ':') + 1, &rest, 10);
    if (*rest == '+' ? number < at : number != at) return 0;
    errno = error;
    return 1;
}

void* malloc(size_t size) { return fails("malloc", ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
    return fails("malloc", ENOMEM) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return fails("malloc", ENOMEM) ? NULL : __libc_realloc(old, size);
}
void* aligned_alloc(size_t to, size_t size) {
    return fails("malloc", ENOMEM) ? NULL : __libc_memalign(to, size);
}
ssize_t read(int file, void* bytes, size_t size) {
    return fails("read", EIO) ? -1 : syscall(SYS_read, file, bytes, size);
}
ssize_t write(int file, const void* bytes, size_t size) {
    return fails("write", ENOSPC) ? -1 : syscall(SYS_write, file, bytes, size);
}
int fsync(int file) { return fails("fsync", EIO) ? -1 : (int)syscall(SYS_fsync, file); }
int fchmod(int file, mode_t mode) {
    return fails("fchmod", EPERM) ? -1 : (int)syscall(SYS_fchmod, file, mode);
}
int rename(const char* from, const char* to) {
    if (fails("rename", EIO)) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int open(const char* path, int flags, ...) {
    va_list words;
    va_start(words, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(words, mode_t) : 0;
    va_end(words);
    return fails("open", EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

// While the process may open it.
__attribute__((constructor)) static void begin(void) {
    void* const shared =
        mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    calls = shared;
    *calls = calls_before;
    const char* const name = getenv("COUNT_TO");
    if (name != NULL)
        count_to = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

__attribute__((destructor)) static void count(void) {
    if (count_to >= 0) dprintf(count_to, "%ld", (long)*calls);
}
