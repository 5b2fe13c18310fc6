import { z } from 'zod';
import { LINK_CODE_LENGTH, READABLE_ALPHABET } from '../credentials.ts';
import { code, MAX_TYPED_LENGTH, timestamp } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** Characters of a token of ours; longer ones are refused before they are hashed. */
const MAX_TOKEN_LENGTH = 100;
/** Characters of a bot token; Discord's have about 70. */
const MAX_BOT_TOKEN_LENGTH = 200;

/** An id of Discord's, a 64-bit number in decimal. */
const snowflake = z
  .string()
  .trim()
  .max(MAX_TYPED_LENGTH)
  .regex(/^\d{15,20}$/);

/** The set-up of the guild's Discord app, as owners enter it. */
export const discordAppInput = z.object({
  application_id: snowflake.describe('From General Information in Discord’s developer portal'),
  public_key: z
    .string()
    .trim()
    .toLowerCase()
    .max(MAX_TYPED_LENGTH)
    .regex(/^[\da-f]{64}$/)
    .describe('From the same page: an Ed25519 key in hexadecimal'),
  bot_token: z
    .string()
    .trim()
    .min(20)
    .max(MAX_BOT_TOKEN_LENGTH)
    .regex(/^[\w.-]+$/)
    .optional()
    .describe('Required the first time; omitted, the stored one stays. It is never answered'),
  guild_id: snowflake.nullish().describe('Only this Discord server may use the app; null: any'),
  based_on: timestamp
    .max(MAX_TYPED_LENGTH)
    .nullish()
    .describe(
      '`saved_at` of the app that was edited, null for a new one: if another owner saved it since, nothing is; omitted: not checked',
    ),
});
export type DiscordAppInput = z.infer<typeof discordAppInput>;

/** Why registering the commands failed. `notInServer`: the app was not added to the server. */
const registerError = z.enum([
  'botToken',
  'notInServer',
  'unknownApplication',
  'tooMany',
  'refused',
  'unreachable',
]);
export type RegisterError = z.infer<typeof registerError>;

/** The stored app with the state of each step of its set-up. */
const discordApp = z.object({
  application_id: z.string(),
  public_key: z.string(),
  guild_id: z.string().nullable(),
  saved_at: timestamp,
  /** When Discord accepted the commands; null: not yet. */
  registered_at: timestamp.nullable(),
  /** Why Discord refused the commands last; null: it did not. */
  register_error: registerError.nullable(),
  /** The first interaction with a valid signature; null: none arrived since the public key was saved. */
  first_interaction_at: timestamp.nullable(),
  /** Why the last direct message failed; null: it arrived, or none was sent. */
  message_error: registerError.nullable(),
});
export type DiscordApp = z.infer<typeof discordApp>;

export const discordSetup = z.object({
  /** To paste as Interactions Endpoint URL; null: PUBLIC_URL is not set. */
  endpoint_url: z.string().nullable(),
  /** Adds the app to a Discord server; null until the app is saved. */
  invite_url: z.string().nullable(),
  app: discordApp.nullable(),
});
export type DiscordSetup = z.infer<typeof discordSetup>;

export const linkCode = z.object({ code: z.string(), expires_at: timestamp });
export type LinkCode = z.infer<typeof linkCode>;

/** The Discord user of a character. */
const discordLink = z.object({
  discord_user_id: z.string(),
  discord_name: z.string(),
  linked_at: timestamp,
  /** Since when the user accepts no direct messages from the app; null: they arrive, or none was sent. */
  messages_closed_at: timestamp.nullable(),
});

export const discordLinkState = z.object({
  /** Whether the guild has a Discord app: without one, nothing can be connected. */
  is_set_up: z.boolean(),
  /** The caller's link; null: none. */
  link: discordLink.nullable(),
});
export type DiscordLinkState = z.infer<typeof discordLinkState>;

/** `closed`: the user accepts no direct messages. */
export const directMessageTest = z.object({ outcome: z.enum(['sent', 'closed', 'failed']) });
export type DirectMessageTest = z.infer<typeof directMessageTest>;

/** Characters of an application's OAuth2 client secret; Discord's have 32. */
const MAX_CLIENT_SECRET_LENGTH = 200;

/** Members sign in with Discord while the app has a client secret. */
export const discordSignInInput = z.object({
  client_secret: z
    .string()
    .trim()
    .min(20)
    .max(MAX_CLIENT_SECRET_LENGTH)
    .regex(/^[\w.-]+$/)
    .describe('From OAuth2 in Discord’s developer portal. It is never answered'),
});
export type DiscordSignInInput = z.infer<typeof discordSignInInput>;

/** Why Discord refused the last sign-in. `clientSecret`: it rejects the secret. */
const signInError = z.enum(['clientSecret', 'tooMany', 'refused', 'unreachable']);
export type SignInError = z.infer<typeof signInError>;

export const discordSignInSetup = z.object({
  /** To paste under OAuth2, Redirects; null: PUBLIC_URL is not set. */
  redirect_url: z.string().nullable(),
  /** null: no client secret is saved for the app that is set up. */
  secret: z
    .object({
      saved_at: timestamp,
      /** When the first member came back from Discord; null: none has since the secret was saved. */
      first_sign_in_at: timestamp.nullable(),
      /** null: the last sign-in went well, or none was tried. */
      error: signInError.nullable(),
    })
    .nullable(),
});
export type DiscordSignInSetup = z.infer<typeof discordSignInSetup>;

export const discordTicket = z.object({ ticket: z.string().max(MAX_TOKEN_LENGTH) });

/** The characters that a Discord user has connected, with the keys that sign them in. */
export const discordSignIn = z.object({
  discord_name: z.string(),
  characters: z.array(
    z.object({ characterName: z.string(), memberType: z.string(), accessKey: z.string() }),
  ),
  /** For `POST /discord/connect`, valid for 30 minutes; null: the user has characters. */
  connect_token: z.string().nullable(),
});
export type DiscordSignIn = z.infer<typeof discordSignIn>;

export const discordConnect = z.object({
  connect_token: z.string().max(MAX_TOKEN_LENGTH),
  access_key: z.string().max(MAX_SECRET_LENGTH).nullish(),
});
export const discordConnected = z.object({ discord_name: z.string() });

const LINK_CODE = new RegExp(`^[${READABLE_ALPHABET}]{${LINK_CODE_LENGTH}}$`);

/** A link code as it was typed: in any case, with spaces or hyphens. */
export const typedLinkCode = z
  .string()
  .max(40)
  .transform((typed) => typed.toUpperCase().replace(/[\s-]+/g, ''))
  .pipe(z.string().regex(LINK_CODE, code('discord.wrongCode')));
