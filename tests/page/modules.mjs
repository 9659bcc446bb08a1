// The page's modules of mathematics, as the page runs them.
import {readFileSync} from 'node:fs';
import {runInNewContext} from 'node:vm';

const names = ['number', 'double_double', 'axes', 'frequency', 'cosine_sum', 'monotonicity', 'meaning'];

export function load(root) {
  const text = names.map((name) => readFileSync(`${root}/plots/page/script/${name}.js`, 'utf8')).join('');
  return runInNewContext(text + '; ({dd, axes, frequency, cosineSum, monotonicity, meaning, brief, grouped})');
}
