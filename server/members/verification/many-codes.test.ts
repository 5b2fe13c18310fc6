import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MAX_LIST } from '../../../shared/schemas/fields.ts';
import { ban, change } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';

/** Codes that a visitor asked for under invented names, in one statement. */
const invented = sql.raw(`
  insert into verifications (character_name, character_key, code, created_at)
  with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${MAX_LIST})
  select 'No ' || i, 'no ' || i, 'CODE-' || i, '2026-11-21T12:00:00.000Z' from numbers`);

describe.each(databases)('more open codes than a list holds, on %s', (dialect) => {
  it('leave admins every character that is verified or banned, and the newest codes', async () => {
    const app = await createTestApp(dialect);
    const post = (path: string, character_name: string) =>
      app.api.post(path).set(app.admin).send({ character_name });
    await post('/admin/verify-character', 'Arden Vale').expect(200);
    for (const name of ['Mira Stormcrow', 'Odo Holt'])
      await post('/generate-verification-code', name).expect(201);
    await ban(app, { character_name: 'Mira Stormcrow' });
    await change(app, ({ tx }) => invented.execute(tx));
    const { body } = await app.api.get('/snapshot').set(app.admin).expect(200);
    const names: string[] = body.data.snapshot.verified_code.map(
      (record: { character_name: string }) => record.character_name,
    );
    expect(names.length).toBe(MAX_LIST + 2);
    expect(names[0]).toBe(`No ${MAX_LIST}`);
    // Odo Holt's code is the oldest that no comment contains.
    expect(names.slice(-3)).toEqual(['No 1', 'Mira Stormcrow', 'Arden Vale']);
  });
});
