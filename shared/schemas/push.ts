import { z } from 'zod';
import { timeZoneName } from '../rules/server-save.ts';
import { language } from './destination.ts';
import { code, flag, flagInput } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** The longest address that a push service may give a browser, in characters. */
const MAX_ENDPOINT_LENGTH = 1_500;
/** Browsers of one character that get notifications; one more replaces the one that was used longest ago. */
export const MAX_SUBSCRIPTIONS = 10;
/** Characters of a time zone's name. */
const MAX_TIME_ZONE_LENGTH = 60;

/** Printable signs without spaces: what a URL is written in. */
const endpoint = z
  .string(code('push.endpoint'))
  .max(MAX_ENDPOINT_LENGTH, code('push.endpoint'))
  .regex(/^https?:\/\/[!-~]+$/, code('push.endpoint'));

/** The caller's access key where none is in a header. */
const pushActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

/** The answer of `PushSubscription.toJSON()` in a browser, with the language of the page. */
export const pushSubscriptionInput = pushActor.extend({
  endpoint,
  expirationTime: z.number().int().min(0).max(8_640_000_000_000_000).nullish(),
  keys: z.object(
    {
      /** A point of P-256, uncompressed, in base64url: 65 bytes, the first of which is 4. */
      p256dh: z
        .string(code('push.keys'))
        .max(88, code('push.keys'))
        .regex(/^B[\w-]{86}=?$/, code('push.keys')),
      /** 16 bytes in base64url. */
      auth: z
        .string(code('push.keys'))
        .max(24, code('push.keys'))
        .regex(/^[\w-]{22}(==)?$/, code('push.keys')),
    },
    code('push.keys'),
  ),
  /** In which its notices are written. */
  language: language.default('en'),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionInput>;

/** False also where the server has forgotten it, since its push service no longer knew it: a browser that thought otherwise makes a new one. */
export const pushSubscribed = z.object({ was_known: z.boolean() });
export type PushSubscribed = z.infer<typeof pushSubscribed>;

export const pushEndpoint = pushActor.extend({ endpoint });
/** Left out: all of the character's browsers. */
export const pushTestInput = pushActor.extend({ endpoint: endpoint.nullish() });

/** To how many browsers the test went, and to how many it did not. */
export const pushTestAnswer = z.object({
  sent: z.number().int().min(0),
  failed: z.number().int().min(0),
});
export type PushTestAnswer = z.infer<typeof pushTestAnswer>;

/** The browser's `applicationServerKey` for subscribing, in base64url. */
export const pushKey = z.object({ public_key: z.string() });

/** 00:00 to 23:59, of the member's own clock. */
const clockTime = z
  .string(code('push.quietHours'))
  .max('HH:MM'.length, code('push.quietHours'))
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, code('push.quietHours'));

/** A character's notification kinds and quiet hours, for all of its browsers and direct messages in Discord. */
export const pushPreferences = z.object({
  hold_offered: flag,
  hunt_begins: flag,
  confirm_now: flag,
  claim_changed: flag,
  /** The same by direct message, to members who connected Discord. */
  direct_hold_offered: flag,
  direct_hunt_begins: flag,
  direct_confirm_now: flag,
  direct_claim_changed: flag,
  /** Nothing is sent from then ... */
  quiet_from: clockTime.nullable(),
  /** ... until then, which may be the next day. Both null: there are no such hours. */
  quiet_until: clockTime.nullable(),
  /** IANA name of the clock by which the member lives. */
  time_zone: z.string(),
});
export type PushPreferences = z.infer<typeof pushPreferences>;

/** Only the fields it carries are changed. */
export const pushPreferencesChange = pushActor.extend({
  hold_offered: flagInput.optional(),
  hunt_begins: flagInput.optional(),
  confirm_now: flagInput.optional(),
  claim_changed: flagInput.optional(),
  direct_hold_offered: flagInput.optional(),
  direct_hunt_begins: flagInput.optional(),
  direct_confirm_now: flagInput.optional(),
  direct_claim_changed: flagInput.optional(),
  quiet_from: clockTime.nullish(),
  quiet_until: clockTime.nullish(),
  time_zone: z
    .string(code('push.timeZone'))
    .max(MAX_TIME_ZONE_LENGTH, code('push.timeZone'))
    .transform((zone, ctx) => {
      const name = timeZoneName(zone);
      if (name === null) ctx.addIssue({ code: 'custom', message: 'push.timeZone' });
      return name ?? '';
    })
    .optional(),
});
export type PushPreferencesChange = z.infer<typeof pushPreferencesChange>;

const pushKind = z.enum([
  'hold_offered',
  'hunt_begins',
  'confirm_now',
  'claim_changed',
  'transfer_offered',
  'transfer_ended',
  'test',
]);

/** The JSON that a browser receives: the service worker shows it, and opens `url` when it is tapped. */
export const pushPayload = z.object({
  kind: pushKind,
  title: z.string(),
  body: z.string(),
  /** A later notice with the same tag takes the place of the earlier one. */
  tag: z.string(),
  /** A path of the client. */
  url: z.string().startsWith('/'),
  language,
});
export type PushPayload = z.infer<typeof pushPayload>;
