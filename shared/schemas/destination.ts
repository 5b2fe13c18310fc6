import { z } from 'zod';
import { PUBLIC_EVENT_TYPES, publicEventType } from './domain-events.ts';
import { code, flag, flagInput, id, name, timestamp } from './fields.ts';

/** Notification channels of a guild, disabled ones included. */
export const MAX_DESTINATIONS = 20;
/** Characters of a channel's address. */
const MAX_URL_LENGTH = 2_000;
/** Delivery attempts of each channel that admins can read. */
export const DELIVERIES_KEPT = 50;
/** Characters kept of a receiver's answer. */
export const MAX_ANSWER_LENGTH = 500;

export const destinationKind = z.enum(['discord', 'webhook']);
export type DestinationKind = z.infer<typeof destinationKind>;
export const language = z.enum(['en', 'es', 'pt']);
export type Language = z.infer<typeof language>;

/** Why the server disabled one: the address is gone, or refuses us. */
export const switchedOff = z.enum(['gone', 'refused']);
export type SwitchedOff = z.infer<typeof switchedOff>;

/** A notification channel. Its address and secret are shown once, when created. */
export const destination = z.object({
  id,
  name: z.string(),
  kind: destinationKind,
  /** The host alone: knowing the whole address is enough to post to it. */
  url: z.string(),
  events: z.array(publicEventType),
  /** In which messages are written. */
  language,
  is_enabled: flag,
  /** null: an admin did, or it is on. */
  switched_off: switchedOff.nullable(),
  /** How many messages wait, as far as is known since it was tried last. */
  waiting: z.number().int().min(0),
  last_delivery_at: timestamp.nullable(),
  /** The last failure; null since a delivery arrived. */
  last_error: z.string().nullable(),
  /** When a message that failed is tried again; null: none has. */
  next_try_at: timestamp.nullable(),
  created_at: timestamp,
});
export type Destination = z.infer<typeof destination>;

const fields = z.object({
  name: name('destination.nameRequired'),
  kind: destinationKind,
  url: z
    .string(code('destination.url'))
    .trim()
    .min(1, code('destination.url'))
    .max(MAX_URL_LENGTH, code('destination.url')),
  events: z
    .array(publicEventType)
    .max(PUBLIC_EVENT_TYPES.length)
    .refine((types) => new Set(types).size === types.length),
  language,
  is_enabled: flagInput,
});
export const destinationInput = fields.extend({ is_enabled: flagInput.default(1) });
export type DestinationInput = z.infer<typeof destinationInput>;

/** Only the fields it carries are changed. */
export const destinationChange = fields.partial();
export type DestinationChange = z.infer<typeof destinationChange>;

/** Shown once: the whole address, and a webhook's signing secret; Discord has none. */
export const newDestination = destination.extend({
  url: z.string(),
  secret: z.string().nullable(),
});
export type NewDestination = z.infer<typeof newDestination>;

export const rotatedSecret = z.object({ secret: z.string() });
export type RotatedSecret = z.infer<typeof rotatedSecret>;

/** How a test message fared; it is not repeated. */
export const testAnswer = z.object({
  ok: z.boolean(),
  /** null: there was no answer. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** How long it took, in milliseconds. */
  ms: z.number().int().min(0),
});
export type TestAnswer = z.infer<typeof testAnswer>;

/** One attempt to deliver a message; a Discord message may contain several events. */
export const delivery = z.object({
  id,
  message_id: z.string(),
  /** The message's first event. */
  type: publicEventType,
  at: timestamp,
  attempt: z.number().int().min(1),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  ms: z.number().int().min(0),
  outcome: z.enum(['delivered', 'retrying', 'given_up', 'switched_off']),
  /** The beginning of the receiver's answer. */
  answer: z.string(),
});
export type Delivery = z.infer<typeof delivery>;
