import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { databases } from '../../dev/test/databases.ts';
import { TODAY } from '../../dev/test/test-app.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import { COMPOSED, IN_PARTS, ofVersion2, oldKey } from './test/version-2.ts';

describe.each(databases)('a migration that fails in the middle on %s', (dialect) => {
  it('leaves nothing of itself, and the next start goes through', async () => {
    const on = await ofVersion2(dialect, async (old) => {
      await old.respawn('Dragon’s Lair');
      await old.key(IN_PARTS, 'AAAA-AAAA-AAAA');
      await old.claim(1, IN_PARTS, TODAY, 10);
      await old.claim(2, COMPOSED, TODAY, 12);
      // Fails where both claims get one key: after the new columns and tables, and after other lists have their new keys.
      await sql`create unique index stop on claims (character_key)`.execute(old.db);
    });
    const open = await openDatabase(on.settings, pino({ level: 'silent' }));
    try {
      const { writer: db } = open;
      const tables = async () =>
        (await db.introspection.getTables()).map(({ name, columns }) => [name, columns.map((column) => column.name)]);
      const before = await tables();
      await expect(migrate(open)).rejects.toThrow(/unique/i);
      expect(await tables()).toEqual(before);
      expect(await db.selectFrom('respawns').select('name_key').execute()).toEqual([{ name_key: oldKey('Dragon’s Lair') }]);
      expect(await db.selectFrom('access_keys').select('character_key').execute()).toEqual([{ character_key: oldKey(IN_PARTS) }]);
      await sql`drop index stop`.execute(db);
      await migrate(open);
      expect(await db.selectFrom('access_keys').select('character_key').execute()).toEqual([{ character_key: 'näurin' }]);
    } finally {
      await open.close();
    }
  });
});
