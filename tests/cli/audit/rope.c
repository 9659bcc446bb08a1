/* Answers a request of rope-check audit in C and float, as kernels are written.
 * usage: rope_c HEAD_DIM BASE FOLDER     half_split, every dimension rotates */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(const char *folder, const char *name) {
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    if (path == NULL) exit(3);
    sprintf(path, "%s/%s", folder, name);
    return path;
}

/* The bytes of an .npy after its header, which starts as the answer's own must. */
static void *read_npy(const char *folder, const char *name, size_t *bytes, char header[1024],
                      size_t *header_bytes) {
    char *path = path_of(folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fread(header, 1, 10, file) != 10) exit(1);
    *header_bytes = 10 + (size_t)((unsigned char)header[8] | (unsigned char)header[9] << 8);
    if (*header_bytes > 1024 || fread(header + 10, 1, *header_bytes - 10, file) != *header_bytes - 10)
        exit(1);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file) - *header_bytes;
    fseek(file, (long)*header_bytes, SEEK_SET);
    void *data = malloc(*bytes);
    if (data == NULL || fread(data, 1, *bytes, file) != *bytes) exit(1);
    fclose(file);
    free(path);
    return data;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const int d = atoi(argv[1]);
    const double base = atof(argv[2]);
    char header[1024], unused[1024];
    size_t bytes, header_bytes, position_bytes, unused_bytes;
    float *x = read_npy(argv[3], "x.npy", &bytes, header, &header_bytes);
    int64_t *m = read_npy(argv[3], "positions.npy", &position_bytes, unused, &unused_bytes);
    const size_t rows = position_bytes / sizeof *m;
    if (rows * (size_t)d * sizeof *x != bytes) return 1;

    for (size_t row = 0; row < rows; ++row)
        for (int i = 0; i < d / 2; ++i) {
            const float inv_freq = (float)pow(base, -2.0 * i / d);
            const float angle = (float)m[row] * inv_freq;
            const float c = cosf(angle), s = sinf(angle);
            float *a = x + row * (size_t)d + i, *b = a + d / 2;
            const float x1 = *a, x2 = *b;
            *a = x1 * c - x2 * s;
            *b = x2 * c + x1 * s;
        }

    char *path = path_of(argv[3], "y.npy");
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(header, 1, header_bytes, file) != header_bytes ||
        fwrite(x, 1, bytes, file) != bytes || fclose(file) != 0)
        return 1;
    free(path);
    free(x);
    free(m);
    return 0;
}
