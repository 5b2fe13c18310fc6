export type Json = string | number | boolean | null | Json[] | { readonly [key: string]: Json };

/** The values for a code's sentence, and lists of conflicting records. */
export type Params = Readonly<Record<string, Json>>;

/**
 * Every refusal the product knows: its stable code and the HTTP status.
 * The sentence of each code is in the locale files under `errors`.
 */
export const errorStatus = {
  'request.malformed': 400,
  'request.invalid': 400,
  'request.notFound': 404,
  'request.tooLarge': 413,
  'request.headersTooLarge': 431,
  'request.notJson': 415,
  'request.tooManyTries': 429,
  'request.idempotencyReused': 409,
  'request.otherHost': 421,
  'request.metricsLocal': 403,
  'server.failed': 500,
  'server.stopping': 503,
  // A newer version has migrated the database: this server stops.
  'server.outdated': 503,
  // Too many writes wait, or this one waited too long: nothing of it is stored.
  'server.busy': 503,
  // Nothing is stored by a write that is answered so ...
  'server.databaseAway': 503,
  // ... and whether a write answered with this took effect is unknown.
  'server.outcomeUnknown': 503,
  'server.storageFull': 503,
  'server.storageReadOnly': 503,
  'server.storageLost': 503,
  'server.storageDamaged': 503,

  'live.tooManyConnections': 429,

  'session.credentialsRequired': 400,
  'session.keyRequired': 400,
  'session.wrongLogin': 401,
  'session.invalidKey': 401,
  'session.required': 401,
  'session.expired': 401,
  'session.passwordChanged': 401,
  'session.keyRevoked': 403,
  'session.banned': 403,
  'session.adminOnly': 403,
  // The session stays valid: the role lacks the permission.
  'session.notAllowed': 403,

  'admin.nameRequired': 400,
  'admin.nameInvalid': 400,
  'admin.passwordLength': 400,
  'admin.passwordCommon': 400,
  'admin.wrongPassword': 403,
  'admin.notFound': 404,
  'admin.nameExists': 409,
  'admin.lastOwner': 409,
  'admin.tooMany': 409,
  'invitation.notFound': 404,
  'invitation.tooMany': 409,

  'character.nameRequired': 400,
  'character.nameInvalid': 400,
  'character.notFound': 404,
  'character.renamed': 409,
  'character.alreadyVerified': 409,
  'character.alreadyBanned': 409,
  'character.banned': 409,
  'character.notBanned': 404,

  'verification.notFound': 404,
  'verification.expired': 409,
  'verification.notInGuild': 403,
  'verification.deletedCharacter': 403,
  'verification.bannedCharacter': 409,
  'verification.tooManyCodes': 429,
  // Why a code is not verified yet, in the response of a check that continues.
  'verification.codeNotFound': 409,
  'verification.waiting': 409,
  'verification.sourceFailed': 502,
  'verification.manual': 409,

  'key.notFound': 404,
  'key.exists': 409,
  'key.notActive': 409,
  'key.required': 403,

  'memberType.notFound': 404,
  'memberType.nameRequired': 400,
  'memberType.nameExists': 409,
  'memberType.durationOutOfRange': 400,
  'memberType.colorInvalid': 400,
  'memberType.budgetOutOfRange': 400,
  'memberType.isSystem': 403,
  'memberType.rankTaken': 409,

  'category.notFound': 404,
  'category.nameRequired': 400,
  'category.nameExists': 409,
  'category.isDefault': 403,

  'respawn.notFound': 404,
  'respawn.disabled': 409,
  'respawn.nameRequired': 400,
  'respawn.nameExists': 409,
  'respawn.imageRequired': 400,
  'respawn.notGif': 415,
  'respawn.gifDamaged': 400,
  'respawn.gifTooLarge': 413,

  // The error of a line of an imported table.
  'import.twice': 409,
  'import.tooLong': 400,
  'import.yesOrNo': 400,
  'import.manyCategories': 400,
  'import.busy': 429,

  'activity.notFound': 404,
  'activity.nothingToUndo': 409,
  'activity.alreadyUndone': 409,
  'activity.undoExpired': 409,
  'activity.otherVersion': 409,
  'activity.undoIncomplete': 409,
  'activity.hoursTaken': 409,
  'activity.goneMeanwhile': 409,
  'activity.changedMeanwhile': 409,
  'activity.changedBy': 409,
  'activity.inUse': 409,
  'activity.spotNameTaken': 409,
  'activity.categoryNameTaken': 409,
  'activity.typeNameTaken': 409,
  'activity.rankTaken': 409,
  'activity.keyReissued': 409,
  'activity.keyValueTaken': 409,
  'activity.typeGone': 409,

  'event.notFound': 404,
  'event.noneActive': 404,
  'event.nameRequired': 400,
  'event.timesRequired': 400,
  'event.endBeforeStart': 400,
  'event.tooLong': 400,
  'event.nameExists': 409,
  'event.notActive': 409,
  'event.claimsOutside': 409,
  'event.hoursTaken': 409,
  'event.typeHasClaims': 409,
  'event.tooManyToCopy': 409,

  // Why a claim is left out of a copy of its event, in the answer.
  'copy.banned': 409,
  'copy.keyRevoked': 409,
  'copy.keyDeleted': 409,
  'copy.otherType': 409,

  'template.notFound': 404,
  'template.nameRequired': 400,
  'template.exists': 409,
  'template.tooMany': 409,
  'template.movedOn': 409,

  'claim.notFound': 404,
  'claim.selectRespawn': 400,
  'claim.datesRequired': 400,
  'claim.fieldsRequired': 400,
  'claim.dateOutsideEvent': 400,
  'claim.dateOver': 400,
  'claim.hoursOver': 400,
  'claim.hourSkipped': 400,
  'claim.beyondHorizon': 400,
  'claim.sameDateTwice': 400,
  'claim.tooMany': 400,
  'claim.exceedsDay': 400,
  'claim.hourOutOfRange': 400,
  'claim.durationOutOfRange': 400,
  'claim.submissionDisabled': 403,
  'claim.typeMayNotSubmit': 403,
  'claim.beforeEarliestDate': 403,
  'claim.otherCharacter': 403,
  'claim.characterHasClaim': 409,
  'claim.timeConflict': 409,
  'claim.timeConflictInEvent': 409,
  'claim.splitNotMoved': 409,
  'claim.sameSpot': 409,
  'claim.changedMeanwhile': 409,
  'claim.dateNotMoved': 409,

  'wait.disabled': 409,
  'wait.notFound': 404,
  'wait.otherCharacter': 403,
  'wait.tooLong': 400,
  'wait.tooShort': 400,
  'wait.dateOver': 400,
  'wait.hoursOver': 400,
  'wait.nothingTaken': 409,
  'wait.tooMany': 409,
  'wait.tooOften': 409,
  'wait.lineFull': 409,
  'wait.hasClaim': 409,
  'wait.singleClaim': 409,
  'wait.exists': 409,
  'wait.notOpen': 409,
  'wait.notOffered': 409,

  'standing.disabled': 409,
  'standing.notFound': 404,
  'standing.changedMeanwhile': 409,
  'standing.otherCharacter': 403,
  'standing.tooMany': 409,
  'standing.tooOften': 409,
  'standing.weekdaysRequired': 400,
  'standing.untilBeforeFrom': 400,
  'standing.over': 400,
  'standing.noDate': 400,
  // Why a date is skipped.
  'standing.singleClaim': 409,
  'standing.exceedsVoucher': 400,

  'transfer.disabled': 409,
  'transfer.notFound': 404,
  'transfer.otherCharacter': 403,
  'transfer.otherClaim': 403,
  'transfer.self': 400,
  'transfer.noMember': 409,
  'transfer.held': 409,
  'transfer.secondary': 409,
  'transfer.begun': 409,
  'transfer.waitlist': 409,
  'transfer.alreadyOpen': 409,
  'transfer.tooOften': 409,
  'transfer.tooMany': 409,
  'transfer.cannotHave': 409,
  'transfer.wasAccepted': 409,
  'transfer.wasRefused': 409,
  'transfer.wasWithdrawn': 409,
  'transfer.expired': 409,
  'transfer.claimChanged': 409,
  'transfer.waitlistJoined': 409,
  'transfer.memberGone': 409,

  'hold.taken': 409,
  'hold.isYours': 409,
  'hold.notEdited': 409,
  'hold.over': 409,

  'times.invalid': 400,
  'times.startOutOfRange': 400,
  'times.endOutOfRange': 400,
  'times.endBeforeStart': 400,
  'times.exceedsDay': 400,
  'times.splitClaim': 409,

  'split.twoParts': 400,
  'split.voucherTooShort': 400,
  'split.exceedsVoucher': 400,
  'split.exceedsDay': 400,
  'split.overlap': 400,
  'split.hoursOver': 400,
  'split.timeConflict': 409,
  'split.timeConflictInEvent': 409,
  'split.whichPart': 400,
  'split.partGone': 409,

  'secondary.typeNotAllowed': 403,
  'secondary.respawnRequired': 400,
  'secondary.hourOutOfRange': 400,
  'secondary.samePrimary': 400,
  'secondary.needsPrimary': 400,

  'budget.day': 409,
  'budget.event': 409,

  'release.disabled': 409,
  'release.nothingLeft': 409,
  'release.otherCharacter': 403,
  'release.noDate': 409,
  'release.held': 409,

  'confirm.disabled': 409,
  'confirm.tooEarly': 409,
  'confirm.over': 409,
  'confirm.notNeeded': 409,
  'confirm.otherCharacter': 403,

  'destination.notFound': 404,
  'destination.nameRequired': 400,
  'destination.tooMany': 409,
  'destination.exists': 409,
  'destination.url': 400,
  'destination.private': 400,
  'destination.notDiscord': 400,
  'destination.notWebhook': 409,

  'notifications.paused': 409,

  'discord.notSetUp': 404,
  'discord.botTokenRequired': 400,
  'discord.appChanged': 409,
  'discord.publicKey': 400,
  'discord.badSignature': 401,
  'discord.answeredAlready': 409,
  'discord.otherServer': 403,
  'discord.unknownCommand': 400,
  'discord.wrongCode': 400,
  'discord.notLinked': 404,
  'discord.tooManyLinks': 409,
  'discord.linkFirst': 403,
  'discord.notYours': 403,
  'discord.unknownSpot': 404,
  'discord.unknownDate': 400,
  'discord.unknownHour': 400,
  'discord.buttonExpired': 409,

  'push.endpoint': 400,
  'push.keys': 400,
  'push.quietHours': 400,
  'push.timeZone': 400,
  'push.notFound': 404,
  // An admin's token alone names no character to notify.
  'calendar.notFound': 404,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** True for a text that is one of our codes: zod messages are codes where the field has one of its own. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}

/** The parameter that chooses between singular and plural in a refusal's sentence: a count, or seconds to wait. */
export function countIn({ count, seconds }: Params): { count?: number } {
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
