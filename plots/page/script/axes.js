// Which position axis turns each pair, and by which frequency: the schemes of src/rope/spec/axis.hpp.
// An axis map here is {scheme, sections}.
const axes = (() => {
  const halfOf = (j, pairs) => Math.floor(j / (pairs / 2));
  const inSections = ({sections}) => sections.flatMap((count, axis) => Array(count).fill(axis));
  const thrice = (last) => ({sections}, pairs) =>
    Array.from({length: pairs}, (_, j) => (j < 3 * sections[j % 3] ? j % 3 : last));
  const byPair = (axis) => (_, pairs) => Array.from({length: pairs}, (_, j) => axis(j, pairs));
  // θ = base^(−2·index/width)
  const inARow = (j, pairs) => [j, 2 * pairs];
  const again = (j, pairs) => [j % (pairs / 2), pairs];

  const time = ['time', 'height', 'width'], image = ['x', 'y'];
  // Each with the names of its axes, the shares of its sections where it has any, the axis of each
  // pair, and the step [index, width] of pair j.
  const schemes = {
    single: {says: 'one', names: ['position'], axis: byPair(() => 0), step: inARow},
    sectioned: {says: 'M-RoPE, section by section', names: time, shares: [2, 3, 3], axis: inSections, step: inARow},
    interleaved: {says: 'M-RoPE, THWTHW…', names: time, shares: [24, 20, 20], axis: thrice(0), step: inARow},
    interleaved4: {says: 'the same with a fourth', names: [...time, 'rest'], shares: [24, 20, 20, 0], axis: thrice(3), step: inARow},
    height_width_time: {
      says: 'HWHW… then T', names: time, shares: [11, 11, 10],
      axis: ({sections}, pairs) => Array.from({length: pairs}, (_, j) => (j < 2 * sections[0] ? 1 + j % 2 : 0)), step: inARow,
    },
    blocks: {
      says: 'a separate RoPE for each section', names: time, shares: [22, 21, 21], axis: inSections,
      step: (j, pairs, {sections}) => {
        let section = 0;
        for (; j >= sections[section]; ++section) j -= sections[section];
        return [j, 2 * sections[section]];
      },
    },
    axial: {says: 'half x, half y', names: image, axis: byPair(halfOf), step: again},
    halves: {says: 'ChatGLM’s two halves', names: ['position', 'block'], axis: byPair(halfOf), step: again},
    even_odd: {
      says: 'Pixtral: even θ for x, odd ones for y', names: image, axis: byPair(halfOf),
      step: (j, pairs) => [2 * (j % (pairs / 2)) + halfOf(j, pairs), 2 * pairs],
    },
    alternating: {says: 'x and y take turns', names: image, axis: byPair((j) => j % 2), step: (j, pairs) => [Math.floor(j / 2), pairs]},
  };
  const single = {scheme: 'single', sections: []};

  // Throws where the map does not fit as many pairs.
  const check = ({scheme, sections}, pairs) => {
    const {shares, names} = schemes[scheme], sum = sections.reduce((all, one) => all + one, 0);
    if (shares && (sum !== pairs || (sections.length !== shares.length && !['sectioned', 'blocks'].includes(scheme))))
      throw new Error(`the sections ${sections.join(', ')} must add up to ${pairs} pairs, in ${shares.length} sections`);
    if (scheme === 'height_width_time' && sections[0] !== sections[1])
      throw new Error('height and width take turns, so their sections must be as long');
    if (!shares && names.length === 2 && pairs % 2 !== 0)
      throw new Error('two axes need a rotary dim that is a multiple of 4');
  };
  const axisOf = (map, pairs) => schemes[map.scheme].axis(map, pairs);
  const stepOf = (map, pairs, j) => schemes[map.scheme].step(j, pairs, map);

  // The scheme with sections for as many pairs, in the shares of `sections` or its usual ones; what
  // division leaves over is the time's.
  const fitted = (scheme, sections, pairs) => {
    const usual = schemes[scheme].shares;
    if (!usual) return {scheme, sections: []};
    const shares = sections.length === usual.length ? sections : usual;
    const sum = shares.reduce((all, one) => all + one, 0);
    const whole = shares.map((share) => Math.floor(share * pairs / sum));
    whole[scheme === 'height_width_time' ? 2 : 0] += pairs - whole.reduce((all, one) => all + one, 0);
    return {scheme, sections: whole};
  };
  return {schemes, single, check, axisOf, stepOf, fitted};
})();
