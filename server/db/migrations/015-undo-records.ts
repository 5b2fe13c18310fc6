import type { Kysely } from 'kysely';

/**
 * Undos of more than events and claims: rows that were deleted or changed, in the last of an undo's pieces. And uploaded pictures
 * that no spot shows while an undo may bring back the one that did: named, not copied.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  for (const column of ['records', 'record_pieces'])
    await schema
      .alterTable('undos')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  await schema
    .createTable('undo_images')
    .addColumn('undo_id', 'integer', (c) => c.notNull().references('undos.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('undo_images_pk', ['undo_id', 'hash'])
    .execute();
  await schema.createIndex('undo_images_hash').on('undo_images').column('hash').execute();
}
