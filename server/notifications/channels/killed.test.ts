import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { addDays } from '../../../shared/rules/server-save.ts';
import { openDatabase } from '../../db/open-database.ts';
import { filledDatabase, type TestDatabase, usualDatabases } from '../../dev/test/databases.ts';
import { answering, aReceiver, hanging, type Received } from '../../dev/test/receiver.ts';
import { runServer } from '../../dev/test/run-server.ts';
import { sized } from '../../dev/test/scope.ts';
import { usual } from '../../dev/test/usual-server.ts';

const DEATHS = sized(1, 2);
/** It is killed while the receiver has one of so many messages in hand, of which the server has noted none yet. */
const MESSAGES_A_LIFE = 25;
const PATIENT = { timeout: 120_000 };
/** Spots that are claimed day by day. */
const SPOTS = 40;

const id = z.object({ data: z.object({ id: z.number() }) });
const signedIn = z.object({ data: z.object({ token: z.string() }) });
const submitted = z.object({ data: z.array(z.object({ id: z.number() })) });

type Call = (path: string, body: object) => Promise<unknown>;

async function signIn(url: string): Promise<Call> {
  let token = '';
  const call: Call = async (path, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  token = signedIn.parse(await call('/login', { username: 'admin', password: usual.password })).data
    .token;
  return call;
}

/** Half a minute without a server: a dead server's leases expire. */
async function passLeases({ settings }: TestDatabase): Promise<void> {
  const { writer, close } = await openDatabase(
    { ...settings, DATABASE_URL: settings.DATABASE_URL },
    pino({ level: 'silent' }),
    {
      beside: true,
    },
  );
  await writer
    .updateTable('jobs')
    .set({ leased_until: '2000-01-01T00:00:00.000Z' })
    .where('leased_until', 'is not', null)
    .execute();
  await close();
}

const messageId = ({ headers }: Received): string => String(headers['webhook-id']);
const numberOf = (message: Received): number => Number(/^msg_(\d+)_/.exec(messageId(message))?.[1]);
const claimIn = ({ body }: Received): number => id.parse(JSON.parse(body)).data.id;

describe.each(usualDatabases)('a server on %s that is killed with -9 while it sends', (dialect) => {
  it(
    'has lost nothing that it acknowledged when the next one is through, in order and under the same ids',
    PATIENT,
    async () => {
      const on = await filledDatabase(dialect);
      onTestFinished(on.drop);
      let isDead = false;
      let inHand = (): void => {};
      /** The index of each process' first message among those received. */
      const lives: number[] = [];
      const receiver = await aReceiver((response, message, socket) => {
        const ofThisLife = receiver.received.length - (lives.at(-1) ?? 0);
        if (lives.length > DEATHS || ofThisLife < MESSAGES_A_LIFE)
          return answering(204)(response, message, socket);
        isDead = true;
        inHand();
        return hanging(response, message, socket);
      });
      const { DATABASE_URL, DATA_DIR } = on.settings;
      const place = DATABASE_URL === undefined ? { DATA_DIR } : { DATA_DIR, DATABASE_URL };
      const settings = {
        ...place,
        ADMIN_PASSWORD: usual.password,
        ALLOW_PRIVATE_DESTINATIONS: '1',
        CHARACTER_CHECK: 'manual',
      };
      const day = new Date().toISOString().slice(0, 10);
      const acknowledged: number[] = [];
      let next = 0;
      const claim = async (call: Call): Promise<void> => {
        const n = next++;
        const where = {
          respawn_id: 1 + (n % SPOTS),
          date: addDays(day, 2 + Math.floor(n / SPOTS)),
          hour_start: 10,
          hour_end: 11,
        };
        const body = {
          claims: [{ ...where, character_name: `Hunter ${n}` }],
          member_type: 'member',
          admin_submission: true,
        };
        for (const { id } of submitted.parse(await call('/claims', body)).data)
          acknowledged.push(id);
      };

      for (let life = 0; life <= DEATHS; life += 1) {
        isDead = false;
        const held = new Promise<void>((resolve) => {
          inHand = resolve;
        });
        const server = runServer(settings);
        const url = await server.ready;
        lives.push(receiver.received.length);
        const call = await signIn(url);
        if (life === 0)
          await call('/admin/destinations', {
            name: 'Receiver',
            kind: 'webhook',
            url: receiver.url,
            events: ['claim.created'],
            language: 'en',
          });
        if (life === DEATHS) {
          await claim(call);
          break;
        }
        // Acknowledged claims count; those under way may be stored or not.
        const writing = (async () => {
          while (!isDead) await claim(call).catch(() => {});
        })();
        await held;
        server.child.kill('SIGKILL');
        expect(await server.ended).toBe('SIGKILL');
        await writing;
        await passLeases(on);
      }

      const missing = (): number[] => {
        const arrived = new Set(receiver.received.map(claimIn));
        return acknowledged.filter((claim) => !arrived.has(claim));
      };
      await expect.poll(missing, PATIENT).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(MESSAGES_A_LIFE);

      const ids = new Map(
        receiver.received.map((message) => [claimIn(message), messageId(message)]),
      );
      for (const message of receiver.received)
        expect(messageId(message)).toBe(ids.get(claimIn(message)));
      // Messages that a killed server sent without recording it are sent again.
      expect(receiver.received.length).toBeGreaterThan(ids.size);
      for (const [life, from] of lives.entries()) {
        const numbers = receiver.received.slice(from, lives[life + 1]).map(numberOf);
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        expect(new Set(numbers).size).toBe(numbers.length);
      }
      const all = [...new Set(receiver.received.map(numberOf))];
      expect(all).toEqual([...all].sort((a, b) => a - b));
    },
  );
});
