import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { memoryFolder } from './memory-folder.mjs';

function anotherMemory(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'claimboard-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('a run gets a folder that every user may enter; what an old one left is removed, and what another one uses is not', () => {
  const memory = anotherMemory();
  for (const name of ['claimboard-tests-old', 'claimboard-tests-another', 'somebody-elses'])
    mkdirSync(path.join(memory, name));
  for (const name of ['claimboard-tests-old', 'somebody-elses'])
    utimesSync(path.join(memory, name), 0, 0);
  const folder = memoryFolder({ memory, enough: 0, chosen: '' }) ?? '';
  expect(statSync(folder).mode & 0o777).toBe(0o755);
  expect(readdirSync(memory).sort()).toEqual(
    [path.basename(folder), 'claimboard-tests-another', 'somebody-elses'].sort(),
  );
});

it('there is none if a place was chosen, if the system has no memory folder, or if it has too little room', () => {
  const memory = anotherMemory();
  expect(memoryFolder({ memory, enough: 0, chosen: '/somewhere' })).toBeUndefined();
  expect(
    memoryFolder({ memory: path.join(memory, 'none'), enough: 0, chosen: '' }),
  ).toBeUndefined();
  expect(memoryFolder({ memory, enough: Number.MAX_SAFE_INTEGER, chosen: '' })).toBeUndefined();
  expect(readdirSync(memory)).toEqual([]);
});
