import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { installTools } from '../../tools.ts';
import { askFor } from '../ask.ts';
import type { Proof, ProofOptions, Tried } from '../proof.ts';
import { aGuild } from '../storm/guild.ts';
import { openPlace, type Place } from '../storm/place.ts';

/** Its engine for Socket.IO speaks version 4. */
const ARTILLERY = { artillery: '2.0.34' };

const MEMBERS = 500;
/** The members come within this time, in seconds. */
const RAMP_S = 30;
/** artillery's own start, in seconds. */
const START_S = 10;
/** All members must be done this long after the last write, in milliseconds. */
const MAX_ENDING_MS = 4 * 60_000;
const DAYS = 5;
/** Few enough that members want the same hours. */
const SPOTS = 40;
/** Shortest and longest pause between two actions of a member, in seconds. */
const PAUSES = [15, 75];

const ARRANGEMENTS = [
  { servers: 1, engine: 'sqlite' },
  { servers: 2, engine: 'postgres' },
] as const;
type Arrangement = (typeof ARRANGEMENTS)[number];

const distribution = z.object({
  count: z.number(),
  p50: z.number(),
  p99: z.number(),
  max: z.number(),
});
const artilleryReport = z.object({
  aggregate: z.object({
    counters: z.record(z.string(), z.number()),
    summaries: z.record(z.string(), distribution),
  }),
});
type Report = z.infer<typeof artilleryReport>['aggregate'];

/** The members of a guild, by artillery: they watch, claim, join waitlists, release and reconnect. */
export const load: Proof = {
  summary: `${MEMBERS} members who watch, claim, join waitlists and reconnect, by artillery, which npm downloads; also --servers 1 or 2`,
  unit: 'minutes',
  long: 5,
  run: async ({ runs, servers, say }) => {
    const chosen = ARRANGEMENTS.filter((each) => !servers || each.servers === servers);
    if (chosen.length === 0) throw new Error('--servers is 1 (SQLite) or 2 (PostgreSQL)');
    const tools = await installTools('artillery', ARTILLERY, say);
    const tried: Tried[] = [];
    for (const arrangement of chosen)
      tried.push(await withMembers(arrangement, { minutes: runs, tools, say }));
    return tried;
  },
};

interface LoadOptions {
  minutes: number;
  tools: string;
  say: ProofOptions['say'];
}

async function withMembers(
  { servers, engine }: Arrangement,
  { minutes, tools, say }: LoadOptions,
): Promise<Tried> {
  const place = await openPlace(engine, { servers });
  try {
    const [url = ''] = place.urls;
    const { token, keys, dates } = await aGuild(url, MEMBERS, DAYS);
    const headers = { Authorization: `Bearer ${token}` };
    await askFor(z.object({}), url, {
      method: 'PUT',
      path: '/admin/config',
      headers,
      body: { release_enabled: 1 },
    });
    const before = loadavg()[0] ?? 0;
    const until = Date.now() + 1_000 * (START_S + RAMP_S + 60 * minutes);
    const reports = await Promise.all(
      place.urls.map((target, at) => {
        // With two servers, a member's requests go to the other one than the live connection.
        const api = place.urls.at(at - 1) ?? target;
        const members = keys.filter((_, nth) => nth % servers === at);
        return runArtillery({
          tools,
          place,
          members,
          target,
          until,
          settings: { api, dates, spots: SPOTS, pauses: PAUSES },
        });
      }),
    );
    const where = `${servers} ${servers === 1 ? 'server' : 'servers'} on ${engine}`;
    const ends = [before, loadavg()[0] ?? 0].map((each) => each.toFixed(0));
    say(
      `${where}, ${minutes} min, ${cpus().length} cores, load ${ends.join(' before and ')} after`,
    );
    return judged(where, reports, say);
  } finally {
    await place.close();
  }
}

function judged(where: string, reports: readonly Report[], say: ProofOptions['say']): Tried {
  const counters = new Map<string, number>();
  for (const report of reports) {
    for (const [name, value] of Object.entries(report.counters))
      counters.set(name, (counters.get(name) ?? 0) + value);
  }
  for (const name of ['http.response_time', 'load.own_claim_on_screen_ms']) {
    // Of several processes, the slowest.
    const [of] = reports
      .flatMap(({ summaries }) => summaries[name] ?? [])
      .sort((a, b) => b.p99 - a.p99);
    if (of)
      say(
        `  ${name}: ${Math.round(of.p50)} ms median, ${Math.round(of.p99)} ms p99, ${Math.round(of.max)} ms at most`,
      );
  }
  const counted = [...counters].sort(([a], [b]) => a.localeCompare(b));
  for (const [name, value] of counted)
    if (name.startsWith('load.')) say(`  ${name.slice('load.'.length)}: ${value}`);
  const failed = counted
    .filter(
      ([name, value]) => name.startsWith('errors.') || (name === 'vusers.failed' && value > 0),
    )
    .map(([name, value]) => `${name}: ${value}`);
  const lost = MEMBERS - (counters.get('load.ends') ?? 0);
  if (lost > 0) failed.push(`${lost} members did not reach the end`);
  return { what: `load: members of ${where}`, tried: MEMBERS, failed };
}

interface Running {
  tools: string;
  place: Pick<Place, 'settings'>;
  members: readonly AccessKey[];
  /** The server of the live connections. */
  target: string;
  /** When the members stop to write, in milliseconds since 1970. */
  until: number;
  settings: object;
}

async function runArtillery({
  tools,
  place,
  members,
  target,
  until,
  settings,
}: Running): Promise<Report> {
  const folder = place.settings.DATA_DIR;
  const { port } = new URL(target);
  const list = path.join(folder, `members-${port}.csv`);
  const report = path.join(folder, `report-${port}.json`);
  await writeFile(
    list,
    members.map(({ character_name, key_value }) => `${character_name},${key_value}\n`).join(''),
  );
  const phases = [{ duration: RAMP_S, arrivalCount: members.length }];
  const child = spawn(
    process.execPath,
    [
      path.join(tools, 'node_modules/artillery/bin/run'),
      'run',
      path.join(import.meta.dirname, 'scenario.yml'),
      '--target',
      target,
      '--output',
      report,
      '--overrides',
      JSON.stringify({ config: { phases } }),
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        // Each worker would begin with the first member.
        WORKERS: '1',
        ARTILLERY_DISABLE_TELEMETRY: 'true',
        MEMBERS: path.relative(import.meta.dirname, list),
        LOAD: JSON.stringify({ ...settings, until }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  // One member that waits for ever must not keep all of them.
  const overdue = setTimeout(() => child.kill(), until + MAX_ENDING_MS - Date.now());
  const [code] = await once(child, 'exit');
  clearTimeout(overdue);
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`artillery ended with ${code} and wrote no report`);
  });
  return artilleryReport.parse(JSON.parse(text)).aggregate;
}
