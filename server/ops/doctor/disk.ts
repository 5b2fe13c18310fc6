import { statfs } from 'node:fs/promises';

/** Size and free space of the disk that a folder is on, in bytes, and the number that the system has for its kind. */
export async function diskOf(folder: string): Promise<{ free: number; total: number; type: number }> {
  const { bavail, blocks, bsize, type } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize, type };
}
