import { z } from 'zod';
import { respawn } from '../../../../shared/schemas/respawn.ts';
import { askFor } from '../ask.ts';
import type { Tried } from '../proof.ts';
import { datesAhead, signIn } from '../storm/guild.ts';
import { boardsOutOfOrder } from './board-order.ts';
import { notLinear } from './checker.ts';
import type { Operation } from './history.ts';
import { type Course, cleanUp, readState, run } from './race.ts';
import { raceOf } from './script.ts';

export interface Histories {
  /** For the report. */
  engine: string;
  urls: readonly string[];
  seed: number;
  histories: number;
  say: (line: string) => void;
}

const DAYS = 40;
const TELL_EVERY = 100;
const respawns = z.object({ data: respawn.array() });

/** Runs races on servers that share one database, each on separate spots and dates. */
export async function checkHistories({
  engine,
  urls,
  seed,
  histories,
  say,
}: Histories): Promise<Tried> {
  const token = await signIn(urls[0] ?? '');
  const headers = { Authorization: `Bearer ${token}` };
  const spots = (
    await askFor(respawns, urls[0] ?? '', { path: '/admin/respawns', headers })
  ).data.map(({ id }) => id);
  const pairs = Math.floor(spots.length / 2);
  const dates = datesAhead(DAYS);
  const failed: string[] = [];
  let calls = 0;
  let lost = 0;
  let refused = 0;
  let boards = 0;
  for (let nth = 0; nth < histories; nth += 1) {
    const pair = nth % pairs;
    const [one = 1, other = 2] = spots.slice(2 * pair, 2 * pair + 2);
    const date = dates[Math.floor(nth / pairs) % DAYS] ?? '';
    const course: Course = { urls, token, date, spots: [one, other], name: `Racer ${nth}` };
    const begin = await readState(course);
    const race = await run(course, raceOf(seed + nth));
    const stuck = notLinear(race.history, begin);
    const faults = [
      ...race.odd,
      ...boardsOutOfOrder(race.boards),
      ...(stuck ? [inWords(race.history, stuck)] : []),
    ];
    failed.push(...faults.map((failure) => `${engine} seed ${seed} history ${nth}: ${failure}`));
    calls += race.history.length;
    lost += race.history.filter(({ reply }) => reply.was === 'lost').length;
    refused += race.history.filter(
      ({ reply }) =>
        reply.was.endsWith('taken') || reply.was === 'not found' || reply.was === 'refused',
    ).length;
    boards += race.boards.length;
    await cleanUp(course);
    if ((nth + 1) % TELL_EVERY === 0)
      say(`${engine}: ${nth + 1} histories, ${calls} calls, ${failed.length} failed`);
  }
  const figures = `${calls} calls, ${refused} refused, ${lost} without an answer, ${boards} whole boards`;
  return { what: `${engine} histories (${figures})`, tried: histories, failed };
}

/** The calls that could be put in order, and those that could not. */
function inWords(history: readonly Operation[], order: readonly Operation[]): string {
  const text = ({ began, answered, call, reply }: Operation): string =>
    `${began.toFixed(2)}-${answered.toFixed(2)} ${JSON.stringify(call)} -> ${JSON.stringify(reply)}`;
  const rest = history.filter((operation) => !order.includes(operation));
  return `no order explains it.\n      in order: ${order.map(text).join('\n        ')}\n      but then: ${rest.map(text).join('\n        ')}`;
}
