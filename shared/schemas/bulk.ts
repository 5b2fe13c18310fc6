import { z } from 'zod';
import { id } from './fields.ts';
import { memberTypeName } from './member-type.ts';

/** Records that one bulk action changes: some tenths of a second of server time. */
export const MAX_BULK = 2_000;
/** So many of them the log names. */
export const NAMED_IN_LOG = 10;

const ids = z
  .array(id)
  .min(1)
  .max(MAX_BULK)
  .refine((all) => new Set(all).size === all.length)
  .describe(`Each once, ${MAX_BULK} at most; one that is gone meanwhile counts as unchanged`);

const plain = <D extends string>(command: D) => z.object({ do: z.literal(command) });

/** `ban` is of the keys' characters, also of those without a verification record. */
const keysCommand = z.discriminatedUnion('do', [
  plain('revoke'),
  plain('enable'),
  plain('delete'),
  plain('ban'),
  plain('move').extend({ member_type: memberTypeName.min(1) }),
]);
export type KeysCommand = z.infer<typeof keysCommand>;

/** Of characters, by their verification records; `revoke` and `enable` do it to their keys. */
const charactersCommand = z.discriminatedUnion('do', [
  plain('ban'),
  plain('unban'),
  plain('revoke'),
  plain('enable'),
  plain('delete'),
]);
export type CharactersCommand = z.infer<typeof charactersCommand>;

const claimsCommand = plain('delete');
export type ClaimsCommand = z.infer<typeof claimsCommand>;

const respawnsCommand = z.discriminatedUnion('do', [
  plain('enable'),
  plain('disable'),
  plain('delete'),
  /** null: into none. */
  plain('move').extend({ category_id: id.nullable() }),
]);
export type RespawnsCommand = z.infer<typeof respawnsCommand>;

export const keysBulk = z.object({ ids, command: keysCommand });
export const charactersBulk = z.object({ ids, command: charactersCommand });
export type CharactersBulk = z.infer<typeof charactersBulk>;
export const claimsBulk = z.object({ ids, command: claimsCommand });
export const respawnsBulk = z.object({ ids, command: respawnsCommand });
export type RespawnsBulk = z.infer<typeof respawnsBulk>;

export const bulkAnswer = z.object({
  changed: z.number().int().min(0),
  /** Unchanged already, or deleted meanwhile. */
  unchanged: z.number().int().min(0),
  /** The log entry for undoing it; null: nothing changed, or nothing can be undone. */
  activity_id: id.nullable(),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;
