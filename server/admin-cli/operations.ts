import { nameKey, tidyName } from '../../shared/rules/names.ts';
import { MAX_SECRET_LENGTH, MAX_USERNAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../shared/schemas/session.ts';
import { recordActivity } from '../activity/record.ts';
import type { Db, Reading, Tx } from '../db/open.ts';
import { StartError } from '../db/start-error.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import { hashPassword } from '../session/passwords.ts';

/** Whoever works on the server itself. */
const COMMAND_LINE = { role: 'command_line' } as const;

export interface AdminAccount {
  username: string;
  created_at: string;
  /** Where and how often it is signed in. */
  sessions: number;
}

/** All admins, the oldest first. */
export async function listAdmins(ctx: Reading & Pick<Writing, 'now'>): Promise<AdminAccount[]> {
  return ctx.db
    .selectFrom('admins')
    .leftJoin('admin_sessions', (join) =>
      join.onRef('admin_sessions.admin_id', '=', 'admins.id').on('expires_at', '>', ctx.now().toISOString()),
    )
    .select((all) => ['username', 'admins.created_at', all.fn.count<number>('token_hash').as('sessions')])
    .groupBy(['admins.id', 'username', 'admins.created_at'])
    .orderBy('admins.id')
    .execute();
}

/** @throws StartError when the name cannot be one, or is taken */
export async function addAdmin(ctx: Writing, name: string, password: string): Promise<string> {
  const username = tidyName(name);
  if (username.length === 0 || username.length > MAX_USERNAME_LENGTH) {
    throw new StartError(`An admin's name has 1 to ${MAX_USERNAME_LENGTH} characters.`);
  }
  const password_hash = await hashPassword(checked(password));
  const created_at = ctx.now().toISOString();
  return write(ctx, async (tx, changes) => {
    if (await findAdmin(tx, username)) throw new StartError(`There is already an admin named ${username}.`);
    const row = { username, username_key: nameKey(username), password_hash, created_at };
    await tx.insertInto('admins').values(row).execute();
    await recordActivity(ctx, tx, changes, COMMAND_LINE, 'admin_added', { username });
    return username;
  });
}

/**
 * Removes an admin; everywhere they are signed in that ends. Their entries in the activity log stay.
 * @throws StartError for an unknown name, and for the last admin
 */
export function removeAdmin(ctx: Writing, name: string): Promise<string> {
  return write(ctx, async (tx, changes) => {
    const { id, username } = await existing(tx, name);
    const other = await tx.selectFrom('admins').select('id').where('id', '!=', id).executeTakeFirst();
    if (!other) throw new StartError(`${username} is the last admin. Add another one first.`);
    await tx.deleteFrom('admins').where('id', '=', id).execute();
    await recordActivity(ctx, tx, changes, COMMAND_LINE, 'admin_removed', { username });
    return username;
  });
}

/**
 * Gives an admin another password; everywhere they are signed in that ends.
 * @throws StartError for an unknown name
 */
export async function setPassword(ctx: Writing, name: string, password: string): Promise<string> {
  const password_hash = await hashPassword(checked(password));
  return write(ctx, async (tx, changes) => {
    const { id, username } = await existing(tx, name);
    await tx.updateTable('admins').set({ password_hash }).where('id', '=', id).execute();
    await tx.deleteFrom('admin_sessions').where('admin_id', '=', id).execute();
    await recordActivity(ctx, tx, changes, COMMAND_LINE, 'admin_password_changed', { username });
    return username;
  });
}

/** @throws StartError for an unknown name */
export async function assertAdminExists(ctx: Reading, name: string): Promise<void> {
  await existing(ctx.db, name);
}

function findAdmin(db: Db | Tx, name: string): Promise<{ id: number; username: string } | undefined> {
  return db.selectFrom('admins').select(['id', 'username']).where('username_key', '=', nameKey(name)).executeTakeFirst();
}

async function existing(db: Db | Tx, name: string): Promise<{ id: number; username: string }> {
  const admin = await findAdmin(db, name);
  if (!admin) throw new StartError(`There is no admin named ${tidyName(name)}.`);
  return admin;
}

function checked(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH) throw new StartError(`A password has at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (password.length > MAX_SECRET_LENGTH) throw new StartError(`A password has at most ${MAX_SECRET_LENGTH} characters.`);
  return password;
}
