import { mock } from 'node:test';
import { correctBoardDate } from '../../../board/config/day.ts';
import { Broken } from './broken.ts';
import { type Cut, call, type HttpRequest, type HttpResponse } from './call.ts';
import { notice } from './expiry.ts';
import { endOffers } from './judge-transfers.ts';
import { Mailbox } from './mailbox.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { copyOf, type Model } from './model.ts';
import { momentAt, nextSave } from './moment.ts';
import { Network } from './network.ts';
import { openPage, type Page } from './page.ts';
import { type SimServer, startServer } from './sim-server.ts';
import { difference, readStored, storedHolds } from './stored.ts';
import { CHARACTERS } from './template.ts';
import { Turns } from './turns.ts';
import { serve } from './waits.ts';
import { type Watching, watchByTheBook } from './watchers.ts';
import { believe, madeSince } from './weekly.ts';

/** The server looks for a new day, and whether its history is still the same, every five seconds. */
export const DAY_BEGINS_WITHIN = 6;

/** Breaks the product on purpose, to see that it is noticed. */
export interface Sabotage {
  server?: (server: SimServer) => void;
  /** false: this message is lost on its way down, without notice. */
  pass?: (message: string) => boolean;
}

/** A database, and what is known of what it holds. */
export interface Kept {
  copy: Buffer;
  model: Model;
}

export interface PlaceOptions {
  seed: number;
  begins: string;
  pageOfAdmin: boolean;
  template: Kept;
  sabotage: Sabotage;
  /** The page keeps the server's clock, too. */
  keepsClock?: boolean;
}

/** A guild's server, its database, its network, those who watch and the clock on the wall. */
export class Place {
  readonly turns: Turns;
  readonly network: Network;
  readonly mailbox = new Mailbox(() => this.#now);
  readonly watchers: readonly Watching[];
  /** The one of them that is the client's own code. */
  readonly page: Page;
  /** Acknowledged writes. */
  model: Model;
  /** The database counts another history, and the server may not have noticed yet. */
  isDeceived = false;
  readonly #sabotage: Sabotage;
  #now: number;
  #server: SimServer | null = null;
  /** Of the newest server, also while that stops. */
  #database: MemoryDatabase | null = null;
  #backup: Kept | null = null;

  constructor({ seed, begins, pageOfAdmin, template, sabotage, keepsClock = false }: PlaceOptions) {
    this.turns = new Turns(seed);
    this.#sabotage = sabotage;
    this.#now = Date.parse(begins);
    this.model = copyOf(template.model);
    this.network = new Network({
      turns: this.turns,
      accept: (connection) => this.#server?.accept(connection) ?? false,
      storedClock: () =>
        this.#server && !this.isDeceived ? this.#server.database.storedClock() : null,
      pass: sabotage.pass ?? (() => true),
    });
    const [aldo, bea, cyr] = CHARACTERS;
    const coming = (name: string, who: string | null) => ({
      name,
      who,
      ...this.network.wayIn(who),
    });
    this.page = openPage({
      ...(pageOfAdmin ? coming("the admin's page", null) : coming("Cyr's page", cyr)),
      fetch: (path, init) => this.#fetch(path, init),
      keepsClock,
    });
    this.watchers = [
      watchByTheBook(coming(aldo, aldo)),
      watchByTheBook(coming(bea, bea)),
      watchByTheBook(coming('the admin', null)),
      this.page,
    ];
  }

  get server(): SimServer {
    if (!this.#server) throw new Error('there is no server');
    return this.#server;
  }

  /** The wall-clock time, in milliseconds. */
  get now(): number {
    return this.#now;
  }

  moment = () => momentAt(this.#now);

  clock = (): unknown => this.server.database.rows('select value from clock')[0]?.value;

  async start(copy: Buffer): Promise<void> {
    this.isDeceived = false;
    this.#server = await startServer({
      copy,
      turns: this.turns,
      now: () => new Date(this.#now),
      post: this.mailbox.post,
    });
    this.#database = this.#server.database;
    this.#sabotage.server?.(this.#server);
  }

  /** Stops it as an operator does: what is under way is finished, live connections are closed. */
  async stop(): Promise<Buffer> {
    const server = this.#gone();
    await this.quiet();
    const copy = server.database.copy();
    await server.ctx.close();
    return copy;
  }

  /** Its process dies: what was committed by then is what there is. */
  async die(): Promise<Buffer> {
    // It may have sent a message that it did not store.
    this.mailbox.forget();
    const copy = this.server.database.die();
    const server = this.#gone();
    await this.quiet();
    await server.ctx.close();
    return copy;
  }

  #gone(): SimServer {
    const { server } = this;
    this.#server = null;
    server.silence();
    this.network.cutAll();
    return server;
  }

  /** Lets all that is under way come to its end, one message at a time. */
  quiet(): Promise<void> {
    return this.turns.quiet(() => this.network.step() || this.#database?.isInUse() === true);
  }

  /** Time passes, for the clock on the wall and for all timers. */
  async wait(seconds: number): Promise<void> {
    this.network.notice();
    // As every minute. A clock that was set back has left the board a day ahead.
    if (seconds >= DAY_BEGINS_WITHIN && this.#server)
      void correctBoardDate(this.#server.ctx).catch(() => undefined);
    for (let left = seconds; left > 0; left -= 1) {
      this.#now += 1_000;
      mock.timers.tick(1_000);
      await this.quiet();
    }
    if (seconds >= DAY_BEGINS_WITHIN) this.isDeceived = false;
  }

  /** The clock on the wall is set; the timers run on. */
  jumpClock(ms: number): void {
    this.#now += ms;
  }

  /** To some time after the nth of some moments that are ahead, if there is one. */
  leapAhead(moments: readonly number[], nth: number, ms: number): void {
    const ahead = moments.filter((at) => at > this.#now).sort((a, b) => a - b);
    this.#now = Math.max(this.#now, (ahead[nth % Math.max(ahead.length, 1)] ?? 0) + ms);
  }

  leapToSave(ms: number): void {
    this.#now = nextSave(this.#now) + ms;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    if (!this.#server) throw new TypeError('no server answers');
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const answer = await this.call({ method: init.method ?? 'GET', path, headers });
    if (!answer) throw new TypeError('the connection was lost');
    const body = answer.status === 304 ? null : answer.body;
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  /** @returns null also when the server died before the answer came */
  async call(request: HttpRequest, cut?: Cut): Promise<HttpResponse | null> {
    const server = this.#server;
    if (!server) return null;
    const answer = await call(server.http, this.turns, request, cut);
    return this.#server === server ? answer : null;
  }

  /** Learns what the server wrote on its own. @throws Broken when that is not what had to expire and be offered */
  catchUp(): void {
    if (this.clock() === this.model.clock) return;
    const { database } = this.server;
    const sets = database
      .rows('select clock, at from changes order by clock')
      .filter(({ clock }) => Number(clock) > this.model.clock);
    const holds = storedHolds(database);
    const made = madeSince(database, this.model.clock);
    for (const { clock, at } of sets) {
      const moment = momentAt(Date.parse(String(at)));
      const waits = new Set(this.model.waits.keys());
      notice(this.model, moment, holds);
      const wrong = believe(this.model, made.get(Number(clock))?.made ?? [], moment);
      if (wrong !== null) throw new Broken(wrong);
      serve(this.model, moment, holds);
      endOffers(this.model, waits, moment);
    }
    this.model.clock = Number(this.clock());
    const wrong = difference(this.model, readStored(database));
    if (wrong) throw new Broken(`by itself: ${wrong}`);
  }

  backUp(): void {
    this.#backup = { copy: this.server.database.copy(), model: copyOf(this.model) };
  }

  /** The copy is put back while the server is stopped. */
  async restore(): Promise<void> {
    if (!this.#backup) return;
    await this.stop();
    this.mailbox.forget();
    this.model = copyOf(this.#backup.model);
    await this.start(this.#backup.copy);
    this.learnKeys();
  }

  /** Another machine takes over that lacks what was committed last; the server learns of it by its next look. */
  failOver(): void {
    if (!this.#backup) return;
    this.server.database.restore(this.#backup.copy);
    this.mailbox.forget();
    this.model = copyOf(this.#backup.model);
    this.isDeceived = true;
    this.learnKeys();
  }

  learnKeys(): void {
    const keys = this.server.database.rows('select character_name, key_value from access_keys');
    for (const { character_name, key_value } of keys)
      this.network.keys.set(String(character_name), String(key_value));
  }
}
