import { mock } from 'node:test';
import type { HandshakeAuth } from '../../../shared/live.ts';
import { type Answered, type Asked, type Cut, call } from './call.ts';
import { boardDifference, freshBoard, shownOtherwise } from './compare-boards.ts';
import type { Deed, Moment, Outcome } from './deed.ts';
import { explain } from './explain.ts';
import { Line } from './line.ts';
import { copyOf, type Model, mayEnter } from './model.ts';
import { momentAt, nextSave } from './moment.ts';
import { openPage } from './page.ts';
import { outcomeOf, requestOf } from './request-of.ts';
import { resolve } from './resolve.ts';
import type { Script, Step, Wish } from './script.ts';
import { type SimServer, startServer } from './sim-server.ts';
import { brokenClock, undoable } from './stored.ts';
import { ADMIN_TOKEN, CHARACTERS, keyOf } from './template.ts';
import { Turns, turn } from './turns.ts';
import { type Watching, watchByTheBook } from './watchers.ts';

/** How long callers of the database wait at most while several things happen at once, in turns. */
const SHAKEN = 6;
/** The server looks for a new day, and whether its history is still the same, every five seconds. */
const DAY_BEGINS_WITHIN = 6;
/** A connection that was sent many snapshots waits for the next one, so many seconds at most. */
const SNAPSHOT_WITHIN = 61;
/** A page connects anew, and has the board, after at most this long, in seconds. */
const PAGE_IS_BACK_WITHIN = 70;
const FOR_ADMINS = /"kind":"(access_key|verified_code|activity)"|"(access_key|verified_code|activity)":\[/;

/** Something that must never be. */
export class Broken extends Error {
  /** The step in which it was, counted from 1. */
  at = 0;
}

/** Breaks the product on purpose, to see that it is noticed. */
export interface Sabotage {
  server?: (server: SimServer) => void;
  /** false: this message is lost on its way down, and nobody notices. */
  pass?: (message: string) => boolean;
}

export interface WorldOptions {
  seed: number;
  script: Script;
  template: { copy: Buffer; model: Model };
  /** Hears what came of each deed: `done`, `unanswered`, or why it was refused. */
  heard?: (outcome: string) => void;
  sabotage?: Sabotage;
}

/** One guild, its server, its watchers and its clock, all in this process: nothing happens but what the script says. */
export class World {
  readonly #turns: Turns;
  readonly #sabotage: Sabotage;
  readonly #script: Script;
  readonly #heard: (outcome: string) => void;
  readonly #watchers: readonly Watching[];
  readonly #keys = new Map<string, string>(CHARACTERS.map((who) => [who, keyOf(who)]));
  readonly #etags = new Map<string, string>();
  #template: WorldOptions['template'];
  #now: number;
  #model: Model;
  #server: SimServer | null = null;
  #lines: Line[] = [];
  #late: Line[] = [];
  #backup: { copy: Buffer; model: Model } | null = null;
  #again: { deed: Deed; request: Asked } | null = null;
  #deeds = 0;
  #polled = '';
  /** The database counts another history, and the server may not have noticed yet. */
  #isDeceived = false;

  constructor({ seed, script, template, heard = () => {}, sabotage = {} }: WorldOptions) {
    this.#heard = heard;
    this.#turns = new Turns(seed);
    this.#script = script;
    this.#template = template;
    this.#sabotage = sabotage;
    this.#now = Date.parse(script.begins);
    this.#model = copyOf(template.model);
    const [aldo, bea, cyr] = CHARACTERS;
    const admin = { name: 'the admin', who: null, ...this.#wayIn(null) };
    const page = script.pageOfAdmin
      ? { name: "the admin's page", who: null, ...this.#wayIn(null) }
      : { name: "Cyr's page", who: cyr, ...this.#wayIn(cyr) };
    this.#watchers = [
      watchByTheBook({ name: aldo, who: aldo, ...this.#wayIn(aldo) }),
      watchByTheBook({ name: bea, who: bea, ...this.#wayIn(bea) }),
      watchByTheBook(admin),
      openPage({ ...page, fetch: (path, init) => this.#fetch(path, init) }),
    ];
  }

  /** @throws Broken when something is not as it must be, with the step that it happened in */
  async run(): Promise<void> {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let at = 0;
    const { random } = Math;
    Math.random = () => this.#turns.chance.below(1_000_000) / 1_000_000;
    try {
      await this.#start(this.#template.copy);
      for (const watcher of this.#watchers) watcher.connect();
      await this.#quiet();
      for (const step of this.#script.steps) {
        at += 1;
        await this.#step(step);
        await this.#quiet();
        this.#assertSound();
      }
      at += 1;
      await this.#end();
    } catch (error) {
      const broken = error instanceof Broken ? error : new Broken(error instanceof Error ? error.stack : String(error));
      broken.at = at;
      throw broken;
    } finally {
      Math.random = random;
      for (const watcher of this.#watchers) watcher.stop();
      await this.#stop();
      mock.timers.reset();
    }
  }

  #wayIn(who: string | null): { auth: () => HandshakeAuth; dial: () => Line } {
    const pass = (message: string): boolean => {
      if (who !== null && FOR_ADMINS.test(message)) throw new Broken(`${who} was told what is for admins: ${message}`);
      return this.#sabotage.pass?.(message) ?? true;
    };
    return {
      auth: () => (who === null ? { admin_token: ADMIN_TOKEN } : { access_key: this.#keys.get(who) ?? '' }),
      dial: () => {
        const line = new Line((connection) => this.#server?.accept(connection) ?? false, pass);
        this.#lines = [...this.#lines.filter(({ isOver }) => !isOver), line];
        return line;
      },
    };
  }

  async #start(copy: Buffer): Promise<void> {
    this.#isDeceived = false;
    this.#server = await startServer({ copy, turns: this.#turns, now: () => new Date(this.#now) });
    this.#sabotage.server?.(this.#server);
  }

  /** Stops it as an operator does: what is under way is finished, live connections are closed. */
  async #stop(): Promise<Buffer> {
    const server = this.#running();
    this.#breakAll(server);
    await this.#quiet();
    const copy = server.database.copy();
    await server.ctx.close();
    return copy;
  }

  #breakAll(server: SimServer): void {
    this.#server = null;
    server.silence();
    for (const line of this.#lines) line.cut();
  }

  #running(): SimServer {
    if (!this.#server) throw new Error('there is no server');
    return this.#server;
  }

  /** Lets all that is under way come to its end, one message at a time, whose turn it is by chance. */
  #quiet(): Promise<void> {
    return this.#turns.quiet(() => {
      const lines = this.#lines;
      const first = this.#turns.chance.below(Math.max(lines.length, 1));
      return lines.some((_, at) => lines[(first + at) % lines.length]?.step());
    });
  }

  async #wait(seconds: number): Promise<void> {
    for (const line of this.#late.splice(0)) line.noticed();
    for (let left = seconds; left > 0; left -= 1) {
      this.#now += 1_000;
      mock.timers.tick(1_000);
      await this.#quiet();
    }
    if (seconds >= DAY_BEGINS_WITHIN) this.#isDeceived = false;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    if (!this.#server) throw new TypeError('nobody answers');
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const answer = await this.#call({ method: init.method ?? 'GET', path, headers });
    if (!answer) throw new TypeError('the connection was lost');
    const body = answer.status === 304 ? null : answer.body;
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  /** @returns null also when the server died before the answer came */
  async #call(asked: Asked, cut?: Cut): Promise<Answered | null> {
    const server = this.#server;
    if (!server) return null;
    const answer = await call(server.http, this.#turns, asked, cut);
    return this.#server === server ? answer : null;
  }

  #deed(wish: Wish): { deed: Deed; request: Asked } {
    this.#deeds += 1;
    const found = undoable(this.#running().database);
    const deed = resolve(wish, { model: this.#model, today: momentAt(this.#now).today, undoable: found, number: this.#deeds });
    const request = requestOf(deed, { admin_token: ADMIN_TOKEN, keys: this.#keys });
    if (deed.do === 'submit' && deed.once !== null) this.#again = { deed, request };
    return { deed, request };
  }

  /** Asks for several things at once and judges the answers. */
  async #ask(
    asked: readonly { deed: Deed; request: Asked; after?: number; cut?: Cut }[],
    meanwhile = async (): Promise<void> => {},
  ): Promise<void> {
    const moment = momentAt(this.#now);
    const clock = this.#clock();
    const calls = asked.map(async ({ request, after = 0, cut }): Promise<Outcome | null> => {
      this.#turns.open += 1;
      await this.#turns.some(after);
      this.#turns.open -= 1;
      const answer = await this.#call(request, cut);
      return answer && outcomeOf(answer);
    });
    const [outcomes] = await Promise.all([Promise.all(calls), meanwhile(), this.#quiet()]);
    this.#believe(asked, outcomes, moment);
    const [only] = outcomes;
    if (asked.length === 1 && only && only.status >= 400 && this.#clock() !== clock) throw new Broken('a refused write moved the clock');
  }

  #believe(asked: readonly { deed: Deed }[], outcomes: readonly (Outcome | null)[], moment: Moment): void {
    for (const outcome of outcomes) this.#heard(outcome ? outcome.code || 'done' : 'unanswered');
    const told = asked.map(({ deed }, at) => ({ deed, outcome: outcomes[at] ?? null }));
    const explained = explain(this.#model, told, moment, this.#running().database);
    if (typeof explained === 'string') throw new Broken(explained);
    this.#model = explained;
    this.#learnKeys();
  }

  #learnKeys(): void {
    const keys = this.#running().database.rows('select character_name, key_value from access_keys');
    for (const { character_name, key_value } of keys) this.#keys.set(String(character_name), String(key_value));
  }

  #clock = (): unknown => this.#running().database.rows('select value from clock')[0]?.value;

  async #step(step: Step): Promise<void> {
    const watcher = 'watcher' in step && step.watcher !== null ? this.#watchers[step.watcher] : undefined;
    switch (step.step) {
      case 'ask':
        return this.#ask([this.#deed(step.wish)]);
      case 'ask and lose':
        return this.#shaken(() => this.#ask([{ ...this.#deed(step.wish), cut: step.cut }]));
      case 'ask again':
        return this.#again ? this.#ask([this.#again]) : undefined;
      case 'ask at once': {
        const asked = step.wishes.map(({ wish, after }) => ({ ...this.#deed(wish), after }));
        return this.#shaken(() => this.#ask(asked, async () => this.#liven(watcher)));
      }
      case 'connect':
        return this.#liven(watcher);
      case 'hold':
        return watcher?.hold(true);
      case 'release':
        return watcher?.hold(false);
      case 'cut': {
        const line = watcher?.line();
        line?.cut(step.late);
        if (line && step.late) this.#late.push(line);
        return;
      }
      case 'poll':
        return this.#poll(CHARACTERS[step.who] ?? 'Aldo');
      case 'look':
        await this.#wait(DAY_BEGINS_WITHIN);
        for (let left = SNAPSHOT_WITHIN; left > 0 && this.#isAnyAsking(); left -= 1) await this.#wait(1);
        return this.#look(false);
      case 'restart':
        return this.#start(await this.#stop());
      case 'crash':
        return this.#shaken(() => this.#crash(step.wishes, step.turns));
      case 'back up':
        this.#backup = { copy: this.#running().database.copy(), model: copyOf(this.#model) };
        return;
      case 'restore':
        return this.#restore();
      case 'fail over':
        return this.#failOver();
      case 'leap':
        this.#now += step.minutes * 60_000;
        return;
      case 'leap to the save':
        this.#now = nextSave(this.#now) + step.seconds * 1_000;
        return;
      case 'wait':
        return this.#wait(step.seconds);
    }
  }

  /** While things happen at once, the database keeps everybody waiting for a while. */
  async #shaken(work: () => Promise<void>): Promise<void> {
    this.#turns.shake(SHAKEN);
    try {
      await work();
    } finally {
      this.#turns.shake(0);
    }
  }

  async #liven(watcher: Watching | undefined): Promise<void> {
    watcher?.hold(false);
    watcher?.connect();
  }

  /** The process dies in the middle of something; what was committed by then is what there is. */
  async #crash(wishes: readonly Wish[], turns: number): Promise<void> {
    const before = this.#running();
    const moment = momentAt(this.#now);
    const asked = wishes.map((wish) => this.#deed(wish));
    const calls = Promise.all(asked.map(async ({ request }) => this.#call(request)));
    await this.#turns.some(turns);
    while (before.database.isWriting()) await turn();
    const copy = before.database.copy();
    this.#breakAll(before);
    const answers = await Promise.all([calls, this.#quiet()]).then(([all]) => all);
    await before.ctx.close();
    await this.#start(copy);
    const outcomes = answers.map((answer) => answer && outcomeOf(answer));
    this.#believe(asked, outcomes, moment);
  }

  async #restore(): Promise<void> {
    if (!this.#backup) return;
    await this.#stop();
    this.#model = copyOf(this.#backup.model);
    await this.#start(this.#backup.copy);
    this.#learnKeys();
  }

  /** Another machine takes over that lacks what was committed last; the server learns of it by its next look. */
  #failOver(): void {
    if (!this.#backup) return;
    this.#running().database.putBack(this.#backup.copy);
    this.#model = copyOf(this.#backup.model);
    this.#isDeceived = true;
    this.#learnKeys();
  }

  /** Asks for the board as a page without a live connection does. */
  async #poll(who: string): Promise<void> {
    const headers = { 'X-Access-Key': this.#keys.get(who) ?? '' };
    const asked = { method: 'GET', path: '/api/respawns' };
    const answer = await this.#call({ ...asked, headers: { ...headers, 'If-None-Match': this.#polled } });
    if (!answer || this.#isDeceived) return;
    if (!mayEnter(this.#model, who)) {
      if (answer.status < 400) throw new Broken(`${who}, who may not, was shown the board`);
      return;
    }
    if (answer.status === 304) {
      const [row] = this.#running().database.rows('select board_date from clock');
      // Until the new day has begun on the server, the board is yesterday's.
      if (row?.board_date !== momentAt(this.#now).today) return;
      const whole = await this.#call({ ...asked, headers });
      if (whole?.body !== this.#etags.get(this.#polled)) throw new Broken('told that the board is unchanged, which it is not');
      return;
    }
    if (answer.status !== 200) throw new Broken(`the board was answered with ${answer.status} ${answer.body}`);
    this.#polled = answer.headers.etag ?? '';
    this.#etags.set(this.#polled, answer.body);
  }

  /** What must hold whenever nothing is under way. */
  #assertSound(): void {
    const { database, failures, io } = this.#running();
    const clock = brokenClock(database);
    if (clock) throw new Broken(clock);
    if (failures.length > 0) throw new Broken(`the server logged a failure: ${failures[0]}`);
    if (this.#isDeceived) return;
    // At once, not when the server looks the next time.
    for (const { name, board } of this.#watchers) {
      const held = board();
      if (held && held.clock !== this.#clock()) throw new Broken(`the board of ${name}: clock ${held.clock} instead of ${this.#clock()}`);
    }
    for (const { data } of io.sockets.sockets.values()) {
      const { caller } = data;
      if (caller.role === 'member' && !mayEnter(this.#model, caller.character_name, caller.access_key_id)) {
        throw new Broken(`${caller.character_name} is connected with a key that does not hold`);
      }
    }
  }

  /** Compares every board with the server's, and the server's with the model's. */
  async #look(everybody: boolean): Promise<void> {
    const server = this.#running();
    const fresh = { members: await freshBoard(server, 'members'), admins: await freshBoard(server, 'admins') };
    const shown = shownOtherwise(fresh.admins, this.#model, momentAt(this.#now).today);
    if (shown) throw new Broken(shown);
    for (const { name, who, board, refusal } of this.#watchers) {
      const role = who === null ? 'admins' : 'members';
      const held = board();
      if (held) {
        const wrong = boardDifference(held, fresh[role], role);
        if (wrong) throw new Broken(`the board of ${name}: ${wrong}`);
      } else if (everybody && (who === null || mayEnter(this.#model, who))) {
        throw new Broken(`${name} does not come back: ${refusal() ?? 'no answer'}`);
      }
    }
  }

  /** The storm is over: everybody comes back, and must see the same. */
  async #end(): Promise<void> {
    for (const watcher of this.#watchers) watcher.hold(false);
    await this.#wait(DAY_BEGINS_WITHIN);
    for (const watcher of this.#watchers) watcher.connect();
    await this.#quiet();
    for (let left = PAGE_IS_BACK_WITHIN; left > 0 && !this.#watchers.every((watcher) => this.#isBack(watcher)); left -= 1)
      await this.#wait(1);
    this.#assertSound();
    await this.#look(true);
  }

  #isAnyAsking = (): boolean =>
    this.#watchers.some((watcher) => !watcher.isHeld() && watcher.line()?.isOver === false && watcher.line()?.isAsking);

  #isBack({ board, who, refusal }: Watching): boolean {
    return board() !== null || (refusal() !== null && who !== null && !mayEnter(this.#model, who));
  }
}
