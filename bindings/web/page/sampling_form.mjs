// SPDX-License-Identifier: MIT
// The prompt and the numbers of sampling: fields of a form, options of generate(), and a link.
import {byId} from './dom.mjs';

const longPrompt = 3000;   // characters
const mostLinked = 1000;   // tokens that a link may ask for, since it makes the page write
// Names in links, and the fields' ids.
const numbers = {temperature: 'temperature', top_k: 'top-k', top_p: 'top-p', seed: 'seed',
                 tokens: 'tokens'};
const ofSampling = ['temperature', 'top-k', 'top-p', 'seed'];  // greedy does without

export class SamplingForm {
  /** @param {{onWrite: (prompt: string) => void, onRefused: (why: string) => void}} listeners */
  constructor({onWrite, onRefused}) {
    const form = byId('prompt-form');
    const prompt = byId('prompt');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.prompt.length > longPrompt) this.#fold(true);
      onWrite(this.prompt);
    });
    prompt.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      form.requestSubmit();
    });
    // Events of a field do not bubble up when it is invalid, but they can be captured. A browser
    // says nothing about a field that it cannot show, and does not submit the form.
    form.addEventListener('invalid', ({target}) => {
      byId('sampling').open = true;
      if (target !== form.querySelector('input:invalid')) return;
      onRefused(`${target.labels[0].textContent.trim()}: ${target.validationMessage}`);
    }, true);
    this.#foldLongPastes(prompt);
    byId('temperature').addEventListener('input', () => this.#show());
    byId('greedy').addEventListener('change', () => this.#show());
  }

  get prompt() { return byId('prompt').value; }

  /** Whether all numbers are in range; the browser shows which one is not. */
  check() { return byId('prompt-form').reportValidity(); }

  get options() {
    const number = (id) => Number(byId(id).value);
    const tokens = number('tokens');
    if (byId('greedy').checked) return {tokens, greedy: true};
    return {tokens, temperature: number('temperature'), topK: number('top-k'),
            topP: number('top-p'), seed: number('seed')};
  }

  #show() {
    byId('temperature-value').textContent = Number(byId('temperature').value).toFixed(1);
    for (const id of ofSampling) byId(id).disabled = byId('greedy').checked;
  }

  // While a very long prompt is shown, each change of the page lays it out again, which takes long.
  #fold(folded) {
    byId('prompt').hidden = folded;
    byId('prompt-edit').hidden = !folded;
    byId('prompt-edit').textContent = `Edit the ${this.prompt.length} characters`;
  }

  // A long text that comes at once is never shown. One that grows by typing stays: a person edits.
  #foldLongPastes(prompt) {
    prompt.addEventListener('beforeinput', (event) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      const {selectionStart: from, selectionEnd: to, maxLength} = prompt;
      const rest = prompt.value.length - (to - from);
      if (text.length <= longPrompt / 2 || rest + text.length <= longPrompt) return;
      event.preventDefault();
      prompt.hidden = true;
      prompt.setRangeText(text.slice(0, maxLength - rest), from, to, 'end');
      this.#fold(true);
      byId('prompt-edit').focus();
    });
    byId('prompt-edit').addEventListener('click', () => {
      this.#fold(false);
      prompt.focus();
    });
  }

  /** What differs from the page's first values, for a link. */
  get fields() {
    const fields = {};
    const {value, defaultValue} = byId('prompt');
    if (value !== defaultValue) fields.prompt = value;
    for (const [name, id] of Object.entries(numbers)) {
      if (byId(id).value !== byId(id).defaultValue) fields[name] = byId(id).value;
    }
    if (byId('greedy').checked) fields.greedy = '1';
    return fields;
  }

  /** Fills the form from a link. @returns {string[]} the names that it does not understand */
  restore(fields) {
    const wrong = [];
    for (const id of ['prompt', ...Object.values(numbers)]) byId(id).value = byId(id).defaultValue;
    byId('greedy').checked = false;
    this.#show();  // a disabled field would take any number
    for (const [name, text] of fields) {
      if (name === 'prompt' && text.length <= byId('prompt').maxLength) byId('prompt').value = text;
      else if (name === 'greedy' && text === '1') byId('greedy').checked = true;
      else if (!Object.hasOwn(numbers, name) || !this.#take(byId(numbers[name]), text)) {
        wrong.push(name);
      }
    }
    this.#fold(this.prompt.length > longPrompt);
    this.#show();
    return wrong;
  }

  #take(field, text) {
    field.value = text;
    // A slider moves to the nearest of its values, and other fields keep none that is no number.
    if (field.value !== '' && Number(field.value) === Number(text) && field.checkValidity() &&
        !(field.id === 'tokens' && Number(text) > mostLinked)) {
      return true;
    }
    field.value = field.defaultValue;
    return false;
  }
}
