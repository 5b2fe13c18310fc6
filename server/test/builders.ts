import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ClaimInput, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Event, EventInput } from '../../shared/schemas/event.ts';
import { type TestApp, TODAY } from './test-app.ts';

/** What a test does not care about is filled in here; everything goes through real HTTP. */

let count = 0;

export async function aKey(app: TestApp, characterName = `Hunter ${++count}`, memberType = 'member'): Promise<AccessKey> {
  const answer = await app.api.post('/admin/access-keys').set(app.admin).send({ characterName, memberType }).expect(201);
  return answer.body.data;
}

export async function anEvent(app: TestApp, fields: Partial<EventInput> = {}): Promise<Event> {
  const event = { name: `Event ${++count}`, start_time: '2026-11-15T10:00', end_time: '2026-11-28T10:00', ...fields };
  const answer = await app.api.post('/events').set(app.admin).send(event).expect(201);
  return answer.body.data;
}

export async function anActiveEvent(app: TestApp, fields: Partial<EventInput> = {}): Promise<Event> {
  const event = await anEvent(app, fields);
  const answer = await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
  return answer.body.data;
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
