import fc from 'fast-check';
import { io, type Socket } from 'socket.io-client';
import { faultInChanges, faultInSync } from './judge.ts';
import type { KnownThings } from './known.ts';
import type { People } from './people.ts';
import { valuesOf } from './values.ts';

/** A message over a live connection. */
export interface DrawnEvent {
  role: 'member' | 'admin';
  name: string;
  args: readonly unknown[];
  asks: boolean;
}

const NO_ANSWER_MS = 30_000;

export function eventsOf(today: string): fc.Arbitrary<DrawnEvent> {
  const any = valuesOf({}, today);
  const clock = fc.oneof(fc.nat(5_000), fc.constantFrom<unknown>(null, -1, 1e308, '1', 0.5), any);
  const choice = valuesOf(
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['respawn_id', 'date', 'hour_start', 'hour_end'],
        properties: {
          respawn_id: { type: 'integer' },
          date: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
          hour_start: { type: 'integer', minimum: 0, maximum: 23 },
          hour_end: { type: 'integer', minimum: 1, maximum: 24 },
        },
      },
    },
    today,
  );
  const role = fc.constantFrom<DrawnEvent['role']>('member', 'admin');
  const named = (
    name: fc.Arbitrary<string>,
    args: fc.Arbitrary<unknown[]>,
    asks: fc.Arbitrary<boolean>,
  ): fc.Arbitrary<DrawnEvent> => fc.record({ role, name, args, asks });
  return fc.oneof(
    named(fc.constant('sync'), fc.tuple(clock), fc.constant(true)),
    named(fc.constant('choosing'), fc.tuple(choice), fc.boolean()),
    named(
      fc.constantFrom(
        'sync',
        'choosing',
        'changes',
        'presence',
        'ended',
        'toString',
        '__proto__',
        '',
      ),
      fc.array(any),
      fc.boolean(),
    ),
  );
}

/** Live connections of a member and an admin: they send the drawn messages, and judge everything they receive. */
export class LiveConnections {
  readonly #url: string;
  readonly #people: People;
  readonly #fail: (fault: string) => void;
  readonly #sockets = new Map<string, Socket>();

  constructor(url: string, people: People, fail: (fault: string) => void) {
    this.#url = url;
    this.#people = people;
    this.#fail = fail;
  }

  /** Says it; where an answer is due, waits for it or for the end of the connection. */
  async say({ role, name, args, asks }: DrawnEvent, known: KnownThings): Promise<void> {
    const socket = await this.#connected(role);
    if (!socket.connected) return;
    const sent = args.map((each) => known.filledIn(each));
    // Only a sync of a clock is answered: anything else may be left unheard.
    if (name !== 'sync' || !asks || args.length !== 1) {
      socket.emit(name, ...sent, ...(asks ? [() => {}] : []));
      return;
    }
    await new Promise<void>((resolve) => {
      const unanswered = setTimeout(() => {
        this.#fail(`no answer to sync(${JSON.stringify(sent[0])})`);
        resolve();
      }, NO_ANSWER_MS);
      const done = (): void => {
        clearTimeout(unanswered);
        socket.off('disconnect', done);
        resolve();
      };
      socket.once('disconnect', done);
      socket.emit(name, ...sent, (answer: unknown) => {
        const fault = faultInSync(answer);
        if (fault) this.#fail(`sync(${JSON.stringify(sent[0])}): ${fault}`);
        done();
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.disconnect();
  }

  async #connected(role: DrawnEvent['role']): Promise<Socket> {
    const open = this.#sockets.get(role);
    if (open?.connected) return open;
    await this.#people.renew();
    const auth =
      role === 'admin'
        ? { admin_token: this.#people.adminToken() }
        : { access_key: this.#people.memberKey() };
    const socket = io(this.#url, {
      transports: ['websocket'],
      auth,
      forceNew: true,
      reconnection: false,
    });
    socket.on('changes', (message: unknown) => {
      const fault = faultInChanges(message);
      if (fault) this.#fail(`changes ${JSON.stringify(message).slice(0, 300)}: ${fault}`);
    });
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      // Its credential may have been ended meanwhile; the next one asks with another.
      socket.once('connect_error', () => resolve());
    });
    this.#sockets.set(role, socket);
    return socket;
  }
}
