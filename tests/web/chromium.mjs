// SPDX-License-Identifier: MIT
// Headless Chromium, driven by the DevTools protocol over a pipe, which only needs Node 18.
//
//   const browser = await Chromium.start({driver: 'llvmpipe'});
//   const page = await browser.open('http://localhost:8000/', {width: 390, height: 844});
//   await page.evaluate('document.title');
//   await page.send('Input.insertText', {text: 'ROMEO:'});
//   await page.screenshot('build/page.png');
//   browser.complaints();  // what WebGL said on the consoles of pages and Workers
//   await browser.close();
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A driver's renderer string, the part of it that names the driver, and the flags. */
export const drivers = {
  // Mesa's, the driver of the native tests.
  llvmpipe: {renderer: /^ANGLE \(Mesa.*llvmpipe/, name: 'llvmpipe',
             flags: ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist']},
  swiftshader: {renderer: /^ANGLE \(Google.*SwiftShader/, name: 'SwiftShader',
                flags: ['--use-gl=angle', '--use-angle=swiftshader',
                        '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']},
};

const common = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-gpu-watchdog',
                '--disable-background-networking', '--disable-component-update', '--disable-sync',
                '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
                '--disable-backgrounding-occluded-windows', '--disable-dev-shm-usage',
                '--remote-debugging-pipe'];

const endTimeout = 10000;  // ms

/**
 * A page, or a Worker of one: a session of the protocol. `messages`: those of its console, {level,
 * source, text, type}; `type` is 'page' or 'worker'.
 */
class Session {
  constructor(browser, id, type) {
    this.browser = browser;
    this.id = id;
    this.type = type;
    this.messages = [];
    this.listeners = new Map();
  }

  /** The result of a method of the protocol; its error is thrown. */
  send(method, params = {}) { return this.browser.send(method, params, this.id); }

  /** Calls `listener(params)` at each event of this name. */
  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, []);
    this.listeners.get(event).push(listener);
  }

  /** Resolves with the parameters of the next event of this name. */
  next(event) { return new Promise((resolve) => this.on(event, resolve)); }

  /** The value of an expression, awaited if it is a promise. */
  async evaluate(expression) {
    const {result, exceptionDetails: thrown} = await this.send(
        'Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (thrown) throw new Error(thrown.exception?.description ?? thrown.text);
    return result.value;
  }

  /** Writes a screenshot of the page as PNG. */
  async screenshot(file) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
    writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async begin() {
    this.on('Runtime.consoleAPICalled', ({type, args}) =>
        this.#hear(type, 'console', args.map((one) => one.value ?? one.description).join(' ')));
    this.on('Runtime.exceptionThrown', ({exceptionDetails: thrown}) =>
        this.#hear('error', 'exception', thrown.exception?.description ?? thrown.text));
    this.on('Log.entryAdded', ({entry: {level, source, text}}) => {
      // A page repeats messages of its Workers, which are also heard directly.
      if (source !== 'worker') this.#hear(level, source, text);
    });
    // Workers wait until there is a listener.
    this.on('Target.attachedToTarget', ({sessionId, targetInfo}) =>
        this.browser.adopt(sessionId, targetInfo.type === 'page' ? 'page' : 'worker').catch(
            (error) => { if (!this.browser.ended) throw error; }));
    await Promise.all([
      this.send('Runtime.enable'), this.send('Log.enable'),
      this.send('Target.setAutoAttach',
                {autoAttach: true, waitForDebuggerOnStart: true, flatten: true}),
    ]);
    await this.send('Runtime.runIfWaitingForDebugger');
  }

  #hear(level, source, text) { this.messages.push({level, source, text, type: this.type}); }
}

export class Chromium {
  #process;
  #profile;
  #answers = new Map();   // by number of the call: how to settle its promise
  #sessions = new Map();
  #calls = 0;
  #received = [];         // of a message that has not ended

  /** The sessions of all pages and Workers so far. */
  get sessions() { return [...this.#sessions.values()]; }

  /** True once the browser is gone, when promise `end` resolves. */
  ended = false;
  end;

  /** Its output. */
  log = '';

  /**
   * Starts a browser with a new profile, whose GPU process runs on `driver`, a key of `drivers`,
   * and with more `flags`. `environment` is added to this process's.
   */
  static async start({driver = 'llvmpipe', flags = [], environment = {}} = {}) {
    const browser = new Chromium();
    await browser.#begin([...common, ...drivers[driver].flags, ...flags], environment);
    return browser;
  }

  async #begin(flags, environment) {
    this.#profile = mkdtempSync(join(tmpdir(), 'trigon-chromium-'));
    this.#process = spawn('chromium', [...flags, `--user-data-dir=${this.#profile}`], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: {...process.env, ...environment},
      detached: true,  // a group of processes, which close() ends
    });
    this.#process.stderr.on('data', (text) => { this.log += text; });
    this.end = new Promise((resolve) => this.#process.on('exit', resolve).on('error', resolve));
    this.end.then(() => this.#finish());
    this.#process.stdio[3].on('error', () => {});
    this.#process.stdio[4].on('data', (chunk) => this.#receive(chunk));
    await this.send('Browser.getVersion');
  }

  /** The result of a method of the protocol, of a session or of the browser itself. */
  send(method, params = {}, sessionId = undefined) {
    if (this.ended) return Promise.reject(new Error(`chromium has ended: ${this.log}`));
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, {resolve, reject, method});
      this.#process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    });
  }

  /** A new page at `address`. It is `width` x `height` CSS pixels, a phone's if `mobile`. */
  async open(address, {width = 1280, height = 800, mobile = false} = {}) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = await this.adopt(sessionId, 'page');
    await page.send('Page.enable');
    await page.send('Emulation.setDeviceMetricsOverride',
                    {width, height, mobile, deviceScaleFactor: 1});
    const loaded = page.next('Page.loadEventFired');
    const {errorText} = await page.send('Page.navigate', {url: address});
    if (errorText) throw new Error(`${address}: ${errorText}`);
    await loaded;
    return page;
  }

  /** Listens to a session that was attached. */
  async adopt(sessionId, type) {
    const session = new Session(this, sessionId, type);
    this.#sessions.set(sessionId, session);
    await session.begin();
    return session;
  }

  /** Messages of all consoles, pages and Workers. */
  messages() { return this.sessions.flatMap((session) => session.messages); }

  /** Those by which WebGL reports wrong calls and lost contexts. */
  complaints() { return this.messages().filter(({text}) => /WebGL|GL Driver/.test(text)); }

  /** Ends the browser and removes its profile. */
  async close() {
    if (!this.ended) this.send('Browser.close').catch(() => {});
    let timer;
    await Promise.race([this.end, new Promise((resolve) => {
      timer = setTimeout(resolve, endTimeout);
    })]);
    clearTimeout(timer);
    // Its remaining processes.
    try { process.kill(-this.#process.pid, 'SIGKILL'); } catch { /* none */ }
    await this.end;
    rmSync(this.#profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
  }

  #finish() {
    this.ended = true;
    for (const {reject, method} of this.#answers.values()) {
      reject(new Error(`chromium ended before it answered ${method}: ${this.log}`));
    }
    this.#answers.clear();
  }

  // Messages end with a zero byte.
  #receive(chunk) {
    let end;
    while ((end = chunk.indexOf(0)) >= 0) {
      this.#received.push(chunk.subarray(0, end));
      this.#dispatch(JSON.parse(Buffer.concat(this.#received).toString()));
      this.#received = [];
      chunk = chunk.subarray(end + 1);
    }
    if (chunk.length > 0) this.#received.push(chunk);
  }

  #dispatch({id, result, error, method, params, sessionId}) {
    const answer = this.#answers.get(id);
    if (answer) {
      this.#answers.delete(id);
      if (error) answer.reject(new Error(`${answer.method}: ${error.message}`));
      else answer.resolve(result);
      return;
    }
    for (const listener of this.#sessions.get(sessionId)?.listeners.get(method) ?? []) {
      listener(params);
    }
  }
}
