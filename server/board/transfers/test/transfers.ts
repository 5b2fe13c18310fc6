import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { ClaimInput, ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import { aClaim, aKey, asMember, submitted } from '../../../dev/test/builders.ts';
import { createTestApp, type TestApp } from '../../../dev/test/test-app.ts';

/** An app whose members may transfer claims. */
export async function transferApp(dialect: Parameters<typeof createTestApp>[0]): Promise<TestApp> {
  const app = await createTestApp(dialect);
  await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 1 }).expect(200);
  return app;
}

export async function claimed(
  app: TestApp,
  key: AccessKey,
  fields: Partial<ClaimInput> = {},
): Promise<ClaimRow> {
  const [row] = await submitted(app, key, aClaim(key, fields));
  if (!row) throw new Error('no claim');
  return row;
}

export const handover = (
  app: TestApp,
  from: AccessKey,
  { claim_id, to }: { claim_id: number; to: Pick<AccessKey, 'character_name'> },
) =>
  app.api.post(`/claims/${claim_id}/handover`).set(asMember(from)).send({ to: to.character_name });

export const swap = (
  app: TestApp,
  from: AccessKey,
  { claim_id, for_claim_id }: { claim_id: number; for_claim_id: number },
) => app.api.post(`/claims/${claim_id}/swap`).set(asMember(from)).send({ for_claim_id });

export const answer = (
  app: TestApp,
  by: AccessKey,
  { id, how }: { id: number; how: 'accept' | 'refuse' },
) => app.api.post(`/transfers/${id}/${how}`).set(asMember(by));

export const withdraw = (app: TestApp, by: AccessKey, id: number) =>
  app.api.delete(`/transfers/${id}`).set(asMember(by));

/** A claim on SS+10 to SS+14 of today that is offered to another member. */
export async function anOffer(app: TestApp, fields: Partial<ClaimInput> = {}) {
  const from = await aKey(app);
  const to = await aKey(app);
  const claim = await claimed(app, from, fields);
  const transfer: Transfer = (await handover(app, from, { claim_id: claim.id, to }).expect(201))
    .body.data;
  return { from, to, claim, transfer };
}

/** Two claims on other spots, the first offered in return for the second. */
export async function aSwap(
  app: TestApp,
  fields: Partial<ClaimInput> = {},
  wanted: Partial<ClaimInput> = { respawn_id: 2 },
) {
  const from = await aKey(app);
  const to = await aKey(app);
  const own = await claimed(app, from, fields);
  const theirs = await claimed(app, to, wanted);
  const transfer: Transfer = (
    await swap(app, from, { claim_id: own.id, for_claim_id: theirs.id }).expect(201)
  ).body.data;
  return { from, to, own, theirs, transfer };
}

/** Whose claims are on a spot today. */
export async function holders(
  app: TestApp,
  respawn_id: number,
  date = '2026-11-21',
): Promise<string[]> {
  const { body } = await app.api
    .get(`/respawns/${respawn_id}/claims/${date}`)
    .set(app.admin)
    .expect(200);
  return body.data.map(({ character_name }: ClaimRow) => character_name);
}
