import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './run-program.ts';

const DISK_BYTES = 32 * 1024 * 1024;
const BLOCK_BYTES = 4_096;

export interface SmallDisk {
  folder: string;
  /** Makes it read-only. @throws Error while a file on it is open for writing */
  freeze: () => Promise<void>;
  remove: () => Promise<void>;
}

/** A disk of its own, in memory. @throws Error where this user may not mount one */
export async function mountSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    freeze: () => run('mount', ['-o', 'remount,ro', folder]),
    remove: async () => {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Fills the disk of a folder to its last block, with a file in it. @returns a function that deletes the file */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const filler = path.join(folder, 'filler');
  const file = await open(filler, 'w');
  try {
    for (const size of [256 * BLOCK_BYTES, BLOCK_BYTES]) {
      for (;;) {
        const written = await file.write(Buffer.alloc(size)).then(
          ({ bytesWritten }) => bytesWritten,
          () => 0,
        );
        if (written < size) break;
      }
    }
  } finally {
    await file.close();
  }
  return () => rm(filler);
}
