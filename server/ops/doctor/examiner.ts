import { text } from 'node:stream/consumers';
import { createBuildName } from '../../http/static-files.ts';
import { diskOf } from './disk.ts';
import { examine } from './examine.ts';
import { openPatient } from './patient.ts';
import type { Order, Said } from './supervise.ts';

/** The process that looks: it is told at what, and says what it finds, a line each. */
const order: Order = JSON.parse(await text(process.stdin));
const ahead_ms = order.now - Date.now();
const patient = openPatient({ env: order.env, now: () => new Date(Date.now() + ahead_ms), build: createBuildName(), disk: diskOf });
for await (const said of examine(patient, order.names, order.found)) process.stdout.write(`${JSON.stringify(said satisfies Said)}\n`);
await patient.close();
