import { z } from 'zod';
import { claimRow } from '../../../shared/schemas/claim.ts';
import { respawnWithClaims } from '../../../shared/schemas/respawn.ts';
import { type Answer, ask, type Question } from '../ask.ts';
import type { BoardRead } from './board-order.ts';
import type { Call, Operation, Said, Seen } from './history.ts';
import type { Step } from './script.ts';

/** Where a race is run. */
export interface Course {
  urls: readonly string[];
  token: string;
  date: string;
  /** The ids of the two spots. */
  spots: readonly [number, number];
  /** What the names of this race's characters begin with. */
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

const REFUSALS: Readonly<Record<string, Said>> = {
  'claim.timeConflict': { was: 'hours taken' },
  'claim.characterHasClaim': { was: 'character taken' },
  'claim.notFound': { was: 'not found' },
};

/** All racers at once, each one step after another; racers take the servers in turn. */
export async function run(course: Course, racers: readonly (readonly Step[])[]): Promise<Race> {
  const race: Race = { history: [], boards: [], odd: [] };
  const known: number[] = [];
  await Promise.all(
    racers.map(async (steps, racer) => {
      const server = racer % course.urls.length;
      for (const step of steps) await take(course, race, known, server, step);
    }),
  );
  return race;
}

async function take(course: Course, race: Race, known: number[], server: number, step: Step): Promise<void> {
  const url = course.urls[server] ?? '';
  const id = 'nth' in step ? known[step.nth % Math.max(known.length, 1)] : undefined;
  const asked = questionOf(course, step, id);
  if (!asked) return;
  const headers = { ...asked.question.headers, Authorization: `Bearer ${course.token}` };
  const signal = step.hangs_up_ms === null ? {} : { signal: AbortSignal.timeout(step.hangs_up_ms) };
  const began = performance.now();
  const answer = await ask(url, { ...asked.question, headers, ...signal });
  const answered = performance.now();
  const said = saidBy(course, asked.call, step, answer);
  if (said === null) {
    race.odd.push(`${JSON.stringify(step)} was answered ${JSON.stringify(answer)}`);
    return;
  }
  if (said.was === 'done' && asked.call.do === 'submit' && said.id !== undefined) known.push(said.id);
  if (step.do === 'board' && said.was === 'read' && answer.heard) {
    race.boards.push({ server, began, answered, clock: Number(/-(\d+)"$/.exec(answer.etag)?.[1]), claims: said.claims });
    // Another server may not have heard of the newest write yet: only one alone tells the whole truth. What is left out
    // teaches nobody an id, either: a call could follow from it.
    if (course.urls.length > 1) return;
  }
  if (said.was === 'read') for (const claim of said.claims) if (!known.includes(claim.id)) known.push(claim.id);
  race.history.push({ began, answered: said.was === 'lost' ? Number.POSITIVE_INFINITY : answered, call: asked.call, said });
}

/** null: there is nothing to do it to. */
function questionOf(course: Course, step: Step, id: number | undefined): { call: Call; question: Question } | null {
  const { date, spots, name } = course;
  switch (step.do) {
    case 'submit': {
      const spot = spots[step.spot] ?? spots[0];
      const [character, hour_start, hour_end] = [`${name} ${step.character}`, step.hour, step.hour + step.length];
      const claims = [{ respawn_id: spot, character_name: character, date, hour_start, hour_end }];
      const body = { claims, member_type: 'member', admin_submission: true };
      return { call: { do: 'submit', spot, character, hour_start, hour_end }, question: { method: 'POST', path: '/claims', body } };
    }
    case 'edit': {
      if (id === undefined) return null;
      const body = { hour_start: step.hour, hour_end: step.hour + step.length };
      return { call: { do: 'edit', id, ...body }, question: { method: 'PUT', path: `/claims/admin/${id}`, body } };
    }
    case 'delete':
      return id === undefined ? null : { call: { do: 'delete', id }, question: { method: 'DELETE', path: `/admin/claims/${id}` } };
    case 'read': {
      const spot = spots[step.spot] ?? spots[0];
      return { call: { do: 'read', spots: [spot] }, question: { path: `/respawns/${spot}/claims/${date}` } };
    }
    case 'board':
      return { call: { do: 'read', spots }, question: { path: '/respawns' } };
  }
}

/** null: an answer that no rule explains. */
function saidBy(course: Course, call: Call, step: Step, answer: Answer): Said | null {
  // Whoever hung up knows nothing; whoever waited was owed an answer.
  if (!answer.heard) return step.hangs_up_ms === null ? null : { was: 'lost' };
  if (answer.status === 201 && call.do === 'submit') return submitted(answer.body);
  if (answer.status === 200 && call.do === 'read') return { was: 'read', claims: seenIn(course, step, answer.body) };
  if (answer.status === 200 && call.do === 'edit') return row.safeParse(answer.body).success ? { was: 'done' } : null;
  if (answer.status === 200) return { was: 'done' };
  const refused = refusal.safeParse(answer.body);
  return (refused.success ? REFUSALS[refused.data.code] : undefined) ?? null;
}

function submitted(body: unknown): Said | null {
  const parsed = rows.safeParse(body);
  const [claim] = parsed.success ? parsed.data.data : [];
  return claim ? { was: 'done', id: claim.id } : null;
}

function seenIn({ date, spots }: Course, step: Step, body: unknown): Seen[] {
  const all = step.do === 'board' ? board.parse(body).flatMap((respawn) => respawn.claims) : rows.parse(body).data;
  return all
    .filter((claim) => claim.date === date && spots.includes(claim.respawn_id))
    .map(({ id, respawn_id, character_name, hour_start, hour_end }) => ({
      id,
      spot: respawn_id,
      character: character_name,
      hour_start,
      hour_end,
    }));
}

/** What stands on the spots; a race before may have left a call that nobody waited for. */
export async function standing(course: Course): Promise<Seen[]> {
  const claims: Seen[] = [];
  for (const spot of [0, 1]) {
    const step: Step = { do: 'read', spot, hangs_up_ms: null };
    const answer = await ask(course.urls[0] ?? '', {
      path: `/respawns/${course.spots[spot]}/claims/${course.date}`,
      headers: { Authorization: `Bearer ${course.token}` },
    });
    if (!answer.heard || answer.status !== 200) throw new Error(`the course cannot be read: ${JSON.stringify(answer)}`);
    claims.push(...seenIn(course, step, answer.body));
  }
  return claims;
}
