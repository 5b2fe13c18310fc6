import { expect } from 'vitest';
import { z } from 'zod';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { EventType } from '../../../../shared/schemas/event.ts';
import { admin } from '../../../activity/test/write.ts';
import { aKey, anActiveEvent, asMember } from '../../../dev/test/builders.ts';
import { expectSame } from '../../../dev/test/expect-same.ts';
import { NOW, type TestApp } from '../../../dev/test/test-app.ts';
import { jobKindsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import { createJobs } from '../../../jobs/runner.ts';
import type { Beside, Command } from './command.ts';
import { Ledger, type LedgerClaim, type LedgerPart } from './ledger.ts';

const submitted = z.array(z.object({ id: z.number(), is_secondary_claim: z.number() }));
interface Answer {
  status: number;
  body: { data?: unknown; code?: string };
}
type Apply = (ledger: Ledger, answer: Answer) => void | Promise<void>;
interface Result {
  answer: Answer;
  /** The effect of a command that is not refused. */
  apply: Apply;
}

const NOTHING: Apply = () => {};
const BY_ADMIN = 'admin';

/** The event of a random world, if it has one, lasts through these dates. */
const PERIOD = { start_time: '2026-11-21T10:00', end_time: '2026-11-22T23:00' };

/** Seeds of random worlds; a failing run prints its own, which WORLDS_SEED plays again. */
export const WORLDS_SEED = Number(process.env.WORLDS_SEED ?? 20261122);

/** A guild of five members with releases and confirmations switched on. @param type of its active event; null: it has none */
export async function startPlay(
  app: TestApp,
  type: EventType | null,
): Promise<{ play: LedgerPlay; keys: AccessKey[]; event_id: number | null }> {
  await admin(app, 'put /admin/config', { release_enabled: 1, confirm_enabled: 1 }).expect(200);
  const keys: AccessKey[] = [];
  for (let n = 0; n < 5; n += 1) keys.push(await aKey(app, `Hunter ${n}`, 'elite'));
  const active = type && (await anActiveEvent(app, { type, ...PERIOD }));
  const play = new LedgerPlay(
    app,
    keys,
    active && { id: active.id, is_whole: type === 'single_claim' },
    NOW,
  );
  play.ledger.is_confirming = true;
  return { play, keys, event_id: active?.id ?? null };
}

/** A guild, and the ledger that knows what became of each hour. */
export class LedgerPlay {
  ledger = new Ledger();
  readonly #app: TestApp;
  readonly #keys: readonly AccessKey[];
  readonly #event: { id: number; is_whole: boolean } | null;
  #isEventOn: boolean;
  #now: number;
  #lastEntry = 0;

  constructor(
    app: TestApp,
    keys: readonly AccessKey[],
    event: { id: number; is_whole: boolean } | null,
    now: string,
  ) {
    this.#app = app;
    this.#keys = keys;
    this.#event = event;
    this.#isEventOn = event !== null;
    this.#now = Date.parse(now);
  }

  /** Sends one command, then checks that remaining and ended hours follow the rules. */
  async play(command: Command): Promise<void> {
    const clock = await this.#clock();
    const ledger = this.ledger.copy();
    if (command.do === 'time') {
      this.#now += command.minutes * 60_000;
      this.#app.setNow(new Date(this.#now).toISOString());
      if (command.look) await this.#look();
    }
    ledger.expire(this.#now);
    const result = command.do === 'time' ? null : await this.#ask(command, ledger);
    if (result)
      expect(
        result.answer.status,
        `${JSON.stringify(command)} ${JSON.stringify(result.answer.body)}`,
      ).toBeLessThan(500);
    // If the clock row did not advance, nothing was written; the next write processes what has expired.
    if ((await this.#clock()) === clock) return;
    if (result && result.answer.status < 400) await result.apply(ledger, result.answer);
    this.ledger = ledger;
    await this.#learnHolds();
    await this.compare(JSON.stringify(command));
  }

  async #look(): Promise<void> {
    for (let looks = 0; looks < 3; looks += 1) {
      const jobs = createJobs(this.#app.ctx, jobKindsOf(features));
      await jobs.runDue();
      await jobs.stop();
    }
  }

  async #clock(): Promise<number> {
    return (await this.#app.ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow())
      .value;
  }

  async #send(
    method: 'post' | 'put' | 'delete',
    path: string,
    body: object = {},
    key?: AccessKey,
  ): Promise<Answer> {
    const { status, body: answer } = await this.#app.api[method](path)
      .set(key ? asMember(key) : this.#app.admin)
      .send(body);
    return { status, body: answer };
  }

  async #ask(command: Exclude<Command, { do: 'time' }>, ledger: Ledger): Promise<Result | null> {
    const key = 'who' in command ? this.#keys[command.who % this.#keys.length] : undefined;
    switch (command.do) {
      case 'claim':
      case 'split':
        return key ? this.#claim(command, key) : null;
      case 'release':
      case 'confirm':
        return this.#sayOf(command, ledger);
      case 'edit': {
        const claim = this.#nth(command.nth, ledger);
        const hour_start = command.start;
        const hour_end = command.start + command.length;
        const answer = await this.#send('put', `/claims/admin/${claim?.id ?? 0}`, {
          hour_start,
          hour_end,
        });
        return {
          answer,
          apply: (ledger) => claim && ledger.edit(claim, hour_start, hour_end, this.#now, BY_ADMIN),
        };
      }
      case 'move': {
        const claim = this.#nth(command.nth, ledger);
        const answer = await this.#send('put', `/claims/admin/${claim?.id ?? 0}/respawn`, {
          respawn_id: command.spot,
        });
        return { answer, apply: (ledger) => claim && ledger.move(claim, command.spot, BY_ADMIN) };
      }
      case 'delete': {
        const claim = this.#nth(command.nth, ledger);
        const answer = await this.#send('delete', `/admin/claims/${claim?.id ?? 0}`);
        return { answer, apply: this.#deletion('admin', ({ id }) => id === claim?.id) };
      }
      case 'clear': {
        const event_id = this.#isEventOn ? this.#event?.id : undefined;
        const isCleared = (claim: LedgerClaim) =>
          isOn(claim, command.spot) && (event_id === undefined || claim.event_id === event_id);
        const answer = await this.#send('delete', `/claims/admin/respawn/${command.spot}`);
        return { answer, apply: this.#deletion('cleared', isCleared) };
      }
      case 'delete spot': {
        const answer = await this.#send('delete', `/admin/respawns/${command.spot}`);
        return { answer, apply: this.#deletion('respawn', (claim) => isOn(claim, command.spot)) };
      }
      case 'delete event': {
        const answer = await this.#send('delete', `/events/${this.#event?.id ?? 0}`);
        const apply = this.#deletion(
          'event',
          ({ event_id }) => event_id !== null && event_id === this.#event?.id,
        );
        if (answer.status < 400) this.#isEventOn = false;
        return { answer, apply };
      }
      case 'undo': {
        const entries = [...ledger.deletions.keys()];
        const entry = entries[command.nth % Math.max(entries.length, 1)] ?? 0;
        const answer = await this.#send('post', `/admin/activity-log/${entry}/undo`);
        return {
          answer,
          apply: async (ledger) => {
            await this.#learnWithdrawn(ledger);
            ledger.undo(entry, this.#now, BY_ADMIN);
            await this.#relink(ledger);
          },
        };
      }
      case 'wait': {
        const claim = this.#nth(command.nth, ledger);
        const [part] = claim?.parts ?? [];
        if (!claim || !part) return null;
        const wait = {
          respawn_id: part.spot,
          date: claim.date,
          hour_start: part.hour_start,
          hour_end: part.hour_end,
        };
        return { answer: await this.#send('post', '/waits', wait, key), apply: NOTHING };
      }
      case 'accept':
      case 'decline':
      case 'withdraw':
        return this.#answerOffer(command);
      case 'confirming': {
        const answer = await this.#send('put', '/admin/config', { confirm_enabled: command.is_on });
        return { answer, apply: (ledger) => switchConfirming(ledger, command.is_on) };
      }
    }
  }

  #nth(nth: number, { claims }: Ledger): LedgerClaim | undefined {
    const all = [...claims.values()].sort((one, other) => one.id - other.id);
    return all[nth % Math.max(all.length, 1)];
  }

  /** Submits a claim, with a secondary one if requested. */
  async #claim(
    command: Extract<Command, { do: 'claim' | 'split' }>,
    key: AccessKey,
  ): Promise<Result> {
    const date = this.#isEventOn && this.#event?.is_whole ? null : command.date;
    const { character_name } = key;
    const requested = command.do === 'claim' ? [command] : command.parts;
    const parts = requested.map(({ spot, start, length }) => ({
      spot,
      hour_start: start,
      hour_end: start + length,
      to_confirm: false,
    }));
    const claim = { character_name, date, ...inputOf(parts) };
    const claims: object[] = [claim];
    const length = parts.reduce((sum, part) => sum + part.hour_end - part.hour_start, 0);
    if (command.beside)
      claims.push({
        character_name,
        date,
        is_secondary_claim: 1,
        respawn_id: command.beside.spot,
        hour_start: command.beside.start,
      });
    const body = { claims, member_type: key.member_type, access_key: key.key_value };
    const answer = await this.#send('post', '/claims', body, key);
    const event_id = this.#isEventOn ? (this.#event?.id ?? null) : null;
    const apply: Apply = (ledger) => {
      const rows = submitted.parse(answer.body.data);
      const primary_id = rows.find((row) => !row.is_secondary_claim)?.id ?? 0;
      const shared = { who: character_name, date, event_id, held_until: null };
      const primary = { ...shared, id: primary_id, is_secondary: false, primary_id: null };
      const judged = parts.map((part) => ({
        ...part,
        to_confirm: ledger.isJudged(primary, part.hour_start, this.#now),
      }));
      ledger.add({ ...primary, parts: judged });
      const secondary = rows.find((row) => row.is_secondary_claim);
      if (!secondary || !command.beside) return;
      ledger.add({
        ...shared,
        id: secondary.id,
        is_secondary: true,
        primary_id,
        parts: [besideOf(command.beside, length)],
      });
    };
    return { answer, apply };
  }

  /** Releases or confirms, and knows beforehand whether one may. */
  async #sayOf(
    command: Extract<Command, { do: 'release' | 'confirm' }>,
    ledger: Ledger,
  ): Promise<Result | null> {
    const claim = this.#nth(command.nth, ledger);
    if (!claim) return null;
    const isSplit = claim.parts.length > 1;
    const part = claim.parts[isSplit && command.second ? 1 : 0];
    if (!part) return null;
    const key = command.by_admin
      ? undefined
      : this.#keys.find(({ character_name }) => character_name === claim.who);
    const body = isSplit ? { part_number: command.second ? 2 : 1 } : {};
    const answer = await this.#send('post', `/claims/${claim.id}/${command.do}`, body, key);
    const isFine =
      command.do === 'release'
        ? ledger.releasable(claim, part, this.#now).length > 0
        : ledger.isTimeToConfirm(claim, part, this.#now);
    expect(
      answer.status === 200,
      `${JSON.stringify([command, claim])} ${JSON.stringify(answer.body)}`,
    ).toBe(isFine);
    const apply: Apply = (ledger) => {
      if (command.do === 'release')
        ledger.release(claim, part, this.#now, key?.character_name ?? BY_ADMIN, key !== undefined);
      else part.to_confirm = false;
    };
    return { answer, apply };
  }

  async #answerOffer(
    command: Extract<Command, { do: 'accept' | 'decline' | 'withdraw' }>,
  ): Promise<Result | null> {
    const open = this.#app.ctx.db
      .selectFrom('waits')
      .select(['id', 'character_name', 'held_claim_id']);
    const all = await open.where('ended_at', 'is', null).orderBy('id').execute();
    const offered = all.filter(({ held_claim_id }) => held_claim_id !== null);
    const waits = offered.length > 0 ? offered : all;
    const wait = waits[command.nth % Math.max(waits.length, 1)];
    if (!wait) return null;
    const key = command.by_admin
      ? undefined
      : this.#keys.find(({ character_name }) => character_name === wait.character_name);
    const answer = await (command.do === 'withdraw'
      ? this.#send('delete', `/waits/${wait.id}`, {}, key)
      : this.#send('post', `/waits/${wait.id}/${command.do}`, {}, key));
    const apply: Apply = async (ledger) => {
      const hold =
        ledger.claims.get(wait.held_claim_id ?? 0) ?? (await this.#madeMeanwhile(ledger, wait.id));
      if (!hold) return;
      if (command.do !== 'accept')
        ledger.end([hold], { reason: 'declined', by: key?.character_name ?? BY_ADMIN });
      else {
        hold.held_until = null;
        for (const part of hold.parts)
          part.to_confirm = ledger.isJudged(hold, part.hour_start, this.#now);
      }
    };
    return { answer, apply };
  }

  #deletion(reason: string, isGone: (claim: LedgerClaim) => boolean): Apply {
    return async (ledger) => {
      const deletion = ledger.end([...ledger.claims.values()].filter(isGone), {
        reason,
        by: BY_ADMIN,
      });
      // Edits keep undos of records, not of claims.
      const kept = await this.#app.ctx.db
        .selectFrom('undos')
        .select('entry_id')
        .where('records', '=', 0)
        .execute();
      const entry = kept.find(({ entry_id }) => entry_id !== null && entry_id > this.#lastEntry);
      if (!entry?.entry_id) return;
      this.#lastEntry = entry.entry_id;
      ledger.deletions.set(entry.entry_id, deletion);
    };
  }

  /** Which secondary claims are still linked to their primaries is checked elsewhere. */
  async #relink(ledger: Ledger): Promise<void> {
    const rows = await this.#app.ctx.db
      .selectFrom('claims')
      .select(['id', 'primary_claim_id'])
      .execute();
    for (const { id, primary_claim_id } of rows) {
      const claim = ledger.claims.get(id);
      if (claim) claim.primary_id = primary_claim_id;
    }
  }

  /** Another test judges who gets an offer; here a hold counts as claimed by the first on the waitlist. */
  async #learnHolds(): Promise<void> {
    const held = await this.#app.ctx.db
      .selectFrom('claims')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
      .select([
        'claims.id',
        'character_name',
        'date',
        'event_id',
        'held_until',
        'respawn_id',
        'hour_start',
        'hour_end',
      ])
      .where('held_until', 'is not', null)
      .execute();
    for (const {
      id,
      character_name: who,
      date,
      event_id,
      held_until,
      respawn_id: spot,
      hour_start,
      hour_end,
    } of held) {
      if (this.ledger.claims.has(id)) continue;
      const parts: LedgerPart[] = [{ spot, hour_start, hour_end, to_confirm: false }];
      this.ledger.add({
        id,
        who,
        date,
        event_id,
        is_secondary: false,
        primary_id: null,
        held_until: Date.parse(held_until ?? ''),
        parts,
      });
    }
  }

  /** Holds that an undo's write made before its work, and withdrew. */
  async #learnWithdrawn(ledger: Ledger): Promise<void> {
    const rows = await this.#app.ctx.db
      .selectFrom('claim_endings')
      .select([
        'claim_id',
        'character_name',
        'date',
        'event_id',
        'respawn_id',
        'hour_start',
        'hour_end',
      ])
      .where('reason', '=', 'withdrawn')
      .execute();
    for (const {
      claim_id: id,
      character_name: who,
      date,
      event_id,
      respawn_id: spot,
      hour_start,
      hour_end,
    } of rows) {
      if (ledger.claims.has(id) || ledger.endings.some((line) => line.startsWith(`${id} `)))
        continue;
      const parts: LedgerPart[] = [{ spot, hour_start, hour_end, to_confirm: false }];
      ledger.add({
        id,
        who,
        date,
        event_id,
        is_secondary: false,
        primary_id: null,
        held_until: Number.POSITIVE_INFINITY,
        parts,
      });
    }
  }

  /** Freed hours are offered before a write does its own work, so a hold may be created and answered in one write. */
  async #madeMeanwhile(ledger: Ledger, wait_id: number): Promise<LedgerClaim | undefined> {
    const { db } = this.#app.ctx;
    const waits = db
      .selectFrom('waits')
      .select(['character_name', 'date', 'event_id', 'held_claim_id'])
      .where('id', '=', wait_id);
    const {
      held_claim_id: id,
      character_name: who,
      date,
      event_id,
    } = await waits.executeTakeFirstOrThrow();
    if (id === null) return undefined;
    const columns = ['respawn_id as spot', 'hour_start', 'hour_end'] as const;
    const remaining = db.selectFrom('claim_parts').select(columns);
    const ended = db.selectFrom('claim_endings').select(columns);
    const rows = [
      ...(await remaining.where('claim_id', '=', id).execute()),
      ...(await ended.where('claim_id', '=', id).execute()),
    ];
    const parts = rows.slice(0, 1).map((part) => ({ ...part, to_confirm: false }));
    ledger.add({
      id,
      who,
      date,
      event_id,
      is_secondary: false,
      primary_id: null,
      held_until: Number.POSITIVE_INFINITY,
      parts,
    });
    return ledger.claims.get(id);
  }

  /** Remaining and ended hours are what the ledger says. */
  async compare(at: string): Promise<void> {
    const { db } = this.#app.ctx;
    const parts = await db
      .selectFrom('claim_parts')
      .select(['claim_id', 'respawn_id', 'hour_start', 'hour_end', 'to_confirm'])
      .execute();
    const hours = parts.flatMap(eachHour).sort();
    const to_confirm = parts
      .filter((part) => part.to_confirm === 1)
      .map((part) => `${part.claim_id} ${part.respawn_id} ${part.hour_start}`);
    expectSame(
      { hours, to_confirm: to_confirm.sort() },
      this.ledger.remaining(),
      `remaining hours after ${at}`,
    );
    const rows = await db
      .selectFrom('claim_endings')
      .select(['claim_id', 'respawn_id', 'hour_start', 'hour_end', 'reason', 'ended_by'])
      .execute();
    const ended = rows.flatMap((row) =>
      eachHour(row).map((hour) => `${hour} ${row.reason} ${row.ended_by}`),
    );
    expectSame(ended.sort(), [...this.ledger.endings].sort(), `what ended after ${at}`);
    expectSame(
      [...hours, ...rows.flatMap(eachHour)].sort(),
      [...this.ledger.given].sort(),
      `hours after ${at}`,
    );
  }
}

const isOn = ({ parts }: LedgerClaim, respawn_id: number): boolean =>
  parts.some(({ spot }) => spot === respawn_id);

function inputOf(parts: readonly LedgerPart[]): object {
  const [first, ...others] = parts;
  if (others.length === 0)
    return { respawn_id: first?.spot, hour_start: first?.hour_start, hour_end: first?.hour_end };
  const split_parts = parts.map(({ spot: respawn_id, hour_start, hour_end }, nth) => ({
    part_number: nth + 1,
    respawn_id,
    hour_start,
    duration: hour_end - hour_start,
  }));
  return { is_split_claim: 1, split_parts };
}

const besideOf = ({ spot, start }: Beside, length: number): LedgerPart => ({
  spot,
  hour_start: start,
  hour_end: Math.min(24, start + length),
  to_confirm: false,
});

function switchConfirming(ledger: Ledger, is_on: boolean): void {
  ledger.is_confirming = is_on;
  if (is_on) return;
  for (const { parts } of ledger.claims.values()) for (const part of parts) part.to_confirm = false;
}

const eachHour = ({
  claim_id,
  respawn_id,
  hour_start,
  hour_end,
}: Record<'claim_id' | 'respawn_id' | 'hour_start' | 'hour_end', number>) =>
  Array.from(
    { length: hour_end - hour_start },
    (_, n) => `${claim_id} ${respawn_id} ${hour_start + n}`,
  );
