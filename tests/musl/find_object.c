// _dl_find_object of glibc, which its GCC's unwinder asks: the program's own table of frames.
#define _GNU_SOURCE
#include <link.h>

struct found {
    unsigned long long flags;
    void *map_start, *map_end, *link_map, *eh_frame;
    unsigned long long reserved[7];
};

static int find(struct dl_phdr_info* object, size_t size, void* found) {
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; ++i)
        if (object->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            ((struct found*)found)->eh_frame = (char*)object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    return 1;  // a static program is one object
}

int _dl_find_object(void* address, struct found* found) {
    (void)address;
    found->eh_frame = 0;
    dl_iterate_phdr(find, found);
    return found->eh_frame ? 0 : -1;
}
