import { fillDemo } from '../demo/fill-demo.ts';
import { compareSizes } from './compare-sizes.ts';
import { markBoard } from './lighthouse.ts';
import { BENCH_ADMIN, withServer } from './with-server.ts';

/** `npm run bench`, or `npm run bench -- lighthouse`. */

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function askLighthouse(): Promise<void> {
  say('The demo guild …');
  const { marks, runs, wanting } = await withServer(
    (ctx) => fillDemo(ctx, BENCH_ADMIN, () => {}),
    async (ctx, url) => {
      const { key_value } = await ctx.db.selectFrom('access_keys').select('key_value').orderBy('id').executeTakeFirstOrThrow();
      return markBoard(url, key_value);
    },
  );
  for (const [category, mark] of Object.entries(marks)) say(`${String(mark).padStart(4)}  ${category}`);
  say(`      performance of each run: ${runs.join(', ')}`);
  for (const audit of wanting) say(`      ${audit}`);
}

const [what] = process.argv.slice(2);
await (what === 'lighthouse' ? askLighthouse() : compareSizes(say));
