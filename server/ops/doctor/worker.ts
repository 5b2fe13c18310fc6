import { parentPort, workerData } from 'node:worker_threads';
import { createBuildName } from '../../http/static-files.ts';
import { openCheckContext } from './check.ts';
import { examine } from './examine.ts';
import type { Order, Progress } from './run-checks.ts';

/** SQLite blocks its thread, and a check of the whole file takes minutes: so the checks have a thread of their own. */
const { env, names, found, now }: Order = workerData;
const ahead_ms = now - Date.now();
const ctx = openCheckContext({ env, now: () => new Date(Date.now() + ahead_ms), build: createBuildName() });
for await (const progress of examine(ctx, names, found)) parentPort?.postMessage(progress satisfies Progress);
await ctx.close();
