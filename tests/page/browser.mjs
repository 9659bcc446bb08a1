// Headless Chromium, over its DevTools protocol through two pipes: no port, no package.
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

// The program's name, or undefined if it is not installed.
export const found = () => names.find((name) => spawnSync(name, ['--version']).status === 0);

export async function start(program) {
  const home = mkdtempSync(join(tmpdir(), 'rope-check-browser-'));
  const child = spawn(program, [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--disable-extensions', '--disable-background-networking', '--disable-component-update',
    '--hide-scrollbars', '--force-device-scale-factor=1', '--remote-debugging-pipe', `--user-data-dir=${home}`, 'about:blank',
  ], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: {...process.env, HOME: home}});
  const [, , , input, output] = child.stdio;
  const waiting = new Map(), listeners = [];
  let last = 0, left = '';
  output.setEncoding('utf8');
  output.on('data', (text) => {
    const parts = (left + text).split('\0');
    left = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (!message.id) listeners.forEach((listen) => listen(message));
      else {
        const {resolve, reject} = waiting.get(message.id);
        waiting.delete(message.id);
        message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result);
      }
    }
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  ended.then(() => waiting.forEach(({reject}) => reject(new Error('the browser ended'))));
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    waiting.set(++last, {resolve, reject});
    input.write(JSON.stringify({id: last, method, params, sessionId}) + '\0');
  });
  return {
    send, listen: (listener) => listeners.push(listener),
    async close() {
      await send('Browser.close').catch(() => {});
      await ended;
      rmSync(home, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

// A tab, with its network requests, console messages and exceptions.
export async function openTab(browser, {width = 1200, height = 900, scheme = 'light'} = {}) {
  const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await browser.send('Target.attachToTarget', {targetId, flatten: true});
  const send = (method, params) => browser.send(method, params, sessionId);
  const tab = {requests: [], messages: [], send};
  const loaded = [];
  browser.listen((message) => {
    if (message.sessionId !== sessionId) return;
    const {method, params} = message;
    if (method === 'Network.requestWillBeSent') tab.requests.push(params.request.url);
    if (method === 'Runtime.consoleAPICalled') tab.messages.push(params.type + ': ' + params.args.map((one) => one.value ?? one.description).join(' '));
    if (method === 'Runtime.exceptionThrown') tab.messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Log.entryAdded') tab.messages.push(params.entry.text);
    if (method === 'Page.loadEventFired') loaded.splice(0).forEach((resolve) => resolve());
  });
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(domain + '.enable');
  await send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
  await send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]});

  tab.open = async (url) => {
    const done = new Promise((resolve) => loaded.push(resolve));
    await send('Page.navigate', {url});
    await done;
  };
  // The value of an expression, or of the promise that it returns.
  tab.value = async (expression) => {
    const {result, exceptionDetails} = await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  tab.press = async (key, code = 0, text = undefined) => {
    await send('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', key, windowsVirtualKeyCode: code, text});
    await send('Input.dispatchKeyEvent', {type: 'keyUp', key, windowsVirtualKeyCode: code});
  };
  tab.mouse = async (type, x, y) => send('Input.dispatchMouseEvent', {type, x, y, button: 'left', buttons: type === 'mouseMoved' ? 0 : 1, clickCount: 1});
  tab.click = async (x, y) => {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) await tab.mouse(type, x, y);
  };
  tab.picture = async () => {
    const height = await tab.value('document.documentElement.scrollHeight');
    const {data} = await send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: true, clip: {x: 0, y: 0, width, height, scale: 1}});
    return Buffer.from(data, 'base64');
  };
  return tab;
}
