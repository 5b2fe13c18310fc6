import { describe, expect, it } from 'vitest';
import { folderCycles, importsOf, wrongDirections } from './imports.mjs';

describe('the check of imports', () => {
  it('finds static, type, re-exported and dynamic imports of files, not of packages', () => {
    const code = `import { z } from 'zod';
import type { Env } from '../env.ts';
export { write } from './write.ts';
const pg = await import('../../shared/live.ts');`;
    expect(importsOf('server/db/open.ts', code).map(({ to }) => to)).toEqual([
      'server/env.ts',
      'server/db/write.ts',
      'shared/live.ts',
    ]);
  });

  it.each([
    [
      'up the layers',
      'server/db/write.ts',
      'server/live/bus.ts',
      /server\/db may not import server\/live/,
    ],
    [
      'between features',
      'server/board/claims/submit.ts',
      'server/members/keys.ts',
      /may not import server\/members/,
    ],
    ['of the client', 'server/http/errors.ts', 'client/main.tsx', /only itself and shared/],
    ['of tools', 'server/jobs/runner.ts', 'server/dev/test/machine.ts', /doesn't import its tools/],
    [
      'of another feature by one of the client',
      'client/features/board/board.tsx',
      'client/features/palette/palette.tsx',
      /may not import/,
    ],
    [
      'of a file in no layer',
      'server/http/errors.ts',
      'server/helpers.ts',
      /server\/helpers\.ts is in no layer/,
    ],
  ])('refuses an import %s', (_, from, to, fault) => {
    expect(wrongDirections([{ from, to }])).toEqual([expect.stringMatching(fault)]);
  });

  it('accepts imports down the layers, within a folder, of shared/, and of a permitted neighbour', () => {
    const imports = [
      { from: 'server/main.ts', to: 'server/server.ts' },
      { from: 'server/live/sockets.ts', to: 'server/db/open.ts' },
      { from: 'server/db/open.ts', to: 'shared/errors.ts' },
      { from: 'server/board/waitlist/make-offers.ts', to: 'server/board/claims/store.ts' },
      { from: 'server/members/keys.ts', to: 'server/board/claims/end-claims.ts' },
      { from: 'client/features/board/board.tsx', to: 'client/features/claiming/draft/draft.ts' },
    ];
    expect(wrongDirections(imports)).toEqual([]);
  });

  it('names folders that import each other around a corner, and the imports between them', () => {
    const imports = [
      { from: 'server/a/x.ts', to: 'server/b/x.ts' },
      { from: 'server/b/y.ts', to: 'server/c/x.ts' },
      { from: 'server/c/z.ts', to: 'server/a/y.ts' },
      { from: 'server/d/x.ts', to: 'server/a/x.ts' },
    ];
    const [fault, ...others] = folderCycles(imports);
    expect(others).toEqual([]);
    expect(fault).toMatch(/server\/a, server\/b, server\/c\./);
    expect(fault).toMatch('server/b/y.ts -> server/c/x.ts');
    expect(fault).not.toMatch('server/d');
  });
});
