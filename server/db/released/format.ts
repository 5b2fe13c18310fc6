import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/**
 * Databases as earlier programs stored them: first what it is, then a line a table, and under it a line a row. `record.ts`
 * makes them, and they are never changed by hand: who changes what a released program stored tests nothing.
 *
 * `004` is of a small guild with rows in every table and an undo of every kind, `004-demo` and `005-demo` are of demo guilds;
 * `004.postgres.txt` is the schema that the first two had in PostgreSQL.
 */
const FOLDER = import.meta.dirname;

const cell = z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })]);
export type Cell = z.infer<typeof cell>;

const head = z.object({
  /** The migrations it went through, in the order of their names. */
  migrations: z.array(z.string()).min(1),
  /** The commit of the program that made it. */
  made_by: z.string(),
  /** The program's time when it stopped. */
  until: z.string(),
  /** The last id of each table that gives out each only once. */
  given_out: z.record(z.string(), z.number()),
  /** As SQLite has them. */
  schema: z.array(z.string()),
});
const heading = z.object({ table: z.string(), columns: z.array(z.string()) });
const row = z.array(cell);

export interface Table {
  name: string;
  columns: string[];
  rows: Cell[][];
}
export type Released = z.infer<typeof head> & { name: string; tables: Table[] };

export const fileOf = (name: string): string => path.join(FOLDER, `${name}.jsonl`);

/** All there are, by their names. */
export const releasedNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => path.basename(file, '.jsonl'))
    .sort();

export function readReleased(name: string): Released {
  const [first = '', ...lines] = readFileSync(fileOf(name), 'utf8').trimEnd().split('\n');
  const tables: Table[] = [];
  for (const line of lines) {
    const read: unknown = JSON.parse(line);
    if (Array.isArray(read)) tables.at(-1)?.rows.push(row.parse(read));
    else {
      const { table, columns } = heading.parse(read);
      tables.push({ name: table, columns, rows: [] });
    }
  }
  return { name, ...head.parse(JSON.parse(first)), tables };
}

export function writtenReleased({
  migrations,
  made_by,
  until,
  given_out,
  schema,
  tables,
}: Omit<Released, 'name'>): string {
  const lines: unknown[] = [{ migrations, made_by, until, given_out, schema }];
  for (const { name, columns, rows } of tables) lines.push({ table: name, columns }, ...rows);
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** The rows of a table as records; [] where it had no such table. */
export function rowsOfTable({ tables }: Released, name: string): Record<string, Cell>[] {
  const table = tables.find((each) => each.name === name);
  if (!table) return [];
  return table.rows.map((cells) =>
    Object.fromEntries(table.columns.map((column, nth) => [column, cells[nth] ?? null])),
  );
}
