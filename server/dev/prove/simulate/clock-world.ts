import { pino } from 'pino';
import { addDays, serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { type Context, createContext } from '../../../context.ts';
import { keepPulse } from '../../../db/clock/pulse.ts';
import { serverSaveClock } from '../../../db/clock/server-save-clock.ts';
import { write } from '../../../db/unit-of-work.ts';
import { readEnv } from '../../../env.ts';
import { pulseTasksOf } from '../../../feature.ts';
import { createMetrics } from '../../../http/metrics.ts';
import { deadlineMoved } from '../../../jobs/deadlines.ts';
import { createMachine, type TestMachine } from '../../test/machine.ts';
import { type Chance, chanceOf } from '../seeded.ts';
import { Broken } from './broken.ts';
import { openMemory } from './memory-database.ts';
import { beginOf, MINUTE_MS } from './moment.ts';

const BEGINS = '2026-11-21T18:00:00.000Z';
const DATE = '2026-11-21';
const env = readEnv({
  ADMIN_PASSWORD: 'hunting-at-night',
  CHARACTER_CHECK: 'manual',
  BACKUP_HOURS: '0',
  BACKUPS_KEPT: '0',
});
const metrics = createMetrics();
const log = pino({ level: 'silent' });
const NEVER_MS = 1_000_000_000;

const CLAIMS = 8;
const STEPS = 40;
const GRACE_MINUTES = 10;
const OPENS_MINUTES = 15;
/** Absence and jumps of up to this long are none. */
const GAP_MS = 3 * MINUTE_MS;
const JUMPS_MS = [0, 0, 2, -2, 7, -7, 90, -90, 1_440, -1_440].map((minutes) => minutes * MINUTE_MS);

/** A time in which a server was there, by the clock that the servers go by. */
interface Span {
  from: number;
  until: number;
  /**
   * Only a write shows it, which mostly stores no heartbeat: if the clock is set back then, nothing
   * was interrupted.
   */
  isOnlyWrite: boolean;
}

/**
 * One server by the clock of its machine, or two by the clock of their database while the clocks of their machines say anything:
 * all of these clocks jump, and servers are away. No claim may be lost for that.
 */
class ClockWorld {
  readonly #chance: Chance;
  readonly #machines: readonly TestMachine[];
  readonly #servers: Context[] = [];
  readonly #spans: Span[] = [];
  #ahead = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
    this.#machines = Array.from({ length: 1 + this.#chance.below(2) }, () => createMachine(BEGINS));
  }

  async run(copy: Buffer): Promise<void> {
    const database = openMemory(copy, () => async () => {});
    for (const machine of this.#machines) {
      const readDatabaseTime = async (): Promise<number> => machine.rightTime() + this.#ahead;
      this.#servers.push(
        await createContext({
          env,
          log,
          metrics,
          database,
          machine,
          ...(this.#isShared ? { readDatabaseTime } : {}),
        }),
      );
    }
    await this.#beat();
    const claims = await this.#claim();
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      await this.#look(claims);
    }
    // A wrong clock's stored day is corrected by the next right one.
    for (let minutes = 0; minutes < 15; minutes += 1) await this.#minute();
    await write(this.#server(), async () => {});
    await this.#look(claims);
    await this.#lookAtTheEnd(claims);
    await this.#servers[0]?.close();
  }

  get #isShared(): boolean {
    return this.#machines.length > 1;
  }

  #server(): Context {
    return this.#chance.oneOf(this.#servers);
  }

  /** The time of the servers' clock. */
  get #now(): number {
    return (this.#machines[0]?.rightTime() ?? 0) + this.#ahead;
  }

  /** A write stores no heartbeat, unless it begins a day, so it cannot show that the clock was set back. */
  #writes(): void {
    const last = this.#spans.at(-1);
    if (!last || this.#now >= last.until) this.#isThere(true);
  }

  #isThere(isOnlyWrite = false): void {
    while (this.#spans.at(-1)?.isOnlyWrite && (this.#spans.at(-1)?.from ?? 0) > this.#now)
      this.#spans.pop();
    const last = this.#spans.at(-1);
    if (last && Math.abs(this.#now - last.until) <= GAP_MS) {
      last.until = Math.max(last.until, this.#now);
      last.isOnlyWrite &&= isOnlyWrite;
    } else this.#spans.push({ from: this.#now, until: this.#now, isOnlyWrite });
  }

  async #beat(): Promise<void> {
    this.#isThere();
    const server = this.#server();
    const pulse = keepPulse(server, pulseTasksOf(server), NEVER_MS);
    await pulse.beat();
    pulse.stop();
  }

  async #minute(): Promise<void> {
    for (const machine of this.#machines) machine.pass(MINUTE_MS);
    await this.#beat();
  }

  /** Parts of claims of today that are to be confirmed, as submissions leave them. @returns when each begins */
  async #claim(): Promise<Map<number, number>> {
    const begins = new Map<number, number>();
    await write(this.#server(), async (unit) => {
      const { tx } = unit;
      await tx
        .updateTable('config')
        .set({ confirm_enabled: 1, grace_minutes: GRACE_MINUTES })
        .execute();
      for (let nth = 0; nth < CLAIMS; nth += 1) {
        const hour_start = 10 + this.#chance.below(10);
        const { id } = await tx
          .insertInto('claims')
          .values({
            event_id: null,
            character_name: `Hunter ${nth}`,
            character_key: `hunter ${nth}`,
            member_type: 'member',
            date: DATE,
            custom_duration: null,
            voucher_duration: 4,
            is_secondary_claim: 0,
            secondary_priority: 0,
            primary_claim_id: null,
            is_split_claim: 0,
            created_at: BEGINS,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const part = {
          claim_id: id,
          part_number: 1,
          respawn_id: 1,
          hour_start,
          hour_end: hour_start + 1,
          last_date: DATE,
        };
        await tx
          .insertInto('claim_parts')
          .values({ ...part, to_confirm: 1 })
          .execute();
        begins.set(id, beginOf(DATE, hour_start));
      }
      deadlineMoved(unit);
    });
    return begins;
  }

  async #step(): Promise<void> {
    switch (this.#chance.below(6)) {
      case 0:
        for (let minutes = this.#chance.below(31); minutes > 0; minutes -= 1) {
          for (const machine of this.#machines) machine.pass(MINUTE_MS);
        }
        return;
      case 1:
        return this.#jump(this.#chance.oneOf(JUMPS_MS));
      case 2:
        if (this.#isShared)
          this.#chance.oneOf(this.#machines).setWall(this.#chance.oneOf(JUMPS_MS));
        return;
      case 3:
        this.#writes();
        return write(this.#server(), async () => {});
      default:
        for (let minutes = 1 + this.#chance.below(30); minutes > 0; minutes -= 1)
          await this.#minute();
    }
  }

  async #jump(ahead: number): Promise<void> {
    const step = ahead - this.#ahead;
    this.#ahead = ahead;
    if (!this.#isShared) this.#machines[0]?.setWall(ahead);
    for (const { clock } of this.#servers) {
      await clock.check(true);
      if (Math.abs(step) > 5 * MINUTE_MS && clock.deletionPaused() === null)
        throw new Broken('deletion by age goes on after a jump');
    }
  }

  async #look(claims: ReadonlyMap<number, number>): Promise<void> {
    for (const { now } of this.#servers) {
      const off = now().getTime() - this.#now;
      if (Math.abs(off) > 1) throw new Broken(`a server is ${off} ms off`);
    }
    const { db } = this.#servers[0] ?? this.#server();
    const missed = await db
      .selectFrom('claim_endings')
      .select('claim_id')
      .where('reason', '=', 'no_show')
      .execute();
    for (const { claim_id } of missed) {
      const begins = claims.get(claim_id) ?? 0;
      const from = begins - OPENS_MINUTES * MINUTE_MS;
      const until = begins + GRACE_MINUTES * MINUTE_MS;
      if (this.#spans.some((span) => span.from <= from && span.until >= until)) continue;
      throw new Broken(
        `claim ${claim_id} is a no-show although no server was there from ${new Date(from).toISOString()} on`,
      );
    }
  }

  async #lookAtTheEnd(claims: ReadonlyMap<number, number>): Promise<void> {
    const { db } = this.#servers[0] ?? this.#server();
    const waiting = await db
      .selectFrom('claim_parts')
      .select('claim_id')
      .where('to_confirm', '=', 1)
      .execute();
    const late = waiting.find(
      ({ claim_id }) => (claims.get(claim_id) ?? 0) + GRACE_MINUTES * MINUTE_MS <= this.#now,
    );
    if (late) throw new Broken(`claim ${late.claim_id} still waits to be confirmed`);
    const { board_date } = await db
      .selectFrom('clock')
      .select('board_date')
      .executeTakeFirstOrThrow();
    const { date } = serverSaveTime(new Date(this.#now), serverSaveClock({ env }));
    if (board_date !== date && board_date !== addDays(date, 1))
      throw new Broken(`the board stands on ${board_date} instead of ${date}`);
    const soon = serverSaveTime(new Date(this.#now + 5 * MINUTE_MS), serverSaveClock({ env })).date;
    if (board_date > soon) throw new Broken(`the board stands on ${board_date} instead of ${date}`);
  }
}

/** @returns why the world of a seed is broken; null: it is not */
export async function tryClockWorld(seed: number, copy: Buffer): Promise<string | null> {
  try {
    await new ClockWorld(seed).run(copy);
    return null;
  } catch (error) {
    if (error instanceof Broken)
      return `${error.message}\n      again: npm run prove -- simulate --seed ${seed} --runs 1`;
    throw error;
  }
}
