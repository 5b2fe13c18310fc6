import type { KyselyPlugin } from 'kysely';
import type { Context } from '../../context.ts';

/** A context whose writes report their statements, except those of transactions. */
export function countingStatements(ctx: Context): { ctx: Context; count: () => number } {
  let count = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Statements compiled before are not counted until they run.
    transformResult: async ({ result }) => {
      count += 1;
      return result;
    },
  };
  const { transaction } = ctx.writes;
  const writes: Context['writes'] = {
    ...ctx.writes,
    transaction: (work, takesLong) => transaction((tx) => work(tx.withPlugin(counting)), takesLong),
  };
  return { ctx: { ...ctx, writes }, count: () => count };
}
