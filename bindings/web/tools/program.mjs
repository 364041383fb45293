// SPDX-License-Identifier: MIT
import {realpathSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

/** Whether node was started with this module (import.meta.url), also through a symbolic link. */
export const isProgram = (url) => url === pathToFileURL(realpathSync(process.argv[1])).href;
