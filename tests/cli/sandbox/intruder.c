// Preloaded: at the first write() of a process, after it has read its inputs, this library tries the
// actions of hostile code in the folder INTRUDED. For each action it writes a letter to the file
// INTRUDED_TO, in lower case if the system refused it. LANDLOCK=n limits the kernel's Landlock to
// version n.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[32];
static int report = -1;

static void tell(char letter, int was_done) {
    const size_t at = strlen(said);
    said[at] = was_done ? letter : (char)(letter - 'A' + 'a');
}

static int opens(const char* path, int flags) {
    const long file = syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
    if (file >= 0) close((int)file);
    return file >= 0;
}

// Whether a program can be started.
static int starts(void) {
    const pid_t child = fork();
    if (child == 0) {
        char* const words[] = {(char*)"true", NULL};
        execv("/bin/true", words);
        _exit(127);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

// Nobody listens there: if the other end refuses, the sandbox let the attempt through.
static int connects(void) {
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int code = connect(file, (const struct sockaddr*)&to, sizeof to);
    const int was_done = code == 0 || errno == ECONNREFUSED;
    close(file);
    return was_done;
}

static void intrude(const char* folder) {
    if (chdir(folder) != 0) return;
    tell('R', opens("secret", O_RDONLY));
    tell('F', opens(".", O_RDONLY | O_DIRECTORY));
    tell('W', opens("secret", O_WRONLY));
    tell('C', opens("new", O_WRONLY | O_CREAT));
    tell('N', rename("victim", "renamed") == 0);
    tell('U', unlink("unlinked") == 0);
    tell('M', mkdir("made", 0700) == 0);
    tell('L', symlink("secret", "link") == 0);
    tell('H', link("secret", "hard") == 0);
    tell('X', starts());
    tell('T', truncate("secret", 1) == 0);
    tell('I', connects());
    tell('K', kill(getppid(), 0) == 0);
}

ssize_t write(int file, const void* bytes, size_t size) {
    static atomic_int begun;
    const char* const folder = getenv("INTRUDED");
    if (folder != NULL && report >= 0 && atomic_fetch_add(&begun, 1) == 0) {
        char* const back = getcwd(NULL, 0);
        intrude(folder);
        if (chdir(back) != 0) abort();
        syscall(SYS_write, report, said, strlen(said));
    }
    return syscall(SYS_write, file, bytes, size);
}

long syscall(long number, ...) {
    static long (*next)(long, ...);
    if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, number);
    long words[6];
    for (int k = 0; k < 6; ++k) words[k] = va_arg(list, long);
    va_end(list);
    const long result = next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    const char* const version = getenv("LANDLOCK");
    const int asks = number == SYS_landlock_create_ruleset && words[1] == 0 && version != NULL;
    return asks && atol(version) < result ? atol(version) : result;
}

__attribute__((constructor)) static void open_report(void) {
    const char* const name = getenv("INTRUDED_TO");
    if (name != NULL)
        report = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}
