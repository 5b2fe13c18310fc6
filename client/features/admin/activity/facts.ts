import type { Json } from '../../../../shared/errors.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { knownDetails } from '../../../../shared/schemas/activity-details.ts';

/** One thing that an entry says of what was done. */
export type Fact =
  /** What it is about. */
  | { kind: 'name'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'hours'; date: string | null; start: number; end: number }
  | { kind: 'value'; label: string; text: string }
  | { kind: 'change'; label: string; from: string; to: string };

/** How values read; the screen knows the language and the names. */
export interface FactWords {
  labelOf: (field: string) => string;
  wordsOf: (field: string, value: Json) => string;
  dateOf: (date: string) => string;
  eventOf: (id: number) => string | null;
  note: (note: 'everyDay' | 'secondary' | 'splitClaim' | 'cleared' | 'beyondUndo') => string;
  keyNote: (key: 'new' | 'kept' | 'replaced') => string;
}

/** What belongs to the log alone interests nobody. */
const UNSAID = new Set(['undid']);
const SAID_AS_NAME = ['character_name', 'username', 'name'] as const;
const KEY_NOTES = ['new', 'kept', 'replaced'] as const;

/**
 * An entry's details in the order in which one tells them: about whom or what, where, when, how, what changed. A detail that
 * this version does not know is skipped.
 */
export function factsOf({ action, details }: Pick<ActivityEntry, 'action' | 'details'>, words: FactWords): Fact[] {
  const left = new Map(Object.entries(knownDetails(action, details)).filter(([field]) => !UNSAID.has(field)));
  const take = (field: string): Json | undefined => {
    const value = left.get(field);
    left.delete(field);
    return value;
  };
  const facts: Fact[] = [];
  const names = [
    ...SAID_AS_NAME,
    ...(action.startsWith('member_type') ? ['member_type'] : []),
    ...(left.has('places') ? [] : ['respawn_name']),
  ];
  for (const field of names) {
    const name = take(field);
    if (typeof name === 'string') facts.push({ kind: 'name', text: name });
  }
  facts.push(...placesAndDate(take('places'), take('date'), left.get('event_id'), words));
  if (take('is_secondary_claim')) facts.push({ kind: 'note', text: words.note('secondary') });
  if (take('is_split_claim')) facts.push({ kind: 'note', text: words.note('splitClaim') });
  if (take('cleared')) facts.push({ kind: 'note', text: words.note('cleared') });
  if (take('beyond_undo')) facts.push({ kind: 'note', text: words.note('beyondUndo') });
  const key = take('key');
  const keyNote = KEY_NOTES.find((note) => note === key);
  if (keyNote) facts.push({ kind: 'note', text: words.keyNote(keyNote) });
  const changed = take('changed');
  const event_id = take('event_id');
  const event = typeof event_id === 'number' && !facts.some(({ kind }) => kind === 'name') ? words.eventOf(event_id) : null;
  if (event) facts.push({ kind: 'value', label: words.labelOf('event_id'), text: event });
  for (const [field, value] of left) {
    if (value === null || field === 'id' || field.endsWith('_id')) continue;
    facts.push({ kind: 'value', label: words.labelOf(field), text: words.wordsOf(field, value) });
  }
  return [...facts, ...changesIn(changed, words)];
}

function placesAndDate(places: Json | undefined, date: Json | undefined, event_id: Json | undefined, words: FactWords): Fact[] {
  const day = typeof date === 'string' ? date : null;
  const facts: Fact[] = [];
  for (const place of Array.isArray(places) ? places : []) {
    if (!isRecord(place)) continue;
    const { respawn_name, hour_start, hour_end } = place;
    if (typeof respawn_name === 'string') facts.push({ kind: 'note', text: respawn_name });
    if (typeof hour_start === 'number' && typeof hour_end === 'number') {
      facts.push({ kind: 'hours', date: day, start: hour_start, end: hour_end });
    }
  }
  if (day !== null) facts.push({ kind: 'note', text: words.dateOf(day) });
  else if (date === null && typeof event_id === 'number') facts.push({ kind: 'note', text: words.note('everyDay') });
  return facts;
}

/** From what to what; a field that was written as it was is no change. */
function changesIn(changed: Json | undefined, { labelOf, wordsOf }: FactWords): Fact[] {
  if (!isRecord(changed)) return [];
  return Object.entries(changed).flatMap(([field, change]): Fact[] => {
    if (!isRecord(change)) return [{ kind: 'value', label: labelOf(field), text: wordsOf(field, change) }];
    const [from, to] = [wordsOf(field, change.from ?? null), wordsOf(field, change.to ?? null)];
    return from === to ? [] : [{ kind: 'change', label: labelOf(field), from, to }];
  });
}

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
