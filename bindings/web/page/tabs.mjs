// SPDX-License-Identifier: MIT
// Tabs by the ARIA pattern: one stop of the Tab key, arrows, Home and End move and choose.
import {byId} from './dom.mjs';

/**
 * @param {Element} list The element of role tablist.
 * @param {(name: string) => void} onChange The part after "tab-" of the chosen tab's id.
 * @returns {{choose: (name: string) => void, current: () => string}}
 */
export function makeTabs(list, onChange) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  const nameOf = (tab) => tab.id.replace('tab-', '');
  const current = () => nameOf(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true'));
  function choose(chosen, {focus = false} = {}) {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = tab !== chosen;
    }
    if (focus) chosen.focus();
    onChange(nameOf(chosen));
  }
  const moves = {ArrowLeft: (k) => k - 1, ArrowRight: (k) => k + 1, Home: () => 0, End: () => -1};
  list.addEventListener('keydown', (event) => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    choose(tabs.at(move(tabs.indexOf(document.activeElement)) % tabs.length), {focus: true});
  });
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  return {choose: (name) => choose(byId(`tab-${name}`)), current};
}
