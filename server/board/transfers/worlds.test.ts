import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { aClaim, aKey, asMember, submit, waitFor } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { sized } from '../../dev/test/scope.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import { wrongCounts, wrongOccupancy } from '../claims/consistency.ts';
import { answer, handover, swap, transferApp, withdraw } from './test/transfers.ts';

const STEPS = sized(60, 120);
const SPOTS = [1, 2, 3, 4] as const;
const DATES = ['2026-11-22', '2026-11-23', '2026-11-24'] as const;

/** Numbers from 0 on, the same ones for a seed. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const allClaims = async (app: TestApp): Promise<Claim[]> =>
  (await app.api.get('/snapshot').set(app.admin).expect(200)).body.data.snapshot.claim;

/** No hour twice, one spot a date, and each claim has one holder; open transfers are of claims that their characters still have. */
async function expectSound(app: TestApp): Promise<void> {
  expect(await wrongCounts(app.ctx.db)).toEqual([]);
  expect(await wrongOccupancy(app.ctx.db)).toMatchObject({ wrong: 0, first: null });
  const claims = await allClaims(app);
  const days = claims.map(({ character_name, date }) => `${character_name} ${date}`);
  expect(new Set(days).size, 'one spot a date').toBe(days.length);
  const holderOf = new Map(claims.map(({ id, character_name }) => [id, character_name]));
  const { body } = await app.api.get('/transfers').set(app.admin).expect(200);
  const named = new Set<number>();
  for (const { claim_id, for_claim_id, from, to } of body.data) {
    expect(holderOf.get(claim_id)).toBe(from);
    if (for_claim_id !== null) expect(holderOf.get(for_claim_id)).toBe(to);
    for (const id of [claim_id, for_claim_id]) {
      if (id === null) continue;
      expect(named.has(id), 'one open transfer a claim').toBe(false);
      named.add(id);
    }
  }
}

describe.each(databases)('random members who transfer claims on %s', (dialect) => {
  it.each([1, 2, 3])(
    'keep the board sound, also when two of them act at once (seed %i)',
    async (seed) => {
      const app = await transferApp(dialect);
      const below = chanceOf(seed);
      const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
      const keys: AccessKey[] = [];
      for (let nth = 0; nth < 5; nth += 1) keys.push(await aKey(app));
      const keyOf = (name: string): AccessKey | undefined =>
        keys.find(({ character_name }) => character_name === name);
      const outcomes = new Map<string, number>();

      const act = async (): Promise<{ status: number; body: { code?: string } } | undefined> => {
        const claims = await allClaims(app);
        const transfers = (await app.api.get('/transfers').set(app.admin)).body.data;
        const key = pick(keys);
        const other = pick(keys);
        const claim = pick(claims);
        const transfer = pick<{ id: number; from: string; to: string }>(transfers);
        if (!key || !other) return undefined;
        const hours = {
          respawn_id: pick(SPOTS) ?? 1,
          date: pick(DATES) ?? '',
          hour_start: below(4) * 4,
          hour_end: 0,
        };
        hours.hour_end = hours.hour_start + 1 + below(4);
        const owner = claim && keyOf(claim.character_name);
        const from = transfer && keyOf(transfer.from);
        const to = transfer && keyOf(transfer.to);
        switch (below(10)) {
          case 0:
          case 1:
            return submit(app, key, aClaim(key, hours));
          case 2:
          case 3:
            return claim && owner
              ? handover(app, owner, { claim_id: claim.id, to: other })
              : undefined;
          case 4:
            return claim && owner
              ? swap(app, owner, { claim_id: claim.id, for_claim_id: pick(claims)?.id ?? 0 })
              : undefined;
          case 5:
          case 6:
            return transfer && to
              ? answer(app, to, { id: transfer.id, how: below(5) === 0 ? 'refuse' : 'accept' })
              : undefined;
          case 7:
            return transfer && from ? withdraw(app, from, transfer.id) : waitFor(app, key, hours);
          case 8:
            return claim && app.api.delete(`/admin/claims/${claim.id}`).set(app.admin);
          default:
            return (
              claim &&
              app.api
                .put(`/claims/admin/${claim.id}/character`)
                .set(app.admin)
                .send({ character_name: other.character_name, member_type: 'member' })
            );
        }
      };

      for (let step = 0; step < STEPS; step += 1) {
        for (const done of await Promise.all(below(3) === 0 ? [act(), act()] : [act()])) {
          if (!done) continue;
          expect(done.status, JSON.stringify(done.body)).toBeLessThan(500);
          const outcome = done.body.code ?? 'done';
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
        if (step % 10 === 9) await expectSound(app);
      }
      expect(outcomes.get('done'), JSON.stringify([...outcomes])).toBeGreaterThan(STEPS / 4);
      for (const key of keys) await app.api.get('/endings/mine').set(asMember(key)).expect(200);
    },
  );
});
