// SPDX-License-Identifier: MIT
// Why the Worker or its WebAssembly does not start, as sentences. Browsers give no reason, so it is
// looked for after the failure.

/**
 * Collects what the Content-Security-Policy of this page or Worker refuses, until `stop()`. It
 * stands alone, since its text runs in a Worker, too.
 */
export function watchPolicy() {
  const refused = [];
  const note = ({disposition, effectiveDirective, blockedURI}) => {
    if (disposition === 'report') return;  // it was allowed
    // script-src-elem is set by script-src.
    refused.push({directive: effectiveDirective.replace(/-elem$/, ''), source: blockedURI});
  };
  addEventListener('securitypolicyviolation', note);
  return {refused, stop: () => removeEventListener('securitypolicyviolation', note)};
}

/** Policies and browsers report a refusal in a later task. */
export const later = () => new Promise((resolve) => setTimeout(resolve, 50));

const originOf = (address) => {
  try {
    return new URL(address).origin;
  } catch {
    return '';  // a keyword
  }
};

// The word that a policy lacks; null if it refuses something of the page's own.
function lackOf({directive, source}, home) {
  if (directive === 'script-src' && source.startsWith('wasm')) return "'wasm-unsafe-eval'";
  if (directive === 'worker-src' && source.startsWith('blob')) return 'blob:';
  if (!['worker-src', 'script-src', 'connect-src'].includes(directive)) return null;
  if (originOf(source) !== home) return null;
  return home === self.origin ? "'self'" : home;
}

/** The sentence for the first refusal that concerns files of `address`'s origin, or null. */
export function policyFault(refused, address) {
  const home = originOf(address);
  for (const one of refused) {
    const lack = lackOf(one, home);
    if (lack === null) continue;
    const [files, workers] = home === self.origin ? ["'self'", "'self'"] : [home, 'blob:'];
    return `the Content-Security-Policy lacks ${lack} in ${one.directive}; add it\n` +
        `  hint: Trigon needs script-src ${files} 'wasm-unsafe-eval'; connect-src ${files}; ` +
        `worker-src ${workers}`;
  }
  return null;
}

/** The sentence for a file that a browser does not load, or null. `files` get its text. */
async function fileFault(address, files) {
  const isElsewhere = originOf(address) !== self.origin;
  let answer;
  try {
    answer = await fetch(address);
  } catch (error) {
    return isElsewhere ?
        `${address} cannot be read: ${error.message}; its server must be reachable and allow ` +
            'pages of other origins to read its files: let it send Access-Control-Allow-Origin ' +
            'with each' :
        `${address} cannot be fetched: ${error.message}; its server must be reachable`;
  }
  const type = (answer.headers.get('Content-Type') ?? 'no type').split(';')[0];
  const isScript = /\.m?js$/.test(new URL(address).pathname);
  const wrong = !answer.ok ? `is answered with status ${answer.status}` :
      type === 'text/html' ? 'is answered with a web page' :
      isScript && !/(java|ecma)script$/.test(type) ? `is served as ${type}` : null;
  if (wrong === null && isScript) files.set(address, await answer.text());
  else answer.body?.cancel();
  if (wrong === null) return null;
  const wanted = isScript ? ' as text/javascript' : '';
  return `${address} ${wrong}; the server must send this file of the package${wanted}`;
}

/** The sentence for the first wrong file of a module and all that it imports, or null. */
export async function moduleFault(address) {
  const files = new Map([[address, '']]);
  for (const one of files.keys()) {
    const fault = await fileFault(one, files);
    if (fault) return fault;
    for (const [, name] of files.get(one).matchAll(/\bfrom\s*["'](\.{1,2}\/[^"']+)["']/g)) {
      const next = new URL(name, one).href;
      if (!files.has(next)) files.set(next, '');
    }
  }
  return null;
}

/** The sentence for a WebAssembly that does not start, in its Worker. */
export async function coreFault(address, error, refused) {
  await later();
  return policyFault(refused, address) ?? await fileFault(address, new Map()) ??
      policyFault(refused, address) ??
      `${error?.message ?? error}; the browser must know WebAssembly with exceptions: Chrome 95, ` +
      'Firefox 114 or Safari 17, or a later one';
}
