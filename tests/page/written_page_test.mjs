// A written page contains the tool's report, and its policy names its script and style.
// usage: written_page_test.mjs ROPE_CHECK SOURCE_FOLDER
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {isDeepStrictEqual} from 'node:util';
import {runInNewContext} from 'node:vm';
import {islandOf, json, npy, read, root, run, scratch, test} from './check.mjs';

const at = scratch();
// of tables, and of q and k at nine positions far apart
const golden = `${root}/tests/golden/hf_half/llama_d128_b1e4_default.npz`;
const unpackCells = runInNewContext(
    ['number', 'cells'].map((name) => readFileSync(`${root}/plots/page/script/${name}.js`, 'utf8')).join('') +
    '; unpackCells', {atob});

function written(...words) {
  run(...words, '-q', '-o', at('page.html'));
  const html = read(at('page.html'));
  return {html, data: JSON.parse(islandOf(html))};
}

await test('the policy has the SHA-256 of the script and of the style', () => {
  const {html} = written('explain');
  const hash = (text) => 'sha256-' + createHash('sha256').update(text).digest('base64');
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1].replaceAll('&apos;', "'");
  const sources = Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.slice(one.indexOf(' ') + 1)]));
  assert.equal(sources['default-src'], "'none'");
  assert.equal(sources['script-src'], `'${hash(/<script>(.*?)<\/script>/s.exec(html)[1])}'`);
  assert.equal(sources['style-src'], `'${hash(/<style>(.*?)<\/style>/s.exec(html)[1])}'`);
});

await test('a report has the findings that verify and compare print', () => {
  const spec = ['--dim', '64', '--context', '4096', '--pipeline', 'bf16-angles'];
  const {data} = written('verify', ...spec);
  assert.equal(data.exit_code, 1);
  assert(isDeepStrictEqual(data.subjects.map(({report}) => report), [json('verify', ...spec)]));
  const dump = written('compare', golden, '--base', '500000').data;
  assert.equal(dump.subjects.length, 3);
  assert(isDeepStrictEqual(dump.subjects.map(({report}) => report), json('compare', golden, '--base', '500000').reports));
  assert.match(dump.subjects[0].report.diagnosis[0].what, /rope_theta is 10000 instead of 500000/);
});

await test('each cell is that of the figure, with the value of the table where it is worst', () => {
  const spec = ['--dim', '64', '--context', '4096', '--pipeline', 'bf16-angles'];
  const {data} = written('verify', ...spec);
  const cells = unpackCells(data.subjects[0].cells);
  const rows = run('verify', ...spec, '-o', 'csv:-').trim().split(/\r?\n/).slice(1).map((line) => line.split(',').map(Number));
  assert(rows.length > 8 && rows[0].length === 1 + 32);
  assert.equal(Math.fround(Math.max(...cells.worst)), Math.fround(Math.max(...rows.flatMap((row) => row.slice(1)))));
  if (rows.length === cells.columns)
    rows.forEach(([, ...errors], column) => errors.forEach((error, pair) =>
      assert.equal(Math.fround(cells.worst[cells.index(pair, column)]), Math.fround(error))));
  const worst = cells.at(...worstCell(cells)), accuracy = data.subjects[0].report.findings.find((one) => one.check === 'table-accuracy');
  assert.equal(worst.error, accuracy.worst_error);
  assert.equal(worst.position, accuracy.worst_error_position);
  assert.equal(worst.pair, accuracy.worst_error_pair);
});

function worstCell(cells) {
  const k = cells.worst.indexOf(Math.max(...cells.worst));
  return [Math.floor(k / cells.columns), k % cells.columns];
}

await test('the explorer begins with the table of its context', () => {
  for (const context of [131072, 4096]) {
    const {configs} = written('explain', 'phi-3.5-mini', '--context', String(context)).data;
    const want = json('explain', 'phi-3.5-mini', '--rope', `seq_len=${context}`, '--verbose').plans[0].inv_freq;
    assert.equal(configs[0].seq_len, context);
    assert.equal(configs[0].context, context);
    const own = Buffer.from(configs[0].inv_freq, 'base64');
    want.forEach((theta, k) => assert.equal(own.readDoubleLE(8 * k), theta));
  }
});

await test('frequencies that no mistake explains have a cause on top, and say nothing of rows', () => {
  const theta = Array.from({length: 16}, (_, i) => 1e4 ** (-i / 16));
  theta[5] = NaN;
  theta[9] = 0;
  writeFileSync(at('inv_freq.npy'), npy(theta));
  const {causes, subjects: [{report}]} = written('compare', 'inv_freq=' + at('inv_freq.npy'), '--dim', '32').data;
  assert.deepEqual(report.diagnosis ?? [], []);
  assert.match(causes[0], /match the config, pairs 5, 9 do not/);
  assert(!report.facts.some((fact) => /norm|first sampled/.test(fact)), report.facts.join('; '));
  assert.deepEqual(written('verify', '--dim', '32').data.causes, []);
});

await test('a cause of one of several subjects names that one', () => {
  const rows = 64, dim = 16, value = (k) => Math.sin(1 + k * k % 977);
  const x = Array.from({length: rows * dim}, (_, k) => value(k));
  const rotated = (shift) => x.map((_, k) => {
    const m = Math.floor(k / dim) + shift, i = k % (dim / 2), at = k - k % dim + i, isFirst = k % dim < dim / 2;
    const angle = m * 1e4 ** (-2 * i / dim), [a, b] = [x[at], x[at + dim / 2]];
    return isFirst ? a * Math.cos(angle) - b * Math.sin(angle) : a * Math.sin(angle) + b * Math.cos(angle);
  });
  for (const [name, values] of [['x', x], ['right', rotated(0)], ['late', rotated(1)]])
    writeFileSync(at(name + '.npy'), npy(values, [rows, dim]));
  const causes = (q, k) => written('compare', 'q=' + at('x.npy'), 'q_rot=' + at(q + '.npy'), 'k=' + at('x.npy'), 'k_rot=' + at(k + '.npy'), '--dim', String(dim)).data.causes;
  assert.deepEqual(causes('right', 'late'), ['k: every row is for position m + 1, not m']);
  assert.deepEqual(causes('late', 'late'), ['every row is for position m + 1, not m']);
});

await test('a page stays below 1.5 MB', () => {
  for (const words of [['--dim', '128', '--context', '131072'], ['--dim', '4096', '--context', '4096', '--only', 'table-accuracy'],
                       ['--model', 'gemma-3-27b', '--context', '4096']]) {
    run('verify', ...words, '-q', '-o', at('page.html'));
    assert(statSync(at('page.html')).size <= 1.5e6, words.join(' '));
  }
});

await test('a key of a config ends no script', () => {
  const hostile = '</script><script>alert(1)</script><!--\u2028';
  writeFileSync(at('config.json'), JSON.stringify({head_dim: 16, rope_scaling: {rope_type: 'linear', factor: 2, [hostile]: 1}}));
  const {html, data} = written('verify', '--config', at('config.json'), '--context', '16');
  assert.equal(html.match(/<script/g).length, 2);
  assert(JSON.stringify(data).includes('alert(1)'));
});
