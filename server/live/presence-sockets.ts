import type { Server as HttpServer } from 'node:http';
import type { Context } from '../context.ts';
import type { Caller } from '../http/caller.ts';
import { measure } from '../ops/measure.ts';
import { CHOOSERS } from '../ops/metrics.ts';
import type { Broadcast } from './broadcast.ts';
import { contained, type FailureLog, liveFailure } from './contain.ts';
import type { LiveSocket } from './live-server.ts';
import { createPresence, type Person } from './presence.ts';
import { gathering } from './presence-gathering.ts';
import { choices } from './presence-relay.ts';

/**
 * Choices of one person, over all of their connections. A form that is being filled in says far less; what is said beyond
 * it is not heard. Each one that is heard may be taken back once: that much again is the most that the others are told.
 */
export const MAX_CHOICES_TOLD = 20;
const WINDOW_MS = 5_000;

/** Who somebody is, their credential says: a member with three pages open is one person. */
function whoIs(caller: Caller, socket_id: string): Person {
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
 * @returns what follows a connection; calling what that answers tells the connection everything, once it is synced
 */
export function followPresence(
  ctx: FailureLog & Pick<Context, 'presence' | 'now' | 'metrics'>,
  broadcast: Pick<Broadcast, 'presence'>,
  http: HttpServer,
): (socket: LiveSocket) => () => void {
  const failed = (error: unknown): void => liveFailure(ctx, error, 'who is there could not be told');
  const gathered = gathering(broadcast.presence, failed);
  const presence = createPresence({ relay: ctx.presence, now: ctx.now, tell: gathered.add, failed });
  measure(ctx.metrics, { name: CHOOSERS, help: 'People who choose hours just now, on any server' }, (gauge) =>
    gauge.set(presence.choosing()),
  );
  http.once('close', () => {
    presence.stop();
    gathered.stop();
  });
  const mayTell = flood(ctx);
  return (socket) => {
    const person = whoIs(socket.data.caller, socket.id);
    let hasArrived = false;
    let hasChosen = false;
    const withdraw = (): void => {
      if (hasChosen) presence.withdraw(socket.id, person.id);
      hasChosen = false;
    };
    void socket.join(person.id);
    const choose = (told: unknown): void => {
      if (socket.data.caller.role === 'visitor') return;
      const wanted = choices.nullable().safeParse(told);
      if (!wanted.success) return;
      if (!wanted.data?.length) withdraw();
      else if (mayTell(person.id)) {
        hasChosen = true;
        presence.choose(socket.id, person, wanted.data);
      }
    };
    const leave = (): void => {
      withdraw();
      if (hasArrived) presence.leave(person.id);
    };
    socket.on('choosing', contained(ctx, socket, choose));
    socket.on('disconnect', contained(ctx, socket, leave));
    return () => {
      if (!socket.connected) return;
      if (!hasArrived) presence.arrive(person.id);
      hasArrived = true;
      socket.emit('presence', presence.stateFor(person.id));
    };
  };
}

/** Whether one more choice of a person may be heard: so many in each stretch of time. */
function flood({ now }: Pick<Context, 'now'>): (person_id: string) => boolean {
  /** Of those who chose last, in the order in which their stretches began. */
  const stretches = new Map<string, { began: number; heard: number }>();
  return (person_id) => {
    const at = now().getTime();
    for (const [id, { began }] of stretches) {
      if (Math.abs(at - began) < WINDOW_MS) break;
      stretches.delete(id);
    }
    const stretch = stretches.get(person_id) ?? { began: at, heard: 0 };
    stretches.set(person_id, stretch);
    stretch.heard += 1;
    return stretch.heard <= MAX_CHOICES_TOLD;
  };
}
