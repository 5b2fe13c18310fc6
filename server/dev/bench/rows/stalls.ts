import { z } from 'zod';
import { askJob, submitAloneJob } from '../load/jobs.ts';
import { ask } from '../load/poster.ts';
import { keyOf } from '../numbered-claim.ts';
import { median } from '../repeat.ts';
import { figure, type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';
import { HELD_BESIDE, heldByNothing, MAX_HELD_MS } from './held.ts';

const described = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** Each request is also listed below the row. */
const NAMED = 5;

interface Request {
  method: string;
  path: string;
  /** Authenticate as a member instead of an admin. */
  member?: boolean;
  body?: object;
}

/** Every GET of the API, on the largest records, with several pages of lists. */
async function reads({ guild, subject }: Stand): Promise<Request[]> {
  const { body } = await ask(`${(await subject()).url}/api/openapi.json`);
  const { paths } = described.parse(JSON.parse(body.toString()));
  const [event] = guild.ended_event_ids;
  const values: Record<string, string> = { date: guild.today, characterName: 'Hunter%201' };
  const fill = (path: string): string =>
    path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => values[name] ?? (path.includes('/events/') ? String(event) : '1'),
    );
  const gets = Object.entries(paths).flatMap(([path, calls]) =>
    'get' in calls ? [fill(path).replace(/^\/api/, '')] : [],
  );
  const days = `from=${guild.today}&to=${guild.today}`;
  const more = [
    '/admin/claims?limit=500',
    '/admin/claims?limit=500&before=5000',
    `/admin/claims?limit=500&${days}`,
    `/events/${guild.event_id}/claims`,
    `/events/${guild.event_id}/claims?limit=500`,
    '/admin/activity-log?limit=100&page=1000',
    '/admin/activity-log?limit=100&action=claim_created',
    '/admin/activity-log?limit=100&admin=admin',
  ];
  const paths_of_members = ['/snapshot', '/respawns'].map((path) => ({
    method: 'GET',
    path,
    member: true,
  }));
  return [...paths_of_members, ...[...gets, ...more].map((path) => ({ method: 'GET', path }))];
}

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.many();
  step(`${sizes.large_board.toLocaleString('en')} claims on the board`);
  await stand.fillBoard(sizes.large_board);
  const subject = await stand.subject();
  const admin = await stand.admin();
  const held = new Map<string, number[]>();
  const nothing: number[] = [];
  const hold = async ({ method, path, member = false, body }: Request): Promise<string> => {
    let text = '';
    const name = `${method} ${path.replace(/\/\d+/g, '/…')}`;
    const ms = await subject.longestStall(async () => {
      const headers = member ? { 'x-access-key': keyOf(0) } : admin;
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await load.run(askJob, {
        url: `${subject.url}/api${path}`,
        method,
        headers,
        ...json,
      });
      if (answer.status >= 500) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      text = answer.text;
    });
    held.set(name, [...(held.get(name) ?? []), ms]);
    return text;
  };
  const change = async (): Promise<void> => {
    const submission = await stand.take('event', 1);
    await load.run(submitAloneJob, { ...submission, count: 1 });
  };
  const all = await reads(stand);
  for (let time = 0; time < sizes.repeats; time++) {
    step(`${all.length} reads, each after a change`);
    for (const request of all) {
      await change();
      await hold(request);
      nothing.push(await heldByNothing(load, subject));
    }
    step('writes');
    await writes(stand, hold, time);
  }
  const worst = [...held]
    .map(([name, figures]) => ({ name, ms: median(figures) }))
    .sort((a, b) => b.ms - a.ms);
  for (const { name, ms } of worst.slice(0, NAMED)) step(`held for ${figure(ms)} ms: ${name}`);
  return [
    rowOf({
      what: `longest event-loop block of any of ${worst.length} requests, ${sizes.many.toLocaleString('en')} claims of history, ${sizes.large_board.toLocaleString('en')} on the board`,
      unit: 'ms',
      value: worst[0]?.ms ?? 0,
      beside: { value: median(nothing), is: HELD_BESIDE, compared: false },
      reach: { value: { at: 'most', be: MAX_HELD_MS } },
      note: worst[0]?.name ?? 'none',
    }),
  ];
}

/** Writes of admins and members; the largest deletion last. */
async function writes(
  { guild }: Stand,
  hold: (request: Request) => Promise<string>,
  time: number,
): Promise<void> {
  const { event_id, ended_event_ids, today } = guild;
  const free = { respawn_id: 1, character_name: `Late ${time}`, date: today };
  const made = await hold({
    method: 'POST',
    path: '/claims',
    body: { admin_submission: true, claims: [{ ...free, hour_start: 20, hour_end: 22 }] },
  });
  const id = /"id":(\d+)/.exec(made)?.[1];
  await hold({
    method: 'PUT',
    path: `/claims/admin/${id}`,
    body: { hour_start: 21, hour_end: 23 },
  });
  await hold({ method: 'DELETE', path: `/admin/claims/${id}` });
  await hold({ method: 'POST', path: `/events/${event_id}/deactivate` });
  await hold({ method: 'POST', path: `/events/${event_id}/activate` });
  await hold({ method: 'DELETE', path: `/events/${ended_event_ids[time]}` });
}

export const stalls = { what: 'event-loop blocks of single requests', measure };
