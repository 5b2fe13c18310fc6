/** Browsers that may be on this machine already. */

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** The shell, without windows and what belongs to them, spends a fifth less on our pages than the whole browser. */
const onPath = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

const macPlaces = ['Google Chrome', 'Chromium', 'Google Chrome for Testing'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

const windowsPlaces = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) => {
  const folder = process.env[variable];
  return folder
    ? [
        join(folder, 'Google/Chrome/Application/chrome.exe'),
        join(folder, 'Chromium/Application/chrome.exe'),
      ]
    : [];
});

/** The most likely first. @returns {string[]} */
export function installedBrowsers() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = onPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  const usual =
    process.platform === 'win32'
      ? windowsPlaces
      : process.platform === 'darwin'
        ? macPlaces
        : found;
  return [...usual, ...playwrightBrowsers()].filter((file) => existsSync(file));
}

/** What Playwright's own installer left in its cache: the whole browser, or the headless shell. @returns {string[]} */
export function playwrightBrowsers() {
  try {
    /** @type {typeof import('playwright-core')} */
    const { chromium } = createRequire(import.meta.url)('playwright-core');
    const browser = chromium.executablePath();
    return [...headlessShells(browser), browser].filter((file) => existsSync(file));
  } catch {
    return [];
  }
}

/** Playwright exports no path for the shell; it is in a folder of the same revision. @param {string} browser */
function headlessShells(browser) {
  const folder = browser.match(/^(.*[\\/])chromium(-\d+)[\\/]/);
  const shellFolder = folder && `${folder[1]}chromium_headless_shell${folder[2]}`;
  if (!shellFolder || !existsSync(shellFolder)) return [];
  return readdirSync(shellFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|[\\/])(chrome-headless-shell|headless_shell)(\.exe)?$/.test(file))
    .filter((file) => dirname(file) !== '.')
    .map((file) => join(shellFolder, file));
}
