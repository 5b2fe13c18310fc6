import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { tidyName } from '../rules/names.ts';

// Zod writes functions at run time where it may. In a page it may not, and each try would break the page's policy.
z.config({ jitless: 'document' in globalThis });

/** Types the message of a check as one of our codes, so that both sides translate it alike. */
export const code = (error: ErrorCode): { error: ErrorCode } => ({ error });

/** The largest that PostgreSQL's integer holds. */
export const MAX_ID = 2_147_483_647;
export const id = z.number().int().positive().max(MAX_ID);
export const idInPath = z.coerce.number().int().positive().max(MAX_ID);
/** An id with a sentence of its own where it is missing or none. */
export const idOr = (missing: ErrorCode): z.ZodType<number> =>
  z.number(code(missing)).int().positive().max(MAX_ID);

/** 0 or 1, as the specification has its flags; true and false are taken for them. */
export const flag = z.literal([0, 1]);
export const flagInput = z.union([flag, z.boolean().transform((on): 0 | 1 => (on ? 1 : 0))]);

/** Calendar arithmetic holds for these dates; any other is a slip of the keyboard. */
const FIRST_DATE = '1970-01-01';
const LAST_DATE = '9998-12-31';
const DATE_LENGTH = 'YYYY-MM-DD'.length;
const isInCalendar = (date: string): boolean => date >= FIRST_DATE && date <= LAST_DATE;

/** A server-save date, YYYY-MM-DD. */
export const date = z.iso.date().max(DATE_LENGTH).refine(isInCalendar);
/** A date with a sentence of its own where it is missing or none. */
export const dateOr = (missing: ErrorCode): z.ZodType<string> =>
  z.iso.date(code(missing)).max(DATE_LENGTH, code(missing)).refine(isInCalendar, code(missing));
/** ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

export const hourStart = z
  .number(code('claim.hourOutOfRange'))
  .int()
  .min(0, code('claim.hourOutOfRange'))
  .max(23, code('claim.hourOutOfRange'));
export const hourEnd = z.number().int().min(1).max(24);
/** An end that was asked for: past SS+24 it is refused by a rule, with a sentence that says so. */
export const requestedHourEnd = z.number().int().min(1).max(48);
/** Whole hours, 1 to 24. */
export const duration = z.number().int().min(1).max(24);

/** Three or six digits. */
export const HEX_COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
export const hexColor = z.string().regex(HEX_COLOR);

/** Characters of the name of a character, spot, category, member type or event. */
export const MAX_NAME_LENGTH = 60;
/** The longest that a name may be typed: with the spaces that are then taken away. */
export const MAX_TYPED_LENGTH = 200;

/** A name that must not be empty: tidied (R1.1), then checked; `missing` is the refusal of an empty one. */
export const name = (missing: ErrorCode): z.ZodType<string, string> =>
  z
    .string(code(missing))
    .max(MAX_TYPED_LENGTH)
    .transform(tidyName)
    .pipe(z.string().min(1, code(missing)).max(MAX_NAME_LENGTH));

/** Records of a page. */
export const MAX_PAGE = 500;
/** Records of a list that is read without pages: the newest. */
export const MAX_LIST = 10_000;

/**
 * A page of a list that can grow: its newest `limit` records, with `before` the newest of those older than that one's id.
 * A page keeps its list's order, so the next one begins before the smallest id of this one. Pages do not shift while
 * new records arrive.
 */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE)
    .optional()
    .describe(`The newest so many, in the list's order; left out: the newest ${MAX_LIST}`),
  before: idInPath
    .optional()
    .describe('Only records older than the one with this id: the smallest of the page before'),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** A page of what was, or is, on these server-save dates; both ends included. */
export const datedPageQuery = pageQuery.extend({
  from: date.optional().describe('Only what is on this server-save date or later'),
  to: date.optional().describe('Only what is on this server-save date or earlier'),
});
export type DatedPageQuery = z.infer<typeof datedPageQuery>;

export const characterPageQuery = datedPageQuery.extend({
  character: name('character.nameRequired')
    .optional()
    .describe('Only those of this character, in any case'),
});
export type CharacterPageQuery = z.infer<typeof characterPageQuery>;
