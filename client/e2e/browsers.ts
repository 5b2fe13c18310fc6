import { delimiter, resolve } from 'node:path';
import type { LaunchOptions } from '@playwright/test';
import { chromiumFlags } from '../../server/dev/test/run/chromium/flags.mjs';

/** `npm test` sets it where Firefox is installed; without it the tests of the project `firefox` are left out. */
export const FIREFOX_PATH = process.env.FIREFOX_PATH;
const { CHROMIUM_PATH } = process.env;

/** Saves processor time: no page of a test lives long enough for optimised functions to pay, and drawing needs no process of its own. */
const lean = ['--js-flags=--no-maglev --no-opt', '--in-process-gpu'];
const noPictures = ['--blink-settings=imagesEnabled=false'];

/** @param pictures whether they are fetched and drawn, which is a fifth of what a test of the board costs */
export function launchOptionsFor(browserName: string, pictures: boolean): LaunchOptions {
  if (browserName === 'firefox') return firefoxOptions(pictures);
  return {
    args: [...chromiumFlags, ...lean, ...(pictures ? [] : noPictures)],
    ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
  };
}

/** Firefox is started by a program of ours, which needs this project's Node. */
function firefoxOptions(pictures: boolean): LaunchOptions {
  const ourNode = resolve(import.meta.dirname, '../../node_modules/.bin');
  return {
    executablePath: resolve(import.meta.dirname, 'firefox/bidi-for-playwright.mjs'),
    firefoxUserPrefs: pictures ? {} : { 'permissions.default.image': 2 },
    env: { ...process.env, PATH: [ourNode, process.env.PATH].join(delimiter) },
  };
}
