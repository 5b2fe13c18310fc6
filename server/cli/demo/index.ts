import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { storeSetup } from '../../board/config/setup.ts';
import { timeOf } from '../../db/clock/server-clock.ts';
import { StartError } from '../../db/errors.ts';
import { migrate, refuseOutdated } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { readEnv } from '../../env.ts';
import type { Admin } from '../../http/caller.ts';
import { createLog } from '../../ops/log.ts';
import { createToolContext } from '../../tool-context.ts';
import { fillDemo } from './fill-demo.ts';

const say = (line: string): boolean => process.stdout.write(line);

/** `npm run demo`: fills an empty data folder with a lively guild. */
async function demo(): Promise<void> {
  const env = readEnv(process.env);
  const log = createLog('error');
  const database = await openDatabase(env, log);
  // Only a server backs up an older database before it migrates it.
  await refuseOutdated(database.db, database.dialect);
  await migrate(database);
  const ctx = createToolContext(database, { env, log, now: await timeOf(database, log), isAlone: true });
  const first = await fillEmptyDatabase(ctx);
  const admin = await ctx.db.selectFrom('admins').select(['id', 'username', 'role']).orderBy('id').executeTakeFirstOrThrow();
  const taken = await ctx.db.selectFrom('access_keys').select('id').executeTakeFirst();
  if (taken) throw new StartError('this database has members already. Set DATA_DIR to an empty folder for the demo guild.');
  const by: Admin = { role: 'admin', admin_id: admin.id, username: admin.username, admin_role: admin.role, token_hash: '' };
  const report = await fillDemo(ctx, by, (claims) => {
    if (claims % 100 === 0) say(`\r  ${claims} claims`);
  });
  // This guild plays already: its dashboard needs no checklist.
  await ctx.writes.transaction((tx) => storeSetup(tx, { skipped: [], is_dismissed: true }));
  const key = await ctx.db.selectFrom('access_keys').select(['character_name', 'key_value']).orderBy('id').executeTakeFirstOrThrow();
  say(`\rThe demo guild is ready: ${report.members} members, ${report.claims} claims. Start it with npm start.\n`);
  say(`  Admin: ${admin.username}${first?.generated_password ? `, password ${first.generated_password} (it won't be shown again)` : ''}\n`);
  say(`  A member's access key: ${key.key_value} (${key.character_name})\n`);
  await ctx.close();
}

try {
  await demo();
} catch (error) {
  process.stderr.write(`The demo guild could not be created: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
