import { z } from 'zod';
import type { Sizes } from './sizes.ts';

const limits = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.union([z.number(), z.string()]) }) }) });
/** What a process opens beside its connections. */
const OTHER_FILES = 500;

/** How many files a process may open. Node itself raises it, as it starts, as far as the system lets this user. */
function mostFiles(): number {
  const told = limits.safeParse(process.report.getReport());
  // Windows has none, and tells none.
  return told.success ? Number(told.data.userLimits.open_files.soft) || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** As many watchers as this machine allows, which is said where they are fewer. The load holds those of two servers. */
export function enoughFiles(sizes: Sizes, say: (line: string) => void, files = mostFiles()): Sizes {
  const watchers = Math.max(1, Math.min(sizes.watchers, Math.floor((files - OTHER_FILES) / 2)));
  if (watchers < sizes.watchers)
    say(`This user may open ${files} files: ${watchers} watchers instead of ${sizes.watchers} (see ulimit -n).`);
  return { ...sizes, watchers };
}
