// SPDX-License-Identifier: MIT
// The npm packages that the tests use: those of package-lock.json.
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

const read = (file) => JSON.parse(readFileSync(join(here, file), 'utf8'));

function areInstalled() {
  const wanted = read('package-lock.json').packages;
  try {
    const found = read('node_modules/.package-lock.json').packages;
    return Object.keys(read('package.json').devDependencies).every((name) => {
      const place = `node_modules/${name}`;
      return found[place].integrity === wanted[place].integrity;
    });
  } catch {
    return false;
  }
}

/** Installs the packages where they are missing. Returns their folder; null if there is no npm. */
export function packages() {
  if (!areInstalled()) {
    const {status, error, stderr} = spawnSync(
        'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
        {cwd: here, encoding: 'utf8'});
    if (error?.code === 'ENOENT') return null;
    if (status !== 0) throw new Error(`npm ci failed: ${stderr}`);
  }
  return join(here, 'node_modules');
}
