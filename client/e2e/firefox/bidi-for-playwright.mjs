#!/usr/bin/env node
/**
 * Starts Firefox for Playwright, and stands between the two. Playwright drives an unpatched Firefox by WebDriver BiDi, but is ahead of Debian's
 * ESR and behind React in three places, each mended below. Playwright starts this file as if it were the browser; FIREFOX_PATH names it.
 */

import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;
const LARGEST_MESSAGE = 256 * 1024 * 1024;
/** Ids of our own commands; Playwright counts its own upwards from 1. */
const OWN_IDS_FROM = 1e12;

const firefox = spawn(process.env.FIREFOX_PATH ?? 'firefox', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => firefox.kill(signal));

let printed = '';
firefox.stderr.on('data', (chunk) => {
  process.stderr.write(String(chunk).replace(LISTENING, ''));
  if (printed === 'all') return;
  printed += chunk;
  const address = LISTENING.exec(printed)?.[1];
  if (!address) return;
  printed = 'all';
  const server = new WebSocketServer(
    { host: '127.0.0.1', port: 0, maxPayload: LARGEST_MESSAGE },
    () => {
      const bound = server.address();
      if (bound && typeof bound === 'object')
        process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${bound.port}\n`);
    },
  );
  server.on('connection', (playwright, { url = '' }) =>
    join(playwright, new WebSocket(address + url, { maxPayload: LARGEST_MESSAGE })),
  );
});

/** @param {WebSocket} playwright @param {WebSocket} browser */
function join(playwright, browser) {
  /** @type {string[]} */
  const early = [];
  let nextOwnId = OWN_IDS_FROM;
  /** Input that waits until its page is in front, by the id of our command. @type {Map<number, string>} */
  const waiting = new Map();
  /** @param {string} message */
  const send = (message) =>
    browser.readyState === WebSocket.OPEN ? browser.send(message) : early.push(message);
  browser.on('open', () => early.splice(0).forEach(send));

  playwright.on('message', (data) => {
    const message = String(data);
    const { method, params } = JSON.parse(message);
    if (method === 'input.performActions') {
      // In Playwright's Chromium every page behaves as if it had the focus. In Firefox the one in front has it, so it goes there first.
      const id = nextOwnId++;
      waiting.set(id, message);
      send(
        JSON.stringify({
          id,
          method: 'browsingContext.activate',
          params: { context: params.context },
        }),
      );
      return;
    }
    // Playwright assigns `value`, which React takes for its own change. What the browser inserts is a person's.
    send(
      message.replace(
        /window\.__pw_bidiInsertText\((\w+)\)/,
        '(document.execCommand(\\"insertText\\", false, $1), null)',
      ),
    );
  });

  browser.on('message', (data) => {
    const message = String(data);
    const { id, type, error } = JSON.parse(message);
    if (id >= OWN_IDS_FROM) {
      send(waiting.get(id) ?? '');
      waiting.delete(id);
      return;
    }
    // Firefox 153 cannot emulate media features, which Playwright asks for in every context: without them the page is as the machine is.
    const isUnknown = type === 'error' && error === 'unknown command';
    playwright.send(isUnknown ? JSON.stringify({ type: 'success', id, result: {} }) : message);
  });

  const end = () => {
    playwright.close();
    browser.close();
  };
  for (const side of [playwright, browser]) side.on('close', end).on('error', end);
}
