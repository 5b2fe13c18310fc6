import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startServer } from '../test/server-process.ts';
import type { Proof, ProofOptions, Tried } from './proof.ts';

const run = promisify(execFile);

const REDOCLY = ['--yes', '--package=@redocly/cli@2.77.0', 'redocly'];
/** portman needs tslib without saying so. */
const PORTMAN = ['--yes', '--package=@apideck/portman@1.33.0', '--package=tslib@2', 'portman'];

const ADMIN_PASSWORD = 'for-this-proof-alone';

/** Calls whose records the demo guild lacks: archived events, notification channels. */
const WITHOUT_RECORDS: readonly string[] = [
  '/admin/archive/events/{id}/claims',
  '/admin/destinations/{id}/deliveries',
];

/** Every contract that portman can derive from the document. */
const CONTRACTS = [
  'statusSuccess',
  'contentType',
  'jsonBody',
  'schemaValidation',
  'headersPresent',
];

const operations = z.record(z.string(), z.looseObject({ description: z.string().optional() }));
const apiDocument = z.looseObject({ paths: z.record(z.string(), operations) });
type ApiDocument = z.infer<typeof apiDocument>;

const lintReport = z.object({
  problems: z.array(
    z.object({
      ruleId: z.string(),
      severity: z.string(),
      message: z.string(),
      location: z.array(z.object({ pointer: z.string() })),
    }),
  ),
});

const newmanReport = z.object({
  run: z.object({
    stats: z.object({ assertions: z.object({ total: z.number() }) }),
    failures: z.array(
      z.object({
        source: z.object({ name: z.string() }).partial(),
        error: z.object({ message: z.string() }),
      }),
    ),
  }),
});

/** A server with the demo guild, in a folder that `end` deletes. */
interface Demo {
  url: string;
  folder: string;
  key: string;
  token: string;
  end: () => Promise<void>;
}

/** Tools that others wrote judge a running server with the demo guild: its OpenAPI document, its answers, metrics and a calendar. */
export const api: Proof = {
  summary:
    "the API's description, answers, metrics and calendar, by redocly, portman, promtool and icalendar; npx downloads the first two",
  unit: 'pass',
  long: 1,
  run: async ({ say }) => {
    const demo = await startDemo();
    try {
      const document = apiDocument.parse(
        await (await fetch(`${demo.url}/api/openapi.json`)).json(),
      );
      return [
        await lint(demo, document),
        await contracts(demo, document),
        ...(await metrics(demo, say)),
        ...(await calendar(demo, say)),
      ];
    } finally {
      await demo.end();
    }
  },
};

async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-api-'));
  const settings = { DATA_DIR: path.join(folder, 'data'), ADMIN_PASSWORD };
  const { PATH } = process.env;
  const made = await run(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../../cli/demo/index.ts'),
      settings.DATA_DIR,
      '--fill-only',
    ],
    {
      env: { PATH, SETTINGS_FILE: '', ADMIN_PASSWORD },
    },
  );
  const [, key = ''] = /access key: (\S+)/.exec(made.stdout) ?? [];
  const server = startServer(settings);
  const url = await server.ready;
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  });
  const { data } = z.object({ data: z.object({ token: z.string() }) }).parse(await login.json());
  const end = async (): Promise<void> => {
    server.child.kill();
    await server.ended;
    await rm(folder, { recursive: true });
  };
  return { url, folder, key, token: data.token, end };
}

/** Runs a tool that exits with an error when it finds something; its report says what. */
const report = (command: string, args: readonly string[], cwd: string): Promise<string> =>
  run(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
  );

async function lint({ folder }: Demo, document: ApiDocument): Promise<Tried> {
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document));
  const text = await report(
    'npx',
    [...REDOCLY, 'lint', 'openapi.json', '--format=json', '--max-problems=1000'],
    folder,
  );
  const { problems } = lintReport.parse(JSON.parse(text.slice(text.indexOf('{'))));
  // Its warnings are about paths and answers that the specification fixes.
  const errors = problems.filter(({ severity }) => severity === 'error');
  return {
    what: 'redocly lint: operations',
    tried: Object.values(document.paths).flatMap((calls) => Object.keys(calls)).length,
    failed: errors.map(
      ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
    ),
  };
}

/** Reads alone: random writes would delete what the next call needs. */
async function contracts({ url, folder, key, token }: Demo, document: ApiDocument): Promise<Tried> {
  const reads = Object.entries(document.paths).flatMap(([at, { get }]) =>
    get && !WITHOUT_RECORDS.includes(at) ? [{ at, get }] : [],
  );
  const members = reads.filter(({ get }) => get.description?.startsWith('For members, '));
  const header = (name: string, value: string): object => ({
    key: name,
    value,
    overwrite: true,
    insert: true,
  });
  const settings = {
    version: 1,
    tests: {
      contractTests: CONTRACTS.map((name) => ({
        openApiOperation: 'GET::/*',
        [name]: { enabled: true },
      })),
    },
    overwrites: [
      {
        openApiOperation: 'GET::/*',
        overwriteRequestSecurity: { remove: true },
        overwriteRequestHeaders: [
          header('Authorization', `Bearer ${token}`),
          { key: 'If-None-Match', remove: true },
        ],
      },
      ...members.map(({ at }) => ({
        openApiOperation: `GET::${at}`,
        overwriteRequestHeaders: [
          { key: 'Authorization', remove: true },
          header('X-Access-Key', key),
        ],
      })),
    ],
  };
  const newman = {
    bail: false,
    reporters: ['json'],
    reporter: { json: { export: 'newman.json' } },
  };
  await writeFile(
    path.join(folder, 'reads.json'),
    JSON.stringify({
      ...document,
      paths: Object.fromEntries(reads.map(({ at, get }) => [at, { get }])),
    }),
  );
  await writeFile(path.join(folder, 'portman.json'), JSON.stringify(settings));
  const options = [
    '-l',
    'reads.json',
    '-b',
    `${url}/api`,
    '-c',
    'portman.json',
    '-o',
    'collection.json',
    '-n',
    'true',
  ];
  await report(
    'npx',
    [...PORTMAN, ...options, '--newmanRunOptions', JSON.stringify(newman)],
    folder,
  );
  const { stats, failures } = newmanReport.parse(
    JSON.parse(await readFile(path.join(folder, 'newman.json'), 'utf8')),
  ).run;
  return {
    what: `portman: contracts of ${reads.length} calls`,
    tried: stats.assertions.total,
    failed: failures.map(({ source, error }) => `${source.name}: ${error.message}`),
  };
}

async function metrics({ url }: Demo, say: ProofOptions['say']): Promise<Tried[]> {
  const input = await (await fetch(`${url}/metrics`)).text();
  const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  if (error) {
    say('skipped promtool: install the package prometheus');
    return [];
  }
  const lines = stderr.split('\n').filter((line) => line !== '');
  return [
    {
      what: 'promtool check metrics: lines',
      tried: input.split('\n').length,
      failed: status === 0 ? [] : lines,
    },
  ];
}

/** Debian's Python, whose packages another one does not see. */
const PYTHON = '/usr/bin/python3';
const READ_CALENDAR = `import sys, icalendar
text = sys.stdin.buffer.read()
calendar = icalendar.Calendar.from_ical(text)
events = calendar.walk('VEVENT')
print(len(events))
for event in events:
    event['dtstart'].dt, event['uid'], event['summary']
    for error in event.errors: print(error)
if text.count(b'\\n') != text.count(b'\\r\\n') or not text.endswith(b'\\r\\n'): print('a line without CRLF')
`;

async function calendar({ url, key }: Demo, say: ProofOptions['say']): Promise<Tried[]> {
  if (spawnSync(PYTHON, ['-c', 'import icalendar']).status !== 0) {
    say('skipped icalendar: install the package python3-icalendar');
    return [];
  }
  const made = await fetch(`${url}/api/calendar`, {
    method: 'POST',
    headers: { 'X-Access-Key': key, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { data } = z.object({ data: z.object({ url: z.string() }) }).parse(await made.json());
  const input = await (await fetch(new URL(data.url, url))).text();
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', READ_CALENDAR], {
    input,
    encoding: 'utf8',
  });
  const [events, ...faults] = stdout.trim().split('\n');
  return [
    { what: 'icalendar: events', tried: Number(events), failed: status === 0 ? faults : [stderr] },
  ];
}
