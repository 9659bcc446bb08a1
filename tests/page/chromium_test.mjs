// The page in Chromium: it renders, writes nothing to the console, requests nothing from the network, shows
// the report's numbers, and works by keyboard.
// usage: chromium_test.mjs ROPE_CHECK SOURCE_FOLDER
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {found, openTab, start} from './browser.mjs';
import {islandOf, json, npy, read, root, run, scratch, test} from './check.mjs';

const program = found();
if (!program) {
  console.log('skipped: there is no chromium; on Debian, apt-get install chromium');
  process.exit(77);
}
const at = scratch(), browser = await start(program);
const golden = `${root}/tests/golden/hf_half/llama_d128_b1e4_default.npz`;
const url = (name) => 'file://' + at(name);

run('explain', '-q', '-o', at('page.html'));
run('verify', '--dim', '128', '--pipeline', 'bf16-angles', '--context', '131072', '-q', '-o', at('report.html'));
run('compare', golden, '--base', '500000', '-q', '-o', at('dump.html'));

const isQuiet = (tab, name) => {
  assert.deepEqual(tab.messages, []);
  assert.deepEqual(tab.requests.filter((one) => one !== 'data:,'), [url(name)]);
};
const until = async (tab, expression) => {
  for (let turn = 0; turn < 200; ++turn) {
    if (await tab.value(expression)) return;
    await tab.value('new Promise((resolve) => setTimeout(resolve, 50))');
  }
  assert.fail('never: ' + expression);
};
async function opened(name, options) {
  const tab = await openTab(browser, options);
  await tab.open(url(name));
  await until(tab, `document.querySelector('#player [data-reading]')`);  // the last element to be made
  return tab;
}
// Waits until the effects of an input are drawn.
const settled = (tab) => tab.value('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))');
const number = (tab, name) => tab.value(`Number(document.querySelector('[data-name="${name}"]').dataset.value)`);

try {
  await test('every page renders without a message or a request, at two widths in both schemes', async () => {
    for (const name of ['page.html', 'report.html', 'dump.html'])
      for (const [width, scheme] of [[1200, 'light'], [380, 'dark']]) {
        const tab = await opened(name, {width, scheme});
        await until(tab, `document.querySelectorAll('#bound canvas').length === 1`);
        assert(await tab.value('document.documentElement.scrollWidth <= innerWidth'), `${name} at ${width} is too wide`);
        const drawn = await tab.value(`[...document.querySelectorAll('canvas')].every((canvas) => {
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 3;
        })`);
        assert(drawn, `${name}: an empty figure`);
        isQuiet(tab, name);
      }
  });

  await test('each finding shows what the report has', async () => {
    const tab = await opened('report.html');
    const {report} = JSON.parse(islandOf(read(at('report.html')))).subjects[0];
    for (const finding of report.findings) {
      const shown = await tab.value(`document.querySelector('[data-check="${finding.check}"]').textContent`);
      const verdict = {holds: '✓ passed', violated: '✗ failed', not_applicable: '– n/a'}[finding.verdict];
      assert(shown.startsWith(verdict), finding.check);
      const note = await tab.value(`typeset(${JSON.stringify(finding.note)})`);
      for (const value of [note, finding.statement])
        assert(shown.includes(value), `${finding.check}: ${value}`);
      assert.equal(shown.split(finding.statement).length, 2, finding.check + ' states itself once');
      assert(!/\d\.\d{11}|[a-z]_[a-z]|\bnull\b|\bundefined\b|\bnone\b/.test(shown.replaceAll(note, '').replace(finding.statement, '').replaceAll(/rotary_dim|inv_freq/g, '').replace(/reproducerope-check.*$/, '')), `${finding.check}: ${shown}`);
    }
  });

  await test('the cause stands at the top, and no file by its path', async () => {
    for (const [name, cause] of [['report.html', /rounded to bfloat16/], ['dump.html', /rope_theta is 10,000 instead of 500,000/]]) {
      const tab = await opened(name);
      assert.match(await tab.value(`document.querySelector('header .banner .cause').textContent`), cause);
      assert(!(await tab.value(`document.querySelector('header').textContent`)).includes('/'), name);
      const empty = await tab.value(`[...document.querySelectorAll('h2, h3')].filter((head) => !head.nextElementSibling).map((head) => head.textContent)`);
      assert.deepEqual(empty, [], name);
    }
  });

  await test('mistakes and values that are not finite are as in the text of the report', async () => {
    const dump = (name, words) => {
      run('export', '--dim', '32', '--positions', '0:64', ...words, '-q', '-o', at('right.npz'));
      run('compare', at('right.npz'), '--dim', '32', '-q', '-o', at(name));
      return run('compare', at('right.npz'), '--dim', '32', '--format', 'text', '--verbose').replace(/\s+/g, ' ');
    };
    for (const [name, words] of [['one.html', ['--base', '500000']], ['two.html', ['--base', '500000', '--layout', 'interleaved']]]) {
      const plain = dump(name, words), tab = await opened(name);
      const text = await tab.value(`typeset(${JSON.stringify(plain)})`);
      const shown = await tab.value(`[...document.querySelectorAll('.diagnosis dt')].filter((one) => one.textContent === 'error of a pair').map((one) => one.nextSibling.textContent)`);
      assert(shown.some((effect) => effect.includes(name === 'one.html' ? 'with this mistake' : 'with only this mistake left')), name);
      for (const effect of shown) assert(text.includes('error of a pair: ' + effect), `${name}: ${effect} in ${text}`);
    }
    const finite = await opened('one.html');
    assert(!(await finite.value(`document.querySelector('main').textContent`)).includes('not finite'));
    for (const [name, of] of [['cos', Math.cos], ['sin', Math.sin]])
      writeFileSync(at(name + '.npy'), npy(Array.from({length: 64 * 16}, (_, k) => (k === 40 * 16 + 5 ? NaN : of((k >> 4) * 1e4 ** (-(k % 16) / 16)))), [64, 16]));
    run('compare', at('cos.npy'), at('sin.npy'), '--dim', '32', '-q', '-o', at('nan.html'));
    const tab = await opened('nan.html');
    const text = await tab.value(`document.querySelector('main').textContent`);
    assert.match(text, /errornot finite/);
    assert(!/inf×|error nan|error inf/.test(text));
    assert.match(await tab.value(`[...document.querySelectorAll('.u-legend')].map((one) => one.textContent).join(' ')`), /not finite/);
  });

  // The peak at position 0 had no line and no names.
  await test('a wrong row at position 0 has a line at the beginning of the axis', async () => {
    for (const [name, of] of [['cos', Math.cos], ['sin', Math.sin]])
      writeFileSync(at(name + '.npy'), npy(Array.from({length: 64 * 16}, (_, k) => of(((k >> 4) || 3) * 1e4 ** (-(k % 16) / 16))), [64, 16]));
    run('compare', at('cos.npy'), at('sin.npy'), '--dim', '32', '-q', '-o', at('first.html'));
    const tab = await opened('first.html');
    assert.deepEqual(await tab.value(`(() => {
      const {fillText} = CanvasRenderingContext2D.prototype, said = [];
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { said.push(text); fillText.call(this, text, ...at); };
      redrawn.draw();
      return new Promise((resolve) => setTimeout(() => resolve(said.filter((text) => /above .* from 0/.test(text)).length), 100));
    })()`), 4, 'two names in the map and two in the chart');
  });

  await test('a click on the map shows what the table has and what is exact', async () => {
    const tab = await opened('report.html');
    const box = await tab.value(`(() => { const c = document.querySelector('.heatmap canvas'); c.scrollIntoView({block: 'center'}); const {x, y, width, height} = c.getBoundingClientRect(); return {x, y, width, height}; })()`);
    await tab.click(box.x + box.width * 0.9 - 30, box.y + box.height / 2);
    const shown = await tab.value(`Object.fromEntries([...document.querySelectorAll('.kept dt')].map((term) => [term.textContent, term.nextSibling.textContent.replace('−', '-')]))`);
    assert(Math.abs(Math.abs(Number(shown.got) - Number(shown.want)) - Number(shown.error)) < 0.02);
    assert(Number(shown.error) > 1e-3);
    const where = await tab.value(`document.querySelector('.kept b').textContent`);
    const [, pair, position] = /pair (\d+) at position ([\d,]+)/.exec(where);
    const theta = 10000 ** (-2 * pair / 128), angle = theta * Number(position.replaceAll(',', ''));
    assert(Math.abs(Math[shown.component](angle) - Number(shown.want)) < 0.01, where);
  });

  await test('the map is read by arrow keys, and Enter keeps a cell', async () => {
    const tab = await opened('report.html');
    await tab.value(`document.querySelector('.heatmap canvas').focus()`);
    await tab.press('End', 35);
    await tab.press('End', 35);
    await tab.press('ArrowUp', 38);
    assert.match(await tab.value(`document.querySelector('.readout[role=status]').textContent`), /^pair 1, position/);
    await tab.press('Enter', 13, '\r');
    assert.match(await tab.value(`document.querySelector('.kept b').textContent`), /^pair 1 at position/);
  });

  // The numbers and sentences of the explorer equal those of base-bound and verify.
  const isLikeTool = async (tab, words) => {
    const context = await tab.value(`Number(document.querySelector('#context + input').value.replaceAll(',', ''))`);
    const {base: want} = json('base-bound', ...words, '--context', String(context));
    assert(Math.abs(await number(tab, 'least B(s)') - want.minimum.value) <= 64e-9, words.join(' '));
    assert.equal(await number(tab, 'least B(s) at'), want.minimum.position);
    const shown = (name) => tab.value(`document.querySelector('[data-name="${name}"]').textContent`);
    const text = (s) => (s === null || s > context ? 'none to ' + grouped(context) : grouped(s));
    assert.equal(await shown('B(s) first below 0 at'), text(want.first_negative), words.join(' '));
    const {findings: [decay], plan} = json('verify', '--context', '8', '--only', 'score-decay', '--require', 'score-decay', ...words);
    assert.equal(await shown('B(s) first rises at'), text(decay.first_rise), words.join(' '));
    const incomplete = plan.inv_freq.filter((theta) => theta * context < 2 * Math.PI).length;
    const of = `${incomplete} of ${plan.inv_freq.length}`;
    assert.equal(await shown('pairs that never complete a turn in the context'), of);
    const least = await tab.value(`brief(${want.minimum.value})`);
    const described = (id) => tab.value(`document.querySelector('#${id} .chart').getAttribute('aria-label').split(': ').pop()`);
    assert.equal(await described('spectrum'), `${of} pairs never complete a turn within ${grouped(context)}`);
    assert.equal(await described('decay'), `least ${least} at distance ${grouped(want.minimum.position)}`);
    const spoken = `least B(s) ${least}, first below 0: ${text(want.first_negative)}, ${incomplete} pairs never complete a turn`;
    await until(tab, `document.querySelector('#explorer [role=status]').textContent === '${spoken}'`);
  };
  const grouped = (s) => String(s).replace(/\B(?=(\d{3})+$)/g, ',');
  const press = async (tab, id, key, code, times) => {
    await tab.value(`document.getElementById('${id}').focus()`);
    for (let k = 0; k < times; ++k) await tab.press(key, code);
    await settled(tab);
  };

  await test('the explorer opens with what was checked, and each slider shows what the tool finds', async () => {
    const checked = await opened('report.html');
    assert.equal(await checked.value(`document.querySelector('#context + input').value`), '131,072');
    await isLikeTool(checked, ['--dim', '128', '--base', '10000']);
    for (const [type, own] of [['linear', {rope_theta: '10000', factor: '4'}],
                               ['he_xu', {rope_theta: '10000', max_position_embeddings: '8192'}]]) {
      const words = ({rope_theta, factor, max_position_embeddings}) => ['--dim', '64', '--base', rope_theta,
        '--max-position', max_position_embeddings ?? '8192', '--rope', `rope_type=${type}` + (factor ? `,factor=${factor}` : '')];
      run('explain', ...words(own), '-q', '-o', at(type + '.html'));
      const tab = await opened(type + '.html');
      const value = (id) => tab.value(`document.querySelector('#${id} + output').textContent.replaceAll(',', '')`);
      assert.equal(await tab.value(`document.querySelector('#context + input').value`), '8,192');
      assert.deepEqual(await tab.value(`[...document.querySelectorAll('#explorer input[type=range]')].map(({id}) => id)`), [...Object.keys(own), 'context']);
      await isLikeTool(tab, words(own));
      for (const id of Object.keys(own)) {
        await press(tab, id, 'ArrowRight', 39, 3);
        const values = {};
        for (const one of Object.keys(own)) values[one] = await value(one);
        assert.deepEqual({...values, [id]: own[id]}, own, 'one parameter at a time');
        assert(Number(values[id]) > Number(own[id]), id);
        await isLikeTool(tab, words(values));
        if (id !== Object.keys(own).at(-1)) continue;
        await press(tab, 'context', 'ArrowRight', 39, 4);
        await isLikeTool(tab, words(values));
      }
      isQuiet(tab, type + '.html');
    }
  });

  await test('the bound of the base marks the base that the slider has', async () => {
    const tab = await opened('page.html');
    for (const steps of [0, 3]) {
      if (steps) await press(tab, 'rope_theta', 'ArrowRight', 39, steps);
      const shown = await tab.value(`document.querySelector('#rope_theta + output').textContent`);
      await until(tab, `!document.getElementById('bound').hidden && document.querySelector('#bound .chart').getAttribute('aria-label').endsWith('marked is ${shown}')`);
    }
  });

  await test('a number that cannot be used is reported, and the figure keeps the last one', async () => {
    const tab = await opened('page.html');
    const type = async (text) => {
      await tab.value(`document.querySelector('#context + input').select()`);
      await tab.send('Input.insertText', {text});
      await settled(tab);
      return tab.value(`document.querySelector('#context-problem').textContent`);
    };
    const before = await number(tab, 'least B(s) at');
    for (const text of ['abc', '5', '1e99', '-3', '20.5'])
      assert.equal(await type(text), `“${text}” is not a whole number from 16 to 1,048,576; shown: 2,048`);
    assert.equal(await number(tab, 'least B(s) at'), before);
    const left = async () => {
      await tab.value('document.activeElement.blur()');
      await settled(tab);
      return tab.value(`document.querySelector('#context + input').value`);
    };
    assert.equal(await left(), '20.5', 'is not restored unsaid');
    assert.notEqual(await tab.value(`document.querySelector('#context-problem').textContent`), '');
    assert.equal(await type('128k'), '');
    assert.equal(await left(), '131,072');
    assert.equal(await type('4,096'), '');
    assert.equal(await left(), '4,096');
    await isLikeTool(tab, ['--dim', '128', '--base', '10000']);
  });

  await test('models of every rope type and axis map can be chosen', async () => {
    const tab = await opened('page.html');
    for (const model of ['phi-3.5-mini', 'qwen2-vl-7b', 'internlm2.5-20b', 'glm-4-9b', 'llama-3.1-8b']) {
      await tab.value(`(() => { const one = document.getElementById('config'); one.selectedIndex = [...one.options].findIndex(({text}) => text === '${model}'); one.dispatchEvent(new Event('change')); })()`);
      await settled(tab);
      assert.equal(await tab.value(`document.getElementById('bound').hidden && document.getElementById('rope_theta').disabled && document.getElementById('rope_theta').getClientRects().length === 0`), true);
      const several = model === 'qwen2-vl-7b';
      assert.equal(await tab.value(`document.getElementById('along').parentElement.hidden`), !several);
      if (model === 'llama-3.1-8b') await isLikeTool(tab, ['--model', model]);
    }
    const offered = await tab.value(`[...document.getElementById('config').options].map((one) => one.text)`);
    const {configs} = JSON.parse(islandOf(read(at('page.html'))));
    assert.equal(new Set(offered).size, configs.length, 'every one, and by a name that differs');
    assert(offered.includes('gemma-3-4b, base 10,000') && offered.includes('gemma-3-4b, base 1,000,000'));
    isQuiet(tab, 'page.html');
  });

  await test('layers that differ are each a config of the explorer', async () => {
    run('explain', 'gemma-3-4b', '-q', '-o', at('layers.html'));
    const tab = await opened('layers.html');
    const layers = await tab.value(`[...document.getElementById('config').options].slice(0, 2).map((one) => one.text)`);
    assert.deepEqual(layers, ['gemma-3-4b full_attention', 'gemma-3-4b sliding_attention']);
    for (const width of [1280, 390]) {  // "gemma-3-4b full_attentio"
      await tab.send('Emulation.setDeviceMetricsOverride', {width, height: 900, deviceScaleFactor: 1, mobile: false});
      assert(await tab.value(`(() => {
        const select = document.getElementById('config'), context = document.createElement('canvas').getContext('2d');
        context.font = getComputedStyle(select).font;
        return context.measureText(select.selectedOptions[0].text).width + 40 <= select.clientWidth;
      })()`), `${width}: the config is cut`);
    }
    const shown = () => tab.value(`document.querySelector('[data-name="pairs that never complete a turn in the context"]').textContent`);
    assert.equal(await shown(), '55 of 128');
    await tab.value(`(() => { const one = document.getElementById('config'); one.selectedIndex = 1; one.dispatchEvent(new Event('change')); })()`);
    await settled(tab);
    assert.equal(await shown(), '0 of 128');
  });

  await test('the player says by keyboard where the tool says that claims first fail', async () => {
    const tab = await opened('page.html');
    const shown = await tab.value(`[...document.querySelectorAll('#player [data-reading]')].map((row) => [row.dataset.reading,
        ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)])`);
    assert.equal(shown.length, 3);
    for (const [k, type] of [[1, 'default'], [2, 'he_xu']]) {
      const {findings} = json('verify', '--dim', '128', '--rope', `rope_type=${type}`, '--context', '8',
                              ...shown.flatMap(([reading]) => ['--only', 'c3-' + reading]), '--require', 'c3-R1');
      for (const row of shown) {
        const {first_violation: s, step} = findings.find((one) => one.check === 'c3-' + row[0]);
        assert.equal(row[k], `${s > 2048 ? 'holds up to n, ' : ''}first fails at s = ${grouped(s)}, in pair ${step.pair ?? 0}`);
      }
    }
    // the cursor is dragged past it: base θ has failed R3 at s = 3, and the scaled form has not failed
    const spoken = () => tab.value(`document.querySelector('#player [role=status]').textContent`);
    assert.equal(await spoken(), 'base θ fails none; scaled θ̄ fails none');
    await press(tab, 'distance-s', 'ArrowRight', 39, 1);
    assert.equal(await spoken(), 'base θ fails R3; scaled θ̄ fails none');
    isQuiet(tab, 'page.html');
  });

  await test('the player names its frequencies, and its band has the least score', async () => {
    const tab = await opened('page.html');
    const {base: {minimum}} = json('base-bound', '--dim', '128', '--base', '10000', '--context', '8195');
    const least = await tab.value(`brief(${minimum.value} / 64)`);
    const label = await tab.value(`document.querySelector('#player .chart').getAttribute('aria-label')`);
    assert(label.includes(`base θ least ${least},`), `${label}: ${least}`);
    run('explain', '--dim', '64', '--max-position', '10000000', '--rope', 'rope_type=linear,factor=4', '-q', '-o', at('cut.html'));
    const cut = await opened('cut.html');
    assert.match(await cut.value(`document.querySelector('#player .hint').textContent`), /without its rope scaling linear/);
    assert.match(await cut.value(`document.querySelector('#player figcaption').textContent`), /at 900 distances/);
    assert.equal(await cut.value(`document.querySelector('#explorer .hint + .sliders + .hint').textContent`), 'The config’s 10,000,000 positions are cut to 1,048,576 here.');
    isQuiet(cut, 'cut.html');
  });

  await test('an axis of many decades has ticks, and includes what is marked', async () => {
    const tab = await opened('page.html');
    const ticks = (min, max) => tab.value(`powersOfTen(1, 30)({width: 600, height: 300}, 0, ${min}, ${max}).map((tick) => Math.round(Math.log10(tick)))`);
    assert.deepEqual(await ticks(1e-8, 1e38), [0, 10, 20, 30]);
    assert.deepEqual(await ticks(1e-3, 1e1), [-3, -2, -1, 0, 1]);
    assert.deepEqual(await tab.value(`(() => {
      const chart = new LineChart(document.querySelector('main'), {title: '', x: {label: ''}, y: {label: '', log: true, range: [1e-8, 1e38]}, series: [{label: '', color: 'first'}]});
      chart.update([[1, 2], [1e-8, 1e38]]);
      return new Promise((resolve) => setTimeout(() => resolve(chart.plot.axes[1]._splits.map((tick) => Math.round(Math.log10(tick)))), 100));
    })()`), [0, 10, 20, 30]);
    assert.deepEqual(await tab.value(`yRange({marks: [{y: 512}, {x: 3}]})(null, 6, 60)`), [1, 1000]);
    assert.deepEqual(await tab.value(`yRange({marks: []})(null, 6, 60)`), [1, 100]);
  });

  await test('blank cells have a key where there are some', async () => {
    writeFileSync(at('ids.npy'), npy(Array.from({length: 3 * 40}, (_, k) => (k < 40 ? k : k % 5)), [3, 40]));
    const angle = (k) => (k % 16 < 4 ? k >> 4 : (k >> 4) % 5) * 1e4 ** (-(k % 16) / 16);
    for (const [name, of] of [['cos', Math.cos], ['sin', Math.sin]])
      writeFileSync(at(name + '.npy'), npy(Array.from({length: 40 * 16}, (_, k) => of(angle(k))), [40, 16]));
    run('compare', at('cos.npy'), at('sin.npy'), '--positions', at('ids.npy'), '--dim', '32', '--rope', 'mrope_section=4,6,6', '-q', '-o', at('axes.html'));
    for (const [name, want] of [['axes.html', true], ['dump.html', false]]) {
      const tab = await opened(name);
      assert.equal((await tab.value(`document.querySelector('main').textContent`)).includes('Blank cells: no row.'), want, name);
    }
  });

  await test('the sign of a position is kept', async () => {
    writeFileSync(at('signed.npy'), npy(Array.from({length: 101}, (_, k) => k - 50), [101]));
    for (const [name, of] of [['cos', Math.cos], ['sin', Math.sin]])
      writeFileSync(at(name + '.npy'), npy(Array.from({length: 101 * 16}, (_, k) => (k === 30 * 16 + 5 ? NaN : of(((k >> 4) - 50) * 1e4 ** (-(k % 16) / 16)))), [101, 16]));
    run('compare', at('cos.npy'), at('sin.npy'), '--positions', at('signed.npy'), '--dim', '32', '-q', '-o', at('signed.html'));
    const tab = await opened('signed.html');
    assert.match(await tab.value(`document.querySelector('.kept').textContent`), /position −20.*pair 5, position −20$/);
  });

  await test('a line is read, zoomed and shown whole again by keyboard', async () => {
    const tab = await opened('page.html');
    await tab.value(`document.querySelector('#decay .chart').focus()`);
    const said = () => tab.value(`document.querySelector('#decay [role=status]').textContent`);
    const isWhole = () => tab.value(`document.querySelector('#decay .reset').hidden`);
    await tab.press('ArrowRight', 39);
    assert.match(await said(), /^distance s 1: B\(s\) 62\.09/);
    await tab.press('+', 187, '+');
    assert.equal(await isWhole(), false);
    await tab.press('0', 48, '0');
    assert.equal(await isWhole(), true);
    isQuiet(tab, 'page.html');
  });

  await test('the score has one curve where each distance is drawn, otherwise the least and the greatest', async () => {
    const tab = await opened('report.html');  // 131,072 positions
    const legend = () => tab.value(`[...document.querySelectorAll('#decay .u-series .u-label')].map((one) => one.textContent).slice(1)`);
    assert.deepEqual(await legend(), ['least', 'greatest']);
    const {x, y, width} = await tab.value(`(() => { const over = document.querySelector('#decay .u-over'); over.scrollIntoView({block: 'center', behavior: 'instant'}); const {x, y, width} = over.getBoundingClientRect(); return {x, y, width}; })()`);
    for (const [type, share, buttons] of [['mouseMoved', 0.5, 0], ['mousePressed', 0.5, 1], ['mouseMoved', 0.51, 1], ['mouseMoved', 0.52, 1], ['mouseReleased', 0.52, 0]]) {
      await tab.send('Input.dispatchMouseEvent', {type, x: x + share * width, y: y + 50, button: type === 'mouseMoved' && !buttons ? 'none' : 'left', buttons, clickCount: 1});
      await settled(tab);
    }
    assert.deepEqual(await legend(), ['B(s)']);
    await tab.value(`document.querySelector('#decay .reset').click()`);
    assert.deepEqual(await legend(), ['least', 'greatest']);
    isQuiet(tab, 'report.html');
  });

  await test('whatever takes the focus has a name', async () => {
    for (const name of ['report.html', 'dump.html']) {
      const tab = await opened(name);
      const {nodes} = await tab.send('Accessibility.getFullAXTree');
      const takesFocus = (node) => node.properties?.some((one) => one.name === 'focusable' && one.value.value) && node.role.value !== 'RootWebArea';
      const focusable = nodes.filter((node) => !node.ignored && takesFocus(node));
      assert(focusable.length > 30, name);
      assert.deepEqual(focusable.filter((node) => !node.name?.value).map((node) => node.role.value), []);
      assert.deepEqual(await tab.value(`[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1])).filter((level, k, all) => level > (all[k - 1] ?? 0) + 1)`), []);
    }
  });

  await test('text stands out from its ground in both schemes', async () => {
    for (const scheme of ['light', 'dark']) {
      const tab = await opened('report.html', {scheme});
      const ratios = await tab.value(`(() => {
        const light = (color) => {
          const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const paper = light(getComputedStyle(document.body).backgroundColor);
        return ['ink', 'quiet', 'first', 'second', 'third', 'alarm'].map((name) => {
          const ink = light(colorOf(name));
          return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        });
      })()`);
      assert.equal(ratios.length, 6);
      assert(ratios.every((ratio) => ratio >= 4.5), `${scheme}: ${ratios}`);
    }
  });

  await test('print is light, with every finding open, and the screen is as it was after it', async () => {
    const tab = await opened('report.html', {scheme: 'dark'});
    const state = () => tab.value(`[getComputedStyle(document.body).backgroundColor, document.querySelectorAll('details.finding:not([open])').length > 0, document.querySelector('.heatmap canvas').width <= 700]`);
    const before = await state();
    assert.deepEqual(before.slice(1), [true, false]);
    await tab.send('Emulation.setEmulatedMedia', {media: 'print', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    await tab.value(`dispatchEvent(new Event('beforeprint'))`);
    assert.deepEqual(await state(), ['rgb(255, 255, 255)', false, true]);
    await tab.value(`dispatchEvent(new Event('afterprint'))`);
    await tab.send('Emulation.setEmulatedMedia', {media: '', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    assert.deepEqual(await state(), before);
    const {data} = await tab.send('Page.printToPDF', {printBackground: true});
    assert(Buffer.from(data, 'base64').subarray(0, 5).equals(Buffer.from('%PDF-')));
    isQuiet(tab, 'report.html');
  });

  await test('a hostile key and name stay text', async () => {
    const hostile = '</script><img src=x onerror="document.title=1"><b>';
    writeFileSync(at('<img src=x onerror=alert(1)>.json'), JSON.stringify({head_dim: 16, rope_scaling: {rope_type: 'linear', factor: 2, [hostile]: 1}}));
    run('verify', '--config', at('<img src=x onerror=alert(1)>.json'), '--context', '64', '-q', '-o', at('hostile.html'));
    const tab = await opened('hostile.html');
    assert.equal(await tab.value(`document.querySelectorAll('img, main b b').length`), 0);
    assert((await tab.value('document.body.innerText')).includes('<img src=x'));
    isQuiet(tab, 'hostile.html');
  });
} finally {
  await browser.close();
}
