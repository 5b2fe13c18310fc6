/** Why an outgoing request failed, as the server stores it. Each has a sentence at `admin.notifications.failure`. */
const DELIVERY_FAILURES = [
  'timeout',
  'stopped',
  'private',
  'notAllowed',
  'unknownHost',
  'restored',
  'unreachable',
  'tls',
  'reset',
  'tooLarge',
  'unreadable',
] as const;

/** Discord's numbers of refusals that only a change of the channel ends; every other one is of the message. */
const CHANNEL_REFUSALS: Readonly<Record<number, 'forum' | 'thread'>> = {
  // A forum's webhook needs a thread, and a text channel's must not name a new one.
  220001: 'forum',
  220002: 'forum',
  220003: 'forum',
  220004: 'forum',
  // An archived or locked thread.
  50083: 'thread',
  160005: 'thread',
};

/** Whether Discord refuses every message to this channel, and not only this one. */
export const isChannelRefusal = (discord_code: number): boolean =>
  Object.hasOwn(CHANNEL_REFUSALS, discord_code);

/** Characters kept of Discord's sentence. */
const MAX_SENTENCE_LENGTH = 200;

/** The refusal as it is stored. */
export function refusedByDiscord({ code, message }: { code: number; message: string }): string {
  const sentence = message
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_SENTENCE_LENGTH);
  return `Discord ${code}: ${sentence.toWellFormed()}`;
}

export type FailureSentence =
  | { key: `admin.notifications.failure.${(typeof DELIVERY_FAILURES)[number]}`; params: object }
  | { key: 'admin.notifications.failure.status'; params: { status: string } }
  | {
      key: `admin.notifications.failure.discord.${'forum' | 'thread' | 'message'}`;
      params: { code: number; sentence: string };
    };

/** The sentence for a stored failure: a known one, an HTTP status or Discord's own. null: a message of the runtime, shown as it is. */
export function failureSentence(error: string): FailureSentence | null {
  const known = DELIVERY_FAILURES.find((one) => one === error);
  if (known) return { key: `admin.notifications.failure.${known}`, params: {} };
  const [, number, sentence = ''] = /^Discord (\d{1,7}): (.*)$/u.exec(error) ?? [];
  if (number !== undefined) {
    const code = Number(number);
    return {
      key: `admin.notifications.failure.discord.${CHANNEL_REFUSALS[code] ?? 'message'}`,
      params: { code, sentence },
    };
  }
  const status = /^HTTP (\d{3})$/.exec(error)?.[1];
  return status ? { key: 'admin.notifications.failure.status', params: { status } } : null;
}
