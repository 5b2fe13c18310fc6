/**
 * `npm test`: the product on SQLite and in Chromium. `npm run test:all`: all tests. With `-- unit …` or `-- e2e …` they run one half, and
 * pass the rest on.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from '../../setup/client-build.mjs';
import { at, command, complain, SetupError, say } from '../../setup/command.mjs';
import { foreground } from '../../setup/foreground.mjs';
import { installForDevelopment } from '../../setup/install.mjs';
import { nodeEnvironment } from '../../setup/runtime.mjs';
import { prepareChromium } from './chromium.mjs';
import { playwrightFailures, summaryOf, vitestFailures } from './failures.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { prepareOtherBrowsers } from './other-browsers.mjs';
import { preparePostgres } from './postgres.mjs';
import { read } from './report.mjs';
import { playwrightTotals, sentence, sum, vitestTotals } from './totals.mjs';

/** @typedef {{totals: import('./totals.mjs').Totals, failures: import('./failures.mjs').Failure[], code: number}} Half */

class Interrupted extends SetupError {}

/** `test/scope.ts` reads the same variables. */
if (process.argv[2] === 'all') process.env.ALL_TESTS = 'yes';
const isAll = process.env.ALL_TESTS === 'yes' || process.env.LONG_TESTS === 'yes';

await command(async () => {
  const args = process.argv.slice(2);
  if (args[0] === 'all') args.shift();
  const [half, ...rest] = args;
  if (half !== undefined && half !== 'unit' && half !== 'e2e') {
    throw new SetupError(
      'Say which half the arguments are for: npm test -- unit … (Vitest) or npm test -- e2e … (Playwright).',
    );
  }
  const node = await installForDevelopment();
  // One waits for the network, the other for a processor. A browser that cannot be installed is reported by its half.
  const chromium = half === 'unit' ? undefined : prepareChromium(node);
  const browsers = chromium?.then(async (path) => ({
    CHROMIUM_PATH: path,
    ...(isAll ? await prepareOtherBrowsers() : {}),
  }));
  // Its failure is for the browser half to report, which may begin minutes later.
  browsers?.catch(() => undefined);
  const [built] = await Promise.all([build(node), chromium?.catch(() => undefined)]);
  const reports = mkdtempSync(join(tmpdir(), 'claimboard-reports-'));
  const memory = memoryFolder();
  const scratch = memory ? { TMPDIR: memory } : {};
  // Hundreds of processes load the same modules: what the first made of them serves the others, in both halves.
  const env = { ...scratch, NODE_COMPILE_CACHE: join(memory ?? reports, 'compiled') };
  try {
    /** @type {Half[]} */
    const halves = [];
    if (half !== 'e2e')
      halves.push(
        await attempt('npm test -- unit', () =>
          unit(node, rest, join(reports, 'vitest.json'), env),
        ),
      );
    if (half !== 'unit') {
      halves.push(
        await attempt('npm test -- e2e', () =>
          browser(node, built, browsers, rest, join(reports, 'playwright.json'), env),
        ),
      );
    }
    return conclude(halves);
  } finally {
    for (const folder of [reports, memory])
      if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** Before both halves: the server's suites may serve the client. Without it they can still run. @param {string} node */
async function build(node) {
  try {
    await buildClient(node);
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    complain(error.message);
    return false;
  }
}

/** What keeps one half from running is its failure; the other half still runs. @param {string} name @param {() => Promise<Half>} work @returns {Promise<Half>} */
async function attempt(name, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError) || error instanceof Interrupted) throw error;
    complain(error.message);
    return {
      code: 1,
      totals: { passed: 0, failed: 1, skipped: 0 },
      failures: [{ name, message: error.message }],
    };
  }
}

/** @param {string} node @param {string[]} args @param {string} report @param {NodeJS.ProcessEnv} env @returns {Promise<Half>} */
async function unit(node, args, report, env) {
  if (isAll) await preparePostgres(node);
  const config = ['--config', at('server/dev/test/run/vitest.config.ts')];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await runTests(
    node,
    [at('node_modules/vitest/vitest.mjs'), 'run', ...config, ...reporters, ...args],
    env,
  );
  const json = read(report);
  return { code, totals: vitestTotals(json, code), failures: vitestFailures(json) };
}

/**
 * @param {string} node @param {boolean} built @param {Promise<NodeJS.ProcessEnv> | undefined} browsers @param {string[]} args @param {string} report
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Half>}
 */
async function browser(node, built, browsers, args, report, env) {
  if (!built) throw new SetupError('The browser tests cannot run without the client.');
  const options = ['--config', at('client/e2e/playwright.config.ts'), '--reporter=list,json'];
  const code = await runTests(
    node,
    [at('node_modules/playwright/cli.js'), 'test', ...options, ...args],
    {
      ...env,
      ...(await browsers),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  );
  const json = read(report);
  return { code, totals: playwrightTotals(json, code), failures: playwrightFailures(json) };
}

/** @param {string} node @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function runTests(node, args, env) {
  const { code, interrupted } = await foreground({
    file: node,
    args,
    env: nodeEnvironment(node, env),
  });
  if (interrupted) throw new Interrupted('Interrupted: not all tests have run.');
  return code;
}

/** @param {Half[]} halves */
function conclude(halves) {
  const totals = sum(halves.map((half) => half.totals));
  const ran = totals.passed + totals.failed > 0;
  if (!ran) complain('No test has run.');
  const failures = summaryOf(halves.flatMap((half) => half.failures));
  if (failures) say(failures);
  if (!isAll) say('PostgreSQL, other browsers and random worlds: npm run test:all');
  say(sentence(totals));
  return ran && totals.failed === 0 && halves.every((half) => half.code === 0) ? 0 : 1;
}
