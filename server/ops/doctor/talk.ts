import { once } from 'node:events';
import type { SyncAnswer } from '../../../shared/live.ts';
import { createAddressHash } from '../../http/client-address.ts';
import { begin, failureOf } from './ask.ts';
import type { Found } from './finding.ts';
import { doctorPass } from './pass.ts';
import type { Patient } from './patient.ts';

const PATH = '/socket.io/?EIO=4&transport=websocket';

/** What is asked with, and what is expected; null where the database cannot be read, and so nothing proves who asks. */
interface Known {
  pass: string;
  clock: number;
}

/** Goes live as a page does: upgrades, shows a pass, catches up from the clock that is stored. */
export async function goLive(url: string, patient: Patient): Promise<Found<'live'>> {
  const refused = await upgrade(url, patient);
  if (refused) return refused;
  const known = await whatIsKnown(patient).catch(() => null);
  const begun = Date.now();
  const said = await talk(url, known, patient);
  if (!('synced' in said)) return said;
  if (known && said.synced !== null) {
    // Where anybody may watch, another board lets us in, too; it would have to start from another clock.
    if ((said.synced.clock ?? -1) < known.clock || !said.synced.change_sets) return { finding: 'otherBoard' };
    const [theirs, ours] = [said.synced.build ?? '', patient.build() ?? ''];
    if (theirs !== ours) return { finding: 'otherBuild', params: { theirs, ours } };
  }
  return { finding: 'ok', params: { ms: Date.now() - begun } };
}

const whatIsKnown = (patient: Patient): Promise<Known> =>
  patient.read(async (tx) => {
    const { value } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    return { pass: await doctorPass(createAddressHash(tx), patient.now()), clock: value };
  });

/** Asks for the upgrade alone: it tells what a proxy answers in its place. @returns null where it was granted */
async function upgrade(url: string, { patience_ms }: Patient): Promise<Found<'live'> | null> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.from('claimboard-doctor').subarray(0, 16).toString('base64'),
  };
  const asked = begin(url, PATH, headers);
  asked.end();
  const outcome = Promise.race([
    once(asked, 'upgrade').then(([, socket]) => {
      // From now on the connection is nobody's but ours.
      socket.destroy();
      return null;
    }),
    once(asked, 'response').then(([{ statusCode }]): Found<'live'> => ({ finding: 'noUpgrade', params: { status: Number(statusCode) } })),
  ]).catch((error: unknown): Found<'live'> => ({ finding: 'cut', params: { reason: failureOf(error).reason } }));
  const found = await orSilence(patience_ms, outcome);
  asked.destroy();
  return found;
}

/** What comes of it; or that nothing does. */
async function orSilence<T>(ms: number, outcome: Promise<T>): Promise<T | Found<'live'>> {
  const { promise, resolve } = Promise.withResolvers<Found<'live'>>();
  const timer = setTimeout(resolve, ms, { finding: 'silent' });
  try {
    return await Promise.race([outcome, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Synced = Partial<Pick<SyncAnswer, 'clock' | 'build'> & { change_sets: unknown }>;

/** Socket.IO's own words: a server that opens (`0`), a handshake (`40`) or its refusal (`44`), a question (`420`) and its answer (`430`). */
async function talk(url: string, known: Known | null, { patience_ms }: Patient): Promise<Found<'live'> | { synced: Synced | null }> {
  const socket = new WebSocket(new URL(PATH, url.replace(/^http/, 'ws')));
  const outcome = new Promise<Found<'live'> | { synced: Synced | null }>((resolve) => {
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text === '2') socket.send('3');
      else if (text.startsWith('0')) socket.send(`40${JSON.stringify(known ? { doctor: known.pass } : {})}`);
      else if (text.startsWith('40')) socket.send(`420${JSON.stringify(['sync', known?.clock ?? 0])}`);
      else if (text.startsWith('44')) resolve(refusal(text.slice(2), known));
      else if (text.startsWith('430')) resolve({ synced: answerIn(text.slice(3)) });
    };
    socket.onerror = () => resolve({ finding: 'cut', params: { reason: '' } });
    socket.onclose = () => resolve({ finding: 'cut', params: { reason: '' } });
  });
  const found = await orSilence(patience_ms, outcome);
  socket.close();
  return found;
}

function refusal(text: string, known: Known | null): Found<'live'> | { synced: null } {
  const said: { data?: { code?: string; error?: string }; message?: string } = JSON.parse(text);
  // Nobody can know us; that we are told so came both ways over the connection.
  if (known === null && said.data?.code === 'session.required') return { synced: null };
  if (said.data?.code === 'session.required') return { finding: 'otherBoard' };
  return { finding: 'refused', params: { reason: said.data?.error ?? said.message ?? '' } };
}

function answerIn(text: string): Synced {
  const [answer]: [Synced | null] = JSON.parse(text);
  return answer ?? {};
}
