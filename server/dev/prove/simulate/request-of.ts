import type { HttpRequest, HttpResponse } from './call.ts';
import type { Command, Outcome, RequestedClaim } from './command.ts';

type Submission = Extract<Command, { do: 'submit' }>;

interface Credentials {
  admin_token: string;
  /** By character; the last known one. */
  keys: ReadonlyMap<string, string>;
}

export function requestOf(command: Command, { admin_token, keys }: Credentials): HttpRequest {
  const admin = { Authorization: `Bearer ${admin_token}` };
  const ask = (method: string, path: string, body?: object): HttpRequest => ({
    method,
    path: `/api${path}`,
    headers: admin,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  /** With a member's key; null: an admin. */
  const own = (method: string, path: string, who: string | null, body: object = {}): HttpRequest =>
    who === null
      ? ask(method, path, body)
      : { ...ask(method, path, { ...body, access_key: keys.get(who) ?? 'NONE' }), headers: {} };
  switch (command.do) {
    case 'submit': {
      const claims = claimsOf(command);
      const once = command.once === null ? {} : { 'Idempotency-Key': command.once };
      if (command.asAdmin) {
        const claim = ask('POST', '/claims', {
          claims,
          admin_submission: true,
          member_type: 'elite',
        });
        return { ...claim, headers: { ...admin, ...once } };
      }
      return {
        ...ask('POST', '/claims', { claims, access_key: keys.get(command.who) ?? 'NONE' }),
        headers: once,
      };
    }
    case 'queue': {
      const {
        spot: respawn_id,
        date,
        start: hour_start,
        end: hour_end,
        least: min_hours,
      } = command;
      const wanted = { respawn_id, date, hour_start, hour_end, min_hours };
      return command.asAdmin
        ? ask('POST', '/waits', { ...wanted, character_name: command.who })
        : own('POST', '/waits', command.who, wanted);
    }
    case 'accept':
    case 'decline':
      return own('POST', `/waits/${command.wait}/${command.do}`, command.who);
    case 'leave':
      return own('DELETE', `/waits/${command.wait}`, command.who);
    case 'give back':
    case 'confirm': {
      const part = command.part === null ? {} : { part_number: command.part };
      return own(
        'POST',
        `/claims/${command.claim}/${command.do === 'confirm' ? 'confirm' : 'release'}`,
        command.who,
        part,
      );
    }
    case 'move claim':
      return ask('PUT', `/claims/admin/${command.claim}/respawn`, { respawn_id: command.spot });
    case 'offer claim':
      return own('POST', `/claims/${command.claim}/handover`, command.who, { to: command.to });
    case 'offer swap':
      return own('POST', `/claims/${command.claim}/swap`, command.who, {
        for_claim_id: command.wanted,
      });
    case 'make weekly': {
      const {
        who,
        spot: respawn_id,
        days: weekdays,
        start: hour_start,
        end: hour_end,
        joins: join_waitlist,
      } = command;
      return own('POST', '/standing', who, {
        respawn_id,
        weekdays,
        hour_start,
        hour_end,
        join_waitlist,
      });
    }
    case 'pause weekly':
      return own('PUT', `/standing/${command.weekly}`, command.who, { is_paused: command.paused });
    case 'end weekly':
      return own(
        'DELETE',
        `/standing/${command.weekly}?claims=${command.release ? 'release' : 'keep'}`,
        command.who,
      );
    case 'server makes':
      throw new Error('it is no request');
    case 'take offer':
    case 'refuse offer':
      return own(
        'POST',
        `/transfers/${command.offer}/${command.do === 'take offer' ? 'accept' : 'refuse'}`,
        command.who,
      );
    case 'withdraw offer':
      return own('DELETE', `/transfers/${command.offer}`, command.who);
    case 'give claim':
      return ask('PUT', `/claims/admin/${command.claim}/character`, {
        character_name: command.to,
        member_type: 'elite',
      });
    case 'set rules': {
      const { hold: hold_minutes, grace: grace_minutes, noShowLimit, ...switches } = command.change;
      const on = Object.fromEntries(
        Object.entries(switches).map(([name, isOn]) => [`${name}_enabled`, isOn ? 1 : 0]),
      );
      return ask('PUT', '/admin/config', {
        ...on,
        hold_minutes,
        grace_minutes,
        no_show_limit: noShowLimit,
      });
    }
    case 'budget':
      return ask('PUT', `/admin/member-types/${command.type}`, {
        max_hours_per_day: command.day,
        max_hours_per_event: command.event,
      });
    case 'be quiet': {
      const [quiet_from, quiet_until] = [command.hours?.from, command.hours?.until].map((at) =>
        at === undefined ? null : clockTime(at),
      );
      return own('PUT', '/push/preferences', command.who, {
        quiet_from,
        quiet_until,
        time_zone: 'UTC',
      });
    }
    case 'edit':
      return ask('PUT', `/claims/admin/${command.claim}`, {
        hour_start: command.start,
        hour_end: command.end,
      });
    case 'delete':
      return ask('DELETE', `/admin/claims/${command.claim}`);
    case 'clear':
      return ask('DELETE', `/claims/admin/respawn/${command.spot}`);
    case 'undo':
      return ask('POST', `/admin/activity-log/${command.entry}/undo`);
    case 'create event': {
      const type = command.single ? 'single_claim' : 'multiple_claims';
      return ask('POST', '/events', { name: command.name, type, ...periodOf(command) });
    }
    case 'switch event':
      return ask('POST', `/events/${command.event}/${command.on ? 'activate' : 'deactivate'}`);
    case 'move event':
      return ask('PUT', `/events/${command.event}`, periodOf(command));
    case 'delete event':
      return ask('DELETE', `/events/${command.event}`);
    case 'switch spot':
      return ask('PUT', `/admin/respawns/${command.spot}`, { is_enabled: command.on ? 1 : 0 });
    case 'delete spot':
      return ask('DELETE', `/admin/respawns/${command.spot}`);
    case 'switch submission':
      return ask('PUT', '/admin/config', { submission_enabled: command.on ? 1 : 0 });
    case 'revoke key':
      return ask('PUT', `/admin/access-keys/${command.key}/${command.on ? 'revoke' : 'enable'}`);
    case 'retype key':
      return ask('PUT', `/admin/access-keys/${command.key}/member-type`, {
        memberType: command.type,
      });
    case 'delete key':
      return ask('DELETE', `/admin/access-keys/${command.key}`);
    case 'create key':
      return ask('POST', '/admin/access-keys', {
        characterName: command.who,
        memberType: command.type,
      });
    case 'ban':
      return ask('POST', `/admin/${command.on ? 'ban' : 'unban'}-character`, {
        character_name: command.who,
      });
  }
}

const clockTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');
const periodOf = ({ from, to }: { from: string; to: string }) => ({
  start_time: `${from}T10:00`,
  end_time: `${to}T12:00`,
});

function claimsOf({ who, claims }: Submission): object[] {
  const named = (date: string | null) => ({
    character_name: who,
    ...(date === null ? {} : { date }),
  });
  const primary = claims.map((claim) => ({ ...named(claim.date), ...hoursOf(claim) }));
  const waiting = claims.flatMap(({ date, waiting }) =>
    waiting
      ? [
          {
            ...named(date),
            respawn_id: waiting.spot,
            hour_start: waiting.start,
            is_secondary_claim: 1,
          },
        ]
      : [],
  );
  return [...primary, ...waiting];
}

function hoursOf({ spot, start, hours, second }: RequestedClaim): object {
  if (!second)
    return {
      respawn_id: spot,
      hour_start: start,
      ...(hours === null ? {} : { hour_end: start + hours }),
    };
  const parts = [
    { part_number: 1, respawn_id: spot, hour_start: start, duration: hours ?? 4 },
    { part_number: 2, respawn_id: second.spot, hour_start: second.start, duration: second.hours },
  ];
  return { respawn_id: spot, hour_start: start, is_split_claim: 1, split_parts: parts };
}

export function outcomeOf({ status, body }: HttpResponse): Outcome {
  const parsed: { data?: unknown; code?: string; params?: Record<string, unknown> } =
    body === '' ? {} : JSON.parse(body);
  return {
    status,
    data: parsed.data ?? null,
    code: parsed.code ?? '',
    params: parsed.params ?? {},
  };
}
