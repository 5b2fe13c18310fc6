import { describe, expect, it } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimInput } from '../../../shared/schemas/claim.ts';
import {
  aClaim,
  aKey,
  aName,
  aSpot,
  change,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, TODAY } from '../../dev/test/test-app.ts';

const waiting = (
  key: Pick<AccessKey, 'character_name'>,
  fields: Partial<ClaimInput> = {},
): Partial<ClaimInput> => {
  const second = { respawn_id: aSpot(), is_secondary_claim: 1, secondary_priority: 5 } as const;
  return omit(aClaim(key, { ...second, ...fields }), 'hour_end');
};

describe.each(databases)('a secondary claim on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const anElite = () => aKey(app, aName(), 'elite');

  it.each(['elite', 'vice'])(
    'R5.5, R5.6: of %s is stored beside its primary, as long as that, with priority 5',
    async (type) => {
      const key = await aKey(app, aName(), type);
      const rows = await submitted(
        app,
        key,
        aClaim(key, { respawn_id: aSpot(), hour_end: 13 }),
        waiting(key, { hour_start: 12, secondary_priority: 1 }),
      );
      expect(rows).toMatchObject([
        { is_secondary_claim: 0, secondary_priority: 0, hour_start: 10, hour_end: 13 },
        { is_secondary_claim: 1, secondary_priority: 5, hour_start: 12, hour_end: 15 },
      ]);
    },
  );

  it('R5.6: is cut at SS+24', async () => {
    const key = await anElite();
    const [, secondary] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot() }),
      waiting(key, { hour_start: 22 }),
    );
    expect(secondary).toMatchObject({ hour_start: 22, hour_end: 24 });
  });

  it('R5.6: may wait on a taken hour, occupies nothing, and is shown on its spot', async () => {
    const holder = await aKey(app);
    const key = await anElite();
    const later = await aKey(app);
    const respawn_id = aSpot();
    const [held] = await submitted(app, holder, aClaim(holder, { respawn_id }));
    const [, secondary] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot() }),
      waiting(key, { respawn_id }),
    );
    const day = await app.api.get(`/respawns/${respawn_id}/claims/${TODAY}`).set(app.admin);
    expect(
      day.body.data.map((row: { id: number; is_secondary_claim: number }) => [
        row.id,
        row.is_secondary_claim,
      ]),
    ).toEqual([
      [held?.id, 0],
      [secondary?.id, 1],
    ]);
    await app.api.delete(`/admin/claims/${held?.id}`).set(app.admin).expect(200);
    await submitted(app, later, aClaim(later, { respawn_id }));
  });

  it('R4.6: does not count as the character’s claim of its date', async () => {
    const key = await anElite();
    const [primary] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }), waiting(key));
    await app.api.delete(`/admin/claims/${primary?.id}`).set(app.admin).expect(200);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  });

  it.each([null, 0, undefined])(
    'R5.6: the respawn %j is refused as missing',
    async (respawn_id) => {
      const key = await anElite();
      const claims = [aClaim(key, { respawn_id: aSpot() }), { ...waiting(key), respawn_id }];
      const answer = await expectNoTick(app, () =>
        app.api.post('/claims').send({ claims, access_key: key.key_value }),
      );
      expectRefusal(
        answer,
        400,
        'secondary.respawnRequired',
        'Please select a respawn for the secondary claim',
      );
    },
  );

  it('R5.5: of a plain member is refused with its primary, also when an admin submits', async () => {
    const key = await aKey(app);
    const sentence = 'Only Elite and Vice members can submit secondary claims';
    await expectNoTick(app, async () => {
      const answer = await submit(app, key, aClaim(key, { respawn_id: aSpot() }), waiting(key));
      expectRefusal(answer, 403, 'secondary.typeNotAllowed', sentence, {});
      const asAdmin = await submitAsAdmin(
        app,
        'member',
        aClaim(key, { respawn_id: aSpot() }),
        waiting(key),
      );
      expectRefusal(asAdmin, 403, 'secondary.typeNotAllowed', sentence, {});
    });
  });

  it('R5.5: is refused where the type does not allow it', async () => {
    const other = await createTestApp(dialect);
    await change(other, ({ tx }) =>
      tx
        .updateTable('member_types')
        .set({ allow_secondary_claims: 0 })
        .where('member_type', '=', 'elite')
        .execute(),
    );
    const key = await aKey(other, aName(), 'elite');
    const answer = await submit(other, key, aClaim(key, { respawn_id: aSpot() }), waiting(key));
    expect(answer.body.code).toBe('secondary.typeNotAllowed');
  });

  it('R5.6: without a primary of the same date is refused', async () => {
    const key = await anElite();
    const sentence = 'A secondary claim needs a primary claim for the same date.';
    await expectNoTick(app, async () => {
      expectRefusal(
        await submit(app, key, waiting(key)),
        400,
        'secondary.needsPrimary',
        sentence,
        {},
      );
      const otherDate = await submit(
        app,
        key,
        aClaim(key, { respawn_id: aSpot() }),
        waiting(key, { date: '2026-11-22' }),
      );
      expectRefusal(otherDate, 400, 'secondary.needsPrimary', sentence, {});
    });
  });

  it('R5.6: on the primary’s own respawn is refused', async () => {
    const key = await anElite();
    const respawn_id = aSpot();
    const answer = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id }), waiting(key, { respawn_id, hour_start: 1 })),
    );
    expectRefusal(
      answer,
      400,
      'secondary.samePrimary',
      "The secondary spot can't be the primary one.",
      {},
    );
  });

  it('needs an hour, and a respawn that takes claims', async () => {
    const key = await anElite();
    const hourless = omit(waiting(key), 'hour_start');
    const noHour = await submit(app, key, aClaim(key, { respawn_id: aSpot() }), hourless);
    expectRefusal(noHour, 400, 'secondary.hourOutOfRange', 'Hour must be between 0 and 23', {});
    const gone = await submit(
      app,
      key,
      aClaim(key, { respawn_id: aSpot() }),
      waiting(key, { respawn_id: 99_999 }),
    );
    expectRefusal(gone, 404, 'respawn.notFound', 'This spot no longer exists.', {
      respawn_id: 99_999,
    });
  });

  it('R4.8: is refused together with its primary', async () => {
    const holder = await aKey(app);
    const key = await anElite();
    const respawn_id = aSpot();
    const other = aSpot();
    await submitted(app, holder, aClaim(holder, { respawn_id }));
    await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id }), waiting(key, { respawn_id: other })).expect(
        409,
      ),
    );
    expect(
      (await app.api.get(`/respawns/${other}/claims/${TODAY}`).set(app.admin)).body.data,
    ).toEqual([]);
  });
});
