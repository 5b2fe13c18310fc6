import type { EventEmitter } from 'node:events';
import type { HandshakeAuth } from '../../../../shared/live.ts';
import { Broken } from './broken.ts';
import { Line } from './line.ts';
import { ADMIN_TOKEN, CHARACTERS, keyOf } from './template.ts';
import type { Turns } from './turns.ts';

/** What only admins may be told of. */
const FOR_ADMINS =
  /"kind":"(access_key|verified_code|activity|destination)"|"(access_key|verified_code|activity|destination)":\[/;
/** A message with change sets, or the answer to a `sync`. */
const WITH_CLOCK = /^4(?:2\["changes",|3\d+\[\{"clock":)/;
/** The clock of a change set, or of an answer. */
const CLOCKS = /\{"clock":(\d+)/g;

/** The highest clock that a message brings; 0 for one that brings none. */
const clockTold = (message: string): number =>
  WITH_CLOCK.test(message)
    ? Math.max(0, ...message.matchAll(CLOCKS).map(([, clock]) => Number(clock)))
    : 0;

export interface NetworkOptions {
  turns: Turns;
  /** Gives the server its end of a line. @returns false: there is no server */
  accept: (connection: EventEmitter) => boolean;
  /** What is stored for good; null: unknown. */
  storedClock: () => number | null;
  /** false: this message is lost on its way down, without an error. */
  pass: (message: string) => boolean;
}

/** All lines between the server and those who watch. */
export class Network {
  /** The last key of each character. */
  readonly keys = new Map<string, string>(CHARACTERS.map((who) => [who, keyOf(who)]));
  readonly #options: NetworkOptions;
  #lines: Line[] = [];
  #late: Line[] = [];
  /** A response sent before its write was stored; null: none. */
  announcedTooEarly: string | null = null;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** How a caller connects; `who` is null for an admin. */
  wayIn(who: string | null): { auth: () => HandshakeAuth; dial: () => Line } {
    const pass = (message: string): boolean => {
      if (who !== null && FOR_ADMINS.test(message))
        throw new Broken(`${who} was told what is for admins: ${message}`);
      return this.#options.pass(message);
    };
    const sent = (message: string): void => {
      const clock = clockTold(message);
      const stored = this.#options.storedClock();
      if (stored !== null && clock > stored)
        this.announcedTooEarly ??= `${who ?? 'an admin'} was told of clock ${clock} before it was stored`;
    };
    return {
      auth: () =>
        who === null ? { admin_token: ADMIN_TOKEN } : { access_key: this.keys.get(who) ?? '' },
      dial: () => {
        const line = new Line({ accept: this.#options.accept, sent, pass });
        this.#lines = [...this.#lines.filter(({ isOver }) => !isOver), line];
        return line;
      },
    };
  }

  /** Hands over one message, whose turn it is by chance. @returns false when there was none */
  step(): boolean {
    const lines = this.#lines;
    const first = this.#options.turns.chance.below(Math.max(lines.length, 1));
    return lines.some((_, at) => lines[(first + at) % lines.length]?.step());
  }

  /** Breaks a line. `late`: the server notices only after a while. */
  cut(line: Line, late: boolean): void {
    line.cut(late);
    if (late) this.#late.push(line);
  }

  cutAll(): void {
    for (const line of this.#lines) line.cut();
  }

  /** The server notices which lines are broken. */
  notice(): void {
    for (const line of this.#late.splice(0)) line.noticed();
  }
}
