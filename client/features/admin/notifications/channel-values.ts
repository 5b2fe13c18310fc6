import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  type Destination,
  type DestinationKind,
  destinationInput,
  type Language,
} from '../../../../shared/schemas/destination.ts';
import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from '../../../../shared/schemas/domain-events.ts';
import { LANGUAGES } from '../../../i18n.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { FormFields } from '../../../ui/form/fields.ts';

export interface ChannelValues {
  /** Empty: the stored one stays, which the server never sends again. */
  url: string;
  /** null: untouched, so a name is proposed. */
  name: string | null;
  language: Language;
  events: PublicEventType[];
  /** Of a Discord channel: today's board in one message, of one category; null: of all spots. */
  keeps_board: boolean;
  board_category: number | null;
}

/** A channel with whether it keeps the board, which is stored apart. */
export type EditedChannel = Destination & Pick<ChannelValues, 'keeps_board' | 'board_category'>;

/** A new channel subscribes to every event. */
export const proposedValues = (language: Language): ChannelValues => ({
  url: '',
  name: null,
  language,
  events: [...PUBLIC_EVENT_TYPES],
  keeps_board: false,
  board_category: null,
});

const inOrder = (events: Iterable<PublicEventType>): PublicEventType[] => {
  const chosen = new Set(events);
  return PUBLIC_EVENT_TYPES.filter((type) => chosen.has(type));
};

/** "Discord", or the webhook's host; numbered if that name is taken. */
export function proposedName(url: string, taken: readonly Destination[]): string {
  const parsed = kindOfUrl(url);
  if (!parsed) return '';
  const name = parsed.kind === 'discord' ? 'Discord' : parsed.host.slice(0, 50);
  const names = new Set(taken.map((one) => one.name.toLowerCase()));
  if (!names.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1)
    if (!names.has(`${name} ${number}`.toLowerCase())) return `${name} ${number}`;
}

const fields = destinationInput.pick({ name: true, language: true, events: true, url: true });
export type ChannelRequest = z.output<ReturnType<typeof channelRequest>>;

/** The server's schema, with more about the URL. @param opened the channel that is edited, whose URL may stay */
export const channelRequest = (opened: Destination | null) =>
  fields
    .extend({
      url: opened ? fields.shape.url.optional() : fields.shape.url,
      keeps_board: z.boolean().default(false),
      board_category: z.number().nullable().default(null),
    })
    .refine(({ events, keeps_board }) => keeps_board || events.length > 0, {
      path: ['events'],
      error: 'none',
      // Also beside other problems: the form shows all of them.
      when: () => true,
    })
    .superRefine(({ url }, check) => {
      if (url === undefined) return;
      const parsed = kindOfUrl(url);
      const refuse = (message: ErrorCode | 'isDiscord'): void =>
        check.addIssue({ code: 'custom', path: ['url'], message });
      if (!parsed) refuse('destination.url');
      // A Discord channel's address is easily pasted instead of its webhook's.
      else if (!parsed.isWhole) refuse('destination.notDiscord');
      else if (parsed.kind === 'discord' && opened?.kind === 'webhook') refuse('isDiscord');
    });

/** @param nameFor the name of an unnamed channel with a URL */
export function useChannelFields(
  nameFor: (url: string) => string,
): FormFields<EditedChannel, ChannelValues> {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  return {
    url: {
      label: t('admin.notifications.form.url'),
      from: () => '',
      send: (url) => url.trim() || undefined,
      codes: ['destination.url', 'destination.private', 'destination.notDiscord'],
      invalid: () => t('admin.notifications.form.isDiscord'),
    },
    name: {
      label: t('admin.notifications.form.name'),
      from: ({ name }) => name,
      send: (name, { url }) => tidyName(name ?? nameFor(url)),
      codes: ['destination.exists', 'destination.nameRequired'],
    },
    language: {
      label: t('admin.notifications.form.language'),
      from: ({ language }) => language,
      words: (language) => LANGUAGES.find(({ code }) => code === language)?.name,
    },
    events: {
      label: t('admin.notifications.form.events'),
      from: ({ events }) => events,
      send: inOrder,
      words: (events) =>
        inOrder(events)
          .map((type) => t(`admin.notifications.events.${EVENT_KEY[type]}.name`))
          .join(', '),
      invalid: () => t('admin.notifications.form.chooseOne'),
    },
    keeps_board: {
      label: t('admin.notifications.board.keep'),
      from: ({ keeps_board }) => keeps_board,
      send: (keeps_board, { url }) => keeps_board && kindOfUrl(url)?.kind !== 'webhook',
      words: (keeps_board) => t(keeps_board ? 'admin.activity.yes' : 'admin.activity.no'),
    },
    board_category: {
      label: t('admin.notifications.board.category'),
      from: ({ board_category }) => board_category,
      send: (category, { keeps_board }) => (keeps_board ? category : null),
      words: (category) => categories.get(category ?? 0)?.name ?? t('board.allSpots'),
      codes: ['category.notFound'],
    },
  };
}

const DISCORD_HOSTS = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_WEBHOOK_PATH = /^\/api\/(v\d+\/)?webhooks\//;

/** The kind of channel a pasted URL is for; null: it is no URL yet. `isWhole`: a Discord URL is a webhook's, not a channel's. */
export function kindOfUrl(
  text: string,
): { kind: DestinationKind; host: string; isWhole: boolean } | null {
  const url = parseUrl(text);
  if (!url) return null;
  const kind = DISCORD_HOSTS.test(url.hostname) ? 'discord' : 'webhook';
  return {
    kind,
    host: url.host,
    isWhole: kind === 'webhook' || DISCORD_WEBHOOK_PATH.test(url.pathname),
  };
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text.trim());
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}
