import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { supported } from '../setup/oldest-browsers.mjs';
import { browserFaults, newerThan, oldestBrowsers } from './browsers.mjs';

const faultsOf = newerThan(oldestBrowsers(supported()));
const namesIn = (code: string): string[] =>
  faultsOf({ file: 'new.tsx', code }).map((fault) => fault.split(': ')[1] ?? '');

describe('the check of the oldest browsers’ features', () => {
  it.each([
    ['AbortSignal.any([signal]);', 'AbortSignal.any'],
    ['Map.groupBy(claims, byDate);', 'Map.groupBy'],
    ['Promise.withResolvers<void>();', 'Promise.withResolvers'],
    ['URL.parse(text);', 'URL.parse'],
    ["new Intl.DurationFormat('en');", 'Intl.DurationFormat'],
    ['new URLPattern(text);', 'URLPattern'],
    ['requestIdleCallback(draw);', 'requestIdleCallback'],
    ['document.startViewTransition(draw);', 'document.startViewTransition'],
    ['const both = new Set(mine).union(yours);', '.union()'],
    ['element.current.showPopover();', '.showPopover()'],
    ['const letters = /[\\p{L}--[a-z]]/v;', '/[\\p{L}--[a-z]]/v'],
  ])('finds %s', (code, name) => {
    expect(namesIn(code)).toEqual([name]);
  });

  it.each([
    [
      'what all of them have',
      'structuredClone(claims.at(-1)); new IntersectionObserver(look); [...hours].findLast(isFree);',
    ],
    [
      "a name of the file's own",
      "import { z } from 'zod'; const scheduler = make(); z.union([a, b]); scheduler.push(z);",
    ],
    [
      'what is looked for before it is used',
      "if ('locks' in navigator) navigator.locks.request(name, run); list.showPopover?.();",
    ],
  ])('leaves alone %s', (_what, code) => {
    expect(namesIn(code)).toEqual([]);
  });

  it('says where, and in which browsers it is missing', () => {
    expect(faultsOf({ file: 'client/new.ts', code: '\nMap.groupBy(a, b);' })[0]).toMatch(
      /^client\/new\.ts:2: Map\.groupBy: not in chrome .*safari 16\.4/,
    );
  });

  it('refuses a definition that it cannot read', () => {
    expect(() => oldestBrowsers(['last 3 years'])).toThrow('"last 3 years"');
  });

  it('finds nothing in this repository', () => {
    expect(browserFaults()).toEqual([]);
  });

  it('distinguishes by type names shared with old features', () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const cache = path.join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(path.join(cache, 'browsers-'));
    try {
      writeFileSync(
        path.join(folder, 'new.ts'),
        'export const names = new Map([[1, "a"]]).values().map((name) => name.length);',
      );
      const config = {
        extends: path.join(root, 'client/tsconfig.browsers.json'),
        compilerOptions: { incremental: false, noEmit: true },
      };
      writeFileSync(
        path.join(folder, 'tsconfig.json'),
        JSON.stringify({ ...config, files: ['new.ts'] }),
      );
      const { status, stdout } = spawnSync(process.execPath, [
        path.join(root, 'node_modules/typescript/bin/tsc'),
        '--project',
        folder,
      ]);
      expect(String(stdout)).toContain("Property 'map' does not exist");
      expect(status).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
