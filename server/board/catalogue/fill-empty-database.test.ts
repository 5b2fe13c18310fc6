import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../context.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { readEnv } from '../../env.ts';
import { catalogueDir, fillEmptyDatabase, readCatalogue, storeCatalogue } from './catalogue.ts';

describe.each(databases)('a first start on %s', (dialect) => {
  it('that follows one which was cut off has the default category under its id all the same', async () => {
    const on = await freshDatabase(dialect);
    const ctx = await createContext({
      env: readEnv({ ...on.settings }),
      log: pino({ level: 'silent' }),
    });
    onTestFinished(async () => {
      await ctx.close();
      await on.drop();
    });
    const catalogue = await readCatalogue();
    const abortedWrite = ctx.writes.transaction(async (tx) => {
      await storeCatalogue(tx, catalogue, ctx.now().toISOString());
      throw new Error('cut off');
    });
    await expect(abortedWrite).rejects.toThrow('cut off');
    await fillEmptyDatabase(ctx);
    const categories = await ctx.db
      .selectFrom('categories')
      .select(['id', 'name'])
      .orderBy('id')
      .execute();
    expect(categories.map(({ name }) => name)).toEqual(
      catalogue.categories.map(({ name }) => name),
    );
    expect(categories[0]?.id).toBe(1);
    const inDefault = await ctx.db
      .selectFrom('respawns')
      .select('name')
      .where('category_id', '=', 1)
      .execute();
    expect(inDefault).toHaveLength(catalogue.categories[0]?.respawns.length ?? 0);
  });

  it.each([
    [{}, 1],
    [{ ADMIN_PASSWORD: 'hunting-at-night' }, 0],
  ] as const)(
    'with %j notes whether the password was made up (%i)',
    async (env, has_generated_password) => {
      const on = await freshDatabase(dialect);
      const ctx = await createContext({
        env: readEnv({ ...on.settings, ...env }),
        log: pino({ level: 'silent' }),
      });
      onTestFinished(async () => {
        await ctx.close();
        await on.drop();
      });
      await fillEmptyDatabase(ctx);
      expect(await ctx.db.selectFrom('admins').select('has_generated_password').execute()).toEqual([
        { has_generated_password },
      ]);
    },
  );

  it('is refused with a password that guessers try first', async () => {
    const on = await freshDatabase(dialect);
    const ctx = await createContext({
      env: readEnv({ ...on.settings, ADMIN_PASSWORD: 'password1' }),
      log: pino({ level: 'silent' }),
    });
    onTestFinished(async () => {
      await ctx.close();
      await on.drop();
    });
    await expect(fillEmptyDatabase(ctx)).rejects.toThrow(
      'ADMIN_PASSWORD is among the 10,000 most common passwords.',
    );
    expect(await ctx.db.selectFrom('admins').select('id').execute()).toEqual([]);
  });
});

describe('the catalogue', () => {
  it('is read from the copy beside the build if data/ was deleted', () => {
    const own = catalogueDir();
    expect(catalogueDir(['/nowhere', own])).toBe(own);
  });

  it('that is missing altogether is one line', async () => {
    await expect(readCatalogue(catalogueDir(['/nowhere', '/nowhere/else']))).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^the catalogue of spots, .* Bring it back with: git checkout -- data\/catalogue$/,
      ),
    });
  });
});
