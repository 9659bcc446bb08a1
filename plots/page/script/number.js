// Numbers as text. JSON writes values that are not finite as strings, which are kept.

const grouped = (whole) => String(whole).replace('-', '−').replace(/\B(?=(\d{3})+$)/g, ',');

function brief(x, digits = 3) {
  if (typeof x !== 'number') return x === null || x === undefined ? '' : String(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  if (x < 0) return '−' + brief(-x, digits);
  if (Number.isInteger(x) && x < 1e15) return grouped(x);
  if (x >= 1e-3 && x < 1e6) {
    const rounded = Number(x.toPrecision(digits));
    return Number.isInteger(rounded) ? grouped(rounded) : String(rounded);
  }
  const [factor, power] = x.toExponential(digits - 1).split('e');
  return Number(factor) + '×' + powerOfTen(Number(power));
}

// The bytes of base64.
const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;

// Two numbers with as few digits as distinguish them, and one more; at least three.
const apart = (a, b) => {
  let digits = 3;
  while (digits < 17 && a !== b && brief(a, digits - 1) === brief(b, digits - 1)) ++digits;
  return [brief(a, digits), brief(b, digits)];
};

// Every digit that it takes to read the same float64 again, for data attributes.
const exact = (x) => (typeof x === 'number' ? String(x) : brief(x));

const isNumber = (x) => typeof x === 'number' && Number.isFinite(x);

// A position or distance: thousands, and three digits behind the point.
const positionText = (m) => {
  if (!isNumber(m) || Number.isInteger(m)) return isNumber(m) ? grouped(m) : exact(m);
  const [whole, part] = String(Number(m.toPrecision(Math.max(0, Math.floor(Math.log10(Math.abs(m))) + 1) + 3))).split('.');
  return grouped(whole) + (part ? '.' + part : '');
};

// An error; NaN is shown as not finite.
const errorText = (x) => (isNumber(x) ? brief(x) : x === null || x === undefined ? '' : 'not finite');

const powerOfTen = (n) => (n === 0 ? '1' : '10' + String(n).replace(/./g, (sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'['0123456789-'.indexOf(sign)]));

// A sentence of the tool with its numbers as in the figures: 32768 as 32,768, 1.2e-4 as 1.2×10⁻⁴, 2^-9
// as 2⁻⁹. The number of a paper stays as it is.
const typeset = (text) => String(text).replace(
  /(?<=^|[\s(\[=<≤>≥×])(?<!arXiv\s)(-?)(\d+)(\.\d+)?(?:([e^])\+?(-?\d+))?(?=$|[\s,;:)\]×%]|\.(?:\s|$))/g,
  (_, minus, whole, part = '', sign, power) => {
    const factor = grouped(whole) + part, raised = power && powerOfTen(Number(power)).slice(2);
    return (minus && '−') + (sign === '^' ? factor + raised : !power ? factor : (factor === '1' ? '' : factor + '×') + '10' + raised);
  });

const share = (observed, allowed) =>
  isNumber(observed) && isNumber(allowed) && allowed > 0
    ? observed > allowed
      ? brief(observed / allowed) + '× the tolerance'
      : brief(100 * observed / allowed) + ' % of the tolerance'
    : '';
