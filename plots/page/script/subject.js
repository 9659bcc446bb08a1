// One subject's report: the subject, the diagnosis, the map of errors, the findings.
function subjectSection(place, subject, failures, several) {
  const {report, cells: packed} = subject, accuracy = report.findings.find((one) => one.check === 'table-accuracy');
  const layers = report.subject.layers;
  const own = failures.filter((one) => !several || !layers || one.name.startsWith(layers + ': '));
  const section = element('section', {'aria-label': subject.label},
                          element('h2', {}, several ? subject.label : 'What was checked'));
  place.append(section);
  const [accurate, logits] = subject.accuracy.replace(/^\s*accuracy:\s*/, '').split(/\s*logits:\s*/);
  section.append(termList([
    ['subject', report.subject.origin], ['part', layers], ['config', subject.parameters.replaceAll(' ', ' · ').replaceAll('=', ' ').replaceAll('<', ' < ')],
    ['identified as', report.identity],
    ['accuracy', accurate && accurate.trim()], ['logits', logits && logits.trim()],
    ...(report.subject.notes || []).map((note) => ['note', note]),
    ...Object.entries(report.subject.read_as || {}).map(([what, {value, from}]) => [what.replaceAll('_', ' '), value + ' (' + from + ')']),
  ]));
  section.append(...diagnosisOf(subject));
  if (packed) {
    const figures = element('div');
    section.append(figures);
    afterwards.add(() => errorFigures(figures, unpackCells(packed), accuracy));
    if (report.findings.some((one) => one.check === 'pass-through' && one.verdict === 'violated'))
      section.append(element('p', {class: 'hint'}, `The figures are of the pairs${accuracy?.verdict === 'holds' ? ', which match' : ''}; dimensions outside rotary_dim differ${accuracy?.verdict === 'violated' ? ', too' : ''}: see pass-through below.`));
  } else section.append(element('p', {class: 'readout'}, 'No rows could be compared with exact ones, so there is no map of errors.'));

  const claims = report.findings.filter((one) => one.kind === 'claim');
  const checks = report.findings.filter((one) => one.kind !== 'claim');
  if (checks.length) section.append(element('h3', {}, 'Checks'), ...findings.list(checks, own));
  if (claims.length)
    section.append(element('h3', {}, 'Claims about these parameters'),
                   element('p', {class: 'hint'}, 'Conjectures from the literature, searched position by position. A violated claim is no fault of the subject.'),
                   ...findings.list(claims, own));
  return section;
}

function diagnosisOf({report, diagnosis, effects}) {
  const found = (report.diagnosis || []).map((one, k) =>
    element('li', {}, element('b', {}, typeset(one.what)), termList([
      ['usual cause', one.advice], ['see', 'docs/mistakes.md#' + one.mistake], ['error of a pair', effects[k]],
      ['equivalent', one.equivalent.join(', ')],
      ['the data do not distinguish it from', one.also_fits.join(', ')]])));
  const facts = report.facts || [];
  if (!found.length && !facts.length) return [];
  return [element('h3', {}, diagnosis ? 'Diagnosis: ' + diagnosis : 'Diagnosis'), element('div', {class: 'diagnosis'},
          found.length ? element('ol', {}, ...found) : null,
          facts.length ? element('ul', {}, ...facts.map((fact) => element('li', {}, typeset(fact)))) : null)];
}

function errorFigures(section, cells, accuracy) {
  const lines = [], kept = element('div', {class: 'kept', role: 'status'});
  const add = (position, label) => {
    if (isNumber(position)) lines.push({position, label: 'above ' + label + ' from ' + positionText(position)});
  };
  let ring = null;
  if (accuracy) {
    add(accuracy.first_beyond_1e_3, '10⁻³');
    if (accuracy.violations) add(accuracy.violations.first.position, 'its tolerance');
    if (isNumber(accuracy.worst_error_position))
      ring = {position: accuracy.worst_error_position, pair: accuracy.worst_error_pair};
  }
  const keep = (found, pairs, positions) => kept.replaceChildren(...(found ? [
    element('b', {}, 'pair ' + found.pair + ' at position ' + positionText(found.position)), termList([
      ['component', found.component], ...apart(found.got, found.want).map((text, k) => [['got', 'want'][k], text]),
      ['error', errorText(found.error)], ['the largest of', pairs + ', ' + positions]])]
    : [element('b', {}, 'no row of the subject in ' + positions)]));
  section.append(element('h3', {}, 'Error over position and pair'));
  const labels = lines.map((line) => line.label).join('; ');
  new Heatmap(section, cells, {lines, ring, keep,
    label: 'Map of errors over position and pair. ' + (ring ? 'Worst ' + errorText(accuracy.worst_error) + ' at position ' + positionText(ring.position) + ', pair ' + ring.pair + '. ' : '') + labels});
  if (cells.worst.includes(-1)) section.append(element('p', {class: 'hint'}, 'Blank cells: no row.'));
  section.append(kept);
  if (ring) {
    const row = cells.rowOf(ring.pair), column = cells.columnOf(ring.position);
    keep(cells.at(row, column), cells.pairsText(row), cells.rangeText(column));
  }
  worstByPosition(section, cells, lines);
}

// The largest error of all pairs at each position.
function worstByPosition(section, cells, lines) {
  if (cells.scale === 'listed') return;
  const at = [], worst = [];
  for (let column = 0; column < cells.columns; ++column) {
    let most = -1, of = 0;
    for (let row = 0; row < cells.rows; ++row) {
      const error = cells.worst[cells.index(row, column)];
      if (error > most) [most, of] = [error, row];
    }
    if (most < 0) continue;
    at.push(Math.max(cells.at(of, column).position, cells.first));
    worst.push(most);
  }
  const finite = worst.filter((error) => error > 0 && Number.isFinite(error));
  if (!finite.length) {
    section.append(element('p', {class: 'hint'}, 'No largest error of a position is finite and above 0, so there is no chart of them.'));
    return;
  }
  // whole decades, and values that are not finite at the upper end
  const [low, high] = [Math.floor(Math.log10(Math.min(...finite))), Math.floor(Math.log10(Math.max(...finite))) + 1].map((power) => 10 ** power);
  const drawn = worst.map((error) => (error > 0 && Number.isFinite(error) ? error : null));
  const edges = [['not finite', Infinity, high, 'alarm'], ['0', 0, low, 'third']]
    .map(([label, of, y, color]) => ({label, color, points: 'only', text: () => '', values: worst.map((error) => (error === of ? y : null))}))
    .filter(({values}) => values.some((y) => y !== null));
  const place = element('div');
  section.append(place);
  new LineChart(place, {title: 'The largest error of all pairs, by position', x: {label: 'position', log: cells.scale === 'log', whole: true, zero: cells.first < 1 ? cells.first : undefined},
                    y: {label: '|error|', log: true, range: [low, high]},
                    series: [{label: 'largest |error|', color: 'first'},
                             ...edges]})
      .update([at, drawn, ...edges.map(({values}) => values)], lines.map(({position, label}) => ({x: Math.max(position, cells.first), label, color: 'alarm'})));
}
