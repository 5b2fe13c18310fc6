import pg from 'pg';
import type { Logger } from 'pino';
import { ANSWER_WITHIN_MS } from '../db/postgres.ts';
import { NOTIFY_CHANNEL } from '../db/unit-of-work.ts';
import type { ChangeBus } from './bus.ts';
import { PRESENCE_CHANNEL, type PresenceRelay } from './presence-relay.ts';

const RECONNECT_AFTER_MS = 1_000;
/** Notices a connection that died silently; the system's default is hours. */
const KEEP_ALIVE_MS = 10_000;
/** For a PostgreSQL that accepts connections and never answers. */
const CONNECT_TIMEOUT_MS = ANSWER_WITHIN_MS;

interface Listening {
  bus: ChangeBus;
  presence: PresenceRelay;
  log: Logger;
  /** Called when a lost connection was replaced. */
  onReconnect?: () => void;
}

/**
 * Wakes the bus when another server commits. After a lost connection it listens again and then wakes the bus, which reads on from its
 * last clock, so no notification is missed. The same connection carries presence both ways, which keeps this server's messages in order.
 * @returns a function that stops listening
 */
export async function listenToPostgres(
  url: string,
  { bus, presence, log, onReconnect = () => {} }: Listening,
): Promise<() => Promise<void>> {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    });
    next.on('notification', ({ channel, payload }) => {
      if (channel === PRESENCE_CHANNEL) presence.receive(payload ?? '');
      else bus.wake(clockIn(payload));
    });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next, new Error('the connection ended')));
    try {
      await next.connect();
      await next.query(`listen ${NOTIFY_CHANNEL}; listen ${PRESENCE_CHANNEL}`);
    } catch (error) {
      // The next try opens another connection.
      void next.end().catch(() => {});
      throw error;
    }
    if (stopped) return next.end();
    client = next;
    bus.wake();
    presence.connect(lineOver(next));
  };

  const lost = (gone: pg.Client, error: Error): void => {
    if (stopped || client !== gone) return;
    client = null;
    bus.distrust();
    presence.connect(null);
    log.warn({ reason: error.message }, 'lost the connection that receives other servers’ changes');
    void gone.end().catch(() => {});
    again();
  };

  const again = (): void => {
    retry = setTimeout(() => {
      connect().then(onReconnect, (error: Error) => {
        log.warn({ reason: error.message }, 'still not receiving other servers’ changes');
        if (!stopped) again();
      });
    }, RECONNECT_AFTER_MS);
  };

  await connect();
  return async () => {
    stopped = true;
    if (retry) clearTimeout(retry);
    presence.connect(null);
    await client?.end();
  };
}

/** The clock in a notification; undefined for any other text. */
function clockIn(payload: string | undefined): number | undefined {
  const clock = Number(payload);
  return Number.isInteger(clock) ? clock : undefined;
}

/** Sends texts over the connection, one after another. What a lost connection swallows only expires. */
function lineOver(client: pg.Client): (text: string) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    last = last
      .then(() => client.query('select pg_notify($1, $2)', [PRESENCE_CHANNEL, text]))
      .catch(() => {});
  };
}
