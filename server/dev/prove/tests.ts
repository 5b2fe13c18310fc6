import { at } from '../setup/command.mjs';
import { foreground } from '../setup/foreground.mjs';
import type { Proof, Tried } from './proof.ts';

/** `npm run test:all` with the tests that are too long for it, and with the others at full length. */
export const tests: Proof = {
  summary:
    'all tests, also those too long for npm run test:all, with more and larger random worlds',
  unit: 'pass',
  long: 1,
  run: async ({ runs }) => {
    const env = { ...process.env, LONG_TESTS: 'yes' };
    const tried: Tried[] = [];
    for (let pass = 1; pass <= runs; pass += 1) {
      const { code } = await foreground({
        file: process.execPath,
        args: [at('server/dev/test/run/index.mjs')],
        env,
      });
      tried.push({
        what: `pass ${pass}`,
        tried: 1,
        failed: code === 0 ? [] : [`the tests ended with status ${code}`],
      });
    }
    return tried;
  },
};
