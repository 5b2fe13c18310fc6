/* Discord's limits, which the stand-in enforces. Each check names the wrong field, or returns null. */

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => ({ ...(value instanceof Object ? value : {}) });
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && value.length >= least && value.length <= most;
const isOptionalText = (value: unknown, most: number): boolean =>
  value === undefined || isText(value, 1, most);
const hasOnly = (value: unknown, known: ReadonlySet<string>): boolean =>
  Object.keys(fieldsOf(value)).every((name) => known.has(name));
const areDistinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

const MESSAGE_FIELDS = new Set([
  'content',
  'embeds',
  'components',
  'allowed_mentions',
  'flags',
  'nonce',
  'enforce_nonce',
]);
const EMBED_FIELDS = new Set(['title', 'description', 'color']);
const BUTTON_FIELDS = new Set(['type', 'style', 'label', 'custom_id', 'url']);
const SELECT_FIELDS = new Set(['type', 'custom_id', 'placeholder', 'options']);
const OPTION_FIELDS = new Set(['value', 'label', 'description']);
const ROW = 1;
const BUTTON = 2;
const SELECT = 3;
const LINK = 5;

function isEmbed(value: unknown): boolean {
  const { title, description, color = 0 } = fieldsOf(value);
  return (
    hasOnly(value, EMBED_FIELDS) &&
    isText(title, 1, 256) &&
    isText(description, 1, 4_096) &&
    Number.isInteger(color) &&
    Number(color) >= 0 &&
    Number(color) <= 0xff_ff_ff
  );
}

/** The fault of a webhook's message: an embed with its text in all, and no mentions. */
export function webhookFault(body: unknown): string | null {
  const { embeds, allowed_mentions, content = '' } = fieldsOf(body);
  let characters = 0;
  for (const each of listOf(embeds)) {
    const { title, description, footer } = fieldsOf(each);
    const { text } = fieldsOf(footer);
    if (!isText(title, 1, 256) || !isText(description, 1, 4_096)) return 'embed';
    if (footer !== undefined && !isText(text, 1, 2_048)) return 'footer';
    characters += `${title}${description}${text ?? ''}`.length;
  }
  if (listOf(embeds).length === 0 || listOf(embeds).length > 10) return 'embeds';
  if (characters > 6_000 || content !== '') return 'characters';
  return JSON.stringify(allowed_mentions) === '{"parse":[]}' ? null : 'allowed_mentions';
}

function isButton(value: unknown): boolean {
  const { type, style, label, custom_id, url } = fieldsOf(value);
  const isTarget =
    style === LINK
      ? isText(url, 1, 512) && custom_id === undefined
      : isText(custom_id, 1, 100) && url === undefined;
  return (
    type === BUTTON &&
    hasOnly(value, BUTTON_FIELDS) &&
    [1, 2, 3, 4, LINK].includes(Number(style)) &&
    isText(label, 1, 80) &&
    isTarget
  );
}

function isSelect(value: unknown): boolean {
  const { type, custom_id, placeholder, options } = fieldsOf(value);
  const list = listOf(options).map(fieldsOf);
  return (
    type === SELECT &&
    hasOnly(value, SELECT_FIELDS) &&
    isText(custom_id, 1, 100) &&
    isOptionalText(placeholder, 150) &&
    list.length >= 1 &&
    list.length <= 25 &&
    areDistinct(list.map((option) => option.value)) &&
    list.every(
      (option) =>
        hasOnly(option, OPTION_FIELDS) &&
        isText(option.value, 1, 100) &&
        isText(option.label, 1, 100) &&
        isOptionalText(option.description, 100),
    )
  );
}

/** A row has up to five buttons, or one select. */
function isRow(value: unknown): boolean {
  const { type, components } = fieldsOf(value);
  const list = listOf(components);
  const isFilled = list.length >= 1 && list.length <= 5 && list.every(isButton);
  return type === ROW && (isFilled || (list.length === 1 && isSelect(list[0])));
}

/** @param isNew a message without content, embeds and components is refused; an edit may empty a field */
export function messageFault(value: unknown, isNew: boolean): string | null {
  const { content, embeds, components, nonce } = fieldsOf(value);
  const embedList = listOf(embeds);
  const rows = listOf(components);
  const ids = rows.flatMap((row) =>
    listOf(fieldsOf(row).components).flatMap((each) => fieldsOf(each).custom_id ?? []),
  );
  if (!hasOnly(value, MESSAGE_FIELDS)) return 'an unknown field';
  if (isNew && !content && embedList.length === 0 && rows.length === 0) return 'an empty message';
  if (content !== undefined && !isText(content, 0, 2_000)) return 'content';
  if (embedList.length > 10 || !embedList.every(isEmbed)) return 'embeds';
  if (rows.length > 5 || !rows.every(isRow) || !areDistinct(ids)) return 'components';
  return isOptionalText(nonce, 25) ? null : 'nonce';
}

const COMMAND = 2;
const COMPONENT = 3;
const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const EPHEMERAL = 64;

/** The answers that Discord takes, by the type of the interaction. */
const ANSWERS: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  [COMMAND]: [MESSAGE, DEFERRED_MESSAGE],
  [COMPONENT]: [MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE],
  4: [8],
};

function isChoice(value: unknown): boolean {
  const { name, value: choice } = fieldsOf(value);
  return (
    hasOnly(value, new Set(['name', 'value'])) && isText(name, 1, 100) && isText(choice, 1, 100)
  );
}

/** Of the first answer to an interaction. */
export function answerFault(interaction: unknown, answer: unknown): string | null {
  const { type: interactionType } = fieldsOf(interaction);
  const { type, data } = fieldsOf(answer);
  const { choices, ...message } = fieldsOf(data);
  if (!ANSWERS[Number(interactionType)]?.includes(Number(type)))
    return `an answer of type ${type} to type ${interactionType}`;
  if (type === MESSAGE && message.flags !== EPHEMERAL) return 'a message that others can read';
  if (type === MESSAGE || type === UPDATE) return messageFault(message, type === MESSAGE);
  if (type === 8)
    return Array.isArray(choices) && choices.length <= 25 && choices.every(isChoice)
      ? null
      : 'choices';
  return null;
}

const COMMAND_FIELDS = new Set([
  'type',
  'name',
  'description',
  'description_localizations',
  'options',
  'required',
  'min_length',
  'max_length',
  'min_value',
  'max_value',
  'autocomplete',
]);
const NAME = /^[-_\p{L}\p{N}]{1,32}$/u;

export function isCommand(value: unknown): boolean {
  const { name, description, description_localizations, options } = fieldsOf(value);
  const list = listOf(options);
  return (
    hasOnly(value, COMMAND_FIELDS) &&
    typeof name === 'string' &&
    NAME.test(name) &&
    name === name.toLowerCase() &&
    [description, ...Object.values(fieldsOf(description_localizations))].every((text) =>
      isText(text, 1, 100),
    ) &&
    list.length <= 25 &&
    areDistinct(list.map((option) => fieldsOf(option).name)) &&
    list.every(isCommand)
  );
}
