// Range inputs: of whole numbers, with a field to type one, and of a list of values.

// A range over whole numbers and a number field that hold the same value; log: the range is of the
// logarithm. 128k is 131,072, as on the command line. An invalid entry stays in the field, and is
// reported below it, until something else changes.
function slider(name, {from, to, log = false}) {
  const toValue = (place) => {
    const value = log ? from * (to / from) ** (place / 1000) : Number(place);
    return log && value >= 1000 ? Number(value.toPrecision(3)) : Math.round(value);
  };
  const toPlace = (value) => (log ? Math.round(1000 * Math.log(value / from) / Math.log(to / from)) : value);
  const id = name.replace(/\W/g, '-');
  const range = element('input', {type: 'range', id, min: log ? 0 : from, max: log ? 1000 : to, step: 1});
  const number = element('input', {type: 'text', inputmode: 'numeric', autocomplete: 'off', 'aria-label': name + ', exactly',
                                   title: grouped(from) + ' to ' + grouped(to), 'aria-describedby': id + '-problem'});
  const problem = element('span', {class: 'problem', role: 'alert', id: id + '-problem'});
  const report = (text) => {
    problem.textContent = text;
    number.setAttribute('aria-invalid', text !== '');
  };
  let now = from;
  const made = {
    place: element('div', {class: 'slider'}, element('label', {for: id}, name), range, number, problem),
    changed: () => {},
    set(value) {
      now = value;
      range.value = toPlace(value);
      range.setAttribute('aria-valuetext', grouped(value));
      if (document.activeElement !== number) number.value = grouped(value), report('');
    },
  };
  range.addEventListener('input', () => {
    report('');
    made.changed(toValue(range.value));
  });
  number.addEventListener('input', () => {
    const [, digits, unit] = /^([\d,]+)([kKM]?)$/.exec(number.value.trim()) ?? [];
    const value = digits ? Number(digits.replaceAll(',', '')) * 1024 ** ' kM'.indexOf(unit.replace('K', 'k') || ' ') : NaN;
    const isUsable = value >= from && value <= to;
    report(isUsable ? '' : `“${number.value}” is not a whole number from ${grouped(from)} to ${grouped(to)}; shown: ${grouped(now)}`);
    if (isUsable) made.changed(value);
  });
  number.addEventListener('blur', () => problem.textContent || made.set(now));
  return made;
}

// A range over a list of values, one of which is the config's.
function choiceSlider(name, {values, own}) {
  const id = name.replace(/\W/g, '-');
  const range = element('input', {type: 'range', id, min: 0, max: values.length - 1, step: 1});
  const shown = element('output', {for: id});
  const made = {
    place: element('div', {class: 'slider'}, element('label', {for: id}, name), range, shown),
    changed: () => {},
    set(index) {
      range.value = index;
      shown.textContent = brief(values[index], 6);
      range.setAttribute('aria-valuetext', shown.textContent + (values[index] === own ? ', as asked' : ''));
    },
    use(used) { range.disabled = made.place.hidden = !used; },
  };
  range.addEventListener('input', () => made.changed(Number(range.value)));
  return made;
}
