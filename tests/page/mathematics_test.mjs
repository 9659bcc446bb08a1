// The page shows the tool's numbers: frequencies of any rope type, scores at a million distances,
// claims and the bound of the base.
// usage: mathematics_test.mjs ROPE_CHECK SOURCE_FOLDER
import assert from 'node:assert/strict';
import {islandOf, json as jsonOf, read, root, run as runWords, scratch, test} from './check.mjs';
import {load} from './modules.mjs';

const {unpackNumbers, turnsOf, cosineSum, meaning, fieldWords, apart, brief, positionText, errorText, powerOfTen, typeset, labelStart, placeNames, powersOfTen, tickText, unpackCells, xRange} = load(root);
const at = scratch();
const run = (words) => runWords(...words.split(' '));
const json = (words) => jsonOf(...words.split(' '));

const specs = [
  '--dim 128', '--dim 2 --base 100', '--dim 64 --base 500000.5 --max-position 8192',
  '--dim 96 --rope rope_type=linear,factor=4', '--dim 128 --rope rope_type=ntk,factor=8',
  '--dim 80 --rope rope_type=ntk_mixed,factor=3.5,mixed_b=0.625',
  '--dim 128 --rope rope_type=dynamic,factor=2 --max-position 4096 --rope seq_len=16384',
  '--dim 128 --base 500000 --rope rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_embeddings=8192 --max-position 131072',
  '--dim 64 --rope rope_type=yarn,factor=40,original_max_position_embeddings=4096 --max-position 163840',
  '--dim 128 --rope rope_type=he_xu --max-position 3000', '--model phi-3.5-mini --rope seq_len=4097',
  '--dim 64 --rope rope_type=proportional,partial_rotary_factor=0.25 --base 1000000',
  '--dim 64 --rope rope_type=resonance --base 500000.5',
  '--dim 128 --rope rope_type=qwen_ntk --max-position 2048 --rope seq_len=4096', '--model qwen2-vl-7b',
  '--dim 64 --rope axes=blocks,mrope_section=12,10,10,rope_type=ntk,factor=8', '--dim 64 --rope axes=even_odd',
];

// The page's data for a config.
const pages = new Map();
function page(words) {
  if (!pages.has(words)) {
    runWords('explain', ...words.split(' '), '-q', '-o', at('page.html'));
    pages.set(words, JSON.parse(islandOf(read(at('page.html')))));
  }
  return pages.get(words);
}
const turnsIn = (words) => turnsOf(unpackNumbers(page(words).configs[0].inv_freq));
const planOf = (words) => json(`verify ${words} --context 8 --only identity-at-zero`).plan.inv_freq;

await test('numbers in sentences are as in the figures', () => {
  for (const [text, want] of [
    ['cos and sin are scaled by 1e+30, not by 1', 'cos and sin are scaled by 10³⁰, not by 1'],
    ['1 of 32768 pairs', '1 of 32,768 pairs'], ['rope_theta is 500000, not -1.2e-4.', 'rope_theta is 500,000, not −1.2×10⁻⁴.'],
    ['first above 2^-9 at 1024: 1.0e30', 'first above 2⁻⁹ at 1,024: 1.0×10³⁰'], ['shape [1, 4, 512, 20480]', 'shape [1, 4, 512, 20,480]'],
    ['positions < 131072', 'positions < 131,072'], ['arXiv 2104.09864, llama-10000 x2048 10,000 v1.2.3 a/65536 #4096', 'arXiv 2104.09864, llama-10000 x2048 10,000 v1.2.3 a/65536 #4096'],
  ]) assert.equal(typeset(text), want);
});

await test('every inv_freq is the one in the report', () => {
  for (const words of specs)
    assert.deepEqual([...unpackNumbers(page(words).configs[0].inv_freq)], planOf(words), words);
});

await test('every other value of a parameter has the frequencies of that config', () => {
  const varied = {rope_theta: '--base', factor: 'factor', max_position_embeddings: '--max-position'};
  for (const words of [specs[0], specs[3], specs[7], specs[9]]) {
    const {variations, configs} = page(words), pairs = unpackNumbers(configs[0].inv_freq).length;
    assert.equal(variations[0].name, 'rope_theta');
    assert.equal(variations.some(({name}) => name === 'factor'), words.includes('factor='), words);
    assert.equal(variations.some(({name}) => name === 'max_position_embeddings'), words.includes('he_xu'), words);
    for (const {name, own, values, inv_freq} of variations) {
      const all = unpackNumbers(inv_freq);
      assert.equal(all.length, values.length * pairs);
      for (const k of [0, values.indexOf(own), values.length - 1]) {
        const other = name === 'factor' ? words.replace(/([,=]factor=)[\d.]+/, `$1${values[k]}`)
          : `${words.replace(new RegExp(varied[name] + ' \\S+ ?'), '').trim()} ${varied[name]} ${values[k]}`;
        assert.deepEqual([...all.subarray(k * pairs, (k + 1) * pairs)], planOf(other.trim()), other);
      }
    }
  }
});

await test('scores at 1,000,000 distances are within 1e-9 of the largest value', () => {
  for (const words of [specs[0], specs[8], specs[15]]) {
    const lines = run(`plot-decay ${words} --overlay --every-distance --no-scaled --distance 1000000 -o csv:-`).trimEnd().split('\n');
    const column = lines[0].split('","').findIndex((name) => /B̂\(s\)/.test(name));
    assert.equal(column, 1, lines[0]);
    const turns = turnsIn(words), sums = cosineSum.all(turns, 1e6);
    let worst = 0, largest = 0, count = 0;
    for (const line of lines.slice(1)) {
      const cells = line.split(','), s = Number(cells[0]), want = Number(cells[column]);
      worst = Math.max(worst, Math.abs(sums[s] / turns.length - want));
      largest = Math.max(largest, Math.abs(want));
      ++count;
    }
    assert.equal(count, 1e6);
    assert(worst <= 1e-9 * largest, `${words}: ${worst}`);
    for (const s of [1, 77, 999999]) assert(Math.abs(cosineSum.at(turns, s) - sums[s]) < 1e-8);
  }
});

await test('first rises and negatives are the integers that the tool finds', () => {
  for (const words of specs) {
    const [finding] = json(`verify ${words} --context 8 --only score-decay --require score-decay`).findings;
    const last = Math.min(finding.searched_to, 300000), shape = cosineSum.shape(cosineSum.all(turnsIn(words), last));
    const within = (s) => (s !== null && s <= last ? s : null);
    assert.equal(shape.firstRise, within(finding.first_rise), `${words}: first rise`);
    assert.equal(shape.firstNegative, within(finding.first_negative), `${words}: first negative`);
  }
});

await test('base θ and scaled θ fail where the tool says', () => {
  for (const n of [16, 17, 2048])
    for (const dim of [2, 32, 128]) {
      const {scaled} = page(`--dim ${dim} --max-position ${n}`);
      assert.equal(scaled.n, n);
      ['default', 'he_xu'].forEach((type, k) => {
        const words = `--dim ${dim} --max-position ${n} --rope rope_type=${type}`;
        const {findings} = json(`verify ${words} --context 8 --only c3-R1 --only c3-R2 --only c3-R3 --require c3-R1`);
        assert.deepEqual([...unpackNumbers(scaled.kinds[k].inv_freq)], planOf(words));
        for (const [id, fail] of Object.entries(scaled.kinds[k].fails)) {
          const finding = findings.find(({check}) => check === 'c3-' + id);
          assert.equal(fail?.distance ?? null, finding.first_violation, `${words}: ${id}`);
          if (fail) assert.equal(fail.pair, finding.step.pair ?? 0, `${words}: ${id}`);
        }
      });
    }
});

await test('the least score and the bound of the base are those of base-bound', () => {
  for (const [words, context] of [['--dim 128 --base 10000', 4096], ['--dim 128 --base 500000', 131072], ['--dim 64 --base 10000', 1048576],
                                  ['--model phi-3.5-mini --rope seq_len=4096', 4096], ['--model glm-4-9b', 131072]]) {
    const {base: want} = json(`base-bound ${words} --context ${context}`);
    const turns = turnsIn(words), {passing} = page(words).configs[0];
    const shape = cosineSum.shape(cosineSum.all(turns, context), passing);
    assert(Math.abs(shape.least - want.minimum.value) <= 1e-8, `${words}: ${shape.least}`);
    assert.equal(shape.leastAt, want.minimum.position, words);
    const first = want.first_negative !== null && want.first_negative <= context ? want.first_negative : null;
    assert.equal(shape.firstNegative, first, words);
    assert.equal(want.holds, first === null, words);
  }
});

await test('the scores of base θ and scaled θ count pairs that do not rotate', () => {
  const {scaled, configs} = page('--model phi-2');
  assert.equal(scaled.passing, 24);
  assert.equal(scaled.passing, configs[0].passing);
});

await test('cells of a map are whole pixels of the device, without a gap', () => {
  for (const devicePixelRatio of [1, 1.25, 1.5, 2, 2.625]) {
    const {mapDrawing} = load(root, {devicePixelRatio});
    const cells = {rows: 37, columns: 41, edge: (column) => column / 41};
    const view = {left: 0, right: 1, bottom: 0, top: 1};
    const frame = mapDrawing.frameOf({cells, view, lines: [], size: {width: 777, height: 360}});
    const isWhole = (at) => Math.abs(at * devicePixelRatio - Math.round(at * devicePixelRatio)) < 1e-6;
    for (let k = 1; k < 37; ++k) {
      const [x, y, width, height] = frame.boxOf(k, k), [nextX, nextY, , nextHeight] = frame.boxOf(k - 1, k + 1);
      assert([x, y, width, height].every(isWhole), `${devicePixelRatio}: ${[x, y, width, height]}`);
      assert(Math.abs(x + width - nextX) < 1e-6 && Math.abs(y + height - nextY) < 1e-6 && nextHeight > 0);
    }
  }
});

await test('the label of a level at the upper end of a chart is below its line', () => {
  const said = [];
  const ctx = {measureText: () => ({width: 40}), fillRect: () => {}, fillText: (text, x, y) => said.push(y)};
  const {drawMarkLabel} = load(root, {devicePixelRatio: 1}), bbox = {left: 50, top: 10, width: 300, height: 200};
  for (const at of [10, 12, 24, 25, 26, 200]) {
    drawMarkLabel({ctx, bbox}, {y: 1, label: 'context', at, width: 40});
    assert(said.at(-1) - 7 >= bbox.top && said.at(-1) + 7 <= bbox.top + bbox.height, `${at}: ${said.at(-1)}`);
  }
  // the label of a vertical line is above the curves
  for (const row of [0, 1, 5]) {
    drawMarkLabel({ctx, bbox}, {x: 1, label: 'from 1', at: 100, left: 105, width: 40, row});
    assert(said.at(-1) + 6 < bbox.top, `${row}: ${said.at(-1)}`);
  }
});

// "above its tolerance from 1" covered the line of 5.
await test('a name above a plot is next to its line, and on no other line or name', () => {
  const plot = {left: 50, right: 350};
  for (const places of [[60, 70], [60, 60], [60, 200], [320, 330], [340, 340], [300, 345], [50, 350], [60, 90, 120], [100], [220, 260]]) {
    const lines = places.map((at) => ({at, width: 120}));
    placeNames(lines, 4, plot);
    for (const name of lines) {
      assert(name.left >= plot.left && name.left + name.width <= plot.right, `${places}`);
      for (const other of lines.filter((one) => one !== name)) {
        const isCrossed = other.row > name.row && other.at > name.left && other.at < name.left + name.width;
        const overlaps = other.row === name.row && other.left < name.left + name.width && name.left < other.left + other.width;
        assert(!isCrossed && !overlaps, `${places}: ${JSON.stringify(lines)}`);
      }
    }
  }
});

await test('0 has a tick on a logarithmic axis of positions', () => {
  assert.deepEqual([...powersOfTen(0, 60, 0.5)({width: 1000, height: 300}, 0, 0.5, 100)], [0.5, 1, 10, 100]);
  assert.deepEqual([...powersOfTen(0, 60)({width: 1000, height: 300}, 0, 1, 100)], [1, 10, 100]);
  assert.deepEqual([...tickText(true, 0.5)(null, [0.5, 1, 10])], ['0', '1', '10']);
  assert.deepEqual([...tickText(false)(null, [0, 0.5])], ['0', '0.5']);
});

// The line of 257 was where its column began, at 245.
await test('a line is at its position, and of a listed one where its column begins', () => {
  const bytes = Buffer.alloc(2 * 28).toString('base64');
  const cells = (scale, first, last, edges) => unpackCells({rows: 1, columns: edges.length - 1, places: bytes, scale, first, last, edges, pairs_per_row: 1, pairs: 1});
  assert.equal(cells('linear', 0, 512, [0, 245, 512]).beginOf(257), 257 / 512);
  assert.equal(cells('log', 1, 256, [1, 100, 256]).beginOf(16), 0.5);
  assert.equal(cells('log', 1, 256, [0, 100, 256]).beginOf(0), 0);
  assert.equal(cells('listed', 0, 2, [7, 1000, 1001]).beginOf(1000), 0.5);
});

await test('each check of a report has a meaning, and each of its fields a name', () => {
  const ids = [...run('list checks --format text').matchAll(/^(\S+) +(law|conformance|claim): /gm)].map((found) => found[1]);
  assert(ids.length >= 20);
  for (const id of ids) assert(meaning[id], id);
  const golden = `${root}/tests/golden/hf_half/llama_d128_b1e4_default.npz`;
  const reports = [json('verify --dim 128 --context 131072'), ...json(`compare ${golden} --base 500000`).reports];
  for (const {findings} of reports)
    for (const finding of findings)
      for (const key of Object.keys(finding)) assert(!/[_^]/.test(fieldWords(key)), key);
});

await test('two numbers are shown with the digits that tell them apart', () => {
  for (const [a, b, want] of [[1, -0.99999999337, ['1', '−1']], [0.5, 0.25, ['0.5', '0.25']], [1.000000086595777, 1, ['1.0000001', '1']],
                              [2, 2, ['2', '2']]]) {
    const shown = [...apart(a, b)];
    assert(a === b || shown[0] !== shown[1], `${shown}`);
    assert(shown.every((text) => text.length <= 12), `${shown}`);
    if (a === b || Math.abs(a - b) > 0.1) assert.deepEqual(shown, want);
  }
  assert.equal(brief(1.99999999, 3), '2');
});

await test('a number has a minus sign and a power of ten', () => {
  const shown = [-2.5, -1234, 3363000.4, 2.5e-8, -1e-8, 9.99e-4].map((x) => brief(x));
  assert.deepEqual(shown, ['−2.5', '−1,234', '3.36×10⁶', '2.5×10⁻⁸', '−1×10⁻⁸', '9.99×10⁻⁴']);
});

await test('positions have three digits behind the point, and whole ones all digits', () => {
  const shown = [0, 5, 4294967295, -1234, 1 / 3, 299 / 3, 4000.5, 1e-5].map(positionText);
  assert.deepEqual(shown, ['0', '5', '4,294,967,295', '−1,234', '0.333', '99.667', '4,000.5', '0.00001']);
});

await test('what is not finite is called so, a number is not', () => {
  assert.deepEqual(['nan', 'inf', NaN, Infinity].map(errorText), Array(4).fill('not finite'));
  assert.deepEqual([0, 2.5, null, undefined].map(errorText), ['0', '2.5', '', '']);
  assert.deepEqual([0, -8, 12].map(powerOfTen), ['1', '10⁻⁸', '10¹²']);
});

await test('a label of a line is inside the plot wherever the line is', () => {
  const plot = {left: 50, right: 350};
  for (const width of [10, 120, 290])
    for (let at = 0; at <= 400; at += 10) {
      const start = labelStart(at, width, 5, plot);
      assert(start >= plot.left && start + width <= plot.right, `${width} at ${at}: ${start}`);
    }
  assert.equal(labelStart(100, 50, 5, plot), 105);
  assert.equal(labelStart(340, 50, 5, plot), 285);
});

await test('an axis is around a single pair', () => {
  assert.deepEqual([...xRange({data: [[0], [6.28]]}, 0, 100)], [-0.5, 0.5]);
  assert.deepEqual([...xRange({data: [[0, 63], [1, 2]]}, 0, 63)], [0, 63]);
});
