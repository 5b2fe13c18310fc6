import type { Server as HttpServer } from 'node:http';
import type { Caller } from '../http/caller.ts';
import { CHOOSERS, type Metrics, measure } from '../http/metrics.ts';
import type { Broadcast } from './broadcast.ts';
import { containFailures, type FailureLog, type LiveSocket, logFailure } from './live-server.ts';
import { batchNews, createPresence, type Person } from './presence.ts';
import { choices, type PresenceRelay } from './presence-relay.ts';

/** Choices that one person may send in 5 s, over all connections; the rest is ignored. A form sends far fewer. */
export const MAX_CHOICES_TOLD = 20;
const WINDOW_MS = 5_000;

interface PresenceContext extends FailureLog {
  presence: PresenceRelay;
  now: () => Date;
  metrics: Metrics;
}

/** A member with three open pages is one person. */
function personOf(caller: Caller, socket_id: string): Person {
  switch (caller.role) {
    case 'member':
      return { id: `member:${caller.character_key}`, name: caller.character_name };
    case 'admin':
      return { id: `admin:${caller.admin_id}`, name: null };
    case 'visitor':
      return { id: `visitor:${socket_id}`, name: null };
  }
}

/**
 * Tells watchers of each other.
 * @returns a function that follows one socket, and returns one that sends it the whole state after a `sync`
 */
export function followPresence(
  ctx: PresenceContext,
  broadcast: Pick<Broadcast, 'presence'>,
  http: HttpServer,
): (socket: LiveSocket) => () => void {
  const failed = (error: unknown): void => logFailure(ctx, error, 'who is there could not be told');
  const batch = batchNews(broadcast.presence, failed);
  const presence = createPresence({ relay: ctx.presence, now: ctx.now, tell: batch.add, failed });
  measure(ctx.metrics, { name: CHOOSERS, help: 'People who choose hours just now, on any server' }, (gauge) =>
    gauge.set(presence.choosing()),
  );
  http.once('close', () => {
    presence.stop();
    batch.stop();
  });
  const mayChoose = limitChoices(ctx.now);
  return (socket) => {
    const person = personOf(socket.data.caller, socket.id);
    let hasArrived = false;
    let hasChosen = false;
    const withdraw = (): void => {
      if (hasChosen) presence.withdraw(socket.id, person.id);
      hasChosen = false;
    };
    void socket.join(person.id);
    const choose = (message: unknown): void => {
      if (socket.data.caller.role === 'visitor') return;
      const chosen = choices.nullable().safeParse(message);
      if (!chosen.success) return;
      if (!chosen.data?.length) withdraw();
      else if (mayChoose(person.id)) {
        hasChosen = true;
        presence.choose(socket.id, person, chosen.data);
      }
    };
    const leave = (): void => {
      withdraw();
      if (hasArrived) presence.leave(person.id);
    };
    socket.on('choosing', containFailures(ctx, socket, choose));
    socket.on('disconnect', containFailures(ctx, socket, leave));
    return () => {
      if (!socket.connected) return;
      if (!hasArrived) presence.arrive(person.id);
      hasArrived = true;
      socket.emit('presence', presence.stateFor(person.id));
    };
  };
}

/** Whether one more choice of a person is within the limit. */
function limitChoices(now: () => Date): (person_id: string) => boolean {
  /** In the order in which the windows began. */
  const windows = new Map<string, { began_at: number; choices: number }>();
  return (person_id) => {
    const at = now().getTime();
    for (const [id, { began_at }] of windows) {
      if (Math.abs(at - began_at) < WINDOW_MS) break;
      windows.delete(id);
    }
    const window = windows.get(person_id) ?? { began_at: at, choices: 0 };
    windows.set(person_id, window);
    window.choices += 1;
    return window.choices <= MAX_CHOICES_TOLD;
  };
}
