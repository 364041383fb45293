// SPDX-License-Identifier: MIT
// Choosing weights: a dropped folder, files, or an address.
import {byId, hasFiles} from './dom.mjs';

const mostFiles = 2000;  // of a dropped folder
const needed = 'config.json, vocab.json, merges.txt and model.safetensors';
// Each by its name and the one that GPT-2 was first published with.
const small = [['config.json'], ['vocab.json', 'encoder.json'], ['merges.txt', 'vocab.bpe']];

// The files of dropped folders and files, those of subfolders last, since the first file of a name
// is taken.
async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((one) => one);
  if (entries.length === 0) return [...transfer.files];
  const files = [];
  const open = entries;
  for (const entry of open) {  // it grows meanwhile
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    }
    if (files.length > mostFiles) throw new Error(`More than ${mostFiles} files; drop one folder.`);
    if (!entry.isDirectory) continue;
    const reader = entry.createReader();
    for (;;) {  // a call gives only some of them
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      open.push(...some);
    }
  }
  return files;
}

/** An obvious fault of the chosen files; empty if there is none. */
export function wrongFiles(files) {
  if (files.length === 0) return `There are no files; choose a folder with ${needed}.`;
  const names = files.map(({name}) => name);
  const missing = small.filter((any) => !any.some((name) => names.includes(name)))
      .map(([name]) => name);
  if (!names.some((name) => /\.safetensors(\.index\.json)?$/.test(name))) {
    missing.push('model.safetensors');
  }
  if (missing.length === 0) return '';
  const got = names.length === 1 ? `“${names[0]}” alone was given` :
                                   `${names.length} files were given`;
  return `${got}, but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: ` +
      `choose a folder with ${needed}.`;
}

/** @param {(source, name: string) => void} onChosen Called with files or an address. */
export function listenForWeights(panel, onChosen, onWrong) {
  const take = (files) => {
    const wrong = wrongFiles(files);
    if (wrong !== '') onWrong(wrong);
    else onChosen(files, 'your files');
  };
  for (const id of ['folder', 'files']) {
    byId(id).addEventListener('change', ({target}) => {
      take([...target.files]);
      target.value = '';  // so that the same choice causes an event again
    });
  }
  byId('repository-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const address = byId('repository').value.trim();
    if (address !== '') onChosen(address, address);
  });
  panel.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    panel.classList.add('dropping');
  });
  panel.addEventListener('dragleave', ({relatedTarget}) => {
    if (!panel.contains(relatedTarget)) panel.classList.remove('dropping');
  });
  panel.addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    panel.classList.remove('dropping');
    try {
      take(await filesOf(event.dataTransfer));
    } catch (error) {
      onWrong(`The folder cannot be read: ${error.message}`);
    }
  });
}
