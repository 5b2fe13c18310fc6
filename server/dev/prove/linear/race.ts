import { z } from 'zod';
import { claimRow } from '../../../../shared/schemas/claim.ts';
import { respawnWithClaims } from '../../../../shared/schemas/respawn.ts';
import { wait } from '../../../../shared/schemas/wait.ts';
import { type Answer, ask, type Question } from '../ask.ts';
import type { BoardRead } from './board-order.ts';
import type { Call, Operation, Reply, Seen, SeenInLine } from './history.ts';
import type { Step } from './script.ts';
import type { State } from './state.ts';

export interface Course {
  urls: readonly string[];
  token: string;
  date: string;
  /** The ids of the two spots. */
  spots: readonly [number, number];
  /** The prefix of the names of this race's characters. */
  name: string;
}

export interface Race {
  history: Operation[];
  boards: BoardRead[];
  /** Answers that no rule explains. */
  odd: string[];
}

const row = z.object({ data: claimRow });
const rows = z.object({ data: claimRow.array() });
const refusal = z.object({ code: z.string() });
const board = respawnWithClaims.array();
const inLine = z.object({ data: wait });
const line = z.object({ data: wait.array() });

const REFUSALS: Readonly<Record<string, Reply>> = {
  'claim.timeConflict': { was: 'hours taken' },
  'claim.characterHasClaim': { was: 'character taken' },
  'claim.notFound': { was: 'not found' },
};
/** What lines are reason for, and claims that are moved or given back. */
const CODES: ReadonlySet<string> = new Set([
  'wait.hasClaim',
  'wait.exists',
  'wait.tooMany',
  'wait.nothingTaken',
  'wait.notOpen',
  'wait.notOffered',
  'hold.isYours',
  'hold.taken',
  'hold.notEdited',
  'claim.sameSpot',
  'release.held',
]);

/** Ids that the caller has learned from answers. */
interface Known {
  claims: number[];
  waits: number[];
}

/** All racers at once, each one step after another; racers take the servers in turn. */
export async function run(course: Course, racers: readonly (readonly Step[])[]): Promise<Race> {
  const race: Race = { history: [], boards: [], odd: [] };
  const known: Known = { claims: [], waits: [] };
  await Promise.all(
    racers.map(async (steps, racer) => {
      const server = racer % course.urls.length;
      for (const step of steps) await take(course, race, known, server, step);
    }),
  );
  return race;
}

async function take(
  course: Course,
  race: Race,
  known: Known,
  server: number,
  step: Step,
): Promise<void> {
  const url = course.urls[server] ?? '';
  const ids = step.do === 'accept' || step.do === 'decline' ? known.waits : known.claims;
  const id = 'nth' in step ? ids[step.nth % Math.max(ids.length, 1)] : undefined;
  const question = questionOf(course, step, id);
  if (!question) return;
  const headers = { ...question.question.headers, Authorization: `Bearer ${course.token}` };
  const signal = step.hangs_up_ms === null ? {} : { signal: AbortSignal.timeout(step.hangs_up_ms) };
  const began = performance.now();
  const answer = await ask(url, { ...question.question, headers, ...signal });
  const answered = performance.now();
  const reply = saidBy(course, question.call, step, answer);
  if (reply === null) {
    race.odd.push(`${JSON.stringify(step)} was answered ${JSON.stringify(answer)}`);
    return;
  }
  if (reply.was === 'done' && reply.id !== undefined)
    (question.call.do === 'wait' ? known.waits : known.claims).push(reply.id);
  if (step.do === 'board' && reply.was === 'read' && answer.isAnswered) {
    race.boards.push({
      server,
      began,
      answered,
      clock: Number(/-(\d+)"$/.exec(answer.etag)?.[1]),
      claims: reply.claims,
    });
    // Another server may not have the newest write yet: only a single server's reads are exact. Ids from the rest
    // are not learned either: a call could follow from them.
    if (course.urls.length > 1) return;
  }
  if (reply.was === 'read')
    for (const { id } of reply.claims) if (!known.claims.includes(id)) known.claims.push(id);
  if (reply.was === 'line')
    for (const { id } of reply.waits) if (!known.waits.includes(id)) known.waits.push(id);
  race.history.push({
    began,
    answered: reply.was === 'lost' ? Number.POSITIVE_INFINITY : answered,
    call: question.call,
    reply,
  });
}

/** null: there is nothing to do it to. */
function questionOf(
  course: Course,
  step: Step,
  id: number | undefined,
): { call: Call; question: Question } | null {
  const { date, spots, name } = course;
  switch (step.do) {
    case 'submit': {
      const spot = spots[step.spot] ?? spots[0];
      const character = `${name} ${step.character}`;
      const hour_start = step.hour;
      const hour_end = step.hour + step.length;
      const claims = [{ respawn_id: spot, character_name: character, date, hour_start, hour_end }];
      const body = { claims, member_type: 'member', admin_submission: true };
      return {
        call: { do: 'submit', spot, character, hour_start, hour_end },
        question: { method: 'POST', path: '/claims', body },
      };
    }
    case 'wait': {
      const spot = spots[step.spot] ?? spots[0];
      const { hour: hour_start, least } = step;
      const character = `${name} ${step.character}`;
      const hour_end = hour_start + step.length;
      const body = {
        respawn_id: spot,
        character_name: character,
        date,
        hour_start,
        hour_end,
        min_hours: least,
      };
      return {
        call: { do: 'wait', spot, character, hour_start, hour_end, least },
        question: { method: 'POST', path: '/waits', body },
      };
    }
    case 'accept':
    case 'decline':
      if (id === undefined) return null;
      return {
        call: { do: step.do, wait: id },
        question: { method: 'POST', path: `/waits/${id}/${step.do}`, body: {} },
      };
    case 'release':
      return id === undefined
        ? null
        : {
            call: { do: 'release', id },
            question: { method: 'POST', path: `/claims/${id}/release`, body: {} },
          };
    case 'move': {
      if (id === undefined) return null;
      const spot = spots[step.spot] ?? spots[0];
      return {
        call: { do: 'move', id, spot },
        question: {
          method: 'PUT',
          path: `/claims/admin/${id}/respawn`,
          body: { respawn_id: spot },
        },
      };
    }
    case 'line':
      return { call: { do: 'line', spots }, question: { path: '/waits' } };
    case 'edit': {
      if (id === undefined) return null;
      const body = { hour_start: step.hour, hour_end: step.hour + step.length };
      return {
        call: { do: 'edit', id, ...body },
        question: { method: 'PUT', path: `/claims/admin/${id}`, body },
      };
    }
    case 'delete':
      return id === undefined
        ? null
        : {
            call: { do: 'delete', id },
            question: { method: 'DELETE', path: `/admin/claims/${id}` },
          };
    case 'read': {
      const spot = spots[step.spot] ?? spots[0];
      return {
        call: { do: 'read', spots: [spot] },
        question: { path: `/respawns/${spot}/claims/${date}` },
      };
    }
    case 'board':
      return { call: { do: 'read', spots }, question: { path: '/respawns' } };
  }
}

/** null: an answer that no rule explains. */
function saidBy(course: Course, call: Call, step: Step, answer: Answer): Reply | null {
  // A caller that hung up knows nothing; a caller that waited must get an answer.
  if (!answer.isAnswered) return step.hangs_up_ms === null ? null : { was: 'lost' };
  if (answer.status === 201 && call.do === 'submit') return submitted(answer.body);
  if (answer.status === 200 && call.do === 'read')
    return { was: 'read', claims: seenIn(course, step, answer.body) };
  if (answer.status === 201 && call.do === 'wait') return began(answer.body);
  if (answer.status === 200 && call.do === 'accept') return taken(answer.body);
  if (answer.status === 200 && call.do === 'line')
    return { was: 'line', waits: inLineIn(course, answer.body) };
  if (answer.status === 200 && call.do === 'edit')
    return row.safeParse(answer.body).success ? { was: 'done' } : null;
  if (answer.status === 200) return { was: 'done' };
  const refused = refusal.safeParse(answer.body);
  if (!refused.success) return null;
  const { code } = refused.data;
  return REFUSALS[code] ?? (CODES.has(code) ? { was: 'refused', code } : null);
}

function submitted(body: unknown): Reply | null {
  const parsed = rows.safeParse(body);
  const [claim] = parsed.success ? parsed.data.data : [];
  return claim ? { was: 'done', id: claim.id } : null;
}

function began(body: unknown): Reply | null {
  const parsed = inLine.safeParse(body);
  return parsed.success
    ? { was: 'done', id: parsed.data.data.id, hold: parsed.data.data.held_claim_id }
    : null;
}

function taken(body: unknown): Reply | null {
  const parsed = inLine.safeParse(body);
  return parsed.success ? { was: 'done', hold: parsed.data.data.held_claim_id } : null;
}

function inLineIn({ date, spots }: Course, body: unknown): SeenInLine[] {
  return line
    .parse(body)
    .data.filter((one) => one.date === date && spots.includes(one.respawn_id))
    .map(({ id, respawn_id: spot, character_name: character, position, held_claim_id: hold }) => ({
      id,
      spot,
      character,
      position,
      hold,
    }));
}

function seenIn({ date, spots }: Course, step: Step, body: unknown): Seen[] {
  const all =
    step.do === 'board'
      ? board.parse(body).flatMap((respawn) => respawn.claims)
      : rows.parse(body).data;
  return all
    .filter((claim) => claim.date === date && spots.includes(claim.respawn_id))
    .map(({ id, respawn_id, character_name, hour_start, hour_end, is_held }) => ({
      id,
      spot: respawn_id,
      character: character_name,
      hour_start,
      hour_end,
      held: is_held === 1,
    }));
}

/** The claims on the spots; an earlier race may have left a call without an awaited answer. */
export async function readState(course: Course): Promise<State> {
  const claims: Seen[] = [];
  for (const spot of [0, 1]) {
    const step: Step = { do: 'read', spot, hangs_up_ms: null };
    const answer = await ask(course.urls[0] ?? '', {
      path: `/respawns/${course.spots[spot]}/claims/${course.date}`,
      headers: { Authorization: `Bearer ${course.token}` },
    });
    if (!answer.isAnswered || answer.status !== 200)
      throw new Error(`the course cannot be read: ${JSON.stringify(answer)}`);
    claims.push(...seenIn(course, step, answer.body));
  }
  // All entries left, unless a call arrived late: then its race is another one's.
  return { claims, waits: [] };
}

/** Cleans up after a race: all entries leave, then holds and claims are deleted. */
export async function cleanUp({ urls, token, spots, date }: Course): Promise<void> {
  const [url = ''] = urls;
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await ask(url, { path: '/waits', headers });
  const waits = inLineIn(
    { urls, token, spots, date, name: '' },
    answer.isAnswered ? answer.body : {},
  );
  for (const { id } of waits.toReversed())
    await ask(url, { method: 'DELETE', path: `/waits/${id}`, headers, body: {} });
  await Promise.all(
    spots.map((spot) =>
      ask(url, { method: 'DELETE', path: `/claims/admin/respawn/${spot}`, headers }),
    ),
  );
}
