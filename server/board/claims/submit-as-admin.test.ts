import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import { deleteClaim, latest, undo } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  ban,
  disableRespawn,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

const named = (character_name: string) => ({ character_name });

describe.each(databases)('an admin’s submission on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R4.1: is for any character, whether it has a key or not, tidied', async () => {
    const answer = await submitAsAdmin(
      app,
      'member',
      aClaim(named('  Nobody   Known '), { respawn_id: aSpot() }),
    ).expect(201);
    expect(answer.body.data[0]).toMatchObject({
      character_name: 'Nobody Known',
      member_type: 'member',
    });
  });

  it('R4.5: lasts up to the voucher of the type that the admin chose, member when none is named', async () => {
    const type = await aMemberType(app, { voucher_duration_hours: 6 });
    const long = await submitAsAdmin(
      app,
      type,
      aClaim(named(aName()), { respawn_id: aSpot(), hour_end: null }),
    ).expect(201);
    expect(long.body.data[0]).toMatchObject({
      member_type: type,
      hour_end: 16,
      voucher_duration: 6,
    });
    const body = {
      claims: [aClaim(named(aName()), { respawn_id: aSpot(), hour_end: null })],
      admin_submission: true,
    };
    const plain = await app.api.post('/claims').set(app.admin).send(body).expect(201);
    expect(plain.body.data[0]).toMatchObject({ member_type: 'member', hour_end: 14 });
  });

  it('R4.9: of an unknown type lasts four hours', async () => {
    const answer = await submitAsAdmin(
      app,
      'leader',
      aClaim(named(aName()), { respawn_id: aSpot(), hour_end: null }),
    ).expect(201);
    expect(answer.body.data[0]).toMatchObject({ member_type: 'leader', voucher_duration: 4 });
  });

  it('R4.3, R4.4: is taken for a type that may not submit, or not yet', async () => {
    const type = await aMemberType(app, { can_submit: 0, earliest_submission_date: '2030-01-01' });
    await submitAsAdmin(app, type, aClaim(named(aName()), { respawn_id: aSpot() })).expect(201);
  });

  it('may be for several characters, on different spots of one date', async () => {
    const claims = [aName(), aName()].map((name) => aClaim(named(name), { respawn_id: aSpot() }));
    const answer = await submitAsAdmin(app, 'member', ...claims).expect(201);
    expect(answer.body.data).toHaveLength(2);
  });

  it('R4.7, R4.8: of two characters for the same hours is refused whole', async () => {
    const spot = aSpot();
    const claims = [aName(), aName()].map((name) => aClaim(named(name), { respawn_id: spot }));
    const answer = await expectNoTick(app, () => submitAsAdmin(app, 'member', ...claims));
    const sentence = `Time conflict detected for ${TODAY} at SS+10. There is already a claim that overlaps this time.`;
    expectRefusal(answer, 409, 'claim.timeConflict', sentence, { date: TODAY, hour: 10 });
    const day = await app.api.get(`/respawns/${spot}/claims/${TODAY}`).set(app.admin);
    expect(day.body.data).toEqual([]);
  });

  it('follows the rules of occupancy: R2.2, R4.5, R4.6, R4.7 and R4.10 hold for admins too', async () => {
    const key = await aKey(app);
    const spot = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id: spot }));
    await disableRespawn(app, 100);
    const refused = async (fields: object, status: number, code: string): Promise<void> => {
      const answer = await submitAsAdmin(
        app,
        'member',
        aClaim(named(aName()), { respawn_id: spot, ...fields }),
      );
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    };
    await expectNoTick(app, async () => {
      await refused({ hour_start: 22, hour_end: null }, 400, 'claim.exceedsDay');
      await refused({ hour_start: 1, hour_end: 6 }, 400, 'claim.durationOutOfRange');
      await refused({ hour_start: 13, hour_end: 14 }, 409, 'claim.timeConflict');
      await refused(
        { character_name: key.character_name, respawn_id: aSpot() },
        409,
        'claim.characterHasClaim',
      );
      await refused({ respawn_id: 100 }, 409, 'respawn.disabled');
    });
  });

  it('with a token that does not hold is refused', async () => {
    const body = {
      claims: [aClaim(named(aName()), { respawn_id: aSpot() })],
      admin_submission: true,
    };
    const answer = await expectNoTick(app, () =>
      app.api.post('/claims').set('Authorization', 'Bearer made-up').send(body),
    );
    expectRefusal(
      answer,
      401,
      'session.expired',
      'Your session has expired. Please login again.',
      {},
    );
  });

  it('requires admin_submission: a token alone claims for no character', async () => {
    const claims = [aClaim(named(aName()), { respawn_id: aSpot() })];
    expectRefusal(
      await app.api.post('/claims').set(app.admin).send({ claims }),
      401,
      'session.required',
      'Access denied',
      {},
    );
  });

  it('of a banned character is refused, like every other way to a claim, until the character is unbanned', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const [kept] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const [moved] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' }),
    );
    const taken = await submitted(
      app,
      other,
      aClaim(other, { respawn_id: aSpot(), date: '2026-11-23' }),
    );
    const deleted = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-24' }),
    );
    const give = (id: number | undefined, to: string) =>
      app.api
        .put(`/claims/admin/${id}/character`)
        .set(app.admin)
        .send({ character_name: to, member_type: 'member' });
    await give(moved?.id, aName()).expect(200);
    const moving = await latest(app, 'claim_updated');
    await deleteClaim(app, deleted[0]);
    const deletion = await latest(app, 'claim_deleted');
    const [edited] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-26' }),
    );
    await app.api
      .put(`/claims/admin/${edited?.id}`)
      .set(app.admin)
      .send({ hour_start: 20, hour_end: 22 })
      .expect(200);
    const edit = await latest(app, 'claim_updated');
    await ban(app, key);
    expect(
      (await submit(app, key, aClaim(key, { respawn_id: aSpot(), date: '2026-11-25' }))).body.code,
    ).toBe('session.banned');
    const { character_name } = key;
    const hours = {
      respawn_id: taken[0]?.respawn_id,
      date: '2026-11-23',
      hour_start: 10,
      hour_end: 14,
    };
    const ways = [
      () => submitAsAdmin(app, 'member', aClaim(key, { respawn_id: aSpot(), date: '2026-11-25' })),
      () => give(taken[0]?.id, character_name.toUpperCase()),
      () => undo(app, moving.id),
      () => undo(app, deletion.id),
      () => undo(app, edit.id),
      () =>
        app.api
          .post('/waits')
          .set(app.admin)
          .send({ ...hours, min_hours: 1, character_name }),
    ];
    for (const way of ways) {
      const answer = await expectNoTick(app, way);
      const name = answer.body.params?.character_name;
      expectRefusal(
        answer,
        409,
        'character.banned',
        `${name} is banned. Unban the character first.`,
        {},
      );
      expect(nameKey(name)).toBe(nameKey(character_name));
    }
    // Claims from before the ban stay.
    const ids = await app.ctx.db
      .selectFrom('claims')
      .select('id')
      .where('character_key', '=', nameKey(character_name))
      .execute();
    expect(ids).toEqual([{ id: kept?.id }, { id: edited?.id }]);
    await app.api
      .post('/admin/unban-character')
      .set(app.admin)
      .send({ character_name })
      .expect(200);
    await undo(app, moving.id).expect(200);
    await undo(app, deletion.id).expect(200);
    await undo(app, edit.id).expect(200);
  });
});
