import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ClaimInput, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Event, EventInput } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import type { Tx } from '../db/open.ts';
import { write } from '../db/write.ts';
import { NOW, type TestApp, TODAY } from './test-app.ts';

/** What a test does not care about is filled in here; everything goes through real HTTP. */

let count = 0;

/** Spots of the catalogue that no other test of the file claims. */
let lastSpot = 0;
export const aSpot = (): number => ++lastSpot;
/** A name that no other test of the file uses. */
export const aName = (what = 'Hunter'): string => `${what} ${++count}`;

export async function aKey(app: TestApp, characterName = aName(), memberType = 'member'): Promise<AccessKey> {
  const answer = await app.api.post('/admin/access-keys').set(app.admin).send({ characterName, memberType }).expect(201);
  return answer.body.data;
}

export async function anEvent(app: TestApp, fields: Partial<EventInput> = {}): Promise<Event> {
  const event = { name: aName('Event'), start_time: '2026-11-15T10:00', end_time: '2026-11-28T10:00', ...fields };
  const answer = await app.api.post('/events').set(app.admin).send(event).expect(201);
  return answer.body.data;
}

export async function anActiveEvent(app: TestApp, fields: Partial<EventInput> = {}): Promise<Event> {
  const event = await anEvent(app, fields);
  const answer = await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
  return answer.body.data;
}

export async function noActiveEvent(app: TestApp): Promise<void> {
  const { status, body } = await app.api.get('/events/active');
  if (status === 200) await app.api.post(`/events/${body.data.id}/deactivate`).set(app.admin).expect(200);
}

/** A claim as the form sends it: respawn 1, today, SS+10 to SS+14. */
export function aClaim(key: Pick<AccessKey, 'character_name'>, fields: Partial<ClaimInput> = {}): Partial<ClaimInput> {
  return { respawn_id: 1, character_name: key.character_name, hour_start: 10, hour_end: 14, date: TODAY, ...fields };
}

/** Submits as the key's holder; the answer is the caller's to judge. */
export function submit(app: TestApp, key: AccessKey, ...claims: Partial<ClaimInput>[]) {
  return app.api.post('/claims').send({ claims, member_type: key.member_type, access_key: key.key_value });
}

export async function submitted(app: TestApp, key: AccessKey, ...claims: Partial<ClaimInput>[]): Promise<ClaimRow[]> {
  const answer = await submit(app, key, ...claims).expect(201);
  return answer.body.data;
}

/** Submits as the admin, for whichever characters the claims name. */
export function submitAsAdmin(app: TestApp, member_type: string, ...claims: Partial<ClaimInput>[]) {
  return app.api.post('/claims').set(app.admin).send({ claims, member_type, admin_submission: true });
}

/** The header of a member who holds this key. */
export const asMember = (key: Pick<AccessKey, 'key_value'>): { 'X-Access-Key': string } => ({ 'X-Access-Key': key.key_value });

/** What no call changes yet, written the way every write goes, so that the clock moves. */
export const change = (app: TestApp, work: (tx: Tx) => Promise<unknown>): Promise<unknown> => write(app.ctx, work);

export const ban = (app: TestApp, { character_name }: Pick<AccessKey, 'character_name'>): Promise<unknown> =>
  change(app, (tx) =>
    tx
      .insertInto('bans')
      .values({ character_name, character_key: nameKey(character_name), created_at: NOW })
      .execute(),
  );

export const disableRespawn = (app: TestApp, id: number): Promise<unknown> =>
  change(app, (tx) => tx.updateTable('respawns').set({ is_enabled: 0 }).where('id', '=', id).execute());

/** A member type of its own; voucher of four hours unless the fields say otherwise. */
export async function aMemberType(app: TestApp, fields: Partial<MemberType> = {}): Promise<string> {
  const member_type = fields.member_type ?? aName('type');
  const { guild_ranks = [], ...rest } = fields;
  const row = {
    voucher_duration_hours: 4,
    can_submit: 1 as const,
    earliest_submission_date: '2026-01-01',
    allow_secondary_claims: 1 as const,
    background_color: '#123456',
    is_system: 0 as const,
    ...rest,
  };
  await change(app, (tx) =>
    tx
      .insertInto('member_types')
      .values({ ...row, member_type, name_key: nameKey(member_type), guild_ranks: JSON.stringify(guild_ranks) })
      .execute(),
  );
  return member_type;
}
