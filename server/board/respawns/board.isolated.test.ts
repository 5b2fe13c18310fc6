import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { RespawnWithClaims } from '../../../shared/schemas/respawn.ts';
import { aClaim, aKey, asMember, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';

const rows = vi.hoisted(() => ({ made: 0 }));

vi.mock('../claims/claim-records.ts', async (original) => {
  const queries = await original<typeof import('../claims/claim-records.ts')>();
  return {
    ...queries,
    claimRow: (...all: Parameters<typeof queries.claimRow>) => {
      rows.made += 1;
      return queries.claimRow(...all);
    },
  };
});

interface Answer {
  encoding: string | undefined;
  vary: string | undefined;
  board: RespawnWithClaims[];
}

/** The raw response: other clients decompress it automatically. */
function get(app: TestApp, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${app.url}/api/respawns`, { headers, agent: false }, (res) => {
      const encoding = res.headers['content-encoding'];
      buffer(res)
        .then((bytes) => JSON.parse((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()))
        .then((board) => resolve({ encoding, vary: res.headers.vary, board }))
        .catch(reject);
    });
    asking.on('error', reject).end();
  });
}

describe.each(databases)('the board that many ask for on %s', (dialect) => {
  it('is encoded once per change, compressed or not', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    await submitted(app, one, aClaim(one));
    rows.made = 0;
    const plain = { 'Accept-Encoding': 'identity' };
    const compressed = { 'Accept-Encoding': 'gzip, br' };
    const answers = await Promise.all(
      [plain, compressed, plain, compressed, compressed, plain].map((accepted) =>
        get(app, { ...asMember(one), ...accepted }),
      ),
    );
    expect(rows.made).toBe(1);
    expect(answers.map((answer) => answer.encoding)).toEqual([
      undefined,
      'gzip',
      undefined,
      'gzip',
      'gzip',
      undefined,
    ]);
    for (const { board, vary } of answers) {
      expect(board).toEqual(answers[0]?.board);
      expect(vary).toContain('Accept-Encoding');
    }
    expect(answers[0]?.board.flatMap((respawn) => respawn.claims)).toMatchObject([
      { character_name: one.character_name },
    ]);

    await submitted(app, two, aClaim(two, { hour_start: 20, hour_end: 24 }));
    const { board } = await get(app, { ...asMember(one), ...compressed });
    expect(board.flatMap((respawn) => respawn.claims)).toHaveLength(2);
  });
});
