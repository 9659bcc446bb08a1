// He & Xu's (c3), "the further apart, the less alike": where a pair first stops to advance from
// s − 1 to s. With P turns a position, P < ½, and a < b the turns at both,
//     R1  sθ mod 2π increases     until  b ≥ 1
//     R2  cos sθ decreases        until  a + b ≥ 1
//     R3  |cos sθ| decreases      until  a + b ≥ ½
const monotonicity = (() => {
  const tie = 1e-26;  // turns that are rational come back exactly; double-double is off by less
  const readings = {
    R1: {says: 'sθ mod 2π increases in every pair', advanced: (s) => s, limit: 1},
    R2: {says: 'cos sθ decreases in every pair', advanced: (s) => 2 * s - 1, limit: 1},
    R3: {says: '|cos sθ| decreases in every pair', advanced: (s) => 2 * s - 1, limit: 0.5},
  };

  const isBeyond = (count, turn, limit) => {
    const left = dd.subtract(dd.multiply(turn, count), limit);
    return left.hi > -tie * limit;
  };

  // The least s, searched from a little before it must be.
  function ofPair(turn, {advanced, limit}) {
    if (turn.hi <= 0) return 1;
    const near = limit / turn.hi / (advanced(2) - advanced(1));
    let s = Math.max(1, Math.floor(near) - 2);
    while (!isBeyond(advanced(s), turn, limit)) ++s;
    return s;
  }

  // {distance, pair} of the first violation over all pairs; ties go to the lowest pair.
  function first(turns, reading) {
    let found = {distance: Infinity, pair: 0};
    turns.forEach((turn, pair) => {
      const distance = ofPair(turn, readings[reading]);
      if (distance < found.distance) found = {distance, pair};
    });
    return found;
  }

  return {readings, first};
})();
