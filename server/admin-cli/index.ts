import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { type Context, createToolContext } from '../context.ts';
import { StartError } from '../db/start-error.ts';
import { readEnv } from '../env.ts';
import { addAdmin, assertAdminExists, listAdmins, removeAdmin, setPassword } from './operations.ts';
import { readPassword } from './password.ts';

const USAGE = `npm run admin list
npm run admin add <name>
npm run admin remove <name>
npm run admin password <name>

Passwords are asked for, or read from the standard input with -- --password-stdin.
Works beside a running server; it uses the same DATA_DIR or DATABASE_URL.
`;

const NEVER_STARTED = 'This database is empty. Start Claimboard once; it makes the first admin.';

const SIGNED_IN = ['not signed in', 'signed in once'];

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function run(ctx: Context, command: string, name: string, fromStdin: boolean): Promise<void> {
  const [first] = await listAdmins(ctx);
  // The first start makes an admin, and fills the database only while it has none.
  if (!first) throw new StartError(NEVER_STARTED);
  switch (command) {
    case 'list':
      for (const { username, created_at, sessions } of await listAdmins(ctx)) {
        say(`${username}  since ${created_at.slice(0, 10)}, ${SIGNED_IN[sessions] ?? `signed in ${sessions} times`}`);
      }
      return;
    case 'add':
      say(`${await addAdmin(ctx, name, await readPassword(fromStdin))} is an admin now.`);
      return;
    case 'remove':
      say(`${await removeAdmin(ctx, name)} is no longer an admin, and signed out everywhere.`);
      return;
    case 'password':
      await assertAdminExists(ctx, name);
      say(`${await setPassword(ctx, name, await readPassword(fromStdin))} has a new password, and is signed out everywhere.`);
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'password-stdin': { type: 'boolean', default: false } } });
  const [command = '', ...words] = positionals;
  // A name of several words needs no quotes.
  const name = words.join(' ').trim();
  const isKnown = command === 'list' ? name === '' : ['add', 'remove', 'password'].includes(command) && name !== '';
  if (!isKnown) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  const ctx = await createToolContext({ env: readEnv(process.env), log: pino({ level: 'silent' }) });
  try {
    await run(ctx, command, name, values['password-stdin']);
  } finally {
    await ctx.close();
  }
}

/** PostgreSQL's number for a table that does not exist. */
const NO_TABLE = '42P01';

function inOneLine(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === NO_TABLE) return NEVER_STARTED;
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${inOneLine(error)}\n`);
  process.exitCode = 1;
}
