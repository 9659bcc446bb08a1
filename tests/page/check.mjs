// Shared by the tests of the page.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const [tool, root] = process.argv.slice(2);

// Runs a test; a failure prints its name and ends the process.
export async function test(name, body) {
  const started = Date.now();
  await body();
  console.log(`ok ${name} (${Date.now() - started} ms)`);
}

// The tool's output; exit 1, a violated check, is accepted like 0.
export function run(...words) {
  const done = spawnSync(tool, words, {encoding: 'utf8', maxBuffer: 2 ** 30});
  if (done.status === null || done.status > 1) throw new Error(`rope-check ${words.join(' ')}: ${done.stderr}`);
  return done.stdout;
}
export const json = (...words) => JSON.parse(run(...words, '--format', 'json'));

// A folder for a test's files, removed at the end.
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'rope-check-page-'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
  return (name) => join(folder, name);
}

export const islandOf = (html) => /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)[1];
export const read = (file) => readFileSync(file, 'utf8');

// float64 values in NumPy's format
export function npy(values, shape = [values.length]) {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`.padEnd(117) + '\n';
  const start = Buffer.from(`\x93NUMPY\x01\x00${String.fromCharCode(header.length)}\x00${header}`, 'latin1');
  return Buffer.concat([start, Buffer.from(Float64Array.from(values).buffer)]);
}
