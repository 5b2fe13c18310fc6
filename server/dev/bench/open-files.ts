import { z } from 'zod';
import type { Sizes } from './sizes.ts';

const limits = z.object({
  userLimits: z.object({ open_files: z.object({ soft: z.union([z.number(), z.string()]) }) }),
});
/** File descriptors that a process needs besides its connections. */
const OTHER_FILES = 500;

/** The limit of open files. Node raises it at start to the hard limit. */
function mostFiles(): number {
  const read = limits.safeParse(process.report.getReport());
  // Windows has no such limit.
  return read.success
    ? Number(read.data.userLimits.open_files.soft) || Number.POSITIVE_INFINITY
    : Number.POSITIVE_INFINITY;
}

/** Reduces the watchers to what the limit allows, and says so. The load generator holds the connections of two servers. */
export function enoughFiles(sizes: Sizes, say: (line: string) => void, files = mostFiles()): Sizes {
  const watchers = Math.max(1, Math.min(sizes.watchers, Math.floor((files - OTHER_FILES) / 2)));
  if (watchers < sizes.watchers)
    say(
      `This user may open ${files} files: ${watchers} watchers instead of ${sizes.watchers} (see ulimit -n).`,
    );
  return { ...sizes, watchers };
}
