import { z } from 'zod';
import { SECONDARY_PRIORITY } from '../../../shared/rules/secondary.ts';
import { ownBuild } from '../../lib/loading/new-build.ts';
import { tabStore } from '../../lib/storage.ts';
import { isNamed, UNNAMED } from '../../state/claim-draft.ts';
import type { DraftRow } from '../claiming/draft/draft.ts';
import type { FormState } from './form-state.ts';

export interface KeptForm {
  /** Whose form it is; no secret, since it is stored. */
  of: string;
  /** The active single_claim event, whose form has no dates; else null. */
  event_id: number | null;
  /** The address's query. */
  search: string;
  /** The claimant that an admin chose on the board, as a name's key; empty: none. */
  requested: string;
  /** Whom an admin claims for; UNNAMED in a member's form. */
  claimant: { character_name: string; member_type: string };
  state: FormState;
}

const STORED = 'claimForm';
/** Older forms are dropped: their hours are probably taken or over. */
const MAX_AGE_MS = 2 * 60 * 60_000;

const part = z.object({
  part_number: z.number(),
  respawn_id: z.number(),
  hour_start: z.number(),
  duration: z.number(),
});
/** Section 3 of the specification, "Claim form row". */
const row = z.object({
  date: z.string(),
  hour_start: z.number().nullable(),
  custom_duration: z.number().nullable(),
  is_split: z.boolean(),
  split_data: z.tuple([part, part]).readonly().nullable(),
  is_secondary: z.boolean(),
  secondary_respawn_id: z.number().nullable(),
  secondary_hour_start: z.number().nullable(),
  secondary_priority: z.number(),
});
type KeptRow = z.infer<typeof row>;

function keptRow({ date, hour_start, custom_duration, split, secondary }: DraftRow): KeptRow {
  return {
    date,
    hour_start,
    custom_duration,
    is_split: split !== null,
    split_data: split,
    is_secondary: secondary !== null,
    secondary_respawn_id: secondary?.respawn_id ?? null,
    secondary_hour_start: secondary?.hour_start ?? null,
    secondary_priority: secondary === null ? 0 : SECONDARY_PRIORITY,
  };
}

function draftRow(kept: KeptRow): DraftRow {
  const { date, hour_start, custom_duration, secondary_respawn_id, secondary_hour_start } = kept;
  const hasSecondary =
    kept.is_secondary && secondary_respawn_id !== null && secondary_hour_start !== null;
  return {
    date,
    hour_start,
    custom_duration,
    split: kept.is_split ? kept.split_data : null,
    secondary: hasSecondary
      ? { respawn_id: secondary_respawn_id, hour_start: secondary_hour_start }
      : null,
  };
}

const dates = z.array(z.string()).readonly();
const state = z.object({
  respawn_id: z.number().nullable(),
  rows: z.array(row).readonly(),
  open_date: z.string().nullable(),
  suggested_date: z.string().nullable(),
  is_link_over: z.boolean(),
  turn: z.object({ over: dates, to: z.string(), row: z.string() }).nullable(),
  tried: z.boolean(),
  own_hours: dates,
  is_changed: z.boolean(),
});
const stored = z.object({
  /** A newer build may store other fields. */
  build: z.string().nullable(),
  kept_at: z.number(),
  of: z.string(),
  event_id: z.number().nullable(),
  search: z.string(),
  requested: z.string(),
  claimant: z.object({ character_name: z.string(), member_type: z.string() }),
  state,
});

/** Keeps the form for when the person comes back to it, or reloads. A form as it opened is not kept, and leaves another kept one alone. */
export function keepForm({ of, event_id, search, requested, claimant, state }: KeptForm): void {
  if (!state.is_changed && !isNamed({ ...UNNAMED, ...claimant })) return;
  const { character_name, member_type } = claimant;
  const form = {
    build: ownBuild(),
    kept_at: Date.now(),
    of,
    event_id,
    search,
    requested,
    claimant: { character_name, member_type },
    state: { ...state, rows: state.rows.map(keptRow) },
  };
  tabStore.setItem(STORED, JSON.stringify(form satisfies z.input<typeof stored>));
}

export const dropKeptForm = (): void => tabStore.removeItem(STORED);

/**
 * The kept form, if it is this person's and answers the same request. An address without choices and claimant asks for nothing else, so
 * the kept form may answer it, too.
 */
export function keptForm(
  { of, event_id, search, requested }: Omit<KeptForm, 'claimant' | 'state'>,
  isReturn: boolean,
): KeptForm | null {
  const kept = readForm();
  if (kept?.of !== of || kept.event_id !== event_id) return null;
  const asksNothing = search === '' && requested === '';
  return asksNothing || (isReturn && kept.search === search && kept.requested === requested)
    ? kept
    : null;
}

function readForm(): KeptForm | null {
  const { success, data } = stored.safeParse(parsed(tabStore.getItem(STORED)));
  if (!success || data.build !== ownBuild() || Math.abs(Date.now() - data.kept_at) > MAX_AGE_MS)
    return null;
  const { state: kept } = data;
  return { ...data, state: { ...kept, rows: kept.rows.map(draftRow) } };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
