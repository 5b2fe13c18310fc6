import { z } from 'zod';
import type { DestinationKind } from '../../../shared/schemas/destination.ts';

/** Which destination is sent what waits for it: the job's key is its id. */
export const SEND_JOB = { kind: 'destination.send', payload: z.null() } as const;

/** How long what happens is gathered before it is sent, in milliseconds: a burst is one run, and on Discord one message. */
export const GATHERED_MS: { readonly [K in DestinationKind]: number } = { discord: 2_000, webhook: 500 };

/** A try that is further away than this, in milliseconds, was planned by a clock that has leapt since. */
export const LONGEST_WAIT_MS = 25 * 3_600_000;
