import { describe, expect, it } from 'vitest';
import { guild, latest, undo } from '../../activity/test/undo.ts';
import { aClaim, aKey, aWait, ban, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { wrongCounts, wrongOccupancy } from './consistency.ts';

const TODAY = '2026-11-21';
const TOMORROW = '2026-11-22';
const AFTER = '2026-11-23';

const edit = (app: TestApp, id: number | undefined, body: object) =>
  app.api
    .put(`/claims/admin/${id}`)
    .set(app.admin)
    .send({ hour_start: 10, hour_end: 14, ...body });

const elsewhere = { respawn_id: 2, date: AFTER, hour_start: 16, hour_end: 18 };

async function expectConsistent(app: TestApp): Promise<void> {
  expect(await wrongCounts(app.ctx.db)).toEqual([]);
  expect(await wrongOccupancy(app.ctx.db)).toMatchObject({ wrong: 0, first: null });
}

describe.each(databases)('an edit that also gives a claim away on %s', (dialect) => {
  it('is one write with one entry, and its undo makes everything as before', async () => {
    const app = await createTestApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const from = await aKey(app, undefined, 'elite');
    const to = await aKey(app, undefined, 'elite');
    const next = await aKey(app);
    const [claim, secondary] = await submitted(
      app,
      from,
      aClaim(from, { date: TOMORROW }),
      aClaim(from, { respawn_id: 5, date: TOMORROW, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    const freed = await aWait(app, next, {
      respawn_id: 1,
      date: TOMORROW,
      hour_start: 10,
      hour_end: 14,
    });
    await submitted(app, next, aClaim(next, { respawn_id: 2, date: AFTER }));
    const own = await aWait(app, to, {
      respawn_id: 2,
      date: AFTER,
      hour_start: 10,
      hour_end: 14,
    });
    const before = await guild(app);
    const clock = app.ctx.bus.clock();
    const entries = await app.ctx.db.selectFrom('activity').select('id').execute();
    const { body } = await edit(app, claim?.id, {
      ...elsewhere,
      character_name: to.character_name,
      member_type: 'elite',
    }).expect(200);
    expect(body.data).toMatchObject({
      id: claim?.id,
      ...elsewhere,
      character_name: to.character_name,
      custom_duration: 2,
      to_confirm: [1],
    });
    expect(app.ctx.bus.clock()).toBe(clock + 1);
    const claims = await app.ctx.db
      .selectFrom('claims')
      .innerJoin('claim_parts', 'claim_id', 'claims.id')
      .select(['claims.id', 'character_name', 'date', 'respawn_id', 'hour_start', 'hour_end'])
      .where('claims.id', 'in', [claim?.id ?? 0, secondary?.id ?? 0])
      .orderBy('claims.id')
      .execute();
    expect(claims).toEqual([
      { id: claim?.id, character_name: to.character_name, ...elsewhere },
      {
        id: secondary?.id,
        character_name: to.character_name,
        date: AFTER,
        respawn_id: 5,
        hour_start: 10,
        hour_end: 12,
      },
    ]);
    const made = await app.ctx.db
      .selectFrom('activity')
      .select('action')
      .where('id', '>', Math.max(...entries.map(({ id }) => id)))
      .where('action', '=', 'claim_updated')
      .execute();
    expect(made).toHaveLength(1);
    const entry = await latest(app, 'claim_updated');
    expect(Object.keys(entry.details.changed ?? {}).sort()).toEqual([
      'character_name',
      'date',
      'hour_end',
      'hour_start',
      'respawn_name',
      'secondary_hour_end',
    ]);
    const endings = await app.ctx.db
      .selectFrom('claim_endings')
      .select(['claim_id', 'reason', 'to_name', 'date', 'hour_start', 'hour_end'])
      .where('claim_id', '=', claim?.id ?? 0)
      .execute();
    expect(endings).toEqual([
      {
        claim_id: claim?.id,
        reason: 'handed_over',
        to_name: to.character_name,
        date: TOMORROW,
        hour_start: 10,
        hour_end: 14,
      },
    ]);
    const statusOf = async (id: number) =>
      (await app.ctx.db.selectFrom('waits').select('status').where('id', '=', id).execute())[0]
        ?.status;
    expect(await statusOf(freed.id)).toBe('offered');
    expect(await statusOf(own.id)).not.toBe('waiting');
    await expectConsistent(app);
    await undo(app, entry.id).expect(200);
    const after = await guild(app);
    const rows = after.endings?.filter((row) => !('reason' in row) || row.reason !== 'withdrawn');
    expect({ ...after, endings: rows }).toEqual(before);
    await expectConsistent(app);
    expect((await undo(app, entry.id)).body.code).toBe('activity.alreadyUndone');
  });

  it('is judged for the new character on the new date, not for the former one', async () => {
    const app = await createTestApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const third = await aKey(app);
    const [claim] = await submitted(app, from, aClaim(from));
    await submitted(app, from, aClaim(from, { respawn_id: 3, date: TOMORROW }));
    await submitted(app, to, aClaim(to, { respawn_id: 4 }));
    await submitted(app, third, aClaim(third, { respawn_id: 4, date: TOMORROW }));
    const give = (character_name: string) =>
      edit(app, claim?.id, { date: TOMORROW, character_name, member_type: 'member' });
    const refused = await expectNoTick(app, () => give(third.character_name));
    expect([refused.status, refused.body.code]).toEqual([409, 'claim.characterHasClaim']);
    expect((await give(to.character_name).expect(200)).body.data).toMatchObject({
      character_name: to.character_name,
      date: TOMORROW,
    });
    await expectConsistent(app);
  });

  it('is refused as a whole', async () => {
    const app = await createTestApp(dialect);
    const from = await aKey(app, undefined, 'elite');
    const banned = await aKey(app);
    const [primary, secondary] = await submitted(
      app,
      from,
      aClaim(from),
      aClaim(from, { respawn_id: 5, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    await ban(app, banned);
    const other = await aKey(app);
    await submitted(app, other, aClaim(other, { respawn_id: 2, hour_start: 16, hour_end: 18 }));
    const before = await guild(app);
    const refused = async (id: number | undefined, body: object) => {
      const answer = await expectNoTick(app, () => edit(app, id, body));
      return [answer.status, answer.body.code];
    };
    const to = { character_name: 'Old Bram', member_type: 'elite' };
    const own = from.character_name;
    expect(await refused(primary?.id, { ...to, hour_end: 10 })).toEqual([
      400,
      'times.endBeforeStart',
    ]);
    expect(
      await refused(primary?.id, { ...to, respawn_id: 2, hour_start: 15, hour_end: 17 }),
    ).toEqual([409, 'claim.timeConflict']);
    expect(await refused(primary?.id, { ...to, respawn_id: 5 })).toEqual([
      400,
      'secondary.samePrimary',
    ]);
    expect(await refused(primary?.id, { character_name: own, member_type: 'member' })).toEqual([
      400,
      'transfer.self',
    ]);
    expect(await refused(primary?.id, { character_name: '' })).toEqual([
      400,
      'character.nameRequired',
    ]);
    expect(await refused(primary?.id, { character_name: banned.character_name })).toEqual([
      409,
      'character.banned',
    ]);
    expect(await refused(primary?.id, { character_name: 'Old Bram' })).toEqual([
      403,
      'secondary.typeNotAllowed',
    ]);
    expect(await refused(secondary?.id, to)).toEqual([409, 'transfer.secondary']);
    const seen = { respawn_id: 1, date: TODAY, character_name: 'Nim Farrow' };
    expect(await refused(primary?.id, { ...to, seen })).toEqual([409, 'claim.changedMeanwhile']);
    expect(await guild(app)).toEqual(before);
    await edit(app, primary?.id, { ...to, seen: { ...seen, character_name: own } }).expect(200);
  });

  it('is refused to a character for which hours are held on the new date', async () => {
    const app = await createTestApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const owner = await aKey(app);
    const [claim] = await submitted(app, from, aClaim(from));
    const [wanted] = await submitted(app, owner, aClaim(owner, { respawn_id: 2, date: TOMORROW }));
    await aWait(app, to, { respawn_id: 2, date: TOMORROW, hour_start: 10, hour_end: 14 });
    await app.api.delete(`/admin/claims/${wanted?.id}`).set(app.admin).expect(200);
    const give = () => edit(app, claim?.id, { date: TOMORROW, character_name: to.character_name });
    expect((await expectNoTick(app, give)).body.code).toBe('hold.isYours');
  });

  it('is not undone if the claim had another holder since, or the former one has a claim', async () => {
    const app = await createTestApp(dialect);
    const from = await aKey(app);
    const [claim] = await submitted(app, from, aClaim(from));
    const give = (character_name: string) =>
      app.api
        .put(`/claims/admin/${claim?.id}/character`)
        .set(app.admin)
        .send({ character_name, member_type: 'member' })
        .expect(200);
    await edit(app, claim?.id, { ...elsewhere, character_name: 'Old Bram' }).expect(200);
    const { id } = await latest(app, 'claim_updated');
    const [other] = await submitted(app, from, aClaim(from, { respawn_id: 3 }));
    expect((await expectNoTick(app, () => undo(app, id))).body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { claims: [{ id: other?.id }] },
    });
    await app.api.delete(`/admin/claims/${other?.id}`).set(app.admin).expect(200);
    await give('Nim Farrow');
    await give('Old Bram');
    expect((await expectNoTick(app, () => undo(app, id))).body.code).toBe('activity.changedBy');
    await expectConsistent(app);
  });

  it('corrects the spelling of a name, and undoes that with the rest', async () => {
    const app = await createTestApp(dialect);
    const from = await aKey(app, undefined, 'elite');
    const [claim] = await submitted(
      app,
      from,
      aClaim(from),
      aClaim(from, { respawn_id: 5, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    const before = await guild(app);
    const character_name = from.character_name.toUpperCase();
    await edit(app, claim?.id, { hour_end: 12, character_name, member_type: 'elite' }).expect(200);
    const names = await app.ctx.db.selectFrom('claims').select('character_name').execute();
    expect(names).toEqual([{ character_name }, { character_name }]);
    const entry = await latest(app, 'claim_updated');
    expect(entry.details.changed).toMatchObject({
      character_name: { from: from.character_name, to: character_name },
      hour_end: { from: 14, to: 12 },
    });
    await undo(app, entry.id).expect(200);
    expect(await guild(app)).toEqual(before);
  });
});
