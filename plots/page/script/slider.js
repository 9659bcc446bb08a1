// A range input and a number beside it that hold the same value.
//     log   the range is of the logarithm
//     fine  to 1/100; real: any number may be typed
function slider(name, {from, to, step = 1, log = false, fine = false, real = fine}) {
  const toValue = (place) => {
    const value = log ? from * (to / from) ** (place / 1000) : Number(place);
    if (fine) return Math.round(value * 100) / 100;
    return log && value >= 1000 ? Number(value.toPrecision(3)) : Math.round(value);
  };
  const toPlace = (value) => (log ? Math.round(1000 * Math.log(value / from) / Math.log(to / from)) : value);
  const id = name.replace(/\W/g, '-');
  const range = element('input', {type: 'range', id, min: log ? 0 : from, max: log ? 1000 : to, step: log ? 1 : step});
  const number = element('input', {type: 'number', 'aria-label': name + ', exactly', min: from, max: to, step: real ? 'any' : step});
  const made = {
    place: element('div', {class: 'slider'}, element('label', {for: id}, name), range, number),
    changed: () => {},
    set(value) {
      range.value = toPlace(value);
      range.setAttribute('aria-valuetext', brief(value, 6));
      if (document.activeElement !== number) number.value = value;
    },
    use(used) {
      range.disabled = number.disabled = !used;
    },
    limit(most) {
      to = most;
      range.max = number.max = most;
    },
  };
  range.addEventListener('input', () => made.changed(toValue(range.value)));
  number.addEventListener('input', () => {
    const value = Number(number.value);
    if (value >= from && value <= to && (real || value % step === 0)) made.changed(value);
  });
  return made;
}
