import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { find, withLibraries } from '../../ops/deploy/test/programs.ts';
import { at } from '../setup/command.mjs';
import { freePorts } from '../test/free-ports.ts';
import { startServer } from '../test/server-process.ts';
import { installTools } from '../tools.ts';
import type { Proof, Tried } from './proof.ts';

const run = promisify(execFile);

const TOOLS = { '@mdn/mdn-http-observatory': '1.4.8', csp_evaluator: '1.1.8' };

const OBSERVATORY = 'node_modules/@mdn/mdn-http-observatory';

/** Tools refuse names without a dot; no name server knows this one. */
const HOST = 'board.example';
const WANTED_GRADE = 'A+';
const CADDY_STARTS_MS = 20_000;

const observatoryReport = z.object({
  scan: z.object({ grade: z.string(), score: z.number(), testsQuantity: z.number() }),
  tests: z.record(z.string(), z.object({ pass: z.boolean(), result: z.string() })),
});

/** The parts of csp_evaluator that this proof uses. */
const severities = z.record(z.string(), z.union([z.number(), z.string()]));
const findings = z.array(
  z.object({ severity: z.number(), directive: z.string(), description: z.string() }),
);

/** Tools that others wrote judge the security headers of a real server behind the real Caddy with its sample. */
export const headers: Proof = {
  summary:
    'the security headers behind the sample for Caddy, by mdn-http-observatory and csp_evaluator; npm downloads both',
  unit: 'pass',
  long: 1,
  run: async ({ say }) => {
    const tools = await installTools('headers', TOOLS, say);
    // The browsers' preload list, which the package's own script would download: the name is not on it.
    await writeFile(path.join(tools, OBSERVATORY, 'conf/hsts-preload.json'), '{}');
    const site = await startSite();
    try {
      return [await observe(tools, site), ...(await evaluate(tools, site))];
    } finally {
      await site.stop();
    }
  },
};

interface Site {
  folder: string;
  ports: { http: number; https: number };
  /** The certificate of Caddy's own authority. */
  authority: string;
  stop: () => Promise<void>;
}

/** A server with PUBLIC_URL, and Caddy before it with the sample as it is: only ports and the certificate's authority are others. */
async function startSite(): Promise<Site> {
  const found = await find('caddy');
  if ('why' in found) throw new Error(found.why);
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-headers-'));
  const [upstream = 0, http = 0, https = 0] = await freePorts(3);
  const server = startServer({
    DATA_DIR: path.join(folder, 'data'),
    PORT: String(upstream),
    PUBLIC_URL: `https://${HOST}`,
    TRUST_PROXY: '1',
  });
  await server.ready;
  const sample = await readFile(at('server/ops/deploy/Caddyfile'), 'utf8');
  const options = [
    `http_port ${http}`,
    `https_port ${https}`,
    'admin off',
    'local_certs',
    'skip_install_trust',
  ];
  await writeFile(
    path.join(folder, 'Caddyfile'),
    `{\n\t${options.join('\n\t')}\n\tstorage file_system ${folder}/storage\n}\n${sample}`,
  );
  const caddy = spawn(
    found.program,
    ['run', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    {
      env: {
        ...withLibraries(found.libraries),
        HOME: folder,
        BOARD: HOST,
        UPSTREAM: `127.0.0.1:${upstream}`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let printed = '';
  caddy.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (caddy.exitCode === null) {
      caddy.kill();
      await once(caddy, 'exit');
    }
    server.child.kill();
    await server.ended;
    await rm(folder, { recursive: true, force: true });
  };
  const site = {
    folder,
    ports: { http, https },
    authority: path.join(folder, 'storage/pki/authorities/local/root.crt'),
    stop,
  };
  const until = performance.now() + CADDY_STARTS_MS;
  while (!(await policyOf(site, '/').catch(() => null))) {
    if (performance.now() > until) {
      await stop();
      throw new Error(`Caddy does not serve: ${printed}`);
    }
    await pause(100);
  }
  return site;
}

/** The Content-Security-Policy of a page, as Caddy passes it. */
async function policyOf({ ports, authority }: Site, page: string): Promise<string> {
  const ca = await readFile(authority);
  const asking = request({
    host: '127.0.0.1',
    port: ports.https,
    servername: HOST,
    path: page,
    ca,
    headers: { Host: HOST },
    agent: false,
  });
  asking.end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  return z.string().parse(answer.headers['content-security-policy']);
}

/** Sends the connections to the site's usual ports to its real ones: the scanner takes a name alone. */
const toSite = ({ ports }: Site): string => `
import { Socket } from 'node:net';
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (options.host === '${HOST}') Object.assign(options, { host: '127.0.0.1', port: Number(options.port) === 443 ? ${ports.https} : ${ports.http} });
  return connect.apply(this, args);
};
`;

async function observe(tools: string, site: Site): Promise<Tried> {
  const hook = path.join(site.folder, 'to-site.mjs');
  await writeFile(hook, toSite(site));
  const scan = path.join(tools, OBSERVATORY, 'src/scan.js');
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: site.authority };
  const { stdout } = await run(process.execPath, ['--import', hook, scan, HOST], {
    env,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { scan: result, tests } = observatoryReport.parse(JSON.parse(stdout));
  const failed = Object.entries(tests).flatMap(([name, { pass, result: why }]) =>
    pass ? [] : [`${name}: ${why}`],
  );
  if (result.grade !== WANTED_GRADE)
    failed.push(`the grade is ${result.grade} instead of ${WANTED_GRADE}`);
  return {
    what: `mdn-http-observatory: ${result.grade} (${result.score} points), tests`,
    tried: result.testsQuantity,
    failed,
  };
}

async function evaluate(tools: string, site: Site): Promise<Tried[]> {
  const part = createRequire(path.join(tools, 'node_modules/csp_evaluator/package.json'));
  const { CspEvaluator } = part('./dist/evaluator.js');
  const { CspParser } = part('./dist/parser.js');
  const severity = severities.parse(part('./dist/finding.js').Severity);
  const possible = z.number().parse(severity.HIGH_MAYBE);
  const tried: Tried[] = [];
  for (const page of ['/', '/api/docs/']) {
    const policy = await policyOf(site, page);
    const found = findings.parse(new CspEvaluator(new CspParser(policy).csp).evaluate());
    // A smaller number is more severe.
    const failed = found.filter((each) => each.severity < possible);
    tried.push({
      what: `csp_evaluator of ${page}: directives`,
      tried: policy.split(';').length,
      failed: failed.map(
        (each) => `${severity[each.severity]} ${each.directive}: ${each.description}`,
      ),
    });
  }
  return tried;
}
