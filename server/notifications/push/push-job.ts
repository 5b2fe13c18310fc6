import { notice } from './notice.ts';

/** What one browser is to be sent: the job's key is its subscription's id and what it is about, so that no two wait of the same. */
export const PUSH_JOB = { kind: 'push.send', payload: notice } as const;
