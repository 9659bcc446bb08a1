// Numbers of about 106 bits, hi + lo with |lo| ≤ ulp(hi)/2.  Dekker, Numer. Math. 18, 224 (1971);
// Hida, Li and Bailey, Library for double-double and quad-double arithmetic (2007).
const dd = (() => {
  const fast = (a, b) => {
    const hi = a + b;
    return {hi, lo: b - (hi - a)};
  };
  const twoSum = (a, b) => {
    const hi = a + b, part = hi - a;
    return {hi, lo: a - (hi - part) + (b - part)};
  };
  // Veltkamp's halves; |a| < 2^996
  const split = (a) => {
    const c = 134217729 * a, hi = c - (c - a);
    return [hi, a - hi];
  };
  const twoProduct = (a, b) => {
    const hi = a * b, [a1, a2] = split(a), [b1, b2] = split(b);
    return {hi, lo: a2 * b2 - (hi - a1 * b1 - a2 * b1 - a1 * b2)};
  };
  const of = (x) => (typeof x === 'number' ? {hi: x, lo: 0} : x);
  const add = (a, b) => {
    a = of(a), b = of(b);
    const high = twoSum(a.hi, b.hi), low = twoSum(a.lo, b.lo);
    const sum = fast(high.hi, high.lo + low.hi);
    return fast(sum.hi, sum.lo + low.lo);
  };
  const negative = (a) => ({hi: -of(a).hi, lo: -of(a).lo});
  const subtract = (a, b) => add(a, negative(b));
  const multiply = (a, b) => {
    a = of(a), b = of(b);
    const product = twoProduct(a.hi, b.hi);
    return fast(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
  };
  const divide = (a, b) => {
    a = of(a), b = of(b);
    const first = a.hi / b.hi, rest = subtract(a, multiply(b, first));
    const second = rest.hi / b.hi, last = subtract(rest, multiply(b, second));
    return add(fast(first, second), last.hi / b.hi);
  };
  const less = (a, b) => {
    const difference = subtract(a, b);
    return difference.hi < 0 || (difference.hi === 0 && difference.lo < 0);
  };
  // The nearest whole number, of |a| < 2^53.
  const nearest = (a) => {
    const high = Math.round(a.hi), rest = subtract(a, high).hi;
    return rest > 0.5 ? high + 1 : rest < -0.5 ? high - 1 : high;
  };
  const scale = (a, power) => ({hi: a.hi * power, lo: a.lo * power});

  const ln2 = {hi: 0.6931471805599453, lo: 2.3190468138462996e-17};
  const twoPi = {hi: 6.283185307179586, lo: 2.4492935982947064e-16};

  // e^a = 2^k·(e^r)^512, r = (a − k·ln 2)/512; 9 terms leave 2^-106 of it
  const exp = (a) => {
    a = of(a);
    const k = Math.round(a.hi / ln2.hi);
    const r = scale(subtract(a, multiply(ln2, k)), 1 / 512);
    let term = r, sum = r;
    for (let n = 2; n <= 9; ++n) {
      term = divide(multiply(term, r), n);
      sum = add(sum, term);
    }
    // (1 + s)² − 1 = 2s + s²
    for (let k2 = 0; k2 < 9; ++k2) sum = add(scale(sum, 2), multiply(sum, sum));
    return scale(add(sum, 1), 2 ** k);
  };
  // Newton: y + a·e^-y − 1
  const log = (a) => {
    let y = of(Math.log(of(a).hi));
    for (let step = 0; step < 2; ++step) y = add(y, subtract(multiply(a, exp(negative(y))), 1));
    return y;
  };
  const power = (a, b) => exp(multiply(log(a), b));

  // The fraction in [−½, ½] of m·turn, a whole m < 2^53: exact but for turn's own error.
  const fraction = (m, turn) => {
    const product = twoProduct(m, turn.hi);
    const low = product.lo + m * turn.lo;
    const high = product.hi - Math.round(product.hi);
    const all = high + low;
    return all - Math.round(all);
  };

  return {of, add, subtract, multiply, divide, less, nearest, exp, log, power, fraction, twoPi};
})();
