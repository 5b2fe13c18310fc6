import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { MEMBER_TYPE_COLORS } from '../../../shared/rules/badge.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import { DEFAULT_VOUCHER_HOURS } from '../../../shared/schemas/member-type.ts';
import { hashPassword, isCommonPassword, type PasswordGuard } from '../../auth/passwords.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** `data/` is also the folder of the user's data, who may delete it: `dev/setup/catalogue.mjs` keeps a copy beside the build. */
const CATALOGUE_DIRS = [
  path.join(ROOT, 'data/catalogue'),
  path.join(ROOT, 'client/dist.catalogue'),
];

/** The folder of the spots and pictures that come with the project. */
export const catalogueDir = (folders: readonly string[] = CATALOGUE_DIRS): string =>
  folders.find((folder) => existsSync(path.join(folder, 'catalogue.json'))) ?? folders[0] ?? '';

const spot = z.object({ name: z.string().min(1), image: z.string().regex(/^[a-z0-9-]+\.gif$/) });
const catalogue = z.object({
  categories: z.array(z.object({ name: z.string().min(1), respawns: z.array(spot) })).min(1),
  uncategorised: z.array(spot),
});
type Catalogue = z.infer<typeof catalogue>;

/**
 * @throws StartError if the file cannot be read
 * @throws Error if it is malformed
 */
export async function readCatalogue(folder = catalogueDir()): Promise<Catalogue> {
  const file = path.join(folder, 'catalogue.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `the catalogue of spots, with which a new board begins, cannot be read (${why}). Bring it back with: git checkout -- data/catalogue`,
    );
  });
  return catalogue.parse(JSON.parse(text));
}

/** Stores the catalogue in an empty database; the first category gets id 1, the default one. */
export async function storeCatalogue(
  tx: Tx,
  { categories, uncategorised }: Catalogue,
  created_at: string,
): Promise<void> {
  const store = async (
    spots: Catalogue['uncategorised'],
    category_id: number | null,
  ): Promise<void> => {
    const rows = spots.map(({ name, image }) => ({
      name,
      name_key: nameKey(name),
      image,
      category_id,
      created_at,
    }));
    if (rows.length > 0) await tx.insertInto('respawns').values(rows).execute();
  };
  for (const [at, { name, respawns }] of categories.entries()) {
    const { id } = await tx
      .insertInto('categories')
      .values({ name, name_key: nameKey(name) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const isDefault = at === 0;
    // After a rolled-back first start, PostgreSQL continues with higher ids.
    if (isDefault)
      await tx
        .updateTable('categories')
        .set({ id: DEFAULT_CATEGORY_ID })
        .where('id', '=', id)
        .execute();
    await store(respawns, isDefault ? DEFAULT_CATEGORY_ID : id);
  }
  await store(uncategorised, null);
}

const GENERATED_PASSWORD_BYTES = 9;

/** The admin account of the first start; the password only if it was generated. */
export interface FirstAdmin {
  username: string;
  generated_password: string | null;
}

/**
 * Fills a new database with the catalogue of spots, the system's member types and an admin.
 * @returns the admin, or null if the database has one already
 * @throws StartError for a password that guessers try first
 */
export async function fillEmptyDatabase(
  ctx: Writing & { passwords?: Pick<PasswordGuard, 'cost'> },
): Promise<FirstAdmin | null> {
  if (await ctx.db.selectFrom('admins').select('id').executeTakeFirst()) return null;
  const catalogue = await readCatalogue();
  const generated_password = ctx.env.ADMIN_PASSWORD
    ? null
    : randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url');
  if (ctx.env.ADMIN_PASSWORD && isCommonPassword(ctx.env.ADMIN_PASSWORD)) {
    throw new StartError(
      'ADMIN_PASSWORD is among the 10,000 most common passwords. Choose another, or leave it out.',
    );
  }
  const username = ctx.env.ADMIN_USERNAME;
  const password_hash = await hashPassword(
    ctx.env.ADMIN_PASSWORD ?? generated_password ?? '',
    ctx.passwords?.cost,
  );
  return write(ctx, async ({ tx }) => {
    // Several servers may start on one empty database: the write lock lets the first one fill it.
    if (await tx.selectFrom('admins').select('id').executeTakeFirst()) return null;
    const created_at = ctx.now().toISOString();
    const has_generated_password = generated_password === null ? (0 as const) : (1 as const);
    await tx
      .insertInto('admins')
      .values({
        username,
        username_key: nameKey(username),
        password_hash,
        created_at,
        role: 'owner',
        has_generated_password,
      })
      .execute();
    await storeMemberTypes(tx, serverSaveToday(ctx));
    if (!(await tx.selectFrom('categories').select('id').executeTakeFirst()))
      await storeCatalogue(tx, catalogue, created_at);
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
