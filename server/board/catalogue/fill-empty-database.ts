import { randomBytes } from 'node:crypto';
import { MEMBER_TYPE_COLORS } from '../../../shared/rules/badge.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_VOUCHER_HOURS } from '../../../shared/schemas/member-type.ts';
import type { PasswordGuard } from '../../auth/check-password.ts';
import { isCommonPassword } from '../../auth/common-passwords.ts';
import { hashPassword } from '../../auth/passwords.ts';
import type { Reading, Tx } from '../../db/open.ts';
import { StartError } from '../../db/start-error.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveToday } from '../config/clock.ts';
import { readCatalogue, storeCatalogue } from './catalogue.ts';

const GENERATED_PASSWORD_BYTES = 9;

/** An admin account made at the first start; the password only where it was generated. */
export interface FirstAdmin {
  username: string;
  generated_password: string | null;
}

/**
 * Fills a new database: the catalogue of spots, the member types of the system, an admin.
 * @returns the admin, or null when the database had one already
 * @throws StartError for a password that guessers try first
 */
export async function fillEmptyDatabase(ctx: Reading & Writing & { passwords?: Pick<PasswordGuard, 'cost'> }): Promise<FirstAdmin | null> {
  if (await ctx.db.selectFrom('admins').select('id').executeTakeFirst()) return null;
  const catalogue = await readCatalogue();
  const generated_password = ctx.env.ADMIN_PASSWORD ? null : randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url');
  if (ctx.env.ADMIN_PASSWORD && isCommonPassword(ctx.env.ADMIN_PASSWORD)) {
    throw new StartError('ADMIN_PASSWORD is among the 10,000 most common passwords. Choose another, or leave it out.');
  }
  const username = ctx.env.ADMIN_USERNAME;
  const password_hash = await hashPassword(ctx.env.ADMIN_PASSWORD ?? generated_password ?? '', ctx.passwords?.cost);
  return write(ctx, async (tx) => {
    // Several servers may start on one empty database at once: the clock lets the first one fill it.
    if (await tx.selectFrom('admins').select('id').executeTakeFirst()) return null;
    const created_at = ctx.now().toISOString();
    const has_generated_password = generated_password === null ? (0 as const) : (1 as const);
    await tx
      .insertInto('admins')
      .values({ username, username_key: nameKey(username), password_hash, created_at, role: 'owner', has_generated_password })
      .execute();
    await storeMemberTypes(tx, serverSaveToday(ctx));
    if (!(await tx.selectFrom('categories').select('id').executeTakeFirst())) await storeCatalogue(tx, catalogue, created_at);
    return { username, generated_password };
  });
}

async function storeMemberTypes(tx: Tx, today: string): Promise<void> {
  const types = Object.entries(MEMBER_TYPE_COLORS).map(([member_type, background_color]) => ({
    member_type,
    name_key: nameKey(member_type),
    background_color,
    voucher_duration_hours: DEFAULT_VOUCHER_HOURS,
    can_submit: 1 as const,
    earliest_submission_date: today,
    allow_secondary_claims: 1 as const,
    is_system: 1 as const,
    guild_ranks: '[]',
  }));
  await tx
    .insertInto('member_types')
    .values(types)
    .onConflict((row) => row.doNothing())
    .execute();
}
