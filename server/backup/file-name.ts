const NAME = /^claimboard-\d{4}-\d{2}-\d{2}-\d{6}(-before-[\w-]+)?\.jsonl\.gz$/;

/** Names sort as the moments at which they were made. @param before the migration that comes after it */
export function fileNameAt(at: Date, before?: string): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  return `claimboard-${date}-${time.slice(0, 8).replaceAll(':', '')}${before ? `-before-${before}` : ''}.jsonl.gz`;
}

/** Whether a file was named so: nobody else's is taken away. */
export const isOurName = (name: string): boolean => NAME.test(name);
