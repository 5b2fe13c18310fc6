/** `npm run check`: checks the sources without running the program. `-- --fix` lets Biome fix them, and updates the generated documents. */

import { capture } from '../setup/capture.mjs';
import { at, command, say, seconds } from '../setup/command.mjs';
import { installForDevelopment } from '../setup/install.mjs';
import { nodeEnvironment } from '../setup/runtime.mjs';

const fix = process.argv.includes('--fix');
const terminal = process.stdout.isTTY === true;

/** Each is a script with its arguments, run on the locked Node; exit code 0 is a pass. @type {Record<string, string[]>} */
const checks = {
  types: [at('node_modules/typescript/bin/tsc'), '--noEmit', '--pretty', `${terminal}`],
  sentences: [at('server/dev/check/sentences.mjs')],
  browsers: [at('server/dev/check/browsers.mjs')],
  imports: [at('server/dev/check/imports.mjs')],
  queries: [at('server/dev/check/queries.mjs')],
  'generated documents': [at('server/dev/check/generated-docs.mjs'), ...(fix ? ['--write'] : [])],
  'first load': [at('server/dev/check/first-load.mjs'), ...(fix ? ['--write'] : [])],
  'unused code': [
    at('node_modules/knip/bin/knip.js'),
    '--config',
    at('server/dev/check/knip.json'),
  ],
  // Map.values().map() and the like, which only who knows the types can tell from what every browser has.
  'types in the oldest browsers': [
    at('node_modules/typescript/bin/tsc'),
    '--project',
    at('client/tsconfig.browsers.json'),
    '--noEmit',
  ],
  lint: [
    at('node_modules/@biomejs/biome/bin/biome'),
    ...(fix ? ['check', '--write'] : ['ci', '--error-on-warnings']),
    `--colors=${terminal ? 'force' : 'off'}`,
  ],
};

await command(async () => {
  const node = await installForDevelopment();
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, args]) => {
      const since = performance.now();
      const { ok, output } = await capture(node, args, { env: nodeEnvironment(node) });
      say(`${ok ? '✓' : '✗'} ${name} (${seconds(since)})`);
      if (!ok) say(`${output}\n`);
      return ok;
    }),
  );
  return results.every(Boolean) ? 0 : 1;
});
