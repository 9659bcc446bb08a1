// Runs rotate() through rope-check's conformance suite, and the wrong answers that it must reject.
// cc suite.c -o suite -lm; ./suite DIR/vectors.safetensors    exit code 1 if rotate() is wrong
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *dtypes[] = {"float64", "float32", "bfloat16", "float16"}, *angles = "angle/double";
static char vectors[4194305], key[512], id[64], name[256]; // of a case, and of an answer to it
typedef struct { int rows, width, pairs, dims[4096][4]; double *factor, *m, *theta, *axis; } Case;
// Replace it by yours: y, a copy of x, becomes R(m)x or, where back is set, R(m)^T x, of a gradient.
static void rotate(const Case* c, const double* x, int back, double* y) {
    for (int k = 0; k < c->rows * c->pairs; ++k) {
        const int *at = c->dims[k], axis = (int)c->axis[k % c->pairs * 5 + 4];
        const float angle = (float)c->m[axis * c->rows + k / c->pairs] * (float)c->theta[k % c->pairs];
        const float a = (float)*c->factor, cs = a * cosf(angle), sn = a * sinf(back ? -angle : angle);
        y[at[2]] = (float)x[at[0]] * cs - (float)x[at[1]] * sn;
        y[at[3]] = (float)x[at[1]] * cs + (float)x[at[0]] * sn;
    }
}
static double* numbers(const char* of, size_t length) { // little-endian, as this machine must be
    size_t header, from, to, n = (size_t)sprintf(key, "\"%s/%.*s\":{\"dtype\":\"", id, (int)length, of);
    const char* type = strstr(vectors + 8, key) + n; // F64, F32, BF16, F16 or I32
    sscanf(strstr(type, "offsets"), "offsets\":[%zu,%zu", &from, &to), memcpy(&header, vectors, 8);
    const size_t bytes = *type == 'B' || type[1] == '1' ? 2 : type[1] == '6' ? 8 : 4;
    double* x = malloc((to - from) / bytes * sizeof *x);
    for (n = 0; n < (to - from) / bytes; ++n) {
        union { char byte[8]; double wide; float narrow; unsigned word; } u = {{0}};
        memcpy(u.byte + 2 * (*type == 'B'), vectors + 8 + header + from + n * bytes, bytes);
        if (type[1] == '1') u.word = (u.word & 0x8000) << 16 | (u.word & 0x7fff) << 13; // times 2^-112
        x[n] = bytes == 8 ? u.wide : *type == 'I' ? (int)u.word : type[1] == '1' ? u.narrow * 0x1p112 : u.narrow;
    }
    return x;
}
static int holds(int dtype, size_t right, const char* input, int back, int good) { // name up to /wrong
    double *shape = numbers("shape", 9), *pairs = numbers("pairs", 9), *angle = numbers(angles, 99);
    double *x = numbers(input, 9), *want = numbers(name, right), rounding = numbers("rounding", 9)[dtype];
    double *y = name[right] ? numbers(name, 99) : numbers(input, 9), allowed[4096] = {0};
    Case c = {(int)shape[0], (int)shape[1], (int)shape[2], {{0}}, numbers("attention_factor", 99),
              numbers("positions", 9), numbers("inv_freq", 9), pairs};
    for (int k = 0, j, *at; k < c.rows * c.pairs; ++k) { // from at[0] and at[1] to at[2] and at[3]
        for (j = 0, at = c.dims[k]; j < 4; ++j) at[j ^ 2 * back] = k / c.pairs * c.width + (int)pairs[k % c.pairs * 5 + j];
        allowed[at[2]] = allowed[at[3]] = hypot(x[at[0]], x[at[1]]) * (angle[k] + rounding);
    }
    if (!name[right]) rotate(&c, x, back, y);
    for (int k = 0; k < c.rows * c.width; ++k) good &= fabs(y[k] - want[k]) <= allowed[k]; // not NaN
    return good;
}
int main(int count, char** words) {
    int tests = 0, failed = 0;
    if (!freopen(words[count > 1], "rb", stdin) || !fread(vectors, 1, 4194304, stdin)) return perror("suite"), 3;
    for (const char* at = vectors + 8; (at = strstr(at, ",\"")); ++at)
        for (int dtype = 1; dtype < 4; ++dtype) { // rotate() does not answer float64
            if (sscanf(at, ",\"%63[^/\"]/%255[^\"]", id, name) < 2 || strncmp(name, dtypes[dtype], 7)) continue;
            const char *output = strchr(name, '/') + 1, *input = *output == 'd' ? "dy" : *output == 'k' ? "k" : "q";
            const size_t right = (size_t)(output - name) + strcspn(output, "/");
            if (++tests && holds(dtype, right, input, *output == 'd', 1) == !!name[right] && ++failed)
                printf("%s %s/%s\n", name[right] ? "ACCEPTED" : "FAIL", id, name);
        }
    return printf("%d tests, %d failed\n", tests, failed), failed > 0;
}
