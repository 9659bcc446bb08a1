#include "rope/changes/mistakes.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace rope {

std::span<const Mistake> mistakes() {
    // clang-format off
    static constexpr std::array table{
        Mistake{"pair-layout", "pairs are half_split instead of interleaved, or the reverse, a mix of both, or written in another order",
                "the weights are in another library's order, or a kernel's neox/interleaved flag is wrong: permute the rows of q_proj and k_proj, or set the flag; for weights in this order (Meta's, GGUF's) pass --layout"},
        Mistake{"direction", "pairs rotate in the opposite direction",
                "sin has the wrong sign, rotate_half returns (x2, -x1), or a transpose is missing: y1 = x1·cos − x2·sin, y2 = x2·cos + x1·sin"},
        Mistake{"cos-sin-swapped", "cos and sin are swapped",
                "the cache is sin‖cos where cos‖sin is read (GPT-J, timm), or the arguments are in the wrong order: swap them"},
        Mistake{"sign", "cos is negated, or both cos and sin are",
                "the table uses another convention, such as e^{i(π + φ)}, or range reduction lost a quadrant: cos must be 1 at position 0"},
        Mistake{"rotate-half-sign", "rotate_half lacks its minus sign",
                "rotate_half must return cat(-x2, x1)"},
        Mistake{"rotated-in-place", "one dimension of a pair is written before the other is computed from it",
                "x1 = x1·c − x2·s is stored before x2 = x2·c + x1·s reads x1: read both dimensions first"},
        Mistake{"base", "wrong rope_theta",
                "getattr(config, \"rope_theta\", 10000) on a config that has it in rope_parameters, or a port's hard-coded default: read the config's value"},
        Mistake{"exponent-divisor", "wrong d in the exponent −2i/d",
                "with partial rotary, d is rotary_dim, except for rope_type proportional, where it is head_dim; where each axis has its own frequencies, d is the number of dimensions of that axis; the exponents are arange(0, d, 2)/d"},
        Mistake{"exponent-start", "the exponents do not start at 0, but at 2/d, −2/d, 1/d or −1/d",
                "the formula's i counts from 1: with i from 0 the exponent is −2i/d, without the 1, so that θ_0 = 1"},
        Mistake{"exponent-sign", "the exponent's sign is lost, so frequencies increase",
                "inv_freq is 1/base^(2i/d)"},
        Mistake{"frequency-order", "the frequencies are right but belong to other pairs",
                "a duplicated table is indexed as if it were half as wide, or the reverse: pair i takes column i of a half table, columns i and i + d/2 of cat(f, f), columns 2i and 2i + 1 of f0 f0 f1 f1"},
        Mistake{"scaling-missing", "the config's scaling was not applied",
                "the port reads type but the config has rope_type, reads rope_scaling but the config has rope_parameters, or does not support the type"},
        Mistake{"scaling-doubled", "the config's scaling was applied twice",
                "both positions and frequencies are scaled, or an already scaled cache is scaled again"},
        Mistake{"scaling-inverted", "the config's scaling multiplies instead of dividing",
                "factor divides inv_freq (or the position), and so do longrope's factors"},
        Mistake{"scaling-type", "the frequencies are scaled by the wrong rule",
                "the rope_type is mapped to the wrong implementation, or scaling is applied to layers that have none"},
        Mistake{"scaling-parameter", "the scaling rule is right but one of its parameters is wrong",
                "a default was used instead of the config's value; original_max_position_embeddings is the pre-training length, not max_position_embeddings"},
        Mistake{"config-reading", "the config was read as another library reads it",
                "libraries read the same config differently (rope-check explain --reading all): check that library's reading with --reading, or follow transformers' rule"},
        Mistake{"attention-factor", "cos and sin are multiplied by the wrong factor",
                "attention_factor, if given, replaces every formula; otherwise yarn uses 0.1·ln(factor) + 1 or the ratio of both mscales. The softmax scale is separate"},
        Mistake{"vector-scale", "vectors are multiplied by a factor that depends on their position or length",
                "they were dumped after attention's length scaling (use_logn_attn, llama_4_scaling_beta) or after a norm that follows the rotation (Llama 4's qk_norm): dump them right after the rotation, or check k where only q is scaled"},
        Mistake{"dimension-scale", "each dimension of the vectors is multiplied by its own number",
                "they were dumped before q_norm or k_norm (Qwen3, Gemma 3: before the rotation), after a norm that follows the rotation, or with a cache's per-channel scales: dump them right before and right after the rotation"},
        Mistake{"dimension-shift", "a bias is added to the vectors before or after the rotation",
                "they were dumped before the bias of q_proj or k_proj is added (Qwen2; llama.cpp's first Qcur), or after one that follows the rotation: dump them right before and right after the rotation"},
        Mistake{"hadamard", "a Hadamard transform mixes the dimensions of the vectors",
                "they were dumped before or after a transform for low-bit quantisation (DeepSeek-V3.2's indexer, QuaRot): dump them right before and right after the rotation. A transform before the rotation breaks relative position"},
        Mistake{"rotary-dim", "the wrong dimensions of the head rotate",
                "partial_rotary_factor was dropped or applied twice, or the rotating dimensions are at the wrong end of the head"},
        Mistake{"position-offset", "every row is off by a constant number of positions",
                "an offset into the KV cache is ignored, added twice or counted from 1"},
        Mistake{"position-scale", "positions are multiplied by a factor",
                "unexpected linear scaling, or its factor lost, or degrees instead of radians; if the factor is near 1, a rounded constant such as 2π or a time step"},
        Mistake{"position-collapse", "several positions share one row",
                "indices are clamped to a cache that is too short, position_ids are constant, positions pass through an integer division, or fractional ones were converted to integers"},
        Mistake{"position-source", "positions were not taken from position_ids",
                "row numbers (arange) were used with padding, packing or a start, position_ids[0] for the whole batch, or the cache was indexed along the wrong axis: pass each row its own position_ids"},
        Mistake{"position-sign", "negative positions lose their sign",
                "a distance was used as a position, or positions were converted to an unsigned type"},
        Mistake{"position-wrap", "positions wrap around",
                "position modulo the cache length: a ring buffer's slot was used as the position; or sequences of one length are packed into one, which is right where attention keeps them apart: give compare their position_ids"},
        Mistake{"axis-map", "pairs follow the wrong position axes",
                "sectioned and interleaved M-RoPE are confused, axes are in the wrong order, or only the first axis is read"},
        Mistake{"inv-freq-precision", "inv_freq was rounded to 16 bits",
                "the inv_freq buffer was cast with the model: keep it float32, and recompute it after .to(dtype)"},
        Mistake{"position-precision", "positions were rounded to 16 bits",
                "positions are created in the activations' dtype: keep position_ids integer or float32"},
        Mistake{"angle-precision", "the angle was rounded or inaccurate before cos",
                "position·inv_freq ran under autocast or as a TF32 matrix product: multiply elementwise in float32"},
        Mistake{"table-precision", "cos and sin were rounded to 16 bits",
                "the cache was cast to the model's dtype; if that is intended, pass --pipeline bf16-table or fp16-table"},
        Mistake{"recurrence", "angles were accumulated step by step",
                "θ is multiplied or added up in float32 from pair to pair or position to position: compute each angle as a single product"},
        Mistake{"table-indexing", "cos or sin is read from the wrong place in the table",
                "the kernel and the table disagree on the order of a row (cos_sin_cache is cos‖sin, a complex cache c0 s0 c1 s1 …), its width or where sin begins (half of a padded block, head_dim for rotary_dim): index it by the table's own strides"},
        Mistake{"table-truncated", "the table ends before the positions do",
                "the cache has fewer rows than there are positions: enlarge it to max_position_embeddings (times the factor, if the scaling extends it)"},
        Mistake{"uninitialised", "values that no rotation produces: uninitialised or freed memory",
                "a non-persistent inv_freq buffer after meta-device initialisation: recompute it after loading the weights"},
        Mistake{"rotated-twice", "vectors are rotated twice",
                "both the attention layer and the kernel (or the cache) apply the rotation: leave one out"},
        Mistake{"inv-freq-entry", "one frequency is wrong, all others are right",
                "memory was overwritten, a buffer is shared or a kernel misses the last element: compare inv_freq with a fresh one"},
        Mistake{"rows-swapped", "two rows are swapped",
                "rows were sorted or gathered by another index than their positions"},
        Mistake{"head-order", "heads are in another order than before the rotation",
                "a reshape mixes heads and groups, such as [heads/groups, groups] for [groups, heads/groups], or the heads were interleaved across ranks, or q and k were exchanged"},
        Mistake{"not-rotated", "nothing is rotated, or the last rows are not",
                "the layer is treated as one without position embeddings, the rotation's result is discarded, a kernel misses its last rows, the rows are padding at position 0, or q was saved after a rotation in place: clone it before"},
        Mistake{"state", "equal rows get other values in another call",
                "cos and sin, an offset or a buffer are kept from one call to the next: key a cache by the positions themselves, not by their shape; or values are random, as in dropout"},
        Mistake{"input", "x or positions are changed or ignored by the function",
                "the function writes into its arguments: copy them first, or return None if it rotates in place; or q and k are exchanged"},
    };
    // clang-format on
    return table;
}

const Mistake& find_mistake(std::string_view id) {
    return one_of(mistakes(), &Mistake::id, "mistake", id);
}

bool has_mistake(std::span<const NamedMistake> mistakes, std::string_view id) {
    return std::ranges::find(mistakes, id, &NamedMistake::mistake) != mistakes.end();
}

const FieldValue* find_value(const Parameters& parameters, std::string_view key) {
    const auto found =
        std::ranges::find(parameters, key, &std::pair<std::string, FieldValue>::first);
    return found == parameters.end() ? nullptr : &found->second;
}

namespace {

// A sentence for a mistake with some parameters: the first row with its id whose conditions hold.
// `when`: keys that must be given, "key=value" with that value, separated by "; ". In the text,
// {key} is the value, {+key} a number with its sign ("− 7"), and {|key|} without it.
struct Sentence {
    std::string_view id, when, text;
    std::string_view advice = {};  // replaces the mistake's
};

constexpr std::string_view unwritten =
    "a kernel that does not write every row: check its grid and its bounds; of gradients, "
    "rows that no loss depends on are zero";
constexpr std::string_view reduced =
    "sin and cos of a fast-math library, or with 2π in float32, lose digits at large angles: "
    "reduce the angle in float64 or with more words of 2π, or make the table on the host";
constexpr std::string_view unstored =
    "a kernel does not store these dimensions: check the width and the mask of its stores";
constexpr std::string_view moved_keys =
    "keys in a cache are moved to other positions (K-shift, context shift) with another base, "
    "factor or number of dimensions than they were rotated with: pass both the same parameters";
constexpr std::string_view half_stored =
    "a kernel does not store these dimensions, or another store to them comes later: check its "
    "grid, its masks and the order of its stores";
constexpr std::string_view other_table =
    "these rows read beyond the end of the table, or from one that was freed or never written: "
    "make it as long as the largest position";
constexpr std::string_view infinite =
    "rope_theta is 0, negative or not finite, or a factor is 0: check the numbers that inv_freq is "
    "computed from";
constexpr std::string_view grown_cache =
    "keys are cached after the rotation, and the base grows with the sequence: cache them before "
    "it, or keep one base for the whole sequence";
constexpr std::string_view unkept =
    "a kernel that writes only the dimensions that rotate: copy the others, too";
constexpr std::string_view missed_rows =
    "a kernel misses these rows: check its grid and its bounds; or they are padding, whose "
    "position is 0";
constexpr std::string_view image_ids =
    "the ids of images and videos are made otherwise than by the model's get_rope_index: "
    "compare the order of patches, the grid's height and width, the time from one frame to "
    "the next, and where the ids behind go on";
constexpr std::string_view two_times =
    "the rows were computed at two times or in two places, as of prefill and decode or of a cache "
    "that grows, one of them with a default or another config's value: use the config's for all";
constexpr std::string_view memory_order =
    "a kernel computes a row's position from its place in memory, for another order of the axes "
    "than the vectors have: transpose them before, or pass the kernel the order";
constexpr std::string_view wrong_blend =
    "the scaling's code is wrong, not its parameters: compare it with transformers' "
    "_compute_yarn_parameters or _compute_llama3_parameters";
constexpr std::string_view other_place =
    "the axis is looked up for another index than the pair's, such as a dimension, the first of "
    "two "
    "pairs that are loaded together, or one counted from 1: look it up for every pair";
constexpr std::string_view moved_rows =
    "the rows are in another order than their position_ids (a ring buffer, zigzag context "
    "parallelism), padding lies before or behind them, or single rows have a wrong position: pass "
    "each row its own position_ids";
constexpr std::string_view rewritten =
    "the result is stored in another order than x was read: store each dimension where it was "
    "read. If q and k are both stored so, their scores are those of the pairs that were read";
constexpr std::string_view permuted =
    "the rows of q_proj or k_proj were permuted between GGUF's and Hugging Face's order with "
    "another number of heads: q_proj has num_attention_heads, k_proj has num_key_value_heads";
constexpr std::string_view folded_scale =
    "attention's scale is folded into q, as ESM and flash kernels do, and the rotation is right: "
    "check k, save q before it is scaled, or pass the factor as --after scale=FACTOR";
constexpr std::string_view exchanged =
    "the results are returned in the order k, q, or both are written to one buffer: return q, then "
    "k, each in an array that nothing else writes to";
constexpr std::string_view other_starts =
    "each batch entry was given the start (the cached length, the padding or the rope delta) of "
    "another entry or of the whole batch: keep one for each entry, in the order of the batch";
constexpr std::string_view row_starts =
    "each row is a step of another sequence and was given a start (the cached length, the padding "
    "or the rope delta) that is not that sequence's: keep one for each sequence";
constexpr std::string_view stale_positions =
    "the rows read positions that are out of date, as in a kernel that does not wait until they "
    "are written or in a buffer of the step before: synchronise, and write all of them first";
constexpr std::string_view shifted_tokens =
    "the tokens of a draft model (MTP, EAGLE) are shifted by one but their positions are not, or "
    "the reverse: shift both";
constexpr std::string_view packed =
    "several sequences are packed into one, or padding precedes it: that is right where "
    "attention keeps them apart; give compare their position_ids if the file has none, or pass "
    "the rotation those of one sequence";

// clang-format off
constexpr Sentence sentences[] = {
    {"pair-layout", "pairs; table; in_axes", "pairs are {pairs}, and the columns of cos and sin are {table}"},
    {"pair-layout", "pairs=half_split; table", "rotate_half pairs dimensions i and i + d/2, and the table is f0 f0 f1 f1"},
    {"pair-layout", "pairs=interleaved; table", "dimensions 2i and 2i + 1 are paired, and the table is cat(f, f)"},
    {"pair-layout", "after=rotated dimensions first", "the rotated dimensions are read at the end of the head and written at its start: cat(rotated, rest)"},
    {"pair-layout", "after=rotated dimensions last", "the rotated dimensions are read at the start of the head and written at its end: cat(rest, rotated)"},
    {"pair-layout", "after=halves swapped", "pairs are read {before} and written with their halves swapped: cat(y2, y1)"},
    {"pair-layout", "after=even dimensions first", "pairs are read {before} and written with the even dimensions first: cat(y[0::2], y[1::2])"},
    {"pair-layout", "after=halves interleaved", "pairs are read {before} and written with the halves interleaved: y[0], y[d/2], y[1], …"},
    {"pair-layout", "after=dimensions swapped", "pairs are read {before} and written with the two dimensions of each pair swapped"},
    {"pair-layout", "from; heads", "dimensions are permuted {applied} the rotation as for {heads} heads, not {asked}: dimensions {dimensions} come from {from}", permuted},
    {"pair-layout", "from", "dimensions are in another order {applied} the rotation: dimensions {dimensions} come from {from}", permuted},
    {"pair-layout", "before; after", "pairs are read {before} and written {after}", rewritten},
    {"pair-layout", "layout", "pairs are {layout} instead of {asked}"},

    {"direction", "pairs", "pairs {pairs} rotate in the opposite direction: their sin is negated; all others match the config"},
    {"direction", "", "every pair rotates in the opposite direction: sin is negated"},
    {"cos-sin-swapped", "sign=negated", "cos and sin are swapped and one is negated: every pair is a quarter turn ahead"},
    {"cos-sin-swapped", "", "cos and sin are swapped"},
    {"sign", "negated=cos", "cos is negated"},
    {"sign", "negated=cos and sin", "cos and sin are both negated: every pair is half a turn ahead"},
    {"rotate-half-sign", "pairs=half_split; signs=minus", "both halves have a minus sign"},
    {"rotate-half-sign", "signs=minus", "both dimensions of a pair have a minus sign"},
    {"rotate-half-sign", "pairs=half_split", "rotate_half returns cat(x2, x1) without its minus sign"},
    {"rotate-half-sign", "", "the first dimension of a pair lacks its minus sign"},
    {"rotated-in-place", "written_first=first dimension", "the second dimension of a pair is computed from what the first one became"},
    {"rotated-in-place", "written_first=second dimension", "the first dimension of a pair is computed from what the second one became"},

    {"base", "before; after; last", "rows to position {last} use {before}, rows from {from} on use {after}", two_times},
    {"base", "before; after", "rows before position {from} use {before}, rows from there on use {after}", two_times},
    {"base", "root", "rope_theta is {rope_theta} instead of {asked}, or it is {root} and the exponent is −2i/{half}, not −2i/{whole}"},
    {"base", "", "rope_theta is {rope_theta} instead of {asked}"},
    {"exponent-divisor", "whole", "the exponent is −2i/{divisor}, the rotating part, not −2i/{whole}, the whole head"},
    {"exponent-divisor", "", "{within}the exponent is {own} instead of {asked}"},
    {"exponent-start", "first=1", "{within}the exponents start at {start}, not at 0: pairs are counted from 1"},
    {"exponent-start", "first=0.5", "{within}the exponents start at {start}, not at 0: they are (2i − 1)/d of pairs that are counted from 1"},
    {"exponent-start", "first=-0.5", "{within}the exponents start at {start}, not at 0"},
    {"exponent-start", "", "{within}the exponents start at {start}, not at 0: they are −2(i − 1)/d of pairs that are counted from 0"},
    {"exponent-sign", "", "the exponent's sign is lost: frequencies increase with the pair"},
    {"frequency-order", "order=reversed", "the frequencies are in reverse order"},
    {"frequency-order", "order=2i", "pair i has the frequency of pair 2i mod d/2, as if a repeated table were read as a half table"},
    {"frequency-order", "order=i/2", "pairs 2i and 2i + 1 have the frequency of pair i"},
    {"frequency-order", "order=i-1", "pair i has the frequency of pair i − 1 mod d/2"},
    {"frequency-order", "order=i+1", "pair i has the frequency of pair i + 1 mod d/2"},
    {"frequency-order", "order=first", "every pair has the first pair's frequency"},
    {"frequency-order", "", "the frequencies are right but belong to other pairs: {moved}"},
    {"inv-freq-entry", "is_finite", "inv_freq of pair {pair} is {inv_freq} instead of {asked}"},
    {"inv-freq-entry", "", "inv_freq of pair {pair} is not finite ({asked} is expected)"},

    {"scaling-missing", "", "the config's {rope_type} scaling was not applied"},
    {"scaling-doubled", "", "the {rope_type} scaling was applied twice"},
    {"scaling-inverted", "", "the {rope_type} scaling was inverted: its factor multiplies where it must divide"},
    {"scaling-type", "rope_type=he_xu", "θ is scaled by π/(2n), n = {n}, as He & Xu propose"},
    {"scaling-type", "pairs", "the frequencies of pairs {pairs} are multiplied by {scale}; all others match the config"},
    {"scaling-type", "original_max_position_embeddings; asked", "the scaling is {rope_type} with factor {factor} and original_max_position_embeddings {original_max_position_embeddings} instead of {asked}"},
    {"scaling-type", "original_max_position_embeddings", "the scaling is {rope_type} with factor {factor} and original_max_position_embeddings {original_max_position_embeddings}, where no scaling was expected"},
    {"scaling-type", "", "the scaling is {rope_type} with factor {factor} instead of {asked}"},
    {"scaling-parameter", "divided; truncate", "the frequencies that {rope_type} divides are {divided} instead of θ/factor, and truncate is {truncate}", wrong_blend},
    {"scaling-parameter", "before; after; last", "rows to position {last} use {before}, rows from {from} on use {after}", two_times},
    {"scaling-parameter", "before; after", "rows before position {from} use {before}, rows from there on use {after}", two_times},
    {"scaling-parameter", "exponent", "the base is multiplied by {times}, not {times}^(d/(d − 2))"},
    {"scaling-parameter", "seq_len=of each step; prefill", "rows keep the base of the sequence's length at the step in which they were cached (the first {prefill} rows that of length {prefill}); dynamic scaling changes it for all rows", grown_cache},
    {"scaling-parameter", "seq_len=of each step", "rows keep the base of the sequence's length at the step in which they were cached; dynamic scaling changes it for all rows", grown_cache},
    {"scaling-parameter", "seq_len; is_static", "the base is the one for length factor·L = {seq_len} at every position, as in vLLM's static version of dynamic"},
    {"scaling-parameter", "seq_len; least", "dynamic's formula was applied to sequences of {seq_len} positions: up to {least} the base is rope_theta"},
    {"scaling-parameter", "seq_len; asked", "the base is the one for sequences of {seq_len} positions instead of {asked}"},
    {"scaling-parameter", "seq_len", "the base is the one for sequences of {seq_len} positions"},
    {"scaling-parameter", "truncate=false", "yarn's ramp bounds were not rounded, as with truncate: false"},
    {"scaling-parameter", "truncate=true", "yarn's ramp bounds were rounded although truncate is false"},
    {"scaling-parameter", "ramp=inverted", "{rope_type}'s ramp is inverted: {how}"},
    {"scaling-parameter", "ramp", "{rope_type}'s blend of kept and divided frequencies is wrong: {how}", wrong_blend},
    {"scaling-parameter", "divided", "the frequencies that {rope_type} divides are {divided} instead of θ/factor", wrong_blend},
    {"scaling-parameter", "bounds", "the bounds of yarn's ramp are {bounds}", wrong_blend},
    {"scaling-parameter", "beta_fast; are=equal", "no pair is blended: beta_fast and beta_slow are both {beta_fast}"},
    {"scaling-parameter", "beta_fast; are=without 2π", "a pair's turns in the original length lack 2π, as if its wavelength were 1/θ"},
    {"scaling-parameter", "beta_fast; are=swapped", "beta_fast and beta_slow were swapped"},
    {"scaling-parameter", "beta_fast; are=defaults", "beta_fast and beta_slow are the defaults {beta_fast} and {beta_slow}, not the config's"},
    {"scaling-parameter", "beta_fast", "beta_fast is {beta_fast} and beta_slow is {beta_slow}"},
    {"scaling-parameter", "low_freq_factor; are=equal", "no pair is blended, as with low_freq_factor and high_freq_factor exchanged: those with fewer than {low_freq_factor} turns in the original length are divided by factor, the others are kept"},
    {"scaling-parameter", "low_freq_factor; are=without 2π", "a pair's turns in the original length lack 2π, as if its wavelength were 1/θ"},
    {"scaling-parameter", "low_freq_factor", "low_freq_factor is {low_freq_factor} and high_freq_factor is {high_freq_factor}"},
    {"scaling-parameter", "factors", "the frequencies are divided by {factors}, which is not the list for this length"},
    {"scaling-parameter", "factor", "{rope_type}'s factor is {factor} instead of {asked}"},
    {"scaling-parameter", "max_position_embeddings", "He & Xu's n is {max_position_embeddings} instead of {asked}"},
    {"scaling-parameter", "original_max_position_embeddings; is_longest", "original_max_position_embeddings is max_position_embeddings, {original_max_position_embeddings}"},
    {"scaling-parameter", "original_max_position_embeddings", "original_max_position_embeddings is {original_max_position_embeddings}"},
    {"config-reading", "layers", "the rotation is that of the config's other layers, {layers}", "one table serves all layers, or a layer's kind is read from the wrong entry of the config: give each kind of layers its own"},
    {"config-reading", "", "the config was read as by {libraries}"},

    {"vector-scale", "rule=softmax", "vectors are multiplied by {scale} = {formula}, the softmax scale", folded_scale},
    {"attention-factor", "cos; sin", "cos is scaled by {cos} and sin by {sin}, not both by {asked}"},
    {"attention-factor", "", "cos and sin are scaled by {attention_factor}, not by {asked}"},
    {"vector-scale", "rule=xpos; side=query", "pair i is multiplied by ((2i/d + 0.4)/1.4)^((m − {centre})/{base}), as xPos does to q: --after xpos={base}:{centre}"},
    {"vector-scale", "rule=xpos", "pair i is multiplied by ((2i/d + 0.4)/1.4)^(−(m − {centre})/{base}), as xPos does to k: --after xpos={base}:{centre}"},
    {"vector-scale", "rule=log-n", "vectors are multiplied by the logarithm of m + 1 to the base {length} from position {length} on"},
    {"vector-scale", "rule=temperature", "vectors are multiplied by 1 + {beta}·ln(1 + ⌊{m}/{length}⌋)"},
    {"vector-scale", "rule=norm", "each vector is normalised to a root mean square of {root_mean_square} before or after the rotation"},
    {"dimension-scale", "rule=norm", "vectors are normalised and every dimension {of_head}is multiplied by its own number, {least} to {most}, {applied} the rotation"},
    {"dimension-scale", "rule=norm of all heads", "vectors are normalised over all heads together and every dimension {of_head}is multiplied by its own number, {least} to {most}, {applied} the rotation"},
    {"dimension-scale", "", "every dimension {of_head}is multiplied by its own number, {least} to {most}, {applied} the rotation"},
    {"dimension-shift", "", "a bias {of_head}is added {added} the rotation, up to {most}"},
    {"hadamard", "applied=before", "a Hadamard transform of {which} {dimensions} dimensions precedes the rotation"},
    {"hadamard", "", "a Hadamard transform of {which} {dimensions} dimensions follows the rotation"},

    {"rotary-dim", "base; head_dim", "{rotary_dim} of {head_dim} dimensions rotate, by rope_theta {base}; none should", "the layer is one without position embeddings: do not rotate its q and k"},
    {"rotary-dim", "base", "all {rotary_dim} dimensions rotate, by rope_theta {base}; none should", "the layer is one without position embeddings: do not rotate its q and k"},
    {"rotary-dim", "subject; columns=twice", "the {subject} for rotary_dim {rotary_dim} instead of {asked}: it holds each column twice"},
    {"rotary-dim", "subject", "the {subject} for rotary_dim {rotary_dim} instead of {asked}"},
    {"rotary-dim", "partial_rotary_factor; rotating=1", "only the first of {pairs} pairs rotates, as where rope_theta overflows: inv_freq is 1, 0, 0, …"},
    {"rotary-dim", "partial_rotary_factor", "only the first {rotating} of {pairs} pairs rotate"},
    {"rotary-dim", "dimensions=spread", "dimensions i and i + {half} are pairs, for i below {pairs}"},
    {"rotary-dim", "dimensions=suffix; asked", "the last {rotary_dim} dimensions rotate, not the first"},
    {"rotary-dim", "dimensions=suffix", "the last {rotary_dim} dimensions rotate"},
    {"rotary-dim", "middle; by_own", "the first {rotary_dim} dimensions rotate as a separate head, by base^(−2i/{rotary_dim}): dimensions i and i + {middle} are pairs, for i below {middle}"},
    {"rotary-dim", "middle", "the first {rotary_dim} dimensions rotate as a separate head: dimensions i and i + {middle} are pairs, for i below {middle}"},
    {"rotary-dim", "offset", "the first {rotary_dim} dimensions rotate, not those from dimension {offset} on"},
    {"rotary-dim", "is_head", "all {rotary_dim} dimensions rotate, not the first {asked}"},
    {"rotary-dim", "", "the first {rotary_dim} dimensions rotate instead of {asked}"},

    {"position-offset", "every; is_twice", "the start of each chunk of {every} positions is added twice: {every} becomes {twice}, {twice} becomes {four_times}"},
    {"position-offset", "every", "each chunk of {every} positions {gains} {|offset|} more than the one before it: {every} becomes {once}, {twice} becomes {twice_more}"},
    {"position-offset", "from; last_right", "from position {from} on (the last before it, {last_right}, is right), every row is for position m {+offset}, not m"},
    {"position-offset", "from", "from position {from} on, every row is for position m {+offset}, not m"},
    {"position-offset", "table", "every vector is rotated by the table's row of position m {+offset}, not m"},
    {"position-offset", "", "every row is for position m {+offset}, not m"},
    {"position-scale", "unit", "positions are multiplied by {unit}"},
    {"position-scale", "offset", "positions are multiplied by {scale} and {offset} is added"},
    {"position-scale", "", "positions are multiplied by {scale}"},
    {"position-collapse", "rows", "every row of a batch entry is for the position of its first row"},
    {"position-collapse", "position", "every row is for position {position}"},
    {"position-collapse", "last", "every position beyond {last} is clamped to it"},
    {"position-collapse", "first", "every position below {first} is raised to it"},
    {"position-collapse", "run", "each run of {run} positions uses its first one"},
    {"position-collapse", "divisor", "positions are divided by {divisor} and rounded down"},
    {"position-collapse", "whole=truncated", "fractional positions are truncated to whole numbers"},
    {"position-collapse", "whole=floor", "fractional positions are rounded down to whole numbers"},
    {"position-collapse", "whole=nearest", "fractional positions are rounded to the nearest whole number"},
    {"position-sign", "type", "positions were converted to {type}: -1 becomes {largest}"},
    {"position-sign", "", "negative positions are used without their sign"},
    {"position-wrap", "type", "positions wrap around as {type}: from {half} on they are negative"},
    {"position-wrap", "", "positions start over every {period}"},

    {"position-source", "entries", "batch entries are exchanged: {entries} have the positions of {positions_of}"},
    {"position-source", "starts; several", "positions start over from 0 at rows {starts}", packed},
    {"position-source", "starts", "positions start over from 0 at row {starts}", packed},
    {"position-source", "of=one", "{rows}", moved_rows},
    {"position-source", "of=entries", "{rows}", moved_rows},
    {"position-source", "of=offsets", "{rows}", other_starts},
    {"position-source", "of=each", "{rows}", row_starts},
    {"position-source", "of=shifts", "{rows}", stale_positions},
    {"position-source", "of=open", "{rows}", image_ids},
    {"position-source", "of=sequences", "{rows}", packed},
    {"position-source", "rows=behind images", "text after the last image is rotated by its row numbers: an image's tokens are counted one by one", image_ids},
    {"position-source", "source=row number; table", "rows of the table are taken by row number, not by position"},
    {"position-source", "source=row number", "rows are rotated by their row numbers in the sequence, not by their positions"},
    {"position-source", "source=sequence 0", "every batch entry has the position_ids of sequence 0, not its own"},
    {"position-source", "source=head number", "positions are head numbers: the rotation runs along the heads axis"},
    {"position-source", "source=batch number", "positions are numbers of batch entries: the rotation runs along the batch axis"},
    {"position-source", "source=row of the batch", "positions are row numbers of the whole batch: they count on from one entry to the next"},
    {"position-source", "source=reversed", "rows have the position_ids of their sequence in reverse order"},
    {"position-source", "source=row before", "each row has the position_ids of the row before it", shifted_tokens},
    {"position-source", "source=row after", "each row has the position_ids of the next row", shifted_tokens},
    {"position-source", "source=tokens last", "the class token or registers are last, not first: each row has the ids of a later one",
     "the rotation skips the last rows of the sequence, not the first: the class token and registers come before the patches"},
    {"position-source", "source=image alone", "an image's ids count from 0: the next free id after the text before it is not added", image_ids},
    {"position-source", "source=image rows", "an image's ids count row by row, but its tokens are in another order", image_ids},
    {"position-source", "source=image columns", "an image's ids count down its columns, but its tokens are in another order", image_ids},
    {"position-source", "source=image blocks", "an image's ids count blocks of 2 × 2, as patches are merged, but its tokens are in another order", image_ids},
    {"position-source", "source=image height", "an image's token t has the ids (t div height, t mod height): it is divided by the height, not the width", image_ids},
    {"position-source", "source=image doubled", "an image's ids are 2 apart instead of 1: its patches are not merged (spatial_merge_size)", image_ids},
    {"position-source", "source=image halved", "an image's ids are divided by 2: its patches are merged twice (spatial_merge_size)", image_ids},
    {"position-source", "source=frame number", "a video's frames are numbered one by one, not by their time", image_ids},
    {"position-source", "source=frame number and behind", "a video's frames are numbered one by one, not by their time, and the ids behind it go on from there", image_ids},
    {"position-source", "source=first frame", "all frames of a video have the time of the first one", image_ids},
    {"position-source", "source=first frame and behind", "all frames of a video have the time of the first one, and the ids behind it go on from there", image_ids},
    {"position-source", "source=frame step", "a video's frames are {apart} apart instead of {asked}{behind}", image_ids},
    {"position-source", "source=image time; step=0", "an image's time is {start} times its first id, not that id, in every frame{behind}", image_ids},
    {"position-source", "source=image time; apart", "an image's time is {start} times its first id, not that id, and its frames are {apart} apart{behind}", image_ids},
    {"position-source", "source=image time", "an image's time is {start} times its first id, not that id{behind}", image_ids},
    {"position-source", "source=row of the heads", "positions count on from one head to the next: row s of S in head h is for position h·S + s"},
    {"position-source", "source=head of the rows", "positions count the heads of every row: row s in head h of H is for position s·H + h"},
    {"position-source", "source=row of the batch's heads", "positions count on from one head to the next, through the whole batch: row s of S in head h of H of entry b is for position (b·H + h)·S + s"},
    {"position-source", "source=[S, H, head_dim]", "rows are numbered as in the order [S, H, head_dim]: row s of S in head h of H is for position ⌊(h·S + s)/H⌋", memory_order},
    {"position-source", "source=[H, S, head_dim]", "rows are numbered as in the order [H, S, head_dim]: row s of S in head h of H is for position (s·H + h) mod S", memory_order},
    {"position-source", "source=head of the batch's rows", "positions count the heads of every row, through the whole batch: row s of S in head h of H of entry b is for position (b·S + s)·H + h"},
    {"axis-map", "label", "the ids are those of axis {label}"},
    {"axis-map", "single", "every pair follows {map}"},
    {"axis-map", "place", "pair i follows the axis of pair {place}, not its own", other_place},
    {"axis-map", "order", "axes are taken in the {map}"},
    {"axis-map", "sections; others", "the sections are {sections} (other sizes fit the values, too)"},
    {"axis-map", "sections", "the sections are {sections}"},
    {"axis-map", "", "the pairs' axes are {map} instead of {asked}"},

    {"inv-freq-precision", "rounded; how", "inv_freq and positions were {how} to {format}"},
    {"inv-freq-precision", "rounded", "{rounded} was rounded to {format} before inv_freq was computed"},
    {"inv-freq-precision", "format=tf32", "inv_freq was rounded to TF32"},
    {"inv-freq-precision", "", "inv_freq was {how} to {format}"},
    {"position-precision", "", "positions were {how} to {format}"},
    {"angle-precision", "rounded=inv_freq and positions and product", "inv_freq, positions and their product were rounded to {format}"},
    {"angle-precision", "rounded=inv_freq and product", "inv_freq and position·inv_freq were rounded to {format}"},
    {"angle-precision", "rounded=positions and product", "positions and position·inv_freq were rounded to {format}"},
    {"angle-precision", "rounding=ties away", "inv_freq and positions were rounded to TF32 with ties away from zero, as cvt.rna does"},
    {"angle-precision", "rounded; rounding", "inv_freq and positions were cut off to TF32, as tensor cores do to float32"},
    {"angle-precision", "rounded", "inv_freq and positions were rounded to TF32, as in a matrix product"},
    {"angle-precision", "roundings", "angles are inaccurate by up to {roundings} float32 roundings of their size: the error grows with the angle, to {error} at {angle} rad", reduced},
    {"angle-precision", "how", "position·inv_freq was {how} to {format}"},
    {"angle-precision", "pairs", "{are} inaccurate, by up to {error}, at angles of {angle} rad and more; all other values match the config", reduced},
    {"table-precision", "rounding", "cos and sin were cut off to {format}"},
    {"table-precision", "stored", "cos and sin were rounded to {format} and stored as {stored}"},
    {"table-precision", "", "cos and sin were rounded to {format}"},
    {"recurrence", "over=positions", "angles are accumulated in float32 from position to position: angle ← angle + θ"},
    {"recurrence", "", "θ is multiplied by base^(−2/d) in float32 from pair to pair, as ggml does"},
    {"table-indexing", "", "{read}"},
    {"table-truncated", "", "{right}, and zero {since}"},
    {"uninitialised", "inv_freq=by no rule; lost", "inv_freq follows no known rule, and its values of pairs {lost} are not finite"},
    {"uninitialised", "inv_freq=by no rule", "each pair has a constant rate, but the rates follow no known rule (pair {pair}: {rate} instead of {asked})"},
    {"uninitialised", "inv_freq=zero; most", "no inv_freq is beyond {most}: a buffer that was never written"},
    {"uninitialised", "inv_freq=zero", "every inv_freq is 0: a buffer that was zeroed"},
    {"uninitialised", "inv_freq=not finite", "pairs {pairs} are not finite at any position, as their inv_freq is not; all others match the config", infinite},
    {"uninitialised", "dimensions; written=0", "dimensions {dimensions} are 0 in every row; all others match the config", unstored},
    {"uninitialised", "dimensions", "every pair matches the config, but {which} {values} after the rotation", unkept},
    {"uninitialised", "lost; table", "{lost}: every head has the same cos and sin, and cos² + sin² is not 1", other_table},
    {"uninitialised", "lost", "{lost}", unwritten},
    {"uninitialised", "rows; none", "no row was written: values are 0, not finite or far too large", unwritten},
    {"uninitialised", "rows; positions", "{place} are {values}; all others match the config", unwritten},
    {"uninitialised", "rows=zero", "every value is 0 at every position", unwritten},
    {"uninitialised", "from", "{right}, and {values} {since}", unwritten},
    {"uninitialised", "not_finite; none", "every pair has a value that is not finite", unwritten},
    {"uninitialised", "not_finite", "{not_finite} of {values} pairs {have} not finite; {more}all others match the config", unwritten},
    {"rotated-twice", "by", "after the rotation every row is rotated by {by} positions more, in {then_dim} dimensions", moved_keys},
    {"rotated-twice", "angle", "after the rotation each pair is rotated by a further angle, the same in every row", moved_keys},
    {"rotated-twice", "first; then; first_dim", "every vector is rotated twice, first in {first} pairs of {first_dim} dimensions and then in {then} ones of {then_dim}"},
    {"rotated-twice", "first_dim", "every vector is rotated twice: once {first_dim} and once {then_dim} of its dimensions"},
    {"rotated-twice", "first; then", "every vector is rotated twice, first in {first} pairs and then in {then} ones"},
    {"rotated-twice", "", "every vector is rotated twice: by 2m·θ in place of m·θ"},
    {"rows-swapped", "", "rows {a} and {b} are swapped: each is rotated to the other's position"},
    {"head-order", "from", "the rotated vectors are those of {from}"},
    {"head-order", "", "heads are in another order after the rotation: those of q by number, {heads}"},
    {"not-rotated", "dimensions", "dimensions {dimensions} keep their values from before the rotation; all others match the config", unstored},
    {"not-rotated", "lost; part", "{lost}", half_stored},
    {"not-rotated", "lost", "{lost}", missed_rows},
    {"not-rotated", "rows", "{which} not rotated", missed_rows},
    {"not-rotated", "from; is_last", "the row for position {from} is not rotated"},
    {"not-rotated", "from; last_right", "rows are not rotated from position {from} on (the last before it, {last_right}, is right)"},
    {"not-rotated", "from", "rows are not rotated from position {from} on"},
    {"not-rotated", "", "no row is rotated: cos is 1 and sin is 0 at every position"},
    {"state", "call=repeated", "two equal calls return different values: the function keeps state from call to call, or is random"},
    {"state", "mixes", "the result for a row depends on other {mixes}", "values are added to, or read from, another place: check the strides, and the buffer that the threads share"},
    {"state", "", "a row has other values in another call: cos and sin of an earlier call are used again, or other rows matter"},
    {"input", "modified", "{modified} is changed by the function, although it returns its result", "it writes into its argument, which the caller may still use: copy it first, or return None if the function rotates in place"},
    {"input", "ignored=x", "the result does not depend on x: x and −x get the same values", "a buffer or a constant is returned in place of the rotated x"},
    {"input", "ignored=q", "the rotated q does not depend on q, but on k: q and k are exchanged, or share an array", exchanged},
    {"input", "ignored=k", "the rotated k does not depend on k, but on q: q and k are exchanged, or share an array", exchanged},
};
// clang-format on

bool holds(std::string_view when, const Parameters& values) {
    while (!when.empty()) {
        const std::string_view one = when.substr(0, when.find("; "));
        when.remove_prefix(std::min(when.size(), one.size() + 2));
        const std::size_t equals = one.find('=');
        const FieldValue* value = find_value(values, one.substr(0, equals));
        if (value == nullptr) return false;
        if (equals != one.npos && text_of(*value) != one.substr(equals + 1)) return false;
    }
    return true;
}

// Returns the text for "{key}", "{+key}" or "{|key|}" of a sentence.
std::string filled_in(std::string_view placeholder, const Parameters& values) {
    const char form = placeholder.front();
    if (form == '+') placeholder.remove_prefix(1);
    if (form == '|') placeholder = placeholder.substr(1, placeholder.size() - 2);
    const FieldValue* value = find_value(values, placeholder);
    assert(value != nullptr);
    if (form != '+' && form != '|') return text_of(*value);
    const double number = std::get<double>(*value);
    const std::string size = decimal(std::abs(number));
    return form == '|' ? size : (number < 0 ? "− " : "+ ") + size;
}

}  // namespace

std::string text_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return decimal(*x);
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return decimal(*n);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return "";
}

NamedMistake named(std::string_view id, Parameters parameters, const Parameters& context) {
    Parameters values = parameters;
    values.insert(values.end(), context.begin(), context.end());
    const auto sentence = std::ranges::find_if(
        sentences, [&](const Sentence& one) { return one.id == id && holds(one.when, values); });
    assert(sentence != std::end(sentences));
    return {std::string(id), std::move(parameters),
            filled(sentence->text, [&](std::string_view name) { return filled_in(name, values); }),
            std::string(sentence->advice)};
}

}  // namespace rope
