import type { Answered, Asked } from './call.ts';
import type { AskedClaim, Deed, Outcome } from './deed.ts';

type Submission = Extract<Deed, { do: 'submit' }>;

interface Credentials {
  admin_token: string;
  /** By character; the last one that was known. */
  keys: ReadonlyMap<string, string>;
}

/** The request by which a deed is asked for. */
export function requestOf(deed: Deed, { admin_token, keys }: Credentials): Asked {
  const admin = { Authorization: `Bearer ${admin_token}` };
  const ask = (method: string, path: string, body?: object): Asked => ({
    method,
    path: `/api${path}`,
    headers: admin,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  /** By somebody's key; null: an admin. */
  const own = (method: string, path: string, who: string | null, body: object = {}): Asked =>
    who === null ? ask(method, path, body) : { ...ask(method, path, { ...body, access_key: keys.get(who) ?? 'NONE' }), headers: {} };
  switch (deed.do) {
    case 'submit': {
      const claims = claimsOf(deed);
      const once = deed.once === null ? {} : { 'Idempotency-Key': deed.once };
      if (deed.asAdmin) {
        const asked = ask('POST', '/claims', { claims, admin_submission: true, member_type: 'elite' });
        return { ...asked, headers: { ...admin, ...once } };
      }
      return { ...ask('POST', '/claims', { claims, access_key: keys.get(deed.who) ?? 'NONE' }), headers: once };
    }
    case 'queue': {
      const { spot: respawn_id, date, start: hour_start, end: hour_end, least: min_hours } = deed;
      const wanted = { respawn_id, date, hour_start, hour_end, min_hours };
      return deed.asAdmin ? ask('POST', '/waits', { ...wanted, character_name: deed.who }) : own('POST', '/waits', deed.who, wanted);
    }
    case 'accept':
    case 'decline':
      return own('POST', `/waits/${deed.wait}/${deed.do}`, deed.who);
    case 'leave':
      return own('DELETE', `/waits/${deed.wait}`, deed.who);
    case 'give back':
    case 'confirm': {
      const part = deed.part === null ? {} : { part_number: deed.part };
      return own('POST', `/claims/${deed.claim}/${deed.do === 'confirm' ? 'confirm' : 'release'}`, deed.who, part);
    }
    case 'move claim':
      return ask('PUT', `/claims/admin/${deed.claim}/respawn`, { respawn_id: deed.spot });
    case 'set rules': {
      const { hold: hold_minutes, grace: grace_minutes, ...switches } = deed.change;
      const on = Object.fromEntries(Object.entries(switches).map(([name, isOn]) => [`${name}_enabled`, isOn ? 1 : 0]));
      return ask('PUT', '/admin/config', { ...on, hold_minutes, grace_minutes });
    }
    case 'budget':
      return ask('PUT', `/admin/member-types/${deed.type}`, { max_hours_per_day: deed.day, max_hours_per_event: deed.event });
    case 'be quiet': {
      const [quiet_from, quiet_until] = [deed.hours?.from, deed.hours?.until].map((at) => (at === undefined ? null : clockTime(at)));
      return own('PUT', '/push/preferences', deed.who, { quiet_from, quiet_until, time_zone: 'UTC' });
    }
    case 'edit':
      return ask('PUT', `/claims/admin/${deed.claim}`, { hour_start: deed.start, hour_end: deed.end });
    case 'delete':
      return ask('DELETE', `/admin/claims/${deed.claim}`);
    case 'clear':
      return ask('DELETE', `/claims/admin/respawn/${deed.spot}`);
    case 'undo':
      return ask('POST', `/admin/activity-log/${deed.entry}/undo`);
    case 'create event': {
      const type = deed.single ? 'single_claim' : 'multiple_claims';
      return ask('POST', '/events', { name: deed.name, type, ...periodOf(deed) });
    }
    case 'switch event':
      return ask('POST', `/events/${deed.event}/${deed.on ? 'activate' : 'deactivate'}`);
    case 'move event':
      return ask('PUT', `/events/${deed.event}`, periodOf(deed));
    case 'delete event':
      return ask('DELETE', `/events/${deed.event}`);
    case 'switch spot':
      return ask('PUT', `/admin/respawns/${deed.spot}`, { is_enabled: deed.on ? 1 : 0 });
    case 'delete spot':
      return ask('DELETE', `/admin/respawns/${deed.spot}`);
    case 'switch submission':
      return ask('PUT', '/admin/config', { submission_enabled: deed.on ? 1 : 0 });
    case 'revoke key':
      return ask('PUT', `/admin/access-keys/${deed.key}/${deed.on ? 'revoke' : 'enable'}`);
    case 'retype key':
      return ask('PUT', `/admin/access-keys/${deed.key}/member-type`, { memberType: deed.type });
    case 'delete key':
      return ask('DELETE', `/admin/access-keys/${deed.key}`);
    case 'create key':
      return ask('POST', '/admin/access-keys', { characterName: deed.who, memberType: deed.type });
    case 'ban':
      return ask('POST', `/admin/${deed.on ? 'ban' : 'unban'}-character`, { character_name: deed.who });
  }
}

const clockTime = (minute: number): string => [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');
const periodOf = ({ from, to }: { from: string; to: string }) => ({ start_time: `${from}T10:00`, end_time: `${to}T12:00` });

function claimsOf({ who, claims }: Submission): object[] {
  const named = (date: string | null) => ({ character_name: who, ...(date === null ? {} : { date }) });
  const primary = claims.map((asked) => ({ ...named(asked.date), ...hoursOf(asked) }));
  const waiting = claims.flatMap(({ date, waiting }) =>
    waiting ? [{ ...named(date), respawn_id: waiting.spot, hour_start: waiting.start, is_secondary_claim: 1 }] : [],
  );
  return [...primary, ...waiting];
}

function hoursOf({ spot, start, hours, second }: AskedClaim): object {
  if (!second) return { respawn_id: spot, hour_start: start, ...(hours === null ? {} : { hour_end: start + hours }) };
  const parts = [
    { part_number: 1, respawn_id: spot, hour_start: start, duration: hours ?? 4 },
    { part_number: 2, respawn_id: second.spot, hour_start: second.start, duration: second.hours },
  ];
  return { respawn_id: spot, hour_start: start, is_split_claim: 1, split_parts: parts };
}

export function outcomeOf({ status, body }: Answered): Outcome {
  const parsed: { data?: unknown; code?: string; params?: Record<string, unknown> } = body === '' ? {} : JSON.parse(body);
  return { status, data: parsed.data ?? null, code: parsed.code ?? '', params: parsed.params ?? {} };
}
