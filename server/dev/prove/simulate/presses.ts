import { spotValue } from '../../../notifications/discord-app/option-text.ts';
import { Broken } from './broken.ts';
import type { HttpRequest, HttpResponse } from './call.ts';
import type { Command, Outcome } from './command.ts';
import type { Commands, PlannedCall } from './commands.ts';
import { choicesIn, commandPressed, interaction, isUpdate, LINKED } from './discord.ts';
import { isStale } from './expiry.ts';
import type { Choice, ShownMessage } from './mailbox.ts';
import type { Model } from './model.ts';
import type { Place } from './place.ts';
import { adminOffers, listedClaims, memberOffers } from './screen-offers.ts';
import type { Step } from './script.ts';
import { undoable } from './stored.ts';

type Press = Extract<Step, { step: 'press' }>;

/** Presses until one gives a command: a spot's day, a start, a length. */
const MAX_PRESSES = 4;

/** Codes that may refuse an up-to-date button, since only the server knows the reason. */
const ONLY_THE_SERVER_KNOWS: { readonly [D in Command['do']]?: RegExp } = {
  // The recipient's rules.
  'offer claim': /./,
  'take offer': /./,
  'give claim': /./,
  // A form: the server judges its fields.
  edit: /./,
  'move claim': /./,
  'make weekly': /./,
  // The hours were taken meanwhile, which the log does not look for.
  undo: /./,
  accept: /^budget\./,
  submit: /^budget\./,
};

/**
 * The same in Discord. Its selects show a spot's hours to any reader, and the server judges the
 * character at the end. Time may have passed, too.
 */
const DISCORD_JUDGES_LATER: { readonly [D in Command['do']]?: RegExp } = {
  submit: /^(budget|claim|hold)\./,
  queue: /^(wait|hold|claim)\./,
  'refuse offer': /^transfer\.expired$/,
  'withdraw offer': /^transfer\.expired$/,
  decline: /^hold\.over$/,
};

/** Where time went back, only the server knows which offers it saw expire. */
const isUncertain = ({ wentBack }: Model, { do: what }: Command): boolean =>
  wentBack && what.includes('offer');

/** Presses buttons that a screen or a message of Discord's offers at that moment. */
export class Presses {
  readonly #place: Place;
  readonly #commands: Commands;

  constructor(place: Place, commands: Commands) {
    this.#place = place;
    this.#commands = commands;
  }

  /** @throws Broken when a button is refused that can't be, or an answer can't be explained */
  async press(step: Press): Promise<void> {
    if (step.on === 'page') return this.#pressOnPage(step);
    const names = Object.keys(LINKED);
    const who = names[step.who % names.length] ?? '';
    const user = LINKED[who] ?? '';
    if (step.on === 'messages') {
      const messages = this.#place.mailbox.of(user);
      const message = messages[step.nth % Math.max(messages.length, 1)];
      return message && this.#pressInDiscord(who, message.choices, step, message);
    }
    const choices = await this.answerTo(who, step.on, step.nth);
    if (choices) await this.#pressInDiscord(who, choices, step);
  }

  /**
   * Gives a command in Discord.
   * @returns what its answer lets the member press; null: there is no answer
   */
  async answerTo(
    who: string,
    name: 'mine' | 'spot' | 'free',
    nth = 0,
  ): Promise<readonly Choice[] | null> {
    const options =
      name === 'spot' ? [{ name: 'spot', value: spotValue({ id: (nth % 3) + 1 }) }] : [];
    const answer = await this.#send(this.#request(who, { name, options }));
    return answer && choicesIn(answer);
  }

  /** The claims that the page of an admin lists from today on. */
  async claimsOfAdmin(): Promise<ReadonlySet<number>> {
    const { page } = this.#place;
    const [outside] = await Promise.all([page.readOutside(), this.#place.quiet()]);
    return listedClaims(outside, new Date(this.#place.now));
  }

  async #pressOnPage({ nth, beside }: Press): Promise<void> {
    const { page, model, server, now } = this.#place;
    if (!page.board() || this.#place.isDeceived) return;
    const offers =
      page.who === null
        ? adminOffers(await this.claimsOfAdmin(), undoable(server.database), nth)
        : memberOffers(page.who, new Date(now), nth);
    const certain = offers.filter((command) => !isUncertain(model, command));
    // Rare kinds of buttons are pressed as often as frequent ones.
    const kinds = [...Map.groupBy(certain, ({ do: what }) => what).values()];
    const ofKind = kinds[nth % Math.max(kinds.length, 1)] ?? [];
    const command = ofKind[Math.floor(nth / 10) % Math.max(ofKind.length, 1)];
    if (command) await this.#ask(this.#commands.pressed(command), beside, true);
  }

  /**
   * Presses one button or option of each answer until one gives a command.
   * @param message has the first ones
   */
  async #pressInDiscord(
    who: string,
    first: readonly Choice[],
    { nth, beside }: Press,
    message?: ShownMessage,
  ): Promise<void> {
    const { mailbox, model } = this.#place;
    const onAnswer = (answer: HttpResponse): void => {
      if (message && isUpdate(answer)) mailbox.replace(message, choicesIn(answer) ?? []);
    };
    let choices = first;
    for (let left = MAX_PRESSES; left > 0; left -= 1) {
      const choice = choices[Math.floor(nth / 10) % Math.max(choices.length, 1)];
      const command = choice && commandPressed(choice, who, model);
      if (!choice || (command && isUncertain(model, command))) return;
      const request = this.#request(who, choice, message?.id);
      if (command) {
        // Discord leaves the date out in a single_claim event: that must not change meanwhile.
        const others = command.do === 'submit' ? null : beside;
        // The server edits a message some seconds after its question is over.
        await this.#ask({ command, request, via_discord: true, onAnswer }, others, !message);
        return;
      }
      const answer = await this.#send(request);
      if (answer) onAnswer(answer);
      choices = (answer && choicesIn(answer)) ?? [];
    }
  }

  /** @param isCurrent the button is offered at this moment */
  async #ask(call: PlannedCall, beside: Press['beside'], isCurrent: boolean): Promise<void> {
    const others = beside ? [this.#commands.of(beside)] : [];
    // Expired items are shown until a write ends them, within seconds.
    const mayBeRefused = beside || !isCurrent || isStale(this.#place.model, this.#place.moment());
    const [outcome] = await this.#commands.ask([call, ...others]);
    if (mayBeRefused || !outcome || outcome.status < 400) return;
    if (isKnownToTheServer(call, outcome)) return;
    throw new Broken(
      `a button is offered for what is refused with ${outcome.code}: ${JSON.stringify(call.command)}`,
    );
  }

  #request(who: string, data: object, message_id?: string): HttpRequest {
    return interaction(who, data, {
      now: new Date(this.#place.now),
      number: this.#commands.number(),
      message_id,
    });
  }

  /** Sends what gives no command. */
  async #send(request: HttpRequest): Promise<HttpResponse | null> {
    const [answer] = await Promise.all([this.#place.call(request), this.#place.quiet()]);
    if (answer && answer.status !== 200)
      throw new Broken(`Discord got ${answer.status} ${answer.body} to ${request.body}`);
    return answer;
  }
}

const isKnownToTheServer = (
  { command: { do: what }, via_discord }: PlannedCall,
  { code, codes = [code] }: Outcome,
): boolean =>
  codes.some(
    (each) =>
      ONLY_THE_SERVER_KNOWS[what]?.test(each) ||
      (via_discord && DISCORD_JUDGES_LATER[what]?.test(each)),
  );
