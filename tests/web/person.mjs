// SPDX-License-Identifier: MIT
// A person's actions on a page: looks, types, points, and waits for expected content.

const patience = 60000;  // ms

const codes = {Tab: 9, Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37,
               ArrowUp: 38, ArrowRight: 39, ArrowDown: 40};

// Runs before the page: records what blocks its thread.
const watch = `{
  const seen = globalThis.seenByTests = {tasks: [], gap: 0};
  new PerformanceObserver((list) => {
    for (const {duration} of list.getEntries()) seen.tasks.push(Math.round(duration));
  }).observe({type: 'longtask', buffered: true});
  let last = 0;
  const frame = (now) => {
    if (last > 0) seen.gap = Math.max(seen.gap, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

// A trace event's information about tasks of pages' threads; undefined if there is none.
const threadOf = ({pid, tid}) => `${pid} ${tid}`;
function kindOf({name, args}) {
  switch (name) {
    case 'thread_name': return args.name === 'CrRendererMain' ? 'thread' : undefined;
    case 'RunTask': return 'task';
    case 'CommandBufferProxyImpl::WaitForGetOffset':
    case 'CommandBufferProxyImpl::WaitForToken': return 'wait';
    case 'Receive mojo message':
      return args.chrome_mojo_event_info?.mojo_interface_tag?.endsWith('.DevToolsSession') ?
          'asked' : undefined;
    case 'FunctionCall': case 'Layout': case 'EvaluateScript': case 'MajorGC': return 'what';
    default: return undefined;
  }
}

const looks = [320, 390, 1280].flatMap((width) =>
    ['light', 'dark'].map((scheme) => ({width, scheme})));

// Finds by id, as the page itself does.
const id = (name) => `document.getElementById(${JSON.stringify(name)})`;

export class Person {
  /**
   * @param {Session} page of chromium.mjs
   * @param {string} motion
   */
  constructor(page, motion = 'no-preference') {
    this.page = page;
    this.motion = motion;
  }

  /**
   * Opens an address.
   * @param {Chromium} browser
   * @param {string} address
   * @param {{width?: number, height?: number, mobile?: boolean, scheme?: string,
   *     motion?: string}} how
   */
  static async at(browser, address, {scheme = 'light', motion = 'no-preference', ...size} = {}) {
    const page = await browser.open('about:blank', size);
    if (size.mobile) await page.send('Emulation.setTouchEmulationEnabled', {enabled: true});
    const person = new Person(page, motion);
    await person.prefers(scheme);
    await page.send('Page.addScriptToEvaluateOnNewDocument', {source: watch});
    const loaded = page.next('Page.loadEventFired');
    await page.send('Page.navigate', {url: address});
    await loaded;
    return person;
  }

  /** Chooses a colour scheme. */
  prefers(scheme) {
    return this.page.send('Emulation.setEmulatedMedia', {features: [
      {name: 'prefers-color-scheme', value: scheme},
      {name: 'prefers-reduced-motion', value: this.motion},
    ]});
  }

  /**
   * Calls `see({width, scheme})` for each width and colour scheme of the same page, which ends as
   * it began.
   */
  async atEachWidth(see) {
    const [width, height, isDark] = await this.evaluate(
        `[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]`);
    for (const look of looks) {
      await this.page.send('Emulation.setDeviceMetricsOverride',
                           {width: look.width, height: 800, mobile: false, deviceScaleFactor: 1});
      await this.prefers(look.scheme);
      await this.sees(`innerWidth === ${look.width} && matchMedia(
          '(prefers-color-scheme: ${look.scheme})').matches`);
      try {
        await see(look);
      } catch (error) {
        error.message = `${look.width}, ${look.scheme}: ${error.message}`;
        throw error;
      }
    }
    await this.prefers(isDark ? 'dark' : 'light');
    await this.page.send('Emulation.setDeviceMetricsOverride',
                         {width, height, mobile: false, deviceScaleFactor: 1});
    await this.sees(`innerWidth === ${width}`);
  }

  // ---- Looking

  evaluate(expression) { return this.page.evaluate(expression); }
  text(name) { return this.evaluate(`${id(name)}.textContent.trim()`); }

  /** Waits until an expression is true in the page; its value. */
  async sees(expression, what = expression) {
    const found = await this.evaluate(`new Promise((resolve) => {
      const end = performance.now() + ${patience};
      const look = () => {
        let value;
        try { value = ${expression}; } catch (error) { value = undefined; }
        if (value || performance.now() > end) resolve(value);
        else setTimeout(look, 20);
      };
      look();
    })`);
    if (!found) throw new Error(`never seen: ${what}`);
    return found;
  }

  /** Waits until the text of an element matches. */
  async reads(name, pattern) {
    try {
      return await this.sees(`${pattern}.test(${id(name)}.textContent) && ` +
                             `${id(name)}.textContent.trim()`);
    } catch {
      throw new Error(`"${name}" never said ${pattern}; it says: ${await this.text(name)}`);
    }
  }

  /** The accessible nodes of a role, {name, description, properties}. */
  async roles(role) {
    const {nodes} = await this.page.send('Accessibility.getFullAXTree');
    return nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => ({
      name: node.name?.value ?? '', description: node.description?.value ?? '',
      properties: Object.fromEntries((node.properties ?? []).map((one) =>
          [one.name, one.value.value])),
    }));
  }

  /** Waits until there is a node of the role whose name matches. */
  async finds(role, pattern) {
    const end = Date.now() + patience;
    let names = [];
    while (Date.now() < end) {
      const nodes = await this.roles(role);
      const found = nodes.find(({name}) => pattern.test(name));
      if (found) return found;
      names = nodes.map(({name}) => name);
    }
    throw new Error(`no ${role} named ${pattern}; there are: ${names.join(', ') || 'none'}`);
  }

  /** The number of colours that a canvas shows, and a number that changes with its picture. */
  picture(selector) {
    return this.evaluate(`(() => {
      const canvas = document.querySelector(${JSON.stringify(selector)});
      const small = document.createElement('canvas');
      small.width = small.height = 64;
      const target = small.getContext('2d', {willReadFrequently: true});
      target.imageSmoothingEnabled = false;
      target.drawImage(canvas, 0, 0, 64, 64);
      const {data} = target.getImageData(0, 0, 64, 64);
      const pixels = new Uint32Array(data.buffer);
      let hash = 7;
      for (const pixel of pixels) hash = (Math.imul(hash, 31) + pixel) | 0;
      return {colours: new Set(pixels).size, hash, width: canvas.width, height: canvas.height};
    })()`);
  }

  /** Waits until a canvas of `width` columns shows more than `least` colours. */
  async paints(selector, width, least) {
    const end = Date.now() + patience;
    let now;
    do {
      now = await this.picture(selector);
      if (now.width === width && now.colours > least) return now;
    } while (Date.now() < end);
    throw new Error(`the picture ${selector} has ${now.colours} colours and ${now.width} ` +
                    `columns, not ${width}`);
  }

  /** Waits until a canvas shows another picture than `before`. */
  async changes(selector, before) {
    const end = Date.now() + patience;
    while (Date.now() < end) {
      const now = await this.picture(selector);
      if (now.hash !== before.hash) return now;
    }
    throw new Error(`the picture ${selector} never changed`);
  }

  // ---- Doing

  async press(key, {modifiers = 0, commands = [], hold = false} = {}) {
    // The characters of other keys are not their codes: that of "." is the Delete key's.
    const code = codes[key] ?? (/^[A-Za-z0-9]$/.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
    const text = key === 'Enter' ? '\r' : key.length === 1 && modifiers === 0 ? key : undefined;
    const event = {key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: code, modifiers};
    await this.page.send('Input.dispatchKeyEvent',
                         {type: text ? 'keyDown' : 'rawKeyDown', text, commands, ...event});
    if (!hold) await this.page.send('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
  }

  async types(text) { for (const key of text) await this.press(key === '\n' ? 'Enter' : key); }

  /** Selects all of the field that has the focus, and types over it. */
  async replaces(text) {
    await this.press('a', {modifiers: 2, commands: ['selectAll']});
    await this.types(text);
  }

  focused() { return this.evaluate('document.activeElement.id'); }

  /** Goes to an element using only the Tab key. */
  async tabsTo(name) {
    for (let k = 0; k < 200; ++k) {
      if (await this.focused() === name) return;
      await this.press('Tab');
    }
    throw new Error(`the Tab key never comes to "${name}"`);
  }

  /** The middle of an element, scrolled into view. */
  middle(selector) {
    return this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({block: 'center'});
      const {left, top, width, height} = element.getClientRects()[0];
      return {x: left + width / 2, y: top + height / 2, width, height};
    })()`);
  }

  mouse(type, {x, y}, more = {}) {
    return this.page.send('Input.dispatchMouseEvent', {type, x, y, ...more});
  }
  async pointsAt(selector) { await this.mouse('mouseMoved', await this.middle(selector)); }
  async clicks(selector) {
    const place = await this.middle(selector);
    await this.mouse('mouseMoved', place);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.mouse(type, place, {button: 'left', clickCount: 1});
    }
  }
  async drags(selector, dx, dy) {
    const {x, y} = await this.middle(selector);
    await this.mouse('mouseMoved', {x, y});
    await this.mouse('mousePressed', {x, y}, {button: 'left', buttons: 1, clickCount: 1});
    for (let k = 1; k <= 8; ++k) {
      await this.mouse('mouseMoved', {x: x + dx * k / 8, y: y + dy * k / 8},
                       {button: 'left', buttons: 1});
    }
    await this.mouse('mouseReleased', {x: x + dx, y: y + dy}, {button: 'left', clickCount: 1});
  }

  /** A finger touches an element and moves across it. */
  async taps(selector, dx = 0, dy = 0) {
    const {x, y} = await this.middle(selector);
    const touch = (type, ...touchPoints) =>
        this.page.send('Input.dispatchTouchEvent', {type, touchPoints});
    await touch('touchStart', {x, y});
    for (let k = 1; (dx || dy) && k <= 8; ++k) {
      await touch('touchMove', {x: x + dx * k / 8, y: y + dy * k / 8});
    }
    await touch('touchEnd');
    // A browser treats a tap right after a swipe as the end of the swipe.
    if (dx || dy) await new Promise((resolve) => setTimeout(resolve, 700));
  }

  /** Drops a file or a folder on an element. */
  async drops(selector, file) {
    const {x, y} = await this.middle(selector);
    const data = {items: [], files: [file], dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await this.page.send('Input.dispatchDragEvent', {type, x, y, data});
    }
  }

  /** Chooses files with an input. */
  async chooses(name, files) {
    const {result} = await this.page.send('Runtime.evaluate', {expression: id(name)});
    await this.page.send('DOM.setFileInputFiles', {files, objectId: result.objectId});
  }

  /** Delays of the page's thread so far, in ms: tasks over 50, and the longest frame gap. */
  async held() {
    const {tasks, gap} = await this.evaluate('globalThis.seenByTests');
    return {tasks, gap: Math.round(gap)};
  }

  /**
   * The page's own tasks on its thread while `act` runs: {wall, cpu, waits, what} in ms, the
   * longest by processor time first. Waiting for a processor lengthens tasks by the clock, but not
   * by processor time. `waits`: for the GPU process. Tasks that this protocol started, as by
   * evaluate(), are left out, with everything that the page does in them: `act` must click.
   */
  async tasksOf(act) {
    const events = [];
    this.page.on('Tracing.dataCollected', ({value}) => {
      for (const one of value) if (kindOf(one)) events.push(one);
    });
    await this.page.send('Tracing.start', {transferMode: 'ReportEvents', traceConfig: {
      includedCategories: ['disabled-by-default-devtools.timeline', 'devtools.timeline',
                           'toplevel', 'gpu', '__metadata'],
    }});
    await act();
    const complete = this.page.next('Tracing.tracingComplete');
    await this.page.send('Tracing.end');
    await complete;
    const tasks = new Map();  // by thread
    for (const one of events.filter((event) => kindOf(event) === 'thread')) {
      tasks.set(threadOf(one), []);
    }
    for (const one of events.filter((event) => kindOf(event) === 'task')) {
      const {ts, dur, tdur} = one;
      tasks.get(threadOf(one))?.push({begin: ts, end: ts + dur, wall: dur / 1000,
                                      cpu: tdur / 1000, waits: 0, what: '', isAsked: false});
    }
    for (const one of events) {
      const task = tasks.get(threadOf(one))?.find(
          ({begin, end}) => begin <= one.ts && one.ts < end);
      if (!task) continue;
      const kind = kindOf(one);
      if (kind === 'wait') task.waits += one.dur / 1000;
      if (kind === 'asked') task.isAsked = true;
      if (kind === 'what' && one.dur / 1000 > task.wall / 2) task.what = one.name;
    }
    return [...tasks.values()].flat().filter(({isAsked}) => !isAsked).sort(
        (a, b) => b.cpu - a.cpu);
  }

  async leaves() { await this.page.send('Page.close'); }
}
