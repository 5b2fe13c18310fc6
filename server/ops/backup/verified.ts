import { rm } from 'node:fs/promises';
import { readArchive } from './read-archive.ts';
import { writeArchive } from './write-archive.ts';

/** Writes an archive and reads it back: only what can be restored may let older backups be deleted. @throws as both */
export async function writeVerifiedArchive(...[opened, file, writing]: Parameters<typeof writeArchive>): Promise<number> {
  const rows = await writeArchive(opened, file, writing);
  try {
    for await (const _ of readArchive(file)) writing.signal?.throwIfAborted();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return rows;
}
