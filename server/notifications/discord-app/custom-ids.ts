import { z } from 'zod';
import { date, duration, hourEnd, hourStart, id } from '../../../shared/schemas/fields.ts';

/*
 * The custom ids of buttons and selects: an action and its targets, separated by `|`; a select's chosen value comes last. They are read
 * as any text from outside. Messages in Discord are years old: an action that was once sent keeps its form.
 */

const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
const idText = number.pipe(id);
const startText = number.pipe(hourStart);
const hoursText = number.pipe(duration);
const none = z.literal('').transform(() => null);

const spot_id = idText;
const key_id = idText;
const claim_id = idText;
const wait_id = idText;
const transfer_id = idText;
/** Of a split claim; else null. */
const part = z.union([none, number.pipe(z.number().min(1).max(2))]);
const range = z
  .string()
  .regex(/^\d{1,2}-\d{1,2}$/)
  .transform((text) => {
    const [hour_start, hour_end] = text.split('-').map(Number);
    return { hour_start, hour_end };
  })
  .pipe(z.object({ hour_start: hourStart, hour_end: hourEnd }));

/** The fields of each action, in the order of its custom id. */
const pressed = z.discriminatedUnion('action', [
  z.object({ action: z.literal('claim'), spot_id, date, key_id }),
  z.object({ action: z.literal('start'), spot_id, date, key_id, start: startText }),
  z.object({
    action: z.literal('length'),
    spot_id,
    date,
    start: startText,
    key_id,
    hours: hoursText,
  }),
  z.object({
    action: z.literal('pick'),
    date,
    start: startText,
    hours: hoursText,
    key_id,
    spot_id,
  }),
  z.object({ action: z.literal('join'), spot_id, date, key_id }),
  z.object({ action: z.literal('join-hours'), spot_id, date, key_id, range }),
  z.object({
    action: z.literal('which-claim'),
    date,
    start: z.union([none, startText]),
    hours: z.union([none, hoursText]),
    key_id,
    spot_id,
  }),
  z.object({ action: z.literal('which-spot'), date, key_id, spot_id }),
  z.object({
    action: z.literal('which-wait'),
    date,
    start: startText,
    hours: hoursText,
    key_id,
    spot_id,
  }),
  z.object({ action: z.literal('take'), wait_id, claim_id }),
  z.object({ action: z.literal('decline'), wait_id, claim_id }),
  z.object({ action: z.literal('here'), claim_id, part }),
  z.object({ action: z.literal('release'), claim_id, part }),
  z.object({ action: z.literal('release!'), claim_id, part }),
  z.object({ action: z.literal('accept'), transfer_id }),
  z.object({ action: z.literal('refuse'), transfer_id }),
  z.object({ action: z.literal('withdraw'), transfer_id }),
  z.object({ action: z.literal('leave'), wait_id }),
  z.object({ action: z.literal('leave!'), wait_id }),
  z.object({ action: z.literal('keep') }),
]);
export type Pressed = z.infer<typeof pressed>;
export type PressedOf<A extends Pressed['action']> = Extract<Pressed, { action: A }>;

export const ACTIONS = pressed.options.map(({ shape }) => shape.action.value);

/** Reads the custom id of a pressed button or a select, with the chosen values. @returns null for one that we never sent */
export function readPressed(custom_id: string, values: readonly string[]): Pressed | null {
  const [action, ...given] = [...custom_id.split('|'), ...values];
  const fields = pressed.options.flatMap(({ shape }) =>
    shape.action.value === action ? [Object.keys(shape).slice(1)] : [],
  )[0];
  if (fields?.length !== given.length) return null;
  return (
    pressed.safeParse({
      action,
      ...Object.fromEntries(fields.map((field, at) => [field, given[at]])),
    }).data ?? null
  );
}
