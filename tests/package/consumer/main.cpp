// As a stranger uses the installed library: exit 0 when a sound pipeline holds and a broken one
// does not.
#include <rope/judge.hpp>
#include <rope/pipeline.hpp>

int verdict_of(const char* pipeline) {
    const rope::Spec spec{.head_dim = 64, .rotary_dim = 64, .rope_theta = 500000};
    const auto rows = rope::emulate(spec, rope::find_pipeline(pipeline), 512);
    return rope::exit_code(rope::judge(spec, *rows, {}), {});
}

int main() { return verdict_of("hf-fp32") == 0 && verdict_of("bf16-angles") == 1 ? 0 : 1; }
