import { Broken } from './broken.ts';
import type { Cut, HttpRequest } from './call.ts';
import type { Command, Moment, Outcome } from './command.ts';
import { explain } from './explain.ts';
import type { Place } from './place.ts';
import { outcomeOf, requestOf } from './request-of.ts';
import { resolve } from './resolve.ts';
import type { ScriptedCommand } from './script.ts';
import { undoable } from './stored.ts';
import { ADMIN_TOKEN } from './template.ts';

export interface PlannedCall {
  command: Command;
  request: HttpRequest;
}

/** The requests to the server, and how the model applies the answers. */
export class Commands {
  readonly #place: Place;
  readonly #onOutcome: (outcome: string) => void;
  #count = 0;
  #newest: { call: PlannedCall; who: string; key: string | undefined } | null = null;

  /** @param onOutcome gets the outcome of each command: done, `unanswered`, or the refusal's code */
  constructor(place: Place, onOutcome: (outcome: string) => void) {
    this.#place = place;
    this.#onOutcome = onOutcome;
  }

  of(scripted: ScriptedCommand): PlannedCall {
    this.#count += 1;
    const { model, server, network } = this.#place;
    const around = { model, today: this.#place.moment().today, undoable: undoable(server.database), number: this.#count };
    const command = resolve(scripted, around);
    const request = requestOf(command, { admin_token: ADMIN_TOKEN, keys: network.keys });
    if (command.do === 'submit' && command.once !== null) {
      this.#newest = { call: { command, request }, who: command.who, key: network.keys.get(command.who) };
    }
    return { command, request };
  }

  /** The newest submission with an Idempotency-Key; null if its character has another key by now. */
  again(): PlannedCall | null {
    const { call, who, key } = this.#newest ?? {};
    return call && who !== undefined && this.#place.network.keys.get(who) === key ? call : null;
  }

  /**
   * Asks for several things at once and judges the answers.
   * @param meanwhile happens beside it
   * @throws Broken when they cannot be explained
   */
  async ask(calls: readonly (PlannedCall & { after?: number; cut?: Cut })[], meanwhile = async (): Promise<void> => {}): Promise<void> {
    const place = this.#place;
    const moment = place.moment();
    const clock = place.clock();
    const answers = calls.map(async ({ request, after = 0, cut }): Promise<Outcome | null> => {
      await place.turns.some(after);
      const answer = await place.call(request, cut);
      return answer && outcomeOf(answer);
    });
    const [outcomes] = await Promise.all([Promise.all(answers), meanwhile(), place.quiet()]);
    this.#believe(calls, outcomes, moment);
    const [only] = outcomes;
    if (calls.length === 1 && only && only.status >= 400 && place.clock() !== clock) throw new Broken('a refused write moved the clock');
  }

  /** The process dies this many turns after the calls began, in the middle of its work, and is started again. */
  async crash(calls: readonly PlannedCall[], turns: number): Promise<void> {
    const place = this.#place;
    const moment = place.moment();
    const answers = Promise.all(calls.map(async ({ request }) => place.call(request)));
    for (let left = turns; left > 0; left -= 1) {
      place.network.step();
      await place.turns.some(1);
    }
    const copy = await place.die();
    const outcomes = (await answers).map((answer) => answer && outcomeOf(answer));
    await place.start(copy);
    await place.quiet();
    this.#believe(calls, outcomes, moment);
  }

  #believe(calls: readonly PlannedCall[], outcomes: readonly (Outcome | null)[], moment: Moment): void {
    for (const [at, outcome] of outcomes.entries())
      this.#onOutcome(outcome ? outcome.code || `${calls[at]?.command.do}: done` : 'unanswered');
    const results = calls.map(({ command }, at) => ({ command, outcome: outcomes[at] ?? null }));
    const explained = explain(this.#place.model, results, moment, this.#place.server.database);
    if (typeof explained === 'string') throw new Broken(explained);
    explained.clock = Number(this.#place.clock());
    this.#place.model = explained;
    this.#place.learnKeys();
  }
}
