import { nameKey } from '../../../shared/rules/names.ts';
import type { AdminRole } from '../../../shared/rules/roles.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimInput, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { DestinationInput, NewDestination } from '../../../shared/schemas/destination.ts';
import type { Event, EventInput } from '../../../shared/schemas/event.ts';
import type { MemberTypeInput } from '../../../shared/schemas/member-type.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { Wait, WaitInput } from '../../../shared/schemas/wait.ts';
import { hashToken } from '../../auth/sessions.ts';
import type { Tx } from '../../db/database.ts';
import { type Unit, write } from '../../db/unit-of-work.ts';
import { aGif } from './gifs.ts';
import { NOW, type TestApp, TODAY } from './test-app.ts';

/** Defaults for what a test does not care about; everything goes through real HTTP. */

let count = 0;

/** Spots of the catalogue that no other test of the file claims. */
let lastSpot = 0;
export const aSpot = (): number => ++lastSpot;

/** Restarts the counters of names and hours, so that each test file in this process gets the same ones as in a separate process. */
export function countFromOne(): void {
  count = 0;
  lastSpot = 0;
}

/** A name that no other test of the file uses. */
export const aName = (what = 'Hunter'): string => `${what} ${++count}`;

export async function aKey(
  app: TestApp,
  characterName = aName(),
  memberType = 'member',
): Promise<AccessKey> {
  const answer = await app.api
    .post('/admin/access-keys')
    .set(app.admin)
    .send({ characterName, memberType })
    .expect(201);
  return answer.body.data;
}

/** That many members' keys, without a call for each. */
export async function manyKeys(app: TestApp, members: number): Promise<AccessKey[]> {
  const rows = Array.from({ length: members }, () => {
    const character_name = aName();
    return {
      key_value: `KEY-${++count}`,
      character_name,
      character_key: nameKey(character_name),
      created_by_username: null,
      member_type: 'member',
      created_at: NOW,
      is_revoked: 0 as const,
    };
  });
  await change(app, ({ tx }) => tx.insertInto('access_keys').values(rows).execute());
  return app.ctx.db
    .selectFrom('access_keys')
    .selectAll()
    .where(
      'key_value',
      'in',
      rows.map(({ key_value }) => key_value),
    )
    .execute();
}

export async function anEvent(app: TestApp, fields: Partial<EventInput> = {}): Promise<Event> {
  const event = {
    name: aName('Event'),
    start_time: '2026-11-15T10:00',
    end_time: '2026-11-28T10:00',
    ...fields,
  };
  const answer = await app.api.post('/events').set(app.admin).send(event).expect(201);
  return answer.body.data;
}

export async function anActiveEvent(
  app: TestApp,
  fields: Partial<EventInput> = {},
): Promise<Event> {
  const event = await anEvent(app, fields);
  const answer = await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
  return answer.body.data;
}

export async function noActiveEvent(app: TestApp): Promise<void> {
  const { status, body } = await app.api.get('/events/active');
  if (status === 200)
    await app.api.post(`/events/${body.data.id}/deactivate`).set(app.admin).expect(200);
}

/** An admin of a role, signed in, without a usable password. */
export async function anAdmin(app: TestApp, role: AdminRole): Promise<SignedIn> {
  const username = aName(role);
  const admin = {
    username,
    username_key: nameKey(username),
    password_hash: 'none',
    created_at: NOW,
    role,
  };
  const row = await changeUnheard(app, (tx) =>
    tx.insertInto('admins').values(admin).returning('id').executeTakeFirstOrThrow(),
  );
  return signedIn(app, { id: row.id, username });
}

/** A new session of an admin. */
export async function signedIn(
  app: TestApp,
  { id, username }: Pick<SignedIn, 'id' | 'username'>,
): Promise<SignedIn> {
  const token = `token-of-${++count}`;
  const session = {
    token_hash: hashToken(token),
    admin_id: id,
    created_at: NOW,
    expires_at: '2026-12-21T18:00:00.000Z',
  };
  await changeUnheard(app, (tx) => tx.insertInto('admin_sessions').values(session).execute());
  return { id, username, token, headers: { Authorization: `Bearer ${token}` } };
}

export interface SignedIn {
  id: number;
  username: string;
  token: string;
  headers: { Authorization: string };
}

/** A claim as the form sends it: respawn 1, today, SS+10 to SS+14. */
export function aClaim(
  key: Pick<AccessKey, 'character_name'>,
  fields: Partial<ClaimInput> = {},
): Partial<ClaimInput> {
  return {
    respawn_id: 1,
    character_name: key.character_name,
    hour_start: 10,
    hour_end: 14,
    date: TODAY,
    ...fields,
  };
}

/** Submits as the key's holder; the answer is the caller's to judge. */
export function submit(app: TestApp, key: AccessKey, ...claims: Partial<ClaimInput>[]) {
  return app.api
    .post('/claims')
    .send({ claims, member_type: key.member_type, access_key: key.key_value });
}

export async function submitted(
  app: TestApp,
  key: AccessKey,
  ...claims: Partial<ClaimInput>[]
): Promise<ClaimRow[]> {
  const answer = await submit(app, key, ...claims).expect(201);
  return answer.body.data;
}

/** Joins the waitlist as the key's holder for the hours of `aClaim`; the answer is the caller's to judge. */
export const waitFor = (app: TestApp, { key_value }: AccessKey, fields: Partial<WaitInput> = {}) =>
  app.api
    .post('/waits')
    .set('X-Access-Key', key_value)
    .send({ respawn_id: 1, date: TODAY, hour_start: 10, hour_end: 14, ...fields });

export async function aWait(
  app: TestApp,
  key: AccessKey,
  fields: Partial<WaitInput> = {},
): Promise<Wait> {
  const answer = await waitFor(app, key, fields).expect(201);
  return answer.body.data;
}

/** Submits as the admin, for the characters that the claims name. */
export function submitAsAdmin(app: TestApp, member_type: string, ...claims: Partial<ClaimInput>[]) {
  return app.api
    .post('/claims')
    .set(app.admin)
    .send({ claims, member_type, admin_submission: true });
}

export const asMember = (key: Pick<AccessKey, 'key_value'>): { 'X-Access-Key': string } => ({
  'X-Access-Key': key.key_value,
});

/** Changes that no call makes yet, written like every write, so that the clock advances. */
export const change = (app: TestApp, work: (unit: Unit) => Promise<unknown>): Promise<unknown> =>
  write(app.ctx, work);

/** Changes the database behind the server's back: no clock advances, and no watcher gets a change. */
export const changeUnheard = <T>(
  { ctx }: Pick<TestApp, 'ctx'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => ctx.writes.transaction(work);

/** Without the record that admins see: all watchers reload. */
export const ban = (
  app: TestApp,
  { character_name }: Pick<AccessKey, 'character_name'>,
): Promise<unknown> =>
  change(app, ({ tx, changes }) => {
    changes.reset();
    return tx
      .insertInto('bans')
      .values({ character_name, character_key: nameKey(character_name), created_at: NOW })
      .execute();
  });

export async function disableRespawn(app: TestApp, id: number): Promise<void> {
  await app.api.put(`/admin/respawns/${id}`).set(app.admin).send({ is_enabled: 0 }).expect(200);
}

/** A new member type, whose members may submit; a voucher of four hours unless the fields say otherwise. */
export async function aMemberType(
  app: TestApp,
  fields: Partial<MemberTypeInput> = {},
): Promise<string> {
  const type = { member_type: aName('type'), earliest_submission_date: '2026-01-01', ...fields };
  await app.api.post('/admin/member-types').set(app.admin).send(type).expect(201);
  return type.member_type;
}

/** A notification channel: a webhook that subscribes to new claims unless the fields say otherwise. */
export async function aDestination(
  app: TestApp,
  fields: Partial<DestinationInput> = {},
): Promise<NewDestination> {
  const input = {
    name: aName('Channel'),
    kind: 'webhook',
    url: 'https://hooks.example/guild',
    events: ['claim.created'],
    language: 'en',
  };
  const answer = await app.api
    .post('/admin/destinations')
    .set(app.admin)
    .send({ ...input, ...fields })
    .expect(201);
  return answer.body.data;
}

/** A new respawn, beside those of the catalogue. */
export async function aRespawn(
  app: TestApp,
  name = aName('Spot'),
  picture = aGif(),
): Promise<Respawn> {
  const post = app.api
    .post('/respawns/admin')
    .set(app.admin)
    .field('name', name)
    .attach('image', picture, 'spot.gif');
  const answer = await post.expect(201);
  return answer.body.data;
}
