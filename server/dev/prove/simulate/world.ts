import { mock } from 'node:test';
import { Broken } from './broken.ts';
import { Commands } from './commands.ts';
import { startsIn } from './expiry.ts';
import { assertSound, lookAround, lookAtTheEnd } from './look.ts';
import { type Kept, Place, type Sabotage } from './place.ts';
import { Poll } from './poll.ts';
import { Presses } from './presses.ts';
import type { Script, Step } from './script.ts';
import { CHARACTERS } from './template.ts';
import type { Watching } from './watchers.ts';

/** The longest that the database delays every caller while several things happen at once, in event-loop turns. */
const SHAKEN = 6;

export interface WorldOptions {
  seed: number;
  script: Script;
  template: Kept;
  /** Gets the outcome of each command: done, `unanswered`, or the refusal's code. */
  onOutcome?: (outcome: string) => void;
  sabotage?: Sabotage;
}

/** One guild, its server, its watchers and its clock, all in this process: nothing happens but what the script says. */
export class World {
  readonly #script: Script;
  readonly #template: Kept;
  readonly #place: Place;
  readonly #commands: Commands;
  readonly #poll: Poll;
  readonly #presses: Presses;

  constructor({ seed, script, template, onOutcome = () => {}, sabotage = {} }: WorldOptions) {
    this.#script = script;
    this.#template = template;
    this.#place = new Place({ ...script, seed, template, sabotage });
    this.#commands = new Commands(this.#place, onOutcome);
    this.#poll = new Poll(this.#place);
    this.#presses = new Presses(this.#place, this.#commands);
  }

  /** @throws Broken when something is not as it must be, with the step that it happened in */
  async run(): Promise<void> {
    const place = this.#place;
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let at = 0;
    const { random } = Math;
    Math.random = () => place.turns.chance.below(1_000_000) / 1_000_000;
    place.turns.shake(this.#script.slow);
    try {
      await place.start(this.#template.copy);
      for (const watcher of place.watchers) watcher.connect();
      await place.quiet();
      place.catchUp();
      if (this.#script.confirms)
        await this.#step({
          step: 'ask',
          scripted: { do: 'set rules', change: { confirm: true, noShowLimit: 1 } },
        });
      for (const step of this.#script.steps) {
        at += 1;
        await this.#step(step);
        await place.quiet();
        place.catchUp();
        assertSound(place);
      }
      at += 1;
      await lookAtTheEnd(place, this.#presses);
    } catch (error) {
      const broken =
        error instanceof Broken
          ? error
          : new Broken(error instanceof Error ? error.stack : String(error));
      broken.at = at;
      throw broken;
    } finally {
      Math.random = random;
      for (const watcher of place.watchers) watcher.stop();
      await place.stop();
      mock.timers.reset();
    }
  }

  async #step(step: Step): Promise<void> {
    const place = this.#place;
    const commands = this.#commands;
    const watcher =
      'watcher' in step && step.watcher !== null ? place.watchers[step.watcher] : undefined;
    switch (step.step) {
      case 'ask':
        await commands.ask([commands.of(step.scripted, true)]);
        return;
      case 'ask and lose':
        return this.#shaken(() => commands.ask([{ ...commands.of(step.scripted), cut: step.cut }]));
      case 'ask again': {
        const again = commands.again();
        if (again) await commands.ask([again]);
        return;
      }
      case 'ask at once': {
        const calls = step.commands.map(({ scripted, after }) => ({
          ...commands.of(scripted),
          after,
        }));
        return this.#shaken(() => commands.ask(calls, () => this.#return(watcher, step)));
      }
      case 'connect':
        watcher?.hold(false);
        return watcher?.connect();
      case 'return':
        return this.#return(watcher, step);
      case 'hold':
        return watcher?.hold(true);
      case 'release':
        return watcher?.hold(false);
      case 'cut': {
        const line = watcher?.line();
        if (line) place.network.cut(line, step.late);
        return;
      }
      case 'poll':
        return this.#poll.ask(CHARACTERS[step.who] ?? 'Aldo');
      case 'press': {
        const { beside } = step;
        return beside ? this.#shaken(() => this.#presses.press(step)) : this.#presses.press(step);
      }
      case 'look':
        return lookAround(place, this.#presses);
      case 'restart':
        return place.start(await place.stop());
      case 'crash':
        return this.#shaken(() =>
          commands.crash(
            step.commands.map((scripted) => commands.of(scripted)),
            step.turns,
          ),
        );
      case 'back up':
        return place.backUp();
      case 'restore':
        return place.restore();
      case 'fail over':
        return place.failOver();
      case 'jump':
        return place.jumpClock(step.minutes * 60_000);
      case 'jump to the save':
        place.leapToSave(step.seconds * 1_000);
        return this.#return(watcher, { forget: true });
      case 'jump to a start':
        return place.leapAhead(startsIn(place.model), step.nth, step.minutes * 60_000);
      case "jump to a hold's end": {
        const { claims, waits } = place.model;
        const ends = [
          ...[...claims.values()].map(({ until }) => until),
          ...[...waits.values()].map(({ quiet }) => quiet),
        ].flatMap((at) => at ?? []);
        return place.leapAhead(ends, step.nth, step.seconds * 1_000);
      }
      case 'wait':
        return place.wait(step.seconds);
    }
  }

  /** While things happen at once, the database delays all callers. */
  async #shaken(work: () => Promise<unknown>): Promise<void> {
    const { turns } = this.#place;
    turns.shake(Math.max(SHAKEN, this.#script.slow));
    try {
      await work();
    } finally {
      turns.shake(this.#script.slow);
    }
  }

  /** A client's connection breaks, and this many turns later it reconnects. */
  async #return(
    watcher: Watching | undefined,
    { forget, after = 0 }: { forget: boolean; after?: number },
  ): Promise<void> {
    if (!watcher) return;
    watcher.line()?.cut();
    await this.#place.turns.some(after);
    watcher.hold(false);
    watcher.comeBack(forget);
  }
}
