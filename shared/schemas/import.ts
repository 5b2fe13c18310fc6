import { z } from 'zod';

/** Lines of an imported file: some tenths of a second of server time. */
export const MAX_IMPORT_ROWS = 2_000;
/** Characters of a cell in an imported file. Names have at most 60. */
export const MAX_CELL_LENGTH = 200;

/** Categories that one import creates. If there are more, the column holds something else. */
export const MAX_NEW_CATEGORIES = 100;

/** A cell as it is in the file: a wrong one fails its line, and not the others. */
const cell = z.string().max(MAX_CELL_LENGTH);
const rows = <R extends z.ZodType>(row: R) =>
  z.object({ rows: z.array(row).min(1).max(MAX_IMPORT_ROWS), preview: z.boolean().default(false) });

/** A column that is missing in the file is left out: its stored values stay. */
export const respawnsImport = rows(
  z.object({
    name: cell,
    /** By its name; one that there is not yet is made. Empty: in none. */
    category: cell.optional(),
    /** 1 or yes, 0 or no; empty: as it is. */
    enabled: cell.optional(),
  }),
);
export type RespawnsImport = z.infer<typeof respawnsImport>;

export const membersImport = rows(
  z.object({
    character_name: cell,
    /** Empty: as it is, and of a new key the usual one. */
    member_type: cell.optional(),
  }),
);
export type MembersImport = z.infer<typeof membersImport>;

/** The outcome of a line: created, changed, unchanged, or skipped with an error. */
const importOutcome = z.enum(['new', 'changed', 'same', 'wrong']);
export type ImportOutcome = z.infer<typeof importOutcome>;

const importedRow = z.object({
  outcome: importOutcome,
  name: z.string(),
  /** Of a wrong one, as refusals have them. */
  code: z.string().nullable(),
  params: z.record(z.string(), z.json()),
  changed: z.record(z.string(), z.object({ from: z.json(), to: z.json() })),
});
export type ImportedRow = z.infer<typeof importedRow>;

export const importAnswer = z.object({
  /** A row each, in the file's order. */
  rows: z.array(importedRow),
  new_categories: z.array(z.string()),
  /** The log's entry; null: of a preview, or nothing was to be done. */
  activity_id: z.number().int().nullable(),
});
export type ImportAnswer = z.infer<typeof importAnswer>;
