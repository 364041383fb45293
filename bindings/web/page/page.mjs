// SPDX-License-Identifier: MIT
// The page: its device, its tabs and its error messages.
import {Connection} from './connection.mjs';
import {byId, hasFiles} from './dom.mjs';
import {GalleryTab} from './gallery_tab.mjs';
import {Gpt2Tab} from './gpt2_tab.mjs';
import {InsideTab} from './inside_tab.mjs';
import {linkTo, readLink} from './link.mjs';
import {makeTabs} from './tabs.mjs';

const linkTime = 300;  // ms after a change; browsers allow few changes of an address

const connection = new Connection();
const changed = () => {
  clearTimeout(changed.timer);
  changed.timer = setTimeout(showLink, linkTime);
};
const panels = {
  gpt2: new Gpt2Tab(connection, changed), gallery: new GalleryTab(connection, changed),
  inside: new InsideTab(connection, changed),
};
const tabs = makeTabs(document.querySelector('[role=tablist]'), (chosen) => {
  for (const [name, panel] of Object.entries(panels)) panel.show(name === chosen);
  showLink();
});

// The address and the title show what the page does.
function showLink() {
  clearTimeout(changed.timer);
  const panel = panels[tabs.current()];
  document.title = `${panel.title} – Trigon in the browser`;
  history.replaceState(null, '', linkTo(tabs.current(), panel.fields));
}

// The names of a link that a panel does not understand.
function restored(panel, fields) {
  try {
    return panel.restore(fields);
  } catch {  // whatever a link holds, the page starts
    return [...fields.keys()];
  }
}

// Opens what a link holds; the page stays as it is where a link is wrong.
function followLink() {
  const {tab, fields, wrong} = readLink(location.hash, Object.keys(panels));
  const unknown = tab !== '' && fields.size > 0 ? restored(panels[tab], fields) : [];
  byId('link-message').textContent = unknown.length === 0 ? wrong :
      `The link is not understood in part: ${unknown.map((name) => name.slice(0, 20)).join(', ')}.`;
  byId('link-message').hidden = byId('link-message').textContent === '';
  if (tab !== '') tabs.choose(tab);
  else if (wrong !== '') showLink();
  return tab !== '';
}
addEventListener('hashchange', followLink);
byId('copy-link').addEventListener('click', async () => {
  showLink();
  try {
    await navigator.clipboard.writeText(location.href);
    byId('copied').textContent = 'Copied.';
  } catch {
    byId('copied').textContent = 'The browser does not let it be copied; the address bar has it.';
  }
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
      `open it again. Trigon says: ${error.message}`, 'Go on');
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

if (!followLink()) panels[tabs.current()].show(true);
open();
