/** Why a file was made: by the clock, because an owner asked for it, before a migration, or by hand, where nothing says so. */
export type Occasion = 'timed' | 'asked' | `before-${string}`;

const NAME = /^claimboard-(\d{4}-\d{2}-\d{2})-(\d{2})(\d{2})(\d{2})(?:-(timed|asked|before-[\w-]+))?\.jsonl\.gz$/;

/** Names sort as the moments at which they were made. */
export function fileNameAt(at: Date, occasion?: Occasion): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  return `claimboard-${date}-${time.slice(0, 8).replaceAll(':', '')}${occasion ? `-${occasion}` : ''}.jsonl.gz`;
}

export interface Named {
  at: Date;
  occasion: 'timed' | 'asked' | 'before' | null;
  /** The migration before which it was made. */
  migration: string | null;
}

/** What a file's name says of it; null: it is not one of ours. */
export function readFileName(name: string): Named | null {
  const [, date, hour, minute, second, occasion] = NAME.exec(name) ?? [];
  if (date === undefined) return null;
  const at = new Date(`${date}T${hour}:${minute}:${second}.000Z`);
  if (occasion === undefined) return { at, occasion: null, migration: null };
  if (occasion === 'timed' || occasion === 'asked') return { at, occasion, migration: null };
  return { at, occasion: 'before', migration: occasion.slice('before-'.length) };
}

/** What is being written is named so, until it is whole. */
export const PART = '.part';
