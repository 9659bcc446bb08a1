/* Answers rope-check audit --raw in C: let rotate() call your own kernel.
 *
 *     rope-check audit init c >adapter.c && cc -O2 adapter.c -lm -o adapter
 *     rope-check audit --raw --dim 128 -- ./adapter
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Rotates each of `rows` vectors of `dim` values in place, to its position. */
static void rotate(float *x, const double *positions, size_t rows, size_t dim) {
    for (size_t row = 0; row < rows; ++row)
        for (size_t i = 0; i < dim / 2; ++i) {
            const float inv_freq = (float)pow(10000, -2.0 * (double)i / (double)dim);
            const float angle = (float)positions[row] * inv_freq;
            const float c = cosf(angle), s = sinf(angle);
            float *first = x + row * dim + i, *second = first + dim / 2;
            const float x1 = *first, x2 = *second;
            *first = x1 * c - x2 * s;
            *second = x2 * c + x1 * s;
        }
}

static FILE *open_in(const char *folder, const char *name, const char *mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

static void *read_numbers(const char *folder, const char *name, size_t count, size_t bytes_each) {
    FILE *file = open_in(folder, name, "rb");
    void *numbers = malloc(count * bytes_each);
    if (numbers == NULL || fread(numbers, bytes_each, count, file) != count) {
        fprintf(stderr, "%s is too short\n", name);
        exit(1);
    }
    fclose(file);
    return numbers;
}

int main(int argc, char **argv) {
    const char *folder = argv[argc - 1];
    size_t rows, dim;
    FILE *shape = open_in(folder, "shape.txt", "r"); /* of x.f32 */
    if (fscanf(shape, "%zu %zu", &rows, &dim) != 2) return 1;
    fclose(shape);
    float *x = read_numbers(folder, "x.f32", rows * dim, sizeof *x);
    double *positions = read_numbers(folder, "positions.f64", rows, sizeof *positions);

    rotate(x, positions, rows, dim);

    FILE *answer = open_in(folder, "y.f32", "wb"); /* or y.f16, y.bf16, y.f64 */
    return fwrite(x, sizeof *x, rows * dim, answer) == rows * dim && fclose(answer) == 0 ? 0 : 1;
}
