/* Which lines of shared libraries a program executes. Preloaded, it puts a breakpoint where each
   line begins (LINES_AT: for every library a name of 64 bytes, the number of its offsets, and these
   in ascending order); the first thread there appends the number of the offset to LINES_TO and
   takes the breakpoint away. So a line costs microseconds once, and nothing afterwards. x86-64. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

int __sigaction(int, const struct sigaction *, struct sigaction *);

enum { breakpoint = 0xCC, most_libraries = 16 };

struct listed {
    char name[64];
    uint64_t count;
    uint64_t offset[];
};

static struct {
    uint8_t *base, *replaced;
    const struct listed *list;
    uint32_t first;
} libraries[most_libraries];
static int library_count, output;
static const char *table, *table_end;

/* One below the signal's address; it is there again when the program goes on. */
static int restored(uint8_t *at) {
    for (int i = 0; i < library_count; ++i) {
        const uint64_t *offset = libraries[i].list->offset;
        uint64_t low = 0, high = libraries[i].list->count;
        while (low < high) {
            const uint64_t middle = (low + high) / 2;
            if (libraries[i].base + offset[middle] < at) low = middle + 1;
            else high = middle;
        }
        if (low == libraries[i].list->count || libraries[i].base + offset[low] != at) continue;
        *at = libraries[i].replaced[low];
        const uint32_t number = libraries[i].first + (uint32_t)low;
        return write(output, &number, sizeof number) != 0;  // a child may have closed it
    }
    return 0;
}

static void on_breakpoint(int number, siginfo_t *info, void *context) {
    (void)info;
    greg_t *next = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (restored((uint8_t *)*next - 1)) --*next;
    else signal(number, SIG_DFL), raise(number);
}

static int arm(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    const char *name = strrchr(info->dlpi_name, '/');
    uint32_t first = 0;
    for (const char *next = table; name && next < table_end;) {
        const struct listed *list = (const struct listed *)next;
        if (strcmp(name + 1, list->name) == 0 && library_count < most_libraries) {
            uint8_t *base = (uint8_t *)info->dlpi_addr, *kept = malloc(list->count);
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const ElfW(Phdr) *part = &info->dlpi_phdr[i];
                if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
                uint8_t *begin = (uint8_t *)((uintptr_t)(base + part->p_vaddr) & ~(uintptr_t)4095);
                mprotect(begin, (size_t)(base + part->p_vaddr + part->p_memsz - begin),
                         PROT_READ | PROT_WRITE | PROT_EXEC);
            }
            libraries[library_count].base = base;
            libraries[library_count].replaced = kept;
            libraries[library_count].list = list;
            libraries[library_count++].first = first;
            for (uint64_t i = 0; i < list->count; ++i) {
                kept[i] = base[list->offset[i]];
                base[list->offset[i]] = breakpoint;
            }
        }
        first += (uint32_t)list->count;
        next += sizeof *list + 8 * list->count;
    }
    return 0;
}

/* getenv knows nothing yet */
static const char *value_of(const char *name, char **environment) {
    const size_t length = strlen(name);
    for (; *environment; ++environment)
        if (strncmp(*environment, name, length) == 0) return *environment + length;
    _exit(127);
}

__attribute__((constructor)) static void begin(int count, char **words, char **environment) {
    (void)count, (void)words;
    const int file = open(value_of("LINES_AT=", environment), O_RDONLY | O_CLOEXEC);
    struct stat about;
    output = open(value_of("LINES_TO=", environment), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0 || output < 0 || fstat(file, &about) != 0) _exit(127);
    const int out_of_the_way = fcntl(output, F_DUPFD_CLOEXEC, 900);
    if (out_of_the_way >= 0) close(output), output = out_of_the_way;
    table = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    table_end = table + about.st_size;
    close(file);
    struct sigaction action = {.sa_sigaction = on_breakpoint, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    __sigaction(SIGTRAP, &action, NULL);
    dl_iterate_phdr(arm, NULL);
}

/* A breakpoint where its signal is blocked, or has its usual action again, would end the program. */
int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    return __sigaction(number, number == SIGTRAP ? NULL : action, before);
}
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    sigset_t but_breakpoints;
    if (set) but_breakpoints = *set, sigdelset(&but_breakpoints, SIGTRAP), set = &but_breakpoints;
    return (int)syscall(SYS_rt_sigprocmask, how, set, before, 8);
}
int sigprocmask(int how, const sigset_t *set, sigset_t *before) {
    return pthread_sigmask(how, set, before);
}
