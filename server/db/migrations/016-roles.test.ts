import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../auth/passwords.ts';
import { databases } from '../../dev/test/databases.ts';
import { ADMIN_PASSWORD } from '../../dev/test/test-app.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('admins before they had roles, on %s', (dialect) => {
  it('go on as they were: the oldest owns the board, the others may all but name admins', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.admin('Kael');
      await old.admin('admin', await hashPassword(ADMIN_PASSWORD));
      await old.admin('Thora');
      await sql`update admins set created_at = '2020-01-01T00:00:00.000Z' where username = 'Thora'`.execute(old.db);
    });
    const roles = await app.ctx.db.selectFrom('admins').select(['username', 'role']).orderBy('id').execute();
    expect(roles).toEqual([
      { username: 'Kael', role: 'admin' },
      { username: 'admin', role: 'admin' },
      { username: 'Thora', role: 'owner' },
    ]);
    expect((await app.api.get('/admin/verify').set(app.admin).expect(200)).body.data).toEqual({
      admin: 'admin',
      role: 'admin',
      has_generated_password: false,
    });
  });
});
