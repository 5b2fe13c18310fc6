import { fillDemo } from '../../../cli/demo/fill-demo.ts';
import { markBoard } from './lighthouse.ts';
import { BENCH_ADMIN, withServer } from './with-server.ts';

/** Lighthouse's scores of the demo guild's board. */
export async function askLighthouse(say: (line: string) => void): Promise<void> {
  say('The demo guild …');
  const { marks, runs, wanting } = await withServer(
    (ctx) => fillDemo(ctx, BENCH_ADMIN, () => {}),
    async (ctx, url) => {
      const { key_value } = await ctx.db
        .selectFrom('access_keys')
        .select('key_value')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      return markBoard(url, key_value, say);
    },
  );
  for (const [category, mark] of Object.entries(marks))
    say(`${String(mark).padStart(4)}  ${category}`);
  say(`      performance of each run: ${runs.join(', ')}`);
  for (const audit of wanting) say(`      ${audit}`);
}
