// The findings of a report, failed ones first.
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

  // The fields that only this check has, as text, without empty ones.
  const ownFields = (finding) =>
    Object.entries(finding).filter(([key, value]) => !shown.includes(key) && value !== null && value !== 'none')
        .filter(([key]) => key !== 'K' || isNumber(finding.observed))
        .map(([key, value]) => [fieldWords(key), isNumber(value) ? brief(value) : /^-?(inf|nan)$/.test(value) ? 'not finite' : value]);

  function details(finding, reproduce) {
    const {worst, step} = finding;
    const [got, want] = worst ? apart(worst.got, worst.want) : [], [before, after] = step ? apart(step.before, step.after) : [];
    return termList([
      ['meaning', meaning[finding.check]],
      ['why', finding.note],
      ['largest share of its tolerance', place(worst)],
      ['got', got],
      ['want', isNumber(worst?.want) ? want : ''],
      ['first step', step && 'from ' + grouped(step.from) + ' to ' + grouped(step.to) +
                     (step.pair === undefined ? '' : ', pair ' + step.pair)],
      ['before', before],
      ['after', after],
      ['error', finding.kind === 'claim' ? '' : errorText(finding.observed)],
      ['tolerance', finding.kind === 'claim' ? '' : brief(finding.allowed)],
      ['beyond it', first(finding)],
      ['compared', grouped(finding.samples) + ' values'],
      ['source', finding.source],
      ...ownFields(finding),
      ['reproduce', reproduce && element('code', {}, reproduce)],
    ]);
  }

  function outcome(finding) {
    if (finding.verdict === 'not_applicable') return finding.note;
    if (finding.kind !== 'claim') return share(finding.observed, finding.allowed) ||
                                         (isNumber(finding.observed) ? 'error ' : '') + errorText(finding.observed);
    const at = finding.first_violation ?? finding.first_rise;
    return (isNumber(at) ? (finding.verdict === 'holds' ? 'holds in the context, ' : '') + 'first violated at s = ' + grouped(at) : 'not violated') +
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
