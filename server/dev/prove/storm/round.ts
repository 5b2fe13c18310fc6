import { setTimeout as pause } from 'node:timers/promises';
import { aGuild } from './guild.ts';
import { unaccounted } from './ledger.ts';
import { Onlooker } from './onlooker.ts';
import type { Place } from './place.ts';
import { CHARACTERS_A_WRITER, DATES, type Script, WRITERS } from './script.ts';
import { servedAgain } from './served-again.ts';
import { readStored } from './stored.ts';
import { type Submission, Writer } from './writer.ts';

/** How often a server polls for other servers' writes without a notification. */
const LOOKS_EVERY_MS = 5_000;

/** The fault of a round, and its repair. */
export interface Hit {
  name: string;
  begin: () => Promise<void>;
  /** In milliseconds. */
  lasts_ms: number;
  end: () => Promise<void>;
  /** Only a process dies: as long as anything answers, it answers properly. */
  answers_properly: boolean;
}

/** Those who write and those who watch, from round to round. */
export interface Crew {
  /** The admin's. */
  token: string;
  writers: readonly Writer[];
  onlookers: readonly Onlooker[];
}

export class Tally {
  rounds = 0;
  acknowledged = 0;
  /** Writers without an answer. */
  unanswered = 0;
  retried = 0;
  /** Of those that were retried. */
  stored = 0;
  slowest_ms = 0;
  readonly failed: string[] = [];

  get figures(): string {
    const served = `served again after at most ${Math.round(this.slowest_ms)} ms`;
    return `${this.acknowledged} acknowledged, ${this.unanswered} not answered, ${this.retried} submissions retried of which ${this.stored} had been stored; ${served}`;
  }
}

export async function aCrew({ urls }: Place): Promise<Crew> {
  const { token, keys, dates } = await aGuild(urls[0] ?? '', WRITERS * CHARACTERS_A_WRITER, DATES);
  const writers = Array.from({ length: WRITERS }, (_, i) => {
    const own = keys.slice(i * CHARACTERS_A_WRITER, (i + 1) * CHARACTERS_A_WRITER);
    return new Writer(own, token, dates);
  });
  const onlookers = urls.flatMap((url, at) => [
    new Onlooker(`the member at server ${at}`, url, { access_key: keys[0]?.key_value ?? '' }),
    new Onlooker(`the admin at server ${at}`, url, { admin_token: token }),
  ]);
  return { token, writers, onlookers };
}

export interface Round extends Crew {
  place: Place;
  script: Script;
  hit: Hit;
  tally: Tally;
  /** Time limit for serving again and for watchers to catch up, in milliseconds. */
  limit_ms: number;
}

/** @returns what did not hold */
export async function playRound(round: Round): Promise<string[]> {
  const { place, token, writers, onlookers, hit, tally, limit_ms } = round;
  const before = acknowledgedBy(writers);
  const { ended } = await writeUntilHit(round);
  await hit.end();
  const [{ after_ms, failed: late }] = await Promise.all([
    servedAgain(place.urls, token, limit_ms),
    ended,
  ]);
  tally.rounds += 1;
  tally.acknowledged += acknowledgedBy(writers) - before;
  tally.unanswered += writers.filter(({ stopped }) => stopped !== null).length;
  tally.slowest_ms = Math.max(tally.slowest_ms, after_ms);
  if (late.length > 0) return late;

  const failures: string[] = [];
  if (hit.answers_properly)
    for (const { stopped } of writers)
      if (stopped?.startsWith('5')) failures.push(`answered ${stopped}`);
  failures.push(...(await sendAgain(round)));
  const { claims, clock, failures: halves } = await readStored(place.settings);
  failures.push(...halves);
  for (const { ledger } of writers) failures.push(...ledger.compare(claims));
  failures.push(
    ...unaccounted(
      claims,
      writers.map(({ ledger }) => ledger),
    ),
  );
  for (const differences of await Promise.all(
    onlookers.map((onlooker) => onlooker.differences(clock, limit_ms + LOOKS_EVERY_MS)),
  ))
    failures.push(...differences);
  return failures;
}

const acknowledgedBy = (writers: readonly Writer[]): number =>
  writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** Starts a fault in the midst of writing. @returns a promise of the writers' end, which may have to wait for the fault's */
async function writeUntilHit({
  place,
  writers,
  script,
  hit,
}: Round): Promise<{ ended: Promise<unknown> }> {
  let answers = 0;
  const { promise: due, resolve: fall } = Promise.withResolvers<void>();
  const ended = Promise.all(
    writers.map((writer, at) =>
      writer.write(place.urls[at % place.urls.length] ?? '', script.commands[at] ?? [], () => {
        answers += 1;
        if (answers >= script.after_answers) fall();
      }),
    ),
  );
  await Promise.race([due, ended]);
  await pause(script.delay_ms);
  await hit.begin();
  await pause(hit.lasts_ms);
  return { ended };
}

/** Repeats all unanswered submissions and an answered one, each at another server than the first time. */
async function sendAgain({ place, writers, script, tally }: Round): Promise<string[]> {
  const failures: string[] = [];
  const send = async (at: number, writer: Writer, submission: Submission): Promise<void> => {
    failures.push(
      ...(await writer.repeat(place.urls[(at + 1) % place.urls.length] ?? '', submission)),
    );
  };
  for (const [at, writer] of writers.entries()) {
    const { unanswered, answered } = writer;
    if (unanswered) {
      tally.retried += 1;
      await send(at, writer, unanswered);
      if (writer.recovered) tally.stored += 1;
    }
    const again = answered[script.repeat % Math.max(answered.length, 1)];
    if (again) await send(at, writer, again);
  }
  return failures;
}
