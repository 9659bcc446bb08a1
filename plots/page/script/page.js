// The whole page, from its JSON.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const isReport = 'subjects' in data;

  function schemeButton() {
    const schemes = ['auto', 'light', 'dark'];
    const button = element('button', {type: 'button', class: 'scheme', click: () => {
      const next = schemes[(schemes.indexOf(document.documentElement.dataset.scheme || 'auto') + 1) % 3];
      document.documentElement.dataset.scheme = next;
      button.textContent = 'colours: ' + next;
      redrawn.draw();
    }}, 'colours: auto');
    return button;
  }

  function banner() {
    const failed = data.exit_code !== 0;
    return element('div', {class: 'banner ' + (failed ? 'violated' : 'holds')},
                   ...data.causes.map((cause) => element('p', {class: 'cause'}, element('b', {}, typeset(cause)))),
                   element('p', {}, element('b', {}, failed ? '✗' : '✓'), ' ', data.headline));
  }

  const lintList = () => data.lint.length === 0 ? [] :
    [element('h2', {}, 'The config'), element('ul', {}, ...data.lint.map((one) =>
      element('li', {}, element('b', {}, one.severity), ' ', one.where, ': ', typeset(one.message))))];

  const main = element('main');
  const links = [...(isReport ? data.subjects.map((subject, k) => ['#subject-' + k, subject.label]) : []),
                 ['#explorer', 'Explorer'], ['#player', 'Base θ and scaled θ']];
  document.body.append(
    element('header', {}, element('div', {class: 'top'}, element('h1', {}, document.title), schemeButton()),
            isReport ? banner() : null,
            element('nav', {'aria-label': 'Sections'}, ...links.map(([href, text]) => element('a', {href}, text)))),
    main,
    element('footer', {}, 'rope-check ' + data.tool.version + '. This page needs no network and sends nothing. Figures: uPlot, MIT licence.'));

  if (isReport) {
    main.append(...lintList());
    data.subjects.forEach((subject, k) => {
      const section = subjectSection(main, subject, data.failures, data.subjects.length > 1);
      section.id = 'subject-' + k;
    });
  }
  afterwards.add(() => new Explorer(main, data));
  afterwards.add(() => new Player(main, data));
  afterwards.add(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  afterwards.begin();

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawn.draw);
  let opened = [];
  addEventListener('beforeprint', () => {
    document.documentElement.dataset.print = '';
    opened = [...document.querySelectorAll('details.finding:not([open])')];
    opened.forEach((one) => { one.open = true; });
    redrawn.draw();
  });
  addEventListener('afterprint', () => {
    delete document.documentElement.dataset.print;
    opened.forEach((one) => { one.open = false; });
    redrawn.draw();
  });
})();
