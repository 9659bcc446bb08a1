// Numbers as text. JSON spells what is not finite as a string, which stays as it is.

const grouped = (whole) => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');

function brief(x, digits = 3) {
  if (typeof x !== 'number') return x === null || x === undefined ? '' : String(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return grouped(x);
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) {
    const rounded = Number(x.toPrecision(digits));
    return Number.isInteger(rounded) ? grouped(rounded) : String(rounded);
  }
  return x.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
}

// The bytes of base64.
const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;

// Two numbers with as few digits as tell them apart, and one more; three at least.
const apart = (a, b) => {
  let digits = 3;
  while (digits < 17 && a !== b && brief(a, digits - 1) === brief(b, digits - 1)) ++digits;
  return [brief(a, digits), brief(b, digits)];
};

// Every digit that it takes to read the same float64 again, for data attributes.
const exact = (x) => (typeof x === 'number' ? String(x) : brief(x));

const isNumber = (x) => typeof x === 'number' && Number.isFinite(x);

// A position or distance: whole numbers with their thousands.
const positionText = (m) => (Number.isInteger(m) ? grouped(m) : exact(m));

const share = (observed, allowed) =>
  isNumber(observed) && isNumber(allowed) && allowed > 0
    ? observed > allowed
      ? brief(observed / allowed) + '× the tolerance'
      : brief(100 * observed / allowed) + ' % of the tolerance'
    : '';
