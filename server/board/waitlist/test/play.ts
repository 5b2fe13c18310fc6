import { expect } from 'vitest';
import { claimOnRespawns } from '../../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { hoursIn } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import { expectSame } from '../../../dev/test/expect-same.ts';
import type { UsualServer } from '../../../dev/test/usual-server.ts';
import { Watcher } from '../../../dev/test/watcher.ts';
import { features } from '../../../features.ts';
import { recordSourcesOf } from '../../../live/record-kinds.ts';
import { loadClaims } from '../../claims/claim-records.ts';
import { wrongCounts } from '../../claims/consistency.ts';
import { allEvents, readConfig } from '../../records/guild.ts';
import { memberTypeOrFallback } from '../../records/members.ts';
import { openEntries } from '../waitlist-store.ts';
import { endsOf, type ModelFacts, NaiveWaitlists } from './naive-waitlist.ts';
import type { Step } from './world.ts';

const recordSources = recordSourcesOf(features);

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** With what they were read from, holds too. */
interface ReadFacts extends ModelFacts {
  claims: readonly Claim[];
}

type Answer = {
  status: number;
  body: { code?: string; data?: { id: number }; params?: Record<string, unknown> };
};

/** A guild on one or two servers, those who watch it, and the model that knows who is next. */
export class World {
  servers: UsualServer[];
  watchers: Watcher[] = [];
  keys: AccessKey[] = [];
  /** Whose key stays good. */
  onlooker = '';
  events: number[] = [];
  now: number;
  waitlists = new NaiveWaitlists();
  #turn = 0;
  /** The state at the last comparison: nothing changes between two steps. */
  #seen: { clock: number; facts: ReadFacts } | null = null;
  readonly #token: string;
  readonly #restart: (now: string) => Promise<UsualServer>;

  constructor(
    servers: UsualServer[],
    token: string,
    now: string,
    restart: (now: string) => Promise<UsualServer>,
  ) {
    this.servers = servers;
    this.#token = token;
    this.now = Date.parse(now);
    this.#restart = restart;
  }

  /** Requests go to the servers in turn. */
  get server(): UsualServer {
    const server = this.servers[this.#turn % this.servers.length];
    if (!server) throw new Error('a server');
    return server;
  }

  async watch(): Promise<void> {
    const auths = [{ admin_token: this.#token }, { access_key: this.onlooker }];
    this.watchers = auths.map(
      (auth, at) => new Watcher((this.servers[at % this.servers.length] ?? this.server).url, auth),
    );
    await Promise.all(this.watchers.map((watcher) => watcher.connect()));
  }

  ask(
    method: 'post' | 'put' | 'delete',
    path: string,
    body: object = {},
    as: 'admin' | AccessKey = 'admin',
  ): Promise<Answer> {
    const request = this.server.api[method](path);
    const by =
      as === 'admin'
        ? request.set({ Authorization: `Bearer ${this.#token}` })
        : request.set('X-Access-Key', as.key_value);
    return by.send(body).then(({ status, body: rows }) => ({ status, body: rows }));
  }

  async clock(): Promise<number> {
    return (await this.server.ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow())
      .value;
  }

  async facts(): Promise<ReadFacts> {
    const { db } = this.server.ctx;
    const config = await readConfig(this.server.ctx, db);
    const events = await allEvents(db);
    const active = events.find(({ is_active }) => is_active) ?? null;
    const hours = new Set<string>();
    const days = new Set<string>();
    const used = new Map<string, number>();
    const claims = await loadClaims(db, { type: 'all' });
    for (const claim of claims) {
      if (claim.is_held || claim.is_secondary_claim) continue;
      const event = events.find(({ id }) => id === claim.event_id);
      const dates = claim.date
        ? [claim.date]
        : event
          ? datesBetween(eventDate(event.start_time), eventDate(event.end_time))
          : [];
      if (active && claim.event_id === active.id) {
        const length = claimOnRespawns(claim).reduce(
          (sum, part) => sum + part.hour_end - part.hour_start,
          0,
        );
        used.set(
          claim.character_name,
          (used.get(claim.character_name) ?? 0) + length * dates.length,
        );
      }
      for (const date of dates) {
        days.add(`${claim.character_name} ${date}`);
        for (const part of claimOnRespawns(claim))
          for (const hour of hoursIn(part)) hours.add(`${part.respawn_id} ${date} ${hour}`);
      }
    }
    const type = await memberTypeOrFallback(db, 'member');
    const preferences = await db
      .selectFrom('push_preferences')
      .selectAll()
      .where('quiet_from', 'is not', null)
      .execute();
    const members = await db
      .selectFrom('access_keys')
      .leftJoin('bans', 'bans.character_key', 'access_keys.character_key')
      .select('access_keys.character_name')
      .where('is_revoked', '=', 0)
      .where('bans.character_key', 'is', null)
      .execute();
    const spots = await db
      .selectFrom('respawns')
      .select('id')
      .where('is_enabled', '=', 1)
      .execute();
    return {
      claims,
      now: this.now,
      hold_minutes: config.hold_minutes,
      is_paused: !config.waits_enabled || !config.submission_enabled,
      active: active && {
        id: active.id,
        first: eventDate(active.start_time),
        last: eventDate(active.end_time),
        is_single: active.type === 'single_claim',
      },
      spots: new Set(spots.map(({ id }) => id)),
      hours,
      days,
      budget: { day: type.max_hours_per_day, event: type.max_hours_per_event },
      may_submit: type.can_submit === 1,
      quiet: new Map(
        preferences.map(({ character_key, quiet_from, quiet_until }) => [
          this.keys.find(({ character_name }) => nameKey(character_name) === character_key)
            ?.character_name ?? '',
          { from: minuteOf(quiet_from ?? ''), until: minuteOf(quiet_until ?? '') },
        ]),
      ),
      used,
      members: new Set(members.map(({ character_name }) => character_name)),
    };
  }

  /** Does one step, and checks its outcome against the rules. */
  async play(step: Step): Promise<void> {
    this.#turn += 1;
    this.#seen ??= { clock: await this.clock(), facts: await this.facts() };
    const { clock, facts } = this.#seen;
    const before = { ...facts, now: this.now };
    const tentative = this.waitlists.copy();
    if (step.do === 'time') return this.#passTime(step.minutes, step.look, clock);
    tentative.advance(before);
    const answer = await this.#do(step, tentative, before);
    if (answer)
      expect(answer.status, `${JSON.stringify(step)} ${JSON.stringify(answer.body)}`).toBeLessThan(
        500,
      );
    const now = { clock: await this.clock(), facts: await this.facts() };
    if (now.clock !== clock) {
      if (answer && answer.status < 400) this.#apply(step, answer, tentative, before);
      tentative.advance(now.facts);
      this.waitlists = tentative;
    }
    if (answer && step.do === 'accept' && answer.status === 200)
      await this.#seeItsEvent(answer.body.data?.id ?? 0, now.facts);
    await this.#compare(step, now);
  }

  /** An accepted hold belongs to the active event, as a claim does. */
  async #seeItsEvent(wait_id: number, { active }: ModelFacts): Promise<void> {
    const { db } = this.server.ctx;
    const its = db
      .selectFrom('claims')
      .innerJoin('waits', 'waits.held_claim_id', 'claims.id')
      .where('waits.id', '=', wait_id);
    const { event_id } = await its.select('claims.event_id').executeTakeFirstOrThrow();
    expect(event_id).toBe(active?.id ?? null);
  }

  async #passTime(minutes: number, look: boolean, clock: number): Promise<void> {
    this.now += minutes * 60_000;
    for (const server of this.servers) server.setNow(new Date(this.now).toISOString());
    // Repeats until nothing is left, or the server would run a job in the middle of a later step.
    for (let looks = 0; look && looks < 3; looks += 1)
      for (const { server } of this.servers) await server.runDue();
    const now = { clock: await this.clock(), facts: await this.facts() };
    if (now.clock !== clock) this.waitlists.advance(now.facts);
    // Nothing that is due is left.
    if (look)
      expect(
        this.waitlists.waits.filter((wait) => endsOf(wait).some((at) => at <= this.now)),
      ).toEqual([]);
    await this.#compare({ do: 'time', minutes, look }, now);
  }

  async #nthClaim(nth: number): Promise<number> {
    const claims = await this.server.ctx.db
      .selectFrom('claims')
      .select('id')
      .orderBy('id')
      .execute();
    return claims[nth % Math.max(claims.length, 1)]?.id ?? 1;
  }

  async #do(step: Step, model: NaiveWaitlists, facts: ModelFacts): Promise<Answer | null> {
    const key = 'who' in step ? this.keys[step.who % this.keys.length] : undefined;
    switch (step.do) {
      case 'claim': {
        if (!key) return null;
        const { date, spot: respawn_id, start: hour_start } = step;
        const claim = {
          respawn_id,
          character_name: key.character_name,
          date,
          hour_start,
          hour_end: hour_start + step.length,
        };
        const answer = await this.ask(
          'post',
          '/claims',
          { claims: [claim], access_key: key.key_value, member_type: 'member' },
          key,
        );
        const held = Array.from({ length: step.length }, (_, n) =>
          model.holdAt(respawn_id, date, hour_start + n),
        ).find(Boolean);
        if (held) expect(answer.status, 'hours that are held').toBeGreaterThanOrEqual(400);
        if (answer.body.code === 'hold.taken') {
          const { character_name, held_until } = answer.body.params ?? {};
          expect([character_name, held_until]).toEqual([
            held?.who,
            held?.hold && new Date(held.hold.until).toISOString(),
          ]);
        }
        return answer;
      }
      case 'wait': {
        if (!key) return null;
        const { spot: respawn_id, date, start: hour_start, min: min_hours } = step;
        return this.ask(
          'post',
          '/waits',
          { respawn_id, date, hour_start, hour_end: hour_start + step.length, min_hours },
          key,
        );
      }
      case 'accept':
      case 'decline':
      case 'withdraw': {
        const wait = this.waitlists.waits[step.nth % Math.max(this.waitlists.waits.length, 1)];
        const owner = this.keys.find(({ character_name }) => character_name === wait?.who);
        if (!wait || !owner) return null;
        const as = step.by_admin ? 'admin' : owner;
        const answer = await (step.do === 'withdraw'
          ? this.ask('delete', `/waits/${wait.id}`, {}, as)
          : this.ask('post', `/waits/${wait.id}/${step.do}`, {}, as));
        const now = model.waits.find(({ id }) => id === wait.id);
        const limitsOf =
          step.do !== 'accept' ||
          step.by_admin ||
          (now !== undefined && model.mayAccept(now, facts));
        const isFine = step.do === 'withdraw' ? now !== undefined : now?.hold != null && limitsOf;
        expect(
          answer.status === 200,
          `${step.do} ${JSON.stringify(wait)} ${JSON.stringify(answer.body)}`,
        ).toBe(isFine);
        return { ...answer, body: { data: { id: wait.id } } };
      }
      case 'delete claim': {
        const id = await this.#nthClaim(step.nth);
        return { ...(await this.ask('delete', `/admin/claims/${id}`)), body: { data: { id } } };
      }
      case 'edit': {
        const times = { hour_start: step.start, hour_end: step.start + step.length };
        return this.ask('put', `/claims/admin/${await this.#nthClaim(step.nth)}`, times);
      }
      case 'move':
        return this.ask('put', `/claims/admin/${await this.#nthClaim(step.nth)}/respawn`, {
          respawn_id: step.spot,
        });
      case 'clear':
        return this.ask('delete', `/claims/admin/respawn/${step.spot}`);
      case 'disable':
      case 'enable':
        return this.ask('put', `/admin/respawns/${step.spot}`, {
          is_enabled: step.do === 'enable',
        });
      case 'ban':
      case 'unban':
        return this.ask('post', `/admin/${step.do}-character`, {
          character_name: key?.character_name,
        });
      case 'revoke':
        return this.ask('put', `/admin/access-keys/${key?.id}/revoke`);
      case 'restore':
        return this.ask('put', `/admin/access-keys/${key?.id}/enable`);
      case 'undo': {
        const entries = await this.server.ctx.db
          .selectFrom('undos')
          .select('entry_id')
          .orderBy('entry_id')
          .execute();
        return this.ask(
          'post',
          `/admin/activity-log/${entries[step.nth % Math.max(entries.length, 1)]?.entry_id ?? 1}/undo`,
        );
      }
      case 'switch':
        return this.ask('put', '/admin/config', {
          waits_enabled: step.waits,
          submission_enabled: step.submission,
          hold_minutes: step.minutes,
        });
      case 'budget':
        return this.ask('put', '/admin/member-types/member', {
          max_hours_per_day: step.day,
          max_hours_per_event: step.event,
        });
      case 'be quiet': {
        const [from, until] = step.hours
          ? [step.hours.from, step.hours.from + step.hours.lasts]
          : [null, null];
        const [quiet_from, quiet_until] = [from, until].map((minutes) =>
          minutes === null ? null : this.#clockIn(minutes),
        );
        return key
          ? this.ask('put', '/push/preferences', { quiet_from, quiet_until, time_zone: 'UTC' }, key)
          : null;
      }
      case 'let submit':
        return this.ask('put', '/admin/member-types/member', { can_submit: step.may });
      case 'activate':
      case 'deactivate':
        return this.ask('post', `/events/${this.events[step.event]}/${step.do}`);
      case 'delete event':
        return this.ask('delete', `/events/${this.events[step.event]}`);
      case 'edit event':
        return this.#editEvent(step);
      case 'restart':
        await this.#again();
        return null;
      default:
        return null;
    }
  }

  /** The time of a UTC clock so many minutes from now. */
  #clockIn(minutes: number): string {
    return new Date(this.now + minutes * 60_000).toISOString().slice(11, 16);
  }

  /** A hold blocks no edit of its own event. */
  async #editEvent({ event, last, type }: Extract<Step, { do: 'edit event' }>): Promise<Answer> {
    const event_id = this.events[event] ?? 0;
    const claims = await loadClaims(this.server.ctx.db, { type: 'event', event_id });
    const answer = await this.ask('put', `/events/${event_id}`, {
      end_time: `2026-11-${last}T23:00`,
      type,
    });
    if (answer.body.code === 'event.claimsOutside' || answer.body.code === 'event.typeHasClaims')
      expect(claims.some(({ is_held }) => !is_held)).toBe(true);
    return answer;
  }

  async #again(): Promise<void> {
    const [old] = this.servers;
    for (const watcher of this.watchers) watcher.disconnect();
    await old?.close();
    this.servers[0] = await this.#restart(new Date(this.now).toISOString());
    await this.watch();
  }

  /** Applies the side effects of an accepted command on the waitlists. */
  #apply(step: Step, { body }: Answer, model: NaiveWaitlists, facts: ModelFacts): void {
    const { active } = facts;
    const key = 'who' in step ? this.keys[step.who % this.keys.length] : undefined;
    const id = body.data?.id ?? 0;
    switch (step.do) {
      case 'wait': {
        const range = {
          respawn_id: step.spot,
          date: step.date,
          hour_start: step.start,
          hour_end: step.start + step.length,
        };
        model.waits.push({
          id,
          ...range,
          event_id: active?.id ?? null,
          min_hours: step.min,
          wanted: model.occupiedIn(range, facts),
          who: key?.character_name ?? '',
          hold: null,
          quiet_until: null,
        });
        return;
      }
      case 'accept':
      case 'decline':
      case 'withdraw':
        model.remove((wait) => wait.id === id);
        return;
      case 'ban':
      case 'revoke':
        model.remove(({ who }) => who === key?.character_name);
        return;
      // The entry had been skipped: it is checked again.
      case 'be quiet':
        for (const wait of model.waits)
          if (wait.who === key?.character_name) wait.quiet_until = null;
        return;
      case 'delete claim':
        model.remove(({ hold }) => hold?.claim_id === id);
        return;
      case 'clear':
        model.remove(
          ({ hold, respawn_id }) =>
            hold !== null && respawn_id === step.spot && (!active || hold.event_id === active.id),
        );
        return;
      case 'delete event':
        model.endWithEvent(
          ({ hold }) => hold !== null && hold.event_id === this.events[step.event],
          facts.now,
        );
        return;
      default:
    }
  }

  /** The server's waitlists are the model's, no hour is held twice, and every watcher sees what there is. */
  async #compare(step: Step, now: { clock: number; facts: ReadFacts }): Promise<void> {
    const { ctx } = this.server;
    const at = JSON.stringify(step);
    const { facts } = now;
    const waits = await openEntries(ctx.db);
    const held = new Map(
      facts.claims.filter(({ is_held }) => is_held).map((claim) => [claim.id, claim]),
    );
    const rows = waits.map(({ id, status, position, held_claim_id, held_until }) => {
      const claim = held_claim_id === null ? undefined : held.get(held_claim_id);
      if ((claim?.held_until ?? null) !== held_until)
        expect(claim?.held_until ?? null, at).toBe(held_until);
      return {
        id,
        status,
        position,
        held: claim ? [claim.hour_start, claim.hour_end] : null,
        held_until,
      };
    });
    expectSame(rows, this.waitlists.rows(), at);
    expect(held.size, at).toBe(this.waitlists.waits.filter(({ hold }) => hold).length);
    for (const wait of this.waitlists.waits) {
      if (wait.hold)
        wait.hold.claim_id = waits.find(({ id }) => id === wait.id)?.held_claim_id ?? null;
    }
    const taken = new Set<string>();
    for (const { respawn_id, date, hour_start, hour_end } of held.values())
      for (const hour of hoursIn({ hour_start, hour_end })) {
        const slot = `${respawn_id} ${date} ${hour}`;
        if (taken.has(slot) || facts.hours.has(slot))
          expect.fail(`${slot} is held twice after ${at}`);
        taken.add(slot);
      }
    const stored = await ctx.db
      .selectFrom('occupied_hours')
      .select(['respawn_id', 'date', 'hour'])
      .execute();
    expectSame(
      new Set(stored.map(({ respawn_id, date, hour }) => `${respawn_id} ${date} ${hour}`)),
      facts.hours.union(taken),
      at,
    );
    const { value, open_waits, next_due } = await ctx.db
      .selectFrom('clock')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(value, `the clock after ${at}`).toBe(now.clock);
    const ends = this.waitlists.waits.flatMap(endsOf);
    expect([open_waits, next_due], at).toEqual([
      waits.length,
      ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null,
    ]);
    // If the clock row did not advance, no change set was sent, and watchers stay up to date.
    const hasMoved = value !== this.#seen?.clock || step.do === 'restart';
    this.#seen = now;
    if (hasMoved) await this.see(at);
  }

  /** Every count that is kept is right, and every watcher sees what there is. */
  async see(at: string): Promise<void> {
    const { ctx } = this.server;
    expect(await wrongCounts(ctx.db), at).toEqual([]);
    const clock = await this.clock();
    // Before the transaction: a watcher that reloads the board would wait for its end.
    for (const watcher of this.watchers) if (watcher.isConnected) await watcher.reached(clock);
    await ctx.db.transaction().execute(async (tx) => {
      const admins = { ...ctx, tx, room: 'admins' } as const;
      const members = { ...ctx, tx, room: 'members' } as const;
      // Claims and waits are the same for all.
      const forAll = {
        claim: await recordSources.claim.read(admins),
        wait: await recordSources.wait.read(admins),
        occupancy: await recordSources.occupancy.read(admins),
      };
      for (const [nth, watcher] of this.watchers.entries()) {
        if (!watcher.isConnected) continue;
        const role = nth === 0 ? admins : members;
        const there = {
          ...forAll,
          respawn: await recordSources.respawn.read(role),
          event: await recordSources.event.read(role),
        };
        for (const kind of ['claim', 'wait', 'occupancy', 'respawn', 'event'] as const) {
          const wanted = new Map(there[kind].map((record) => [String(record.id), record]));
          expectSame(watcher.records(kind), wanted, `${kind} of watcher ${nth} after ${at}`);
        }
      }
    });
  }
}
