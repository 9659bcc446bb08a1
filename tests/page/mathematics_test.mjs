// The page computes what the tool does: frequencies, scores at a million distances, claims and the
// bound of the base.
// usage: mathematics_test.mjs ROPE_CHECK SOURCE_FOLDER
import assert from 'node:assert/strict';
import {json as jsonOf, root, run as runWords, test} from './check.mjs';
import {load} from './modules.mjs';

const {dd, axes, frequency, cosineSum, monotonicity, meaning} = load(root);
const run = (words) => runWords(...words.split(' '));
const json = (words) => jsonOf(...words.split(' '));

const specs = [
  '--dim 128', '--dim 2 --base 100', '--dim 64 --base 500000.5 --max-position 8192',
  '--dim 96 --rope rope_type=linear,factor=4',
  '--dim 128 --rope rope_type=ntk,factor=8', '--dim 128 --rope rope_type=ntk_mixed,factor=8',
  '--dim 80 --rope rope_type=ntk_mixed,factor=3.5,mixed_b=0.625',
  '--dim 128 --rope rope_type=dynamic,factor=2 --max-position 4096 --rope seq_len=16384',
  '--dim 128 --base 500000 --rope rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192 --max-position 131072',
  '--dim 64 --rope rope_type=yarn,factor=40,original_max_position_embeddings=4096 --max-position 163840',
  '--dim 128 --base 1000000 --rope rope_type=yarn,factor=4,original_max_position_embeddings=32768 --max-position 131072 --rope truncate=false,ext_factor=0.7,beta_fast=24',
  '--dim 128 --rope rope_type=yarn_paper,factor=16,original_max_position_embeddings=4096 --max-position 65536',
  '--dim 128 --rope rope_type=he_xu --max-position 3000', '--dim 64 --rope rope_type=he_xu --max-position 131072',
];

// Of several axes, lists of factors and pairs that stand still.
const rest = [
  '--model phi-3.5-mini --rope seq_len=4096', '--model phi-3.5-mini --rope seq_len=4097',
  '--dim 64 --rope rope_type=proportional,partial_rotary_factor=0.25 --base 1000000',
  '--dim 96 --rope rope_type=proportional,partial_rotary_factor=0.7,factor=8',
  '--dim 128 --rope rope_type=resonance', '--dim 64 --rope rope_type=resonance --base 500000.5',
  ...[2048, 2049, 4096, 10000].map((n) => `--dim 128 --rope rope_type=qwen_ntk --max-position 2048 --rope seq_len=${n}`),
  '--model qwen2-vl-7b', '--dim 128 --rope axes=sectioned,mrope_section=16,24,24 --base 5000000',
  '--dim 128 --rope axes=sectioned,mrope_section=16,16,16,16',
  '--dim 128 --rope axes=interleaved,mrope_section=24,20,20', '--dim 128 --rope axes=interleaved4,mrope_section=24,20,18,2',
  '--dim 128 --rope axes=height_width_time,mrope_section=22,22,20', '--dim 128 --rope axes=blocks,mrope_section=22,21,21',
  '--dim 64 --rope axes=axial', '--dim 64 --rope axes=halves', '--dim 64 --rope axes=even_odd', '--dim 64 --rope axes=alternating',
  '--dim 64 --rope axes=axial,rope_type=linear,factor=4', '--dim 64 --rope axes=blocks,mrope_section=12,10,10,rope_type=ntk,factor=8',
  '--dim 64 --rope axes=even_odd,rope_type=yarn,factor=16,original_max_position_embeddings=4096 --max-position 65536',
  '--dim 64 --rope axes=alternating,rope_type=he_xu --max-position 3000',
  '--dim 64 --rope axes=axial,rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192 --max-position 131072',
];

// The Spec of a report, as the sliders hold it.
const specOf = (report) => frequency.specOf(report.spec);

await test('double-double exponentials and logarithms are inverse to 1e-29', () => {
  for (const x of [1e-9, 0.1, 1, 2, 10, 1e4, 500000.5, 1e9, 1e30]) {
    const error = dd.subtract(dd.divide(dd.exp(dd.log(x)), x), 1);
    assert(Math.abs(error.hi + error.lo) < 1e-29, `${x}: ${error.hi}`);
  }
});

await test('every inv_freq is the double next to the exact one', () => {
  for (const words of [...specs, ...rest]) {
    const report = json(`verify ${words} --context 8 --only identity-at-zero`);
    const spec = specOf(report);
    frequency.plan(spec).forEach((theta, i) =>
      assert.equal(theta.hi, report.plan.inv_freq[i], `${words}: pair ${i}`));
  }
});

await test('scores at 1,000,000 distances are within 1e-9 of the largest value', () => {
  for (const words of [specs[0], ...specs.slice(7, 10), specs[12], rest[1], rest[2], rest[10], rest[18]]) {
    const lines = run(`plot-decay ${words} --overlay --every-distance --no-scaled --distance 1000000 -o csv:-`).trimEnd().split('\n');
    const report = json(`verify ${words} --context 8 --only identity-at-zero`);
    const spec = specOf(report), pairs = spec.dim / 2;
    const column = lines[0].split('","').findIndex((name) => /B̂\(s\)/.test(name));
    assert.equal(column, 1, lines[0]);
    const sums = cosineSum.all(frequency.turns(frequency.plan(spec)), 1e6);
    let worst = 0, largest = 0, count = 0;
    for (const line of lines.slice(1)) {
      const cells = line.split(','), s = Number(cells[0]), want = Number(cells[column]);
      worst = Math.max(worst, Math.abs(sums[s] / pairs - want));
      largest = Math.max(largest, Math.abs(want));
      ++count;
    }
    assert.equal(count, 1e6);
    assert(worst <= 1e-9 * largest, `${words}: ${worst}`);
    console.log(`   ${words}: ${(worst / largest).toExponential(1)} of the largest`);
  }
});

await test('first violations, rises and negatives are the integers that the tool finds', () => {
  for (const words of [...specs.filter((one) => !/--dim (2|80) /.test(one)), ...rest, ...[16, 17, 100, 4097].flatMap((n) => [2, 32].map((dim) => `--dim ${dim} --rope rope_type=he_xu --max-position ${n}`))]) {
    const report = json(`verify ${words} --context 8 --only c3-R1 --only c3-R2 --only c3-R3 --only score-decay --require c3-R1`);
    const turns = frequency.turns(frequency.plan(specOf(report)));
    for (const finding of report.findings) {
      // turns of a third and a half tie exactly there, which no sum of two doubles can say
      if (words.includes('resonance') && finding.check !== 'score-decay') continue;
      const last = finding.searched_to, found = (s) => (s <= last ? s : null);
      if (finding.check === 'score-decay') {
        const shape = cosineSum.shape(cosineSum.all(turns, Math.min(last, 300000)));
        const within = (s) => (s !== null && s <= 300000 ? s : null);
        assert.equal(shape.firstRise, within(finding.first_rise), `${words}: first rise`);
        assert.equal(shape.firstNegative, within(finding.first_negative), `${words}: first negative`);
      } else {
        const first = monotonicity.first(turns, finding.check.slice(3));
        assert.equal(found(first.distance), finding.first_violation, `${words}: ${finding.check}`);
        if (finding.step) assert.equal(first.pair, finding.step.pair ?? 0, `${words}: ${finding.check}`);
      }
    }
  }
});

await test('the least score and the bound of the base are those of base-bound', () => {
  for (const [base, dim, context] of [[1e4, 128, 4096], [5e5, 128, 131072], [26960, 128, 4096], [1e4, 64, 1048576]]) {
    const {base: want} = json(`base-bound --dim ${dim} --base ${base} --context ${context}`);
    const spec = {base, dim, type: 'default', factor: 1, length: context, context, keys: {}};
    const shape = cosineSum.shape(cosineSum.all(frequency.turns(frequency.plan(spec)), context));
    assert(Math.abs(shape.least - want.minimum.value) <= 1e-9 * dim / 2, `${base}: ${shape.least}`);
    assert.equal(shape.leastAt, want.minimum.position);
    const first = want.first_negative !== null && want.first_negative <= context ? want.first_negative : null;
    assert.equal(shape.firstNegative, first);
    assert.equal(want.holds, first === null);
  }
});

await test('a scaled Spec holds to the context where base-bound says so', () => {
  const phi = (length) => `--model phi-3.5-mini --rope seq_len=${length}`;
  const multimodal = rest.filter((words) => /qwen2-vl|interleaved /.test(words));
  for (const [words, context] of [[phi(4096), 4096], [phi(131072), 131072], [rest[2], 4096], [rest[3], 65536], ...multimodal.map((one) => [one, 8192])]) {
    // which does not depend on the axes, and refuses them as words
    const own = words.replace(/ --rope axes=\S+,mrope_section=\S+/, '');
    const {base: want} = json(`base-bound ${own}${/--base|--model/.test(own) ? '' : ' --base 10000'} --context ${context}`);
    const spec = specOf(json(`verify ${words} --context 8 --only identity-at-zero`));
    const turns = frequency.turns(frequency.plan(spec));
    const shape = cosineSum.shape(cosineSum.all(turns, context), frequency.passing(spec));
    assert(Math.abs(shape.least - want.minimum.value) <= 1e-9 * turns.length, `${words}: ${shape.least}`);
    assert.equal(shape.leastAt, want.minimum.position, words);
    assert.equal(shape.firstNegative === null, want.holds, words);
  }
});

// by the equations of src/rope/spec/axis.hpp
await test('the axis of each pair follows the scheme', () => {
  for (const [scheme, sections, want] of [
    ['single', [], '00000000'], ['sectioned', [2, 3, 3], '00111222'], ['interleaved', [4, 2, 2], '01201200'],
    ['interleaved4', [2, 2, 2, 2], '01201233'], ['height_width_time', [3, 3, 2], '12121200'], ['blocks', [3, 1, 4], '00012222'],
    ['axial', [], '00001111'], ['halves', [], '00001111'], ['even_odd', [], '00001111'], ['alternating', [], '01010101'],
  ]) assert.equal(axes.axisOf({scheme, sections}, 8).join(''), want, scheme);
});

await test('sections follow the dimension, and a map that does not fit says why', () => {
  for (const [scheme, {shares}] of Object.entries(axes.schemes))
    for (const pairs of [4, 30, 64, 128]) {
      const map = axes.fitted(scheme, [], pairs);
      axes.check(map, pairs);
      assert.equal(axes.axisOf(map, pairs).length, pairs, scheme);
      if (shares) assert.throws(() => axes.check(map, pairs + 2), /must add up to/);
    }
  assert.equal(axes.fitted('sectioned', [16, 24, 24], 32).sections.join(), '8,12,12');
  assert.throws(() => axes.check({scheme: 'axial', sections: []}, 5), /multiple of 4/);
  assert.throws(() => axes.check({scheme: 'height_width_time', sections: [2, 1, 1]}, 4), /as long/);
});

await test('each check of a report has a meaning', () => {
  const ids = [...run('list checks --format text').matchAll(/^(\S+) +(law|conformance|claim): /gm)].map((found) => found[1]);
  assert(ids.length >= 20);
  for (const id of ids) assert(meaning[id], id);
});
