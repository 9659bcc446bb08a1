// What follows from a Spec at the sliders, and the Specs that they may begin at.
const explored = (() => {
  // The pairs that a distance turns, and how many beside them add 1 to B(s): those that pass through
  // and, where it is along one axis, those of the others.
  const moved = (spec, thetas, along) => {
    const turns = frequency.turns(thetas);
    const axisOf = axes.axisOf(spec.axes, turns.length);
    const turning = along === '' ? turns : turns.filter((_, i) => axisOf[i] === Number(along));
    return {turns, axisOf, turning, still: frequency.passing(spec) + turns.length - turning.length};
  };

  const of = (spec, along) => {
    const thetas = frequency.plan(spec), {turns, axisOf, turning, still} = moved(spec, thetas, along);
    const sums = cosineSum.all(turning, spec.context);
    return {thetas, turns, axisOf, still, sums, shape: cosineSum.shape(sums, still),
            neverTurn: turns.filter((turn) => turn.hi * spec.context < 1).length,
            longest: turns.reduce((most, turn) => (turn.hi > 0 ? Math.max(most, 1 / turn.hi) : most), 0)};
  };

  // Models by name; one whose layers differ is there once for each base.
  const named = (models) => {
    const names = models.map(({name}) => name), isTwice = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    const known = models.map(({name, spec}) => [name, frequency.specOf(spec)]).filter(([, spec]) => spec);
    return new Map(known.map(([name, spec]) => [isTwice(name) ? `${name}, base ${brief(spec.base)}` : name, spec]));
  };

  return {moved, of, named};
})();
