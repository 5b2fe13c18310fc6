import { io, type Socket } from 'socket.io-client';
import {
  type ChangesMessage,
  type ClientEvents,
  changeSetsIn,
  type ServerEvents,
} from '../../../../shared/live.ts';
import type { Context } from '../../../context.ts';
import { serverSaveToday } from '../../../db/clock/server-save-clock.ts';
import { createAccessKey } from '../../../members/access-keys.ts';
import { median } from '../repeat.ts';
import type { LargeGuild } from './large-guild.ts';
import { BENCH_ADMIN } from './with-server.ts';

/** The server's cost of one board: times in milliseconds, sizes in bytes. */
export interface ServerFigures {
  submit: number;
  push: number;
  push_to_last_of_50: number;
  change_bytes: number;
  snapshot: number;
  snapshot_bytes: number;
}

const SUBMISSIONS = 60;
const WATCHERS = 50;

type Watcher = Socket<ServerEvents, ClientEvents>;

async function watch(url: string, access_key: string): Promise<Watcher> {
  const socket: Watcher = io(url, {
    transports: ['websocket'],
    auth: { access_key },
    forceNew: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  socket.on('changes', (message) => clocks.set(socket, changeSetsIn(message).at(-1)?.clock ?? 0));
  return socket;
}

/** The last clock that each watcher received. */
const clocks = new WeakMap<Watcher, number>();

/** Measures a server through its API. */
export async function measureServer(
  ctx: Context,
  url: string,
  guild: LargeGuild,
): Promise<ServerFigures> {
  const { key_value } = await createAccessKey(ctx, BENCH_ADMIN, {
    characterName: 'Bench Watcher',
    memberType: 'member',
  });
  const first = await watch(url, key_value);
  const since = performance.now();
  const answer = await first.timeout(60_000).emitWithAck('sync', null);
  const snapshot = performance.now() - since;
  const others = await Promise.all(
    Array.from({ length: WATCHERS - 1 }, () => watch(url, key_value)),
  );
  for (const other of others) await other.timeout(60_000).emitWithAck('sync', answer.clock);
  for (const socket of [first, ...others])
    clocks.set(socket, Math.max(answer.clock, clocks.get(socket) ?? 0));
  const live = await measureSubmissions(ctx, url, guild, [first, ...others]);
  for (const socket of [first, ...others]) socket.disconnect();
  return {
    ...live,
    snapshot,
    snapshot_bytes: JSON.stringify(answer).length,
  };
}

type LiveFigures = Pick<ServerFigures, 'submit' | 'push' | 'push_to_last_of_50' | 'change_bytes'>;

async function measureSubmissions(
  ctx: Context,
  url: string,
  guild: LargeGuild,
  watchers: readonly Watcher[],
): Promise<LiveFigures> {
  const submits: number[] = [];
  const pushes: number[] = [];
  const lasts: number[] = [];
  const bytes: number[] = [];
  // Members cannot claim hours that are over.
  const dates = guild.dates.filter((date) => date > serverSaveToday(ctx));
  // All keys first: a change that members cannot see reaches their clocks only seconds later.
  const racers: { characterName: string; access_key: string }[] = [];
  for (let at = 0; at < SUBMISSIONS; at++) {
    const characterName = `Racer ${at}`;
    const { key_value } = await createAccessKey(ctx, BENCH_ADMIN, {
      characterName,
      memberType: 'member',
    });
    racers.push({ characterName, access_key: key_value });
  }
  for (const [at, { characterName, access_key }] of racers.entries()) {
    const spot = guild.free_spots[at % guild.free_spots.length];
    const date = dates[Math.floor(at / guild.free_spots.length)];
    if (spot === undefined || date === undefined)
      throw new Error('the bench ran out of free hours');
    const claim = {
      respawn_id: spot,
      character_name: characterName,
      date,
      hour_start: 20,
      hour_end: 24,
    };
    await caughtUp(watchers, ctx.bus.clock());
    const body = JSON.stringify({ access_key, claims: [claim] });
    const sent = performance.now();
    const deliveries = watchers.map(
      (socket) =>
        new Promise<[number, ChangesMessage]>((resolve) =>
          socket.once('changes', (message) => resolve([performance.now() - sent, message])),
        ),
    );
    const response = await fetch(`${url}/api/claims`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    if (response.status !== 201)
      throw new Error(`a submission of the bench was refused: ${await response.text()}`);
    submits.push(performance.now() - sent);
    const received = await Promise.all(deliveries);
    const [fastest] = received;
    if (fastest) {
      pushes.push(fastest[0]);
      bytes.push(JSON.stringify(fastest[1]).length);
    }
    lasts.push(Math.max(...received.map(([after]) => after)));
  }
  return {
    submit: median(submits),
    push: median(pushes),
    push_to_last_of_50: median(lasts),
    change_bytes: median(bytes),
  };
}

/** Waits until every watcher has reached the current clock. */
async function caughtUp(watchers: readonly Watcher[], clock: number): Promise<void> {
  const hasReached = (socket: Watcher): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if ((clocks.get(socket) ?? 0) < clock) return;
        socket.off('changes', check);
        resolve();
      };
      socket.on('changes', check);
      check();
    });
  await Promise.all(watchers.map(hasReached));
}
