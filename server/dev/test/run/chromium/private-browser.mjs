/** Starts a browser with the libraries and fonts unpacked for it, as if they were installed. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at } from '../../../setup/command.mjs';
import { privateRoot } from '../fetch-packages.mjs';

const folder = at('node_modules/.cache/chromium');

/** The script that starts a browser with them. */
export const wrapper = join(folder, 'chromium');

/** The browser of a package among the unpacked ones. @param {string} name @returns {string | undefined} */
export function unpackedBrowser(name) {
  return [`usr/lib/chromium/${name}`, `usr/lib/${name}-browser/${name}-browser`]
    .map((path) => join(privateRoot, path))
    .find((path) => existsSync(path));
}

/** @param {string} browser @returns {string} a script to start in its stead */
export function wrap(browser) {
  const fonts = join(folder, 'fonts.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(fonts, fontConfiguration());
  writeFileSync(
    wrapper,
    `#!/bin/sh
LD_LIBRARY_PATH=${quote(libraryFolders().join(':'))}"\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
FONTCONFIG_FILE=${quote(fonts)}
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec ${quote(browser)} "$@"
`,
    { mode: 0o755 },
  );
  return wrapper;
}

/** Every folder that holds a shared library: some packages keep theirs one level further down. */
function libraryFolders() {
  const found = new Set(
    ['lib', 'usr/lib']
      .map((path) => join(privateRoot, path))
      .filter((path) => existsSync(path))
      .flatMap((path) =>
        readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file)),
      )
      .filter((file) => /\.so(\.\d+)*$/.test(file))
      .map((file) => dirname(file)),
  );
  return [...found].sort();
}

function fontConfiguration() {
  const path = join(privateRoot, 'usr/share/fonts')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>${path}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
