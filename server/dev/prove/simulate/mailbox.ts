import { z } from 'zod';
import type { Post } from '../../../notifications/outbound/post.ts';

/** A button, or an option of a select. */
export interface Choice {
  custom_id: string;
  values: readonly string[];
}

/** A message that a Discord user sees. */
export interface ShownMessage {
  id: string;
  /** The Discord user. */
  user: string;
  choices: readonly Choice[];
  /** When it was sent or last edited, in milliseconds. */
  at: number;
  /** The server that knows of it has lost its history since: it edits the message no more. */
  isForgotten: boolean;
}

interface Component {
  custom_id?: string | undefined;
  options?: { value: string }[] | undefined;
  components?: Component[] | undefined;
}
const component: z.ZodType<Component> = z.object({
  custom_id: z.string().optional(),
  options: z.array(z.object({ value: z.string() })).optional(),
  components: z.lazy(() => z.array(component)).optional(),
});
export const messageBody = z.object({
  components: z.array(component).default([]),
  nonce: z.string().optional(),
});
const channelBody = z.object({ recipient_id: z.string() });

export const choicesOf = (components: readonly Component[]): Choice[] =>
  components.flatMap(({ custom_id, options, components: inner = [] }) => {
    if (custom_id === undefined) return choicesOf(inner);
    return options
      ? options.map(({ value }) => ({ custom_id, values: [value] }))
      : [{ custom_id, values: [] }];
  });

/** `/channels/{channel}/messages`, or one of them. */
const MESSAGES = /\/channels\/(\d+)\/messages(?:\/(\d+))?$/;

/** Discord as far as it keeps direct messages. It takes all; a channel has the id of its user. */
export class Mailbox {
  readonly #messages = new Map<string, ShownMessage>();
  readonly #byNonce = new Map<string, string>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly post: Post = async ({ url, method = 'POST', body }) => {
    const text = typeof body === 'string' ? body : '';
    return {
      ok: true,
      status: 200,
      headers: {},
      body: JSON.stringify({ id: this.#take(url, method, text) }),
    };
  };

  #take(url: string, method: string, body: string): string {
    const [, channel, known] = MESSAGES.exec(url) ?? [];
    if (channel === undefined) {
      this.#count += 1;
      return channelBody.safeParse(JSON.parse(body)).data?.recipient_id ?? String(this.#count);
    }
    if (method === 'DELETE') this.#messages.delete(known ?? '');
    else this.#keep(channel, known, messageBody.parse(JSON.parse(body)));
    return known ?? String(this.#count);
  }

  #keep(
    user: string,
    known: string | undefined,
    { components, nonce }: z.infer<typeof messageBody>,
  ): void {
    const before = known ?? this.#byNonce.get(`${user} ${nonce}`);
    if (before === undefined) this.#count += 1;
    const id = before ?? String(this.#count);
    if (nonce !== undefined) this.#byNonce.set(`${user} ${nonce}`, id);
    this.#messages.set(id, {
      id,
      user,
      choices: choicesOf(components),
      at: this.#now(),
      isForgotten: false,
    });
  }

  of = (user: string): ShownMessage[] =>
    [...this.#messages.values()].filter(
      (message) => message.user === user && message.choices.length > 0,
    );

  /** A pressed button's answer takes its message's place. */
  replace(message: ShownMessage, choices: readonly Choice[]): void {
    this.#messages.set(message.id, { ...message, choices });
  }

  /** The server's history is another one from now on. */
  forget(): void {
    for (const [id, message] of this.#messages)
      this.#messages.set(id, { ...message, isForgotten: true });
  }
}
