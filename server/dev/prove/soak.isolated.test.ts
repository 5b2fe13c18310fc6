import { describe, expect, it } from 'vitest';
import { useBoard } from '../../../client/state/board-store.ts';
import { sized } from '../test/scope.ts';
import { type SoakOptions, soakPage } from './soak.ts';

/** Twelve minutes, or half an hour; a day of them takes `npm run prove -- soak`. */
const CHANGES = sized(120, 300);

async function failuresOf(
  options: Pick<SoakOptions, 'runs' | 'sabotage'>,
): Promise<readonly string[]> {
  const [tried] = await soakPage({ seed: 20_261_121, say: () => {}, ...options });
  return tried?.failed ?? ['nothing was tried'];
}

describe('a page that stays open', () => {
  it("has the server's board, the server's time and no leak after sleep and lost connections", {
    timeout: 120_000,
  }, async () => {
    expect(await failuresOf({ runs: CHANGES })).toEqual([]);
  });

  it('is found out when it keeps what it has shown', { timeout: 120_000 }, async () => {
    const page = (): (() => void) => {
      const kept: string[] = [];
      return useBoard.subscribe(({ byKind }) =>
        kept.push(JSON.stringify([...byKind.claim.values()])),
      );
    };
    const [failure] = await failuresOf({ runs: CHANGES, sabotage: { page } });
    const most = 1_500_000 + 100 * (CHANGES / 2);
    expect(failure).toMatch(
      new RegExp(`after ${CHANGES / 2} changes \\d+ bytes more are held, of at most ${most}`),
    );
  });

  it('is detected if it gets no changes', { timeout: 120_000 }, async () => {
    const place = { pass: (message: string) => !message.includes('"changes",') };
    const [failure] = await failuresOf({ runs: 12, sabotage: { place } });
    expect(failure).toMatch(
      /after 1 changes from seed 20261121: after 2 changes the page's board is not the server's: clock \d+ instead of \d+/,
    );
  });
});
