import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/** Claims a piece. */
const CLAIMS_A_PIECE = 500;
/** Entries that are looked at at once, and bytes of undo that are read at once; a longer one is read alone. */
const ENTRIES = 500;
const BYTES = 4_000_000;

const stored = z.object({ event: z.json().exactOptional(), claims: z.array(z.json()) });

interface Found {
  id: number;
  bytes: number;
}

/** Moves what entries can put back into tables of its own, a few entries at a time. What cannot be read is kept no longer. */
export async function moveUndos(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Found>`select id, octet_length(undo) as bytes from activity
      where undo is not null and id > ${last} order by id limit ${ENTRIES}`.execute(db);
    const some = asManyAsFit(rows);
    const end = some.at(-1);
    if (end === undefined) return;
    await move(db, last, end.id);
    last = end.id;
  }
}

function asManyAsFit(found: readonly Found[]): Found[] {
  let bytes = 0;
  return found.filter((entry, nth) => {
    bytes += entry.bytes;
    return nth === 0 || bytes <= BYTES;
  });
}

/** Moves those of the entries after one id, up to another. */
async function move(db: Kysely<unknown>, after: number, until: number): Promise<void> {
  const { rows } = await sql<{ id: number; timestamp: string; undo: string }>`select id, timestamp, undo from activity
    where undo is not null and id > ${after} and id <= ${until}`.execute(db);
  const undos: RawBuilder<unknown>[] = [];
  const piecesOf = new Map<number, string[]>();
  for (const { id, timestamp, undo } of rows) {
    const kept = readable(undo);
    if (!kept) {
      await sql`update activity set undo_expired_at = timestamp where id = ${id}`.execute(db);
      continue;
    }
    const pieces = inPieces(kept.claims);
    undos.push(sql`(${id}, 1, ${timestamp}, ${kept.event ? JSON.stringify(kept.event) : null}, ${kept.claims.length}, ${pieces.length})`);
    piecesOf.set(id, pieces);
  }
  if (undos.length === 0) return;
  const { rows: made } = await sql<{ id: number; entry_id: number }>`
    insert into undos (entry_id, version, made_at, event, claims, pieces) values ${sql.join(undos)} returning id, entry_id`.execute(db);
  const all = made.flatMap(({ id, entry_id }) => (piecesOf.get(entry_id) ?? []).map((body, piece) => sql`(${id}, ${piece}, ${body})`));
  if (all.length > 0) await sql`insert into undo_pieces (undo_id, piece, body) values ${sql.join(all)}`.execute(db);
}

function readable(undo: string): z.infer<typeof stored> | null {
  try {
    return stored.safeParse(JSON.parse(undo)).data ?? null;
  } catch {
    return null;
  }
}

function inPieces(claims: readonly unknown[]): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < claims.length; from += CLAIMS_A_PIECE) pieces.push(JSON.stringify(claims.slice(from, from + CLAIMS_A_PIECE)));
  return pieces;
}
