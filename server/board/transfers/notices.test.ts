import { describe, expect, it } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import type { PublicEvent } from '../../../shared/schemas/domain-events.ts';
import { aClaim, aDestination, aKey, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import type { Notice } from '../../notifications/notices/notice.ts';
import { payloadOf } from '../../notifications/notices/notice-text.ts';
import { refresh } from '../../notifications/notices/send.ts';
import { subscribed } from '../../notifications/push/test/browser.ts';
import { waiting } from '../../notifications/push/test/due.ts';
import { toldIn } from '../../notifications/test/fold.ts';
import { anOffer, answer, aSwap, handover, transferApp, withdraw } from './test/transfers.ts';

const notices = async (app: TestApp): Promise<Notice[]> =>
  (await waiting(app)).map(({ payload }) => JSON.parse(payload));
const clock = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const textIn = (language: 'en' | 'es' | 'pt', notice: Notice) => {
  const { title, body } = payloadOf(
    { language, time_zone: 'UTC', clock, now: new Date('2026-11-21T18:00:00Z') },
    notice,
  );
  return [title, body];
};

describe.each(databases)('what members and channels learn of transfers on %s', (dialect) => {
  it('the recipient is notified of an offer, which its end replaces; the one who ended it is not notified', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    for (const key of [from, to]) await subscribed(app, key);
    const [claim] = await submitted(app, from, aClaim(from));
    const { id } = (await handover(app, from, { claim_id: claim?.id ?? 0, to }).expect(201)).body
      .data;
    const [offered, ...others] = await notices(app);
    expect(others).toEqual([]);
    expect(offered).toMatchObject({
      kind: 'transfer_offered',
      character_name: to.character_name,
      from: from.character_name,
      wanted: null,
    });
    await withdraw(app, from, id).expect(200);
    expect(await notices(app)).toMatchObject([
      {
        kind: 'transfer_ended',
        character_name: to.character_name,
        other: from.character_name,
        outcome: 'withdrawn',
        by_admin: false,
      },
    ]);
    const again = (await handover(app, from, { claim_id: claim?.id ?? 0, to }).expect(201)).body
      .data;
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const ended = (await notices(app)).filter(
      (notice) => notice.kind === 'transfer_ended' && notice.transfer_id === again.id,
    );
    expect(
      ended.map((notice) => 'outcome' in notice && [notice.character_name, notice.outcome]).sort(),
    ).toEqual(
      [
        [from.character_name, 'changed'],
        [to.character_name, 'changed'],
      ].sort(),
    );
  });

  it('both characters of a claim that an admin moves are notified', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    for (const key of [from, to]) await subscribed(app, key);
    const [claim] = await submitted(app, from, aClaim(from));
    const body = { character_name: to.character_name, member_type: 'member' };
    await app.api.put(`/claims/admin/${claim?.id}/character`).set(app.admin).send(body).expect(200);
    expect(
      (await notices(app)).map((notice) => [
        notice.character_name,
        'claims' in notice && notice.claims[0]?.change,
      ]),
    ).toEqual([
      [from.character_name, 'removed'],
      [to.character_name, 'added'],
    ]);
  });

  it('of a claim that an admin moves and gives away at once, each hears of its own place', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    for (const key of [from, to]) await subscribed(app, key);
    const [claim] = await submitted(app, from, aClaim(from));
    const elsewhere = { date: '2026-11-23', hour_start: 16, hour_end: 18 };
    await app.api
      .put(`/claims/admin/${claim?.id}`)
      .set(app.admin)
      .send({ ...elsewhere, character_name: to.character_name })
      .expect(200);
    expect(
      (await notices(app)).map((notice) => [
        notice.character_name,
        'claims' in notice && notice.claims[0],
      ]),
    ).toMatchObject([
      [from.character_name, { change: 'removed', date: claim?.date, hour_start: 10, hour_end: 14 }],
      [to.character_name, { change: 'added', ...elsewhere }],
    ]);
  });

  it('a channel gets each claim that changes hands, and no update or deletion', async () => {
    const app = await transferApp(dialect);
    await aDestination(app, {
      events: ['claim.transferred', 'claim.updated', 'claim.deleted', 'claim.created'],
    });
    const { from, to, own, theirs, transfer } = await aSwap(app);
    const before = (await toldIn(app)).length;
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    const isTransferred = (event: PublicEvent) => event.type === 'claim.transferred';
    const events = (await toldIn(app)).slice(before);
    expect(events.every(isTransferred)).toBe(true);
    expect(events).toMatchObject([
      {
        data: {
          id: own.id,
          from: from.character_name,
          character_name: to.character_name,
          how: 'swap',
          by: null,
        },
      },
      {
        data: {
          id: theirs.id,
          from: to.character_name,
          character_name: from.character_name,
          how: 'swap',
          by: null,
        },
      },
    ]);
  });

  it('a reminder of a claim is not sent to its former holder', async () => {
    const app = await transferApp(dialect);
    const { from, to, claim, transfer } = await anOffer(app);
    const { respawn_name, date, hour_start, hour_end } = claim;
    const reminder: Notice = {
      kind: 'hunt_begins',
      character_name: from.character_name,
      claim_id: claim.id,
      part_number: 1,
      respawn_name,
      date,
      hour_start,
      hour_end,
      begins_at: '2026-11-21T19:00:00.000Z',
      until: '2026-11-21T19:00:00.000Z',
    };
    expect(await refresh(app.ctx.db, reminder)).toEqual(reminder);
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect(await refresh(app.ctx.db, reminder)).toBeNull();
    const theirs = { ...reminder, character_name: to.character_name };
    expect(await refresh(app.ctx.db, theirs)).toEqual(theirs);
  });

  it('an offer that is accepted is announced to its owner', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer } = await anOffer(app);
    for (const key of [from, to]) await subscribed(app, key);
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect(await notices(app)).toMatchObject([
      { kind: 'transfer_ended', character_name: from.character_name, outcome: 'accepted' },
    ]);
  });
});

const place = { respawn_name: 'Issavi', date: '2026-11-22', hour_start: 10, hour_end: 14 };
const offer: Notice = {
  kind: 'transfer_offered',
  character_name: 'Bea',
  until: '2026-11-22T18:00:00.000Z',
  transfer_id: 1,
  from: 'Arden',
  wanted: null,
  ...place,
};

it.each([
  ['en', 'Arden offers you a claim: Issavi', 'Arden accepted your offer'],
  ['es', 'Arden te ofrece una reserva: Issavi', 'Arden aceptó tu oferta'],
  ['pt', 'Arden oferece uma reserva: Issavi', 'Arden aceitou sua oferta'],
] as const)('the words of an offer and its end in %s', (language, title, end) => {
  expect(textIn(language, offer)[0]).toBe(title);
  expect(textIn(language, offer)[1]).toContain('SS+10');
  expect(textIn(language, offer)[1]).toMatch(/22.*, 18:00/);
  expect(textIn(language, { ...offer, until: '2026-11-21T20:00:00.000Z' })[1]).not.toMatch(
    /21[^:]*, 20:00/,
  );
  const swapped = { ...offer, wanted: { ...place, respawn_name: 'Cobras' } };
  expect(textIn(language, swapped)[1]).toContain('Cobras');
  expect(
    textIn(language, {
      ...omit(offer, 'from', 'wanted'),
      kind: 'transfer_ended',
      other: 'Arden',
      outcome: 'accepted',
      by_admin: false,
    })[0],
  ).toBe(end);
});
