import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { DomainError } from '../../../shared/errors.ts';
import { ADMIN_ROLES, type AdminRole, isAdminRole } from '../../../shared/rules/roles.ts';
import type { ScryptCost } from '../../auth/passwords.ts';
import { StartError } from '../../db/errors.ts';
import { readSettings } from '../../env.ts';
import { refusalOf } from '../../http/errors.ts';
import { resumeNotifications } from '../../notifications/pause.ts';
import { openToolContext, type ToolContext } from '../../tool-context.ts';
import {
  addAdmin,
  assertAdminExists,
  COMMAND_LINE,
  listAdminsWithSessions,
  removeAdminByName,
  setPassword,
  setRoleByName,
} from './operations.ts';

const USAGE = `npm run admin list
npm run admin add <name> [-- --role <role>]
npm run admin role <name> <role>
npm run admin remove <name>
npm run admin password <name>
npm run admin resume-notifications   resumes notifications after a restore

Roles: owner (everything), admin (everything except admins and backups), moderator (claims, waitlists, log), viewer (read only).
The default is admin. The last owner can't be removed or demoted.
The command prompts for a password, or reads it from standard input with -- --password-stdin.
It uses the same DATA_DIR or DATABASE_URL as the server, which may be running.
`;

const NEVER_STARTED = 'This database is empty. Start Claimboard once to create the first admin.';

const ARTICLE: Readonly<Record<AdminRole, string>> = {
  owner: 'an',
  admin: 'an',
  moderator: 'a',
  viewer: 'a',
};

const SIGNED_IN = ['not signed in', 'signed in once'];

type Print = (text: string) => void;

export interface AdminCommand {
  args: string[];
  env: NodeJS.ProcessEnv;
  settingsFile?: string | null;
  stdin: PasswordInput;
  out: Print;
  err: Print;
  now?: () => Date;
  /** By default the server's. */
  passwordCost?: ScryptCost;
}

interface Action {
  command: string;
  name: string;
  role: AdminRole;
  passwordCost: ScryptCost | undefined;
}

async function run(
  ctx: ToolContext,
  { command, name, role, passwordCost }: Action,
  { password, out }: { password: () => Promise<string>; out: Print },
): Promise<void> {
  const say = (line: string): void => out(`${line}\n`);
  const [first] = await listAdminsWithSessions(ctx);
  // The first start of the server creates an admin, but only in a database without one.
  if (!first) throw new StartError(NEVER_STARTED);
  switch (command) {
    case 'list':
      for (const { username, role, created_at, sessions } of await listAdminsWithSessions(ctx)) {
        say(
          `${username}  ${role}, since ${created_at.slice(0, 10)}, ${SIGNED_IN[sessions] ?? `signed in ${sessions} times`}`,
        );
      }
      return;
    case 'resume-notifications':
      say(
        (await resumeNotifications(ctx, COMMAND_LINE))
          ? 'Notifications are resumed.'
          : 'Notifications were not paused.',
      );
      return;
    case 'add':
      say(
        `${await addAdmin(ctx, name, { password: await password(), role, cost: passwordCost })} is ${ARTICLE[role]} ${role} now.`,
      );
      return;
    case 'role':
      say(`${await setRoleByName(ctx, name, role)} is ${ARTICLE[role]} ${role} now.`);
      return;
    case 'remove':
      say(
        `${await removeAdminByName(ctx, name)} is no longer an admin, and signed out everywhere.`,
      );
      return;
    case 'password':
      await assertAdminExists(ctx, name);
      say(
        `${await setPassword(ctx, name, { password: await password(), cost: passwordCost })} has a new password, and is signed out everywhere.`,
      );
  }
}

async function perform({
  args,
  env,
  settingsFile,
  stdin,
  out,
  err,
  now,
  passwordCost,
}: AdminCommand): Promise<number> {
  const options = {
    help: { type: 'boolean', short: 'h' },
    'password-stdin': { type: 'boolean', default: false },
    role: { type: 'string' },
  } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) {
    out(USAGE);
    return 0;
  }
  const [command = '', ...words] = positionals;
  // `role <name> <role>`: the last word.
  const givenRole = command === 'role' ? words.pop() : (values.role ?? 'admin');
  // A name with spaces needs no quotes.
  const name = words.join(' ').trim();
  const isKnown =
    command === 'list' || command === 'resume-notifications'
      ? name === ''
      : ['add', 'role', 'remove', 'password'].includes(command) && name !== '';
  if (!isKnown || (values.role !== undefined && command !== 'add')) {
    err(USAGE);
    return 1;
  }
  if (!isAdminRole(givenRole)) throw new StartError(`A role is one of ${ADMIN_ROLES.join(', ')}.`);
  const ctx = await openToolContext({
    env: readSettings(env, settingsFile),
    log: pino({ level: 'silent' }),
    ...(now ? { now } : {}),
  });
  try {
    await run(
      ctx,
      { command, name, role: givenRole, passwordCost },
      { password: () => readPassword(stdin, values['password-stdin']), out },
    );
    return 0;
  } finally {
    await ctx.close();
  }
}

/** PostgreSQL's code for a missing table. */
const UNDEFINED_TABLE = '42P01';

function inOneLine(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)
    return NEVER_STARTED;
  if (error instanceof DomainError) return refusalOf(error.code, error.params).error;
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** @returns the exit code. Errors are printed in one line. */
export async function adminCommand(command: AdminCommand): Promise<number> {
  try {
    return await perform(command);
  } catch (error) {
    command.err(`${inOneLine(error)}\n`);
    return 1;
  }
}

const ENTER = ['\r', '\n'];
/** Ctrl+C and Ctrl+D: in raw mode they arrive as characters. */
const CANCEL = ['\u0003', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];

/** A terminal, or a pipe. */
type PasswordInput = ReadStream | (Readable & { isTTY?: false });

/**
 * A new password, typed twice without echo, or the first line of a pipe.
 * @throws StartError if the two differ, or there is no terminal
 */
async function readPassword(stdin: PasswordInput, fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? '';
  if (!stdin.isTTY)
    throw new StartError(
      'There is no terminal for a password prompt. Pipe the password in with -- --password-stdin.',
    );
  // For both prompts: text typed ahead or pasted must not be echoed either.
  stdin.setRawMode(true);
  try {
    const password = await readLine(stdin, 'New password: ');
    if (password !== (await readLine(stdin, 'Repeat it: ')))
      throw new StartError('The two passwords differ.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Rest of the input after a line, if several lines were pasted at once. */
let ahead = '';

/** Reads a line without echo. */
function readLine(stdin: ReadStream, question: string): Promise<string> {
  const { stderr } = process;
  stderr.write(question);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let letters: string[] = [];
    const read = (chunk: string): void => {
      const typed = [...ahead, ...chunk];
      ahead = '';
      for (const [at, letter] of typed.entries()) {
        if (ENTER.includes(letter) || CANCEL.includes(letter)) {
          ahead = typed.slice(at + 1).join('');
          stdin.off('data', read);
          stderr.write('\n');
          if (ENTER.includes(letter)) resolve(letters.join(''));
          else reject(new StartError('Nothing was changed.'));
          return;
        }
        if (BACKSPACE.includes(letter)) letters = letters.slice(0, -1);
        else if (letter >= ' ') letters.push(letter);
      }
    };
    stdin.on('data', read);
    stdin.resume();
    if (ahead !== '') read('');
  });
}
