import type { AppEmbed } from '../../../shared/discord/app-message.ts';
import { cut } from '../../../shared/discord/escape.ts';

/* The parts of Discord's messages that the app uses. */

const ROW = 1;
const BUTTON = 2;
const SELECT = 3;
const STYLES = { primary: 1, secondary: 2, danger: 4, link: 5 } as const;

/** Discord's longest custom id, label and placeholder, in characters. */
const MAX_CUSTOM_ID = 100;
const MAX_BUTTON_LABEL = 80;
const MAX_OPTION_TEXT = 100;

interface Option {
  value: string;
  label: string;
  description?: string;
}

export type Component =
  | { type: typeof ROW; components: Component[] }
  | { type: typeof BUTTON; style: number; label: string; custom_id: string }
  | { type: typeof BUTTON; style: number; label: string; url: string }
  | { type: typeof SELECT; custom_id: string; placeholder: string; options: Option[] };

/** A message's content; only its reader sees it. */
export interface Message {
  content?: string;
  embeds?: AppEmbed[];
  components?: Component[];
}

export const row = (...components: Component[]): Component => ({ type: ROW, components });

/** @param custom_id the action and its targets, separated by `|` */
export function button(
  custom_id: string,
  label: string,
  style: 'primary' | 'secondary' | 'danger' = 'secondary',
): Component {
  return {
    type: BUTTON,
    style: STYLES[style],
    label: cut(label, MAX_BUTTON_LABEL),
    custom_id: checked(custom_id),
  };
}

export const linkButton = (label: string, url: string): Component => ({
  type: BUTTON,
  style: STYLES.link,
  label: cut(label, MAX_BUTTON_LABEL),
  url,
});

/** @param options 1 to 25 */
export function select(
  custom_id: string,
  placeholder: string,
  options: readonly Option[],
): Component {
  const short = (text: string): string => cut(text, MAX_OPTION_TEXT);
  return {
    type: SELECT,
    custom_id: checked(custom_id),
    placeholder: short(placeholder),
    options: options.map(({ value, label, description }) => ({
      value,
      label: short(label),
      ...(description && { description: short(description) }),
    })),
  };
}

function checked(custom_id: string): string {
  if (custom_id.length > MAX_CUSTOM_ID) throw new Error('a custom id is longer than Discord takes');
  return custom_id;
}
