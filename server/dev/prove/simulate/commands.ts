import { Broken } from './broken.ts';
import type { Cut, HttpRequest, HttpResponse } from './call.ts';
import type { Command, Moment, Outcome } from './command.ts';
import { discordOutcomeOf, interactionOf } from './discord.ts';
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
  /** The request is an interaction of Discord's. */
  via_discord?: true;
  /** Gets the answer as it came. */
  onAnswer?: (answer: HttpResponse) => void;
}

/** Linked members give every other of their commands through Discord, the same ones in a shortened script. */
const isViaDiscord = (scripted: ScriptedCommand): boolean =>
  JSON.stringify(scripted).length % 2 === 0;

const outcomeOfCall = (
  { command, via_discord, onAnswer }: PlannedCall,
  answer: HttpResponse | null,
): Outcome | null => {
  if (!answer) return null;
  onAnswer?.(answer);
  return via_discord ? discordOutcomeOf(command, answer) : outcomeOf(answer);
};

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

  /** @param isAlone nothing else is asked at the same time */
  of(scripted: ScriptedCommand, isAlone = false): PlannedCall {
    this.#count += 1;
    const { model, server, network } = this.#place;
    const around = {
      model,
      today: this.#place.moment().today,
      undoable: undoable(server.database),
      number: this.#count,
    };
    const command = resolve(scripted, around);
    const interaction = isViaDiscord(scripted) ? this.#interaction(command, isAlone) : null;
    if (interaction) return { command, request: interaction, via_discord: true };
    const request = requestOf(command, { admin_token: ADMIN_TOKEN, keys: network.keys });
    if (command.do === 'submit' && command.once !== null) {
      this.#newest = {
        call: { command, request },
        who: command.who,
        key: network.keys.get(command.who),
      };
    }
    return { command, request };
  }

  /** A number for one more interaction. */
  number(): number {
    this.#count += 1;
    return this.#count;
  }

  /** A button that is pressed in the browser. */
  pressed(command: Command): PlannedCall {
    return {
      command,
      request: requestOf(command, { admin_token: ADMIN_TOKEN, keys: this.#place.network.keys }),
    };
  }

  #interaction(command: Command, isAlone: boolean): HttpRequest | null {
    const { model, server, now } = this.#place;
    const linked = server.database.rows(
      'select character_name from access_keys where discord_user_id is not null',
    );
    const isLinked = (who: string): boolean =>
      linked.some(({ character_name }) => character_name === who);
    return interactionOf(command, {
      model,
      isLinked,
      now: new Date(now),
      number: this.#count,
      isAlone,
    });
  }

  /** The newest submission with an Idempotency-Key; null if its character has another key by now. */
  again(): PlannedCall | null {
    const { call, who, key } = this.#newest ?? {};
    // Where time went back, only the server knows which answers it has deleted.
    if (this.#place.model.wentBack || this.#place.now < this.#place.model.latest) return null;
    return call && who !== undefined && this.#place.network.keys.get(who) === key ? call : null;
  }

  /**
   * Asks for several things at once and judges the answers.
   * @param meanwhile happens beside it
   * @returns the outcomes; null: it was cut off
   * @throws Broken when they cannot be explained
   */
  async ask(
    calls: readonly (PlannedCall & { after?: number; cut?: Cut })[],
    meanwhile = async (): Promise<void> => {},
  ): Promise<readonly (Outcome | null)[]> {
    const place = this.#place;
    const moment = place.moment();
    const clock = place.clock();
    const answers = calls.map(async ({ after = 0, cut, ...call }): Promise<Outcome | null> => {
      await place.turns.some(after);
      return outcomeOfCall(call, await place.call(call.request, cut));
    });
    const [outcomes] = await Promise.all([Promise.all(answers), meanwhile(), place.quiet()]);
    this.#believe(calls, outcomes, moment);
    const [only] = outcomes;
    if (calls.length === 1 && only && only.status >= 400 && place.clock() !== clock)
      throw new Broken('a refused write moved the clock');
    return outcomes;
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
    const outcomes = (await answers).map((answer, at) =>
      calls[at] ? outcomeOfCall(calls[at], answer) : null,
    );
    await place.start(copy);
    await place.quiet();
    this.#believe(calls, outcomes, moment);
  }

  #believe(
    calls: readonly PlannedCall[],
    outcomes: readonly (Outcome | null)[],
    moment: Moment,
  ): void {
    for (const [at, outcome] of outcomes.entries())
      this.#onOutcome(
        outcome
          ? outcome.code ||
              `${calls[at]?.command.do}: done${outcome.isInWords ? ' via Discord' : ''}`
          : 'unanswered',
      );
    const results = calls.map(({ command }, at) => ({ command, outcome: outcomes[at] ?? null }));
    const explained = explain(this.#place.model, results, moment, this.#place.server.database);
    if (typeof explained === 'string') throw new Broken(explained);
    explained.clock = Number(this.#place.clock());
    this.#place.model = explained;
    this.#place.learnKeys();
  }
}
