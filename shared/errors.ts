export type Json = string | number | boolean | null | Json[] | { readonly [key: string]: Json };

/** The values for a code's sentence, and lists of conflicting records. */
export type Params = Readonly<Record<string, Json>>;

interface ErrorFacts {
  /** The HTTP status. */
  status: number;
  /**
   * `passed`: the subject of the request has ended or is gone, so a button for it is removed.
   * `later`: the guild or the server refuses for now, and the same request may succeed later.
   */
  class: 'passed' | 'later' | 'other';
  /** `character`: only this character is refused. `hours`: other characters have the hours. */
  about?: 'character' | 'hours';
}

/**
 * Every refusal the product knows, by its stable code.
 * The sentence of each code is in the locale files under `errors`.
 */
const table = {
  'request.malformed': { status: 400, class: 'other' },
  'request.invalid': { status: 400, class: 'other' },
  'request.notFound': { status: 404, class: 'other' },
  'request.tooLarge': { status: 413, class: 'other' },
  'request.headersTooLarge': { status: 431, class: 'other' },
  'request.notJson': { status: 415, class: 'other' },
  'request.tooManyTries': { status: 429, class: 'later' },
  'request.idempotencyReused': { status: 409, class: 'other' },
  'request.otherHost': { status: 421, class: 'other' },
  'request.metricsLocal': { status: 403, class: 'other' },
  'server.failed': { status: 500, class: 'other' },
  'server.stopping': { status: 503, class: 'later' },
  // A newer version has migrated the database: this server stops.
  'server.outdated': { status: 503, class: 'later' },
  // Too many writes wait, or this one waited too long: nothing of it is stored.
  'server.busy': { status: 503, class: 'later' },
  // Nothing is stored by a write that is answered so ...
  'server.databaseAway': { status: 503, class: 'later' },
  // ... and whether a write answered with this took effect is unknown: the caller looks first.
  'server.outcomeUnknown': { status: 503, class: 'other' },
  'server.storageFull': { status: 503, class: 'later' },
  'server.storageReadOnly': { status: 503, class: 'later' },
  'server.storageLost': { status: 503, class: 'later' },
  'server.storageDamaged': { status: 503, class: 'later' },

  'live.tooManyConnections': { status: 429, class: 'later' },

  'session.credentialsRequired': { status: 400, class: 'other' },
  'session.keyRequired': { status: 400, class: 'other' },
  'session.wrongLogin': { status: 401, class: 'other' },
  'session.invalidKey': { status: 401, class: 'other' },
  'session.required': { status: 401, class: 'other' },
  'session.expired': { status: 401, class: 'other' },
  'session.passwordChanged': { status: 401, class: 'other' },
  'session.keyRevoked': { status: 403, class: 'other' },
  'session.banned': { status: 403, class: 'other' },
  'session.adminOnly': { status: 403, class: 'other' },
  // The session stays valid: the role lacks the permission.
  'session.notAllowed': { status: 403, class: 'other' },

  'admin.nameRequired': { status: 400, class: 'other' },
  'admin.nameInvalid': { status: 400, class: 'other' },
  'admin.passwordLength': { status: 400, class: 'other' },
  'admin.passwordCommon': { status: 400, class: 'other' },
  'admin.wrongPassword': { status: 403, class: 'other' },
  'admin.notFound': { status: 404, class: 'other' },
  'admin.nameExists': { status: 409, class: 'other' },
  'admin.lastOwner': { status: 409, class: 'other' },
  'admin.tooMany': { status: 409, class: 'other' },
  'invitation.notFound': { status: 404, class: 'passed' },
  'invitation.tooMany': { status: 409, class: 'other' },

  'character.nameRequired': { status: 400, class: 'other' },
  'character.nameInvalid': { status: 400, class: 'other' },
  'character.notFound': { status: 404, class: 'other' },
  'character.renamed': { status: 409, class: 'other' },
  'character.alreadyVerified': { status: 409, class: 'other' },
  'character.alreadyBanned': { status: 409, class: 'other' },
  'character.banned': { status: 409, class: 'other' },
  'character.notBanned': { status: 404, class: 'other' },

  'verification.notFound': { status: 404, class: 'passed' },
  'verification.expired': { status: 409, class: 'passed' },
  'verification.notInGuild': { status: 403, class: 'other' },
  'verification.deletedCharacter': { status: 403, class: 'other' },
  'verification.bannedCharacter': { status: 409, class: 'other' },
  'verification.tooManyCodes': { status: 429, class: 'later' },
  // Why a code is not verified yet, in the response of a check that continues.
  'verification.codeNotFound': { status: 409, class: 'later' },
  'verification.waiting': { status: 409, class: 'later' },
  'verification.sourceFailed': { status: 502, class: 'later' },
  'verification.manual': { status: 409, class: 'other' },

  'key.notFound': { status: 404, class: 'other' },
  'key.exists': { status: 409, class: 'other' },
  'key.notActive': { status: 409, class: 'other' },
  'key.required': { status: 403, class: 'other' },

  'memberType.notFound': { status: 404, class: 'other' },
  'memberType.nameRequired': { status: 400, class: 'other' },
  'memberType.nameExists': { status: 409, class: 'other' },
  'memberType.durationOutOfRange': { status: 400, class: 'other' },
  'memberType.colorInvalid': { status: 400, class: 'other' },
  'memberType.budgetOutOfRange': { status: 400, class: 'other' },
  'memberType.isSystem': { status: 403, class: 'other' },
  'memberType.rankTaken': { status: 409, class: 'other' },

  'category.notFound': { status: 404, class: 'other' },
  'category.nameRequired': { status: 400, class: 'other' },
  'category.nameExists': { status: 409, class: 'other' },
  'category.isDefault': { status: 403, class: 'other' },

  'respawn.notFound': { status: 404, class: 'other' },
  'respawn.disabled': { status: 409, class: 'other' },
  'respawn.nameRequired': { status: 400, class: 'other' },
  'respawn.nameExists': { status: 409, class: 'other' },
  'respawn.imageRequired': { status: 400, class: 'other' },
  'respawn.notGif': { status: 415, class: 'other' },
  'respawn.gifDamaged': { status: 400, class: 'other' },
  'respawn.gifTooLarge': { status: 413, class: 'other' },

  // The error of a line of an imported table.
  'import.twice': { status: 409, class: 'other' },
  'import.tooLong': { status: 400, class: 'other' },
  'import.yesOrNo': { status: 400, class: 'other' },
  'import.manyCategories': { status: 400, class: 'other' },
  'import.busy': { status: 429, class: 'later' },

  'activity.notFound': { status: 404, class: 'other' },
  'activity.nothingToUndo': { status: 409, class: 'passed' },
  'activity.alreadyUndone': { status: 409, class: 'passed' },
  'activity.undoExpired': { status: 409, class: 'passed' },
  'activity.otherVersion': { status: 409, class: 'other' },
  'activity.undoIncomplete': { status: 409, class: 'other' },
  'activity.hoursTaken': { status: 409, class: 'other', about: 'hours' },
  'activity.goneMeanwhile': { status: 409, class: 'other' },
  'activity.changedMeanwhile': { status: 409, class: 'other' },
  'activity.changedBy': { status: 409, class: 'other' },
  'activity.inUse': { status: 409, class: 'other' },
  'activity.spotNameTaken': { status: 409, class: 'other' },
  'activity.categoryNameTaken': { status: 409, class: 'other' },
  'activity.typeNameTaken': { status: 409, class: 'other' },
  'activity.rankTaken': { status: 409, class: 'other' },
  'activity.keyReissued': { status: 409, class: 'other' },
  'activity.keyValueTaken': { status: 409, class: 'other' },
  'activity.typeGone': { status: 409, class: 'other' },

  'event.notFound': { status: 404, class: 'other' },
  'event.noneActive': { status: 404, class: 'later' },
  'event.nameRequired': { status: 400, class: 'other' },
  'event.timesRequired': { status: 400, class: 'other' },
  'event.endBeforeStart': { status: 400, class: 'other' },
  'event.tooLong': { status: 400, class: 'other' },
  'event.nameExists': { status: 409, class: 'other' },
  'event.notActive': { status: 409, class: 'other' },
  'event.claimsOutside': { status: 409, class: 'other' },
  'event.hoursTaken': { status: 409, class: 'other', about: 'hours' },
  'event.typeHasClaims': { status: 409, class: 'other' },
  'event.tooManyToCopy': { status: 409, class: 'other' },

  // Why a claim is left out of a copy of its event, in the answer.
  'copy.banned': { status: 409, class: 'other' },
  'copy.keyRevoked': { status: 409, class: 'other' },
  'copy.keyDeleted': { status: 409, class: 'other' },

  'claim.notFound': { status: 404, class: 'passed' },
  'claim.selectRespawn': { status: 400, class: 'other' },
  'claim.datesRequired': { status: 400, class: 'other' },
  'claim.fieldsRequired': { status: 400, class: 'other' },
  'claim.dateOutsideEvent': { status: 400, class: 'later' },
  'claim.dateOver': { status: 400, class: 'passed' },
  'claim.eventOver': { status: 400, class: 'passed' },
  'claim.hoursOver': { status: 400, class: 'other' },
  'claim.hourSkipped': { status: 400, class: 'other' },
  'claim.beyondHorizon': { status: 400, class: 'later' },
  'claim.sameDateTwice': { status: 400, class: 'other' },
  'claim.tooMany': { status: 400, class: 'other' },
  'claim.exceedsDay': { status: 400, class: 'other' },
  'claim.hourOutOfRange': { status: 400, class: 'other' },
  'claim.durationOutOfRange': { status: 400, class: 'other', about: 'character' },
  'claim.submissionDisabled': { status: 403, class: 'later' },
  'claim.typeMayNotSubmit': { status: 403, class: 'other', about: 'character' },
  'claim.beforeEarliestDate': { status: 403, class: 'other', about: 'character' },
  'claim.missedTooMany': { status: 403, class: 'other', about: 'character' },
  'claim.otherCharacter': { status: 403, class: 'other' },
  'claim.characterHasClaim': { status: 409, class: 'other', about: 'character' },
  'claim.timeConflict': { status: 409, class: 'other', about: 'hours' },
  'claim.timeConflictInEvent': { status: 409, class: 'other', about: 'hours' },
  'claim.splitNotMoved': { status: 409, class: 'other' },
  'claim.sameSpot': { status: 409, class: 'other' },
  'claim.changedMeanwhile': { status: 409, class: 'other' },
  'claim.dateNotMoved': { status: 409, class: 'other' },

  'wait.disabled': { status: 409, class: 'later' },
  'wait.notFound': { status: 404, class: 'passed' },
  'wait.otherCharacter': { status: 403, class: 'other' },
  'wait.tooLong': { status: 400, class: 'other' },
  'wait.tooShort': { status: 400, class: 'other' },
  'wait.dateOver': { status: 400, class: 'passed' },
  'wait.hoursOver': { status: 400, class: 'other' },
  'wait.nothingTaken': { status: 409, class: 'other' },
  'wait.tooMany': { status: 409, class: 'other' },
  'wait.tooOften': { status: 409, class: 'later' },
  'wait.lineFull': { status: 409, class: 'later' },
  'wait.hasClaim': { status: 409, class: 'other' },
  'wait.singleClaim': { status: 409, class: 'other' },
  'wait.exists': { status: 409, class: 'other' },
  'wait.notOpen': { status: 409, class: 'passed' },
  'wait.notOffered': { status: 409, class: 'passed' },

  'standing.disabled': { status: 409, class: 'later' },
  'standing.notFound': { status: 404, class: 'passed' },
  'standing.changedMeanwhile': { status: 409, class: 'other' },
  'standing.otherCharacter': { status: 403, class: 'other' },
  'standing.tooMany': { status: 409, class: 'other' },
  'standing.tooOften': { status: 409, class: 'later' },
  'standing.weekdaysRequired': { status: 400, class: 'other' },
  'standing.untilBeforeFrom': { status: 400, class: 'other' },
  'standing.over': { status: 400, class: 'passed' },
  'standing.noDate': { status: 400, class: 'other' },
  // Why a date is skipped.
  'standing.singleClaim': { status: 409, class: 'later' },
  'standing.exceedsVoucher': { status: 400, class: 'other' },

  'transfer.disabled': { status: 409, class: 'passed' },
  'transfer.notFound': { status: 404, class: 'passed' },
  'transfer.otherCharacter': { status: 403, class: 'other' },
  'transfer.otherClaim': { status: 403, class: 'other' },
  'transfer.self': { status: 400, class: 'other' },
  'transfer.noMember': { status: 409, class: 'other' },
  'transfer.held': { status: 409, class: 'other' },
  'transfer.secondary': { status: 409, class: 'other' },
  'transfer.begun': { status: 409, class: 'other' },
  'transfer.waitlist': { status: 409, class: 'other' },
  'transfer.alreadyOpen': { status: 409, class: 'other' },
  'transfer.tooOften': { status: 409, class: 'later' },
  'transfer.tooMany': { status: 409, class: 'other' },
  'transfer.cannotHave': { status: 409, class: 'other' },
  'transfer.wasAccepted': { status: 409, class: 'passed' },
  'transfer.wasRefused': { status: 409, class: 'passed' },
  'transfer.wasWithdrawn': { status: 409, class: 'passed' },
  'transfer.expired': { status: 409, class: 'passed' },
  'transfer.claimChanged': { status: 409, class: 'passed' },
  'transfer.waitlistJoined': { status: 409, class: 'passed' },
  'transfer.memberGone': { status: 409, class: 'passed' },

  'hold.taken': { status: 409, class: 'other', about: 'hours' },
  'hold.isYours': { status: 409, class: 'other', about: 'character' },
  'hold.notEdited': { status: 409, class: 'other' },
  'hold.over': { status: 409, class: 'passed' },

  'times.invalid': { status: 400, class: 'other' },
  'times.startOutOfRange': { status: 400, class: 'other' },
  'times.endOutOfRange': { status: 400, class: 'other' },
  'times.endBeforeStart': { status: 400, class: 'other' },
  'times.exceedsDay': { status: 400, class: 'other' },
  'times.splitClaim': { status: 409, class: 'other' },

  'split.twoParts': { status: 400, class: 'other' },
  'split.voucherTooShort': { status: 400, class: 'other' },
  'split.exceedsVoucher': { status: 400, class: 'other' },
  'split.exceedsDay': { status: 400, class: 'other' },
  'split.overlap': { status: 400, class: 'other' },
  'split.hoursOver': { status: 400, class: 'other' },
  'split.timeConflict': { status: 409, class: 'other', about: 'hours' },
  'split.timeConflictInEvent': { status: 409, class: 'other', about: 'hours' },
  'split.whichPart': { status: 400, class: 'passed' },
  'split.partGone': { status: 409, class: 'passed' },

  'secondary.typeNotAllowed': { status: 403, class: 'other', about: 'character' },
  'secondary.respawnRequired': { status: 400, class: 'other' },
  'secondary.hourOutOfRange': { status: 400, class: 'other' },
  'secondary.samePrimary': { status: 400, class: 'other' },
  'secondary.needsPrimary': { status: 400, class: 'other' },

  'budget.day': { status: 409, class: 'other', about: 'character' },
  'budget.event': { status: 409, class: 'other', about: 'character' },

  'release.disabled': { status: 409, class: 'later' },
  'release.nothingLeft': { status: 409, class: 'passed' },
  'release.otherCharacter': { status: 403, class: 'other' },
  'release.noDate': { status: 409, class: 'other' },
  'release.held': { status: 409, class: 'other' },

  'confirm.disabled': { status: 409, class: 'later' },
  'confirm.tooEarly': { status: 409, class: 'later' },
  'online.manual': { status: 409, class: 'other' },
  'noShow.notFound': { status: 404, class: 'other' },
  'noShow.alreadyExcused': { status: 409, class: 'passed' },
  'confirm.over': { status: 409, class: 'passed' },
  'confirm.notNeeded': { status: 409, class: 'passed' },
  'confirm.otherCharacter': { status: 403, class: 'other' },

  'destination.notFound': { status: 404, class: 'other' },
  'destination.nameRequired': { status: 400, class: 'other' },
  'destination.tooMany': { status: 409, class: 'other' },
  'destination.exists': { status: 409, class: 'other' },
  'destination.url': { status: 400, class: 'other' },
  'destination.private': { status: 400, class: 'other' },
  'destination.notDiscord': { status: 400, class: 'other' },
  'destination.noBoard': { status: 404, class: 'other' },
  'destination.notWebhook': { status: 409, class: 'other' },

  'notifications.paused': { status: 409, class: 'later' },

  'discord.notSetUp': { status: 404, class: 'other' },
  'discord.botTokenRequired': { status: 400, class: 'other' },
  'discord.appChanged': { status: 409, class: 'other' },
  'discord.publicKey': { status: 400, class: 'other' },
  'discord.badSignature': { status: 401, class: 'other' },
  'discord.answeredAlready': { status: 409, class: 'passed' },
  'discord.otherServer': { status: 403, class: 'other' },
  'discord.unknownCommand': { status: 400, class: 'other' },
  'discord.wrongCode': { status: 400, class: 'other' },
  'discord.notLinked': { status: 404, class: 'other' },
  'discord.tooManyLinks': { status: 409, class: 'other' },
  'discord.linkFirst': { status: 403, class: 'other' },
  'discord.notYours': { status: 403, class: 'other' },
  'discord.unknownSpot': { status: 404, class: 'other' },
  'discord.unknownDate': { status: 400, class: 'other' },
  'discord.unknownHour': { status: 400, class: 'other' },
  'discord.signInOff': { status: 404, class: 'other' },
  'discord.signInExpired': { status: 404, class: 'passed' },
  'discord.connectExpired': { status: 404, class: 'passed' },
  'discord.buttonExpired': { status: 409, class: 'passed' },

  'push.endpoint': { status: 400, class: 'other' },
  'push.keys': { status: 400, class: 'other' },
  'push.quietHours': { status: 400, class: 'other' },
  'push.timeZone': { status: 400, class: 'other' },
  'push.notFound': { status: 404, class: 'other' },
  // An admin's token alone names no character to notify.
  'calendar.notFound': { status: 404, class: 'other' },
} satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof table;

export const errors: Readonly<Record<ErrorCode, ErrorFacts>> = table;

/** True for a text that is one of our codes, as the zod message of a field may be. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}

/** The parameter that chooses between singular and plural in a refusal's sentence: a count, or seconds to wait. */
export function pluralCount({ count, seconds }: Params): { count?: number } {
  const number = count ?? seconds;
  return typeof number === 'number' ? { count: number } : {};
}

/** A refusal by a rule of the product. The only error that reaches a user with its reason. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly params: Params;

  constructor(code: ErrorCode, params: Params = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

/** @throws DomainError with this code if nothing was found */
export function existing<T>(found: T | null | undefined, code: ErrorCode, params?: Params): T {
  if (found === null || found === undefined) throw new DomainError(code, params);
  return found;
}
