// The findings of a report, what failed first.
const findings = (() => {
  const shown = ['check', 'kind', 'verdict', 'statement', 'source', 'observed', 'allowed', 'worst', 'step',
                 'samples', 'violations', 'note'];
  const words = {holds: 'passed', violated: 'failed', not_applicable: 'n/a'};
  const signs = {holds: '✓', violated: '✗', not_applicable: '–'};

  function badge(verdict, claim) {
    const tone = claim && verdict === 'violated' ? 'claim' : verdict;
    return element('span', {class: 'badge ' + tone},
                   element('span', {'aria-hidden': 'true'}, signs[verdict] + ' '), words[verdict]);
  }

  function place(worst) {
    if (!worst) return '';
    const at = worst.positions.map(positionText).join(' and ');
    return (worst.positions.length > 1 ? 'positions ' : 'position ') + at +
           (worst.pair === undefined ? '' : ', pair ' + worst.pair);
  }

  const first = (finding) => finding.violations &&
      grouped(finding.violations.count) + ' of ' + grouped(finding.samples) + ' values, first at ' +
      'position ' + positionText(finding.violations.first.position) + ', pair ' +
      finding.violations.first.pair;

  const ownFields = (finding) =>
    Object.entries(finding).filter(([key]) => !shown.includes(key))
        .map(([key, value]) => [key, value === null ? 'none found' : exact(value)]);

  function details(finding, reproduce) {
    const {worst, step} = finding;
    return termList([
      ['meaning', meaning[finding.check]],
      ['why', finding.note],
      ['worst at', place(worst)],
      ['got', worst && exact(worst.got)],
      ['want', worst && exact(worst.want)],
      ['first step', step && 'from ' + grouped(step.from) + ' to ' + grouped(step.to) +
                     (step.pair === undefined ? '' : ', pair ' + step.pair)],
      ['before', step && exact(step.before)],
      ['after', step && exact(step.after)],
      ['observed', exact(finding.observed)],
      ['allowed', finding.kind === 'claim' ? '' : exact(finding.allowed)],
      ['beyond it', first(finding)],
      ['looked at', grouped(finding.samples) + ' values'],
      ['statement', finding.statement],
      ['source', finding.source],
      ...ownFields(finding),
      ['reproduce', reproduce && element('code', {}, reproduce)],
    ]);
  }

  function outcome(finding) {
    if (finding.verdict === 'not_applicable') return finding.note;
    if (finding.kind !== 'claim') return share(finding.observed, finding.allowed) ||
                                         'observed ' + brief(finding.observed);
    const at = finding.first_violation ?? finding.first_rise;
    return (isNumber(at) ? 'first violated at s = ' + grouped(at) : 'not violated') +
           (finding.searched_to ? ', searched to ' + grouped(finding.searched_to) : '');
  }

  function one(finding, reproduce) {
    const claim = finding.kind === 'claim';
    return element('details', {class: 'finding', open: finding.verdict === 'violated' && !claim,
                               'data-check': finding.check},
                   element('summary', {}, badge(finding.verdict, claim), ' ',
                           element('b', {}, finding.check), ' ',
                           element('span', {class: 'statement'}, finding.statement), ' ',
                           element('span', {class: 'outcome'}, outcome(finding))),
                   details(finding, reproduce));
  }

  const order = {violated: 0, holds: 1, not_applicable: 2};
  function list(all, failures) {
    const again = new Map(failures.map((failure) => [failure.name.split(' ').pop(), failure.reproduce]));
    return [...all].sort((a, b) => order[a.verdict] - order[b.verdict])
        .map((finding) => one(finding, again.get(finding.check)));
  }
  return {list};
})();
