// SPDX-License-Identifier: MIT
// The page: its device, its tabs and its error messages.
import {Connection} from './connection.mjs';
import {byId, hasFiles} from './dom.mjs';
import {GalleryTab} from './gallery_tab.mjs';
import {Gpt2Tab} from './gpt2_tab.mjs';
import {InsideTab} from './inside_tab.mjs';
import {makeTabs} from './tabs.mjs';

const connection = new Connection();
const panels = {
  gpt2: new Gpt2Tab(connection), gallery: new GalleryTab(connection),
  inside: new InsideTab(connection),
};
const tabs = makeTabs(document.querySelector('[role=tablist]'), (chosen) => {
  for (const [name, panel] of Object.entries(panels)) panel.show(name === chosen);
  history.replaceState(null, '', `#${chosen}`);
});

function say(text, button = '') {
  byId('notice').hidden = text === '';
  byId('notice-text').textContent = text;
  byId('notice-button').hidden = button === '';
  byId('notice-button').textContent = button;
}

async function open() {
  say('');
  byId('renderer').textContent = 'Starting …';
  try {
    await connection.open();
  } catch (error) {
    byId('renderer').textContent = 'Nothing can be computed here.';
    say(error.message, 'Try again');
    for (const panel of Object.values(panels)) panel.fail();
  }
}

connection.onReady((t) => {
  globalThis.trigon = t;  // for the console
  const profile = t.profile === 'webgl1' ? 'WebGL 1' : 'WebGL 2';
  byId('renderer').textContent = `Drawn through ${profile} by ${t.renderer}`;
});
connection.onLost((error) => {
  byId('renderer').textContent = 'No device at the moment.';
  say('The browser took the graphics device away; other programs may need its memory. Go on to ' +
      `open it anew. Trigon says: ${error.message}`, 'Go on');
});
byId('notice-button').addEventListener('click', async () => {
  byId(`tab-${tabs.current()}`).focus();  // the button goes away
  await open();
});
// Without this, the browser would open a file that is dropped beside a drop target.
addEventListener('dragover', (event) => {
  if (event.defaultPrevented || !hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
});
addEventListener('drop', (event) => { if (hasFiles(event)) event.preventDefault(); });
addEventListener('pagehide', ({persisted}) => { if (!persisted) connection.close(); });

const asked = location.hash.slice(1);
if (Object.hasOwn(panels, asked)) tabs.choose(asked);
else panels[tabs.current()].show(true);
open();
