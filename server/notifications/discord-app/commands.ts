import type { RESTPutAPIApplicationCommandsJSONBody } from 'discord-api-types/v10';
import { LINK_CODE_LENGTH } from '../../../shared/credentials.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import { sentencesIn } from '../../http/errors.ts';

/** Discord's names of our languages; it knows two kinds of Spanish. */
const LOCALES = { 'es-ES': 'es', 'es-419': 'es', 'pt-BR': 'pt' } as const satisfies Record<
  string,
  Language
>;

/** The language of an interaction: the user's in Discord, else the Discord server's; null: neither is one of ours. */
export function languageOf(
  locale: string | undefined,
  guild_locale: string | undefined,
): Language | null {
  for (const each of [locale, guild_locale]) {
    const [language] = each?.split('-') ?? [];
    if (language === 'en' || language === 'es' || language === 'pt') return language;
  }
  return null;
}

type Described =
  | `discordApp.commands.${'link' | 'unlink' | 'claim' | 'spot' | 'free' | 'mine' | 'wait'}`
  | `discordApp.options.${'code' | 'spot' | 'date' | 'start' | 'hours' | 'character'}`;

/** A description in English, and in the other languages. */
function described(key: Described) {
  const localizations = Object.entries(LOCALES).map(([locale, language]) => [
    locale,
    sentencesIn(language)(key),
  ]);
  return {
    description: sentencesIn('en')(key),
    description_localizations: Object.fromEntries(localizations),
  };
}

/** Longest text of an option that a member types, in characters. */
const MAX_TEXT_LENGTH = 100;
const CHAT_INPUT = 1;
const STRING = 3;
const INTEGER = 4;

const text = (name: 'spot' | 'date' | 'start' | 'character', required = false) =>
  ({
    type: STRING,
    name,
    ...described(`discordApp.options.${name}`),
    required,
    autocomplete: true,
    max_length: MAX_TEXT_LENGTH,
  }) as const;
const hours = (required = false) =>
  ({
    type: INTEGER,
    name: 'hours',
    ...described('discordApp.options.hours'),
    required,
    min_value: 1,
    max_value: HOURS_IN_DAY,
  }) as const;

/** The commands as they are registered with Discord, and carried out by `interactions.ts`. */
export const COMMANDS: RESTPutAPIApplicationCommandsJSONBody = [
  {
    type: CHAT_INPUT,
    name: 'claim',
    ...described('discordApp.commands.claim'),
    options: [text('spot', true), text('date'), text('start'), hours(), text('character')],
  },
  {
    type: CHAT_INPUT,
    name: 'spot',
    ...described('discordApp.commands.spot'),
    options: [text('spot', true), text('date'), text('character')],
  },
  {
    type: CHAT_INPUT,
    name: 'free',
    ...described('discordApp.commands.free'),
    options: [text('date'), text('start'), hours(), text('character')],
  },
  {
    type: CHAT_INPUT,
    name: 'mine',
    ...described('discordApp.commands.mine'),
    options: [text('character')],
  },
  {
    type: CHAT_INPUT,
    name: 'wait',
    ...described('discordApp.commands.wait'),
    options: [
      text('spot', true),
      text('date', true),
      text('start', true),
      hours(true),
      text('character'),
    ],
  },
  {
    type: CHAT_INPUT,
    name: 'link',
    ...described('discordApp.commands.link'),
    options: [
      {
        type: STRING,
        name: 'code',
        ...described('discordApp.options.code'),
        required: true,
        min_length: LINK_CODE_LENGTH,
        // With spaces or hyphens.
        max_length: 2 * LINK_CODE_LENGTH,
      },
    ],
  },
  { type: CHAT_INPUT, name: 'unlink', ...described('discordApp.commands.unlink') },
];
