import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { MAX_DESTINATIONS } from '../../../../shared/schemas/destination.ts';
import { PUBLIC_EVENT_TYPES } from '../../../../shared/schemas/domain-events.ts';
import { askJob, submitAloneJob, submitTogetherJob } from '../load/jobs.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';

/** Accepts connections and never responds. */
interface Hanging {
  url: string;
  /** Resolves when a client has given up waiting for a response. */
  wasGivenUp: Promise<void>;
  stop: () => void;
}

async function startHanging(): Promise<Hanging> {
  const sockets = new Set<Socket>();
  const { promise: wasGivenUp, resolve } = Promise.withResolvers<void>();
  const server = createServer((socket) =>
    sockets.add(
      socket
        .on('error', () => {})
        .once('close', resolve)
        .resume(),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // If a measurement fails, the bench ends.
  server.unref();
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/`,
    wasGivenUp,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const made = z.object({ data: z.object({ id: z.number() }) });

async function measure({ load, sizes, step, ...bench }: Bench): Promise<Row[]> {
  const stand = await bench.few();
  const send = async (
    method: string,
    path: string,
    status: number,
    body?: object,
  ): Promise<string> => {
    const { url } = await stand.subject();
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await load.run(askJob, {
      url: `${url}/api${path}`,
      method,
      headers: await stand.admin(),
      ...sent,
    });
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text;
  };
  const listen = (url: string, n: number): Promise<number> => {
    const destination = {
      name: `Receiver ${n}`,
      kind: n % 2 === 0 ? 'webhook' : 'discord',
      url,
      events: PUBLIC_EVENT_TYPES,
      language: 'en',
    };
    return send('POST', '/admin/destinations', 201, destination).then(
      (text) => made.parse(JSON.parse(text)).data.id,
    );
  };
  const hanging = async (): Promise<number> => {
    const receivers = await Promise.all(Array.from({ length: MAX_DESTINATIONS }, startHanging));
    const ids: number[] = [];
    for (const [n, { url }] of receivers.entries()) ids.push(await listen(url, n));
    await load.run(submitAloneJob, { ...(await stand.take('event', 1)), count: 1 });
    step('waiting until each has been waited for in vain');
    await Promise.all(receivers.map(({ wasGivenUp }) => wasGivenUp));
    const p99_ms = await slowestHundredth(stand, load, sizes.seconds);
    for (const id of ids) await send('DELETE', `/admin/destinations/${id}`, 200);
    for (const { stop } of receivers) stop();
    return p99_ms;
  };
  // Restart the server before each measurement: it ends pending deliveries, and all start equally cold.
  const restarted = (figure: () => Promise<number>) => async (): Promise<number> => {
    await stand.stop();
    return figure();
  };
  const [without = 0, value = 0] = await measureAlternately(
    sizes.repeats,
    restarted(() => slowestHundredth(stand, load, sizes.seconds)),
    restarted(hanging),
  );
  return [
    rowOf({
      what: `the 99th percentile of submissions of 20 clients, with ${MAX_DESTINATIONS} hanging receivers`,
      unit: 'ms',
      value,
      beside: { value: without, is: 'itself told to nobody' },
      reach: { ratio: { at: 'most', be: 1.2 } },
    }),
  ];
}

async function slowestHundredth(
  stand: Stand,
  load: Bench['load'],
  seconds: number,
): Promise<number> {
  const submissions = await stand.take('event', 0);
  const { next, p99_ms } = await load.run(submitTogetherJob, { ...submissions, seconds });
  await stand.take('event', next - submissions.from);
  return p99_ms;
}

export const hangingReceivers = { what: 'submissions while all receivers hang', measure };
