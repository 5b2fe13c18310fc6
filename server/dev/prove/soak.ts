import { mock } from 'node:test';
import type { Proof, ProofOptions, Tried } from './proof.ts';
import { Broken } from './simulate/broken.ts';
import { boardDifference, freshBoard } from './simulate/compare-boards.ts';
import { Place, type Sabotage } from './simulate/place.ts';
import { makeTemplate } from './simulate/template.ts';
import { Changes } from './soak/changes.ts';
import { heldBytes } from './soak/heap.ts';
import { Laptop } from './soak/laptop.ts';

/** Ten changes a minute. */
const SECONDS_A_CHANGE = 6;
/** Between two kinds of weather, and between two looks at the board; fewer where there are few changes in all. */
const CHANGES_A_SPELL = 100;
const KINDS_OF_WEATHER = 6;
/**
 * What is held, page and server together, grows by less than this many bytes for each change: none is kept, a claim has
 * 400. Beside it, what caches fill up with and what the engine learns of code that it runs often.
 */
const BYTES_A_CHANGE = 100;
const BYTES_OF_CACHES = 1_500_000;
/** A page that woke, or whose network is back, has the board within so many seconds. */
const BACK_WITHIN = 5;
const HOUR_MS = 3_600_000;

export interface SoakOptions extends ProofOptions {
  /** Breaks the page on purpose. @returns what ends it */
  sabotage?: { place?: Sabotage; page?: () => () => void };
}

/** A page that stays open for so many changes, ten a minute, through sleep, lost networks and clocks that are wrong. */
class OpenTab {
  readonly #place: Place;
  readonly #laptop: Laptop;
  readonly #changes: Changes;
  #spells = 0;

  constructor(place: Place, laptop: Laptop) {
    this.#place = place;
    this.#laptop = laptop;
    this.#changes = new Changes(place);
  }

  async change(): Promise<void> {
    await this.#changes.make();
    await this.#place.wait(SECONDS_A_CHANGE);
  }

  /** One kind of weather after the other. */
  async weather(): Promise<void> {
    const place = this.#place;
    const laptop = this.#laptop;
    const line = place.watchers[3]?.line();
    this.#spells += 1;
    switch (this.#spells % KINDS_OF_WEATHER) {
      case 0: {
        laptop.loseNetwork();
        for (let at = 0; at < 3; at += 1) await this.#changes.make();
        // Timers stop while it sleeps.
        place.jumpClock((1 + place.turns.chance.below(8)) * HOUR_MS);
        laptop.findNetwork();
        await place.wait(2);
        return laptop.mustCatchUp(BACK_WITHIN, 'waking');
      }
      case 1:
        laptop.ahead_ms = (place.turns.chance.below(100) - 50) * HOUR_MS;
        await place.wait(BACK_WITHIN);
        return laptop.mustCatchUp(BACK_WITHIN, 'its clock was set');
      case 2:
        if (line) place.network.cut(line, true);
        await place.wait(1);
        return laptop.mustCatchUp(BACK_WITHIN, 'the connection broke');
      case 3:
        laptop.loseNetwork();
        for (let at = 0; at < 10; at += 1) await this.change();
        if (line) place.network.cut(line, true);
        await place.wait(30);
        laptop.findNetwork();
        laptop.sayOnline();
        await place.wait(1);
        return laptop.mustCatchUp(BACK_WITHIN, 'the network came back');
      case 4:
        await place.start(await place.stop());
        await place.wait(BACK_WITHIN);
        return laptop.mustCatchUp(BACK_WITHIN, 'the server was restarted');
      default:
        place.leapToSave(-3_000);
        return place.wait(SECONDS_A_CHANGE);
    }
  }

  async look(when: string): Promise<void> {
    const place = this.#place;
    await place.wait(SECONDS_A_CHANGE);
    const held = place.watchers[3]?.board();
    if (!held) throw new Broken(`${when} the page is not connected`);
    const wrong = boardDifference(held, await freshBoard(place.server, 'members'), 'members');
    if (wrong) throw new Broken(`${when} the page's board is not the server's: ${wrong}`);
    this.#laptop.assertRightTime(when);
  }
}

export async function soakPage({
  seed,
  runs,
  say,
  sabotage = {},
}: SoakOptions): Promise<readonly Tried[]> {
  const failed: string[] = [];
  let grown = 0;
  const begins = '2026-11-20T20:00:00.000Z';
  const template = await makeTemplate();
  const place = new Place({
    seed,
    begins,
    pageOfAdmin: false,
    template,
    sabotage: sabotage.place ?? {},
    keepsClock: true,
  });
  const page = place.watchers[3];
  if (!page) throw new Error('there is no page');
  const laptop = new Laptop(place, page);
  const { now } = Date;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  Date.now = laptop.now;
  laptop.ahead_ms = 7 * HOUR_MS;
  let stopSabotage = (): void => {};
  let made = 0;
  try {
    await place.start(template.copy);
    page.connect();
    await place.quiet();
    stopSabotage = sabotage.page?.() ?? stopSabotage;
    const tab = new OpenTab(place, laptop);
    await tab.look('at first');
    // Memory is measured when most of the disturbances are over.
    const spell = Math.min(CHANGES_A_SPELL, Math.max(1, Math.floor(runs / KINDS_OF_WEATHER)));
    const warm = Math.min(2 * KINDS_OF_WEATHER * spell, Math.floor(runs / 2));
    let first = 0;
    for (; made < runs; made += 1) {
      if (made === warm) first = await heldBytes();
      await tab.change();
      if ((made + 1) % spell !== 0) continue;
      await tab.look(`after ${made + 1} changes`);
      await tab.weather();
      await tab.look(`after ${made + 1} changes and their weather`);
      if ((made + 1) % (10 * spell) === 0) say(`${made + 1} changes`);
    }
    grown = (await heldBytes()) - first;
    const most = BYTES_OF_CACHES + BYTES_A_CHANGE * (runs - warm);
    say(`${runs - warm} changes more, and ${grown} bytes more are held, of at most ${most}`);
    if (grown > most)
      failed.push(`after ${runs - warm} changes ${grown} bytes more are held, of at most ${most}`);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    failed.push(`after ${made} changes from seed ${seed}: ${error.message}`);
  } finally {
    stopSabotage();
    for (const watcher of place.watchers) watcher.stop();
    await place.stop();
    mock.timers.reset();
    Date.now = now;
  }
  return [{ what: `changes on a page that stays open, from seed ${seed}`, tried: made, failed }];
}

export const soak: Proof = {
  summary:
    'a page that stays open for a day of ten changes a minute, through sleep, lost networks and wrong clocks',
  unit: 'changes',
  long: 14_400,
  run: soakPage,
};
