import { z } from 'zod';
import { gameName } from '../rules/names.ts';
import { code, flag, id, MAX_TYPED_LENGTH, name, timestamp } from './fields.ts';

/** A character's verification record, as the admins see it. */
export const verifiedCode = z.object({
  id,
  character_name: z.string(),
  /** null: verified by hand without a code, or made to show a ban. */
  code: z.string().nullable(),
  access_key: z.string().nullable(),
  access_member_type: z.string().nullable(),
  /** The key's type; without a key the one a verification earns by default. */
  member_type: z.string(),
  created_at: timestamp,
  verified_at: timestamp.nullable(),
  access_revoked: flag,
  banned: flag,
});
export type VerifiedCode = z.infer<typeof verifiedCode>;

/** How a character proves whose it is: by a code in its public comment, or to an admin. */
export const characterCheck = z.enum(['tibiadata', 'manual']);

/**
 * The names that the game gives: 2 to 29 Latin-1 letters, spaces, apostrophes, hyphens, dots and commas, a letter first.
 * Only these letters: a Cyrillic е in a name would fool the admin who reads it.
 */
const CHARACTER_NAME = /^[A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ' .,-]{1,28}$/;

/** A character's name as its owner types it, where it must be one that the game can have. */
const characterName = z
  .string(code('character.nameRequired'))
  .max(MAX_TYPED_LENGTH, code('character.nameInvalid'))
  .transform(gameName)
  .pipe(
    z
      .string()
      .min(1, code('character.nameRequired'))
      .regex(CHARACTER_NAME, code('character.nameInvalid')),
  );

export const codeRequest = z.object({ character_name: characterName });

/** A code to put into the character's comment. */
export const pendingCode = z.object({
  code: z.string(),
  expiresAt: timestamp,
  instructions: z.string(),
  /** The browser that requested the code sends it with the check to get the key. */
  verification_token: z.string(),
});
export type PendingCode = z.infer<typeof pendingCode>;

/** Why a code is not verified: an error code, so that it has its sentence. Only verification.notFound ends the check. */
const unverifiedReason = z.enum([
  'verification.codeNotFound',
  'verification.waiting',
  'verification.sourceFailed',
  'verification.manual',
  'verification.notFound',
]);

export const verificationCheck = z.object({
  // Also a name that the game would not give, which an admin may have verified.
  characterName: name('character.nameRequired').transform(gameName),
  verification_token: z.string().max(200).nullish(),
});
export type VerificationCheck = z.infer<typeof verificationCheck>;

/** Without the token of the code that was found only the first two fields. */
export const verificationAnswer = z.object({
  verified: z.boolean(),
  characterName: z.string(),
  memberType: z.string().optional(),
  accessKey: z.string().optional(),
  reason: unverifiedReason.optional(),
  /** With verification.waiting: estimated seconds until this check's turn, if the client asks at least every 15 seconds. */
  waitSeconds: z.number().int().optional(),
  /** When the game's data that was looked at was taken, and when the next look is due. */
  checkedAt: timestamp.nullish(),
  nextCheckAt: timestamp.nullish(),
});
export type VerificationAnswer = z.infer<typeof verificationAnswer>;

/** Answer of the check, while a name is typed, whether its character holds a key that works. */
export const isVerifiedAnswer = z.object({ isVerified: z.boolean() });

/** Admins may name any character, also one whose key was made by hand under a name that the game would not give. */
export const characterInput = z.object({
  character_name: name('character.nameRequired').transform(gameName),
});
