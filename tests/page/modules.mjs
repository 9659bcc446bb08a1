// The page's module of mathematics, run as in the page.
import {readFileSync} from 'node:fs';
import {runInNewContext} from 'node:vm';

const names = ['number', 'cosine_sum', 'meaning', 'chart', 'cells', 'findings', 'map_drawing', 'subject'];

export function load(root, globals = {}) {
  const text = names.map((name) => readFileSync(`${root}/plots/page/script/${name}.js`, 'utf8')).join('');
  return runInNewContext(text + '; ({unpackNumbers, turnsOf, cosineSum, meaning, fieldWords, brief, apart, grouped, ' +
                         'positionText, errorText, typeset, powerOfTen, labelStart, placeNames, powersOfTen, tickText, unpackCells, xRange, mapDrawing, drawMarkLabel})',
                         {atob, colorOf: () => '', ...globals});
}
