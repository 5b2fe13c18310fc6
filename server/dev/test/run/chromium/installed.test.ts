import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { installedBrowsers } from './installed.mjs';

// Elsewhere browsers have places of their own.
it.runIf(process.platform === 'linux')(
  'of the browsers on the PATH the shell is tried first, and a whole one is enough',
  () => {
    const first = aFolder();
    const second = aFolder();
    vi.stubEnv('PATH', [first, second].join(path.delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
    const chromium = path.join(first, 'chromium');
    writeFileSync(chromium, '');
    expect(installedBrowsers()[0]).toBe(chromium);
    const shell = path.join(second, 'chromium-headless-shell');
    writeFileSync(shell, '');
    expect(installedBrowsers().slice(0, 2)).toEqual([shell, chromium]);
  },
);

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'claimboard-browsers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
