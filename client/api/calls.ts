import type { WholeBoard } from '../../shared/live.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityPage, ActivityQuery } from '../../shared/schemas/activity.ts';
import type { InvitationShown } from '../../shared/schemas/admin.ts';
import type { CalendarState } from '../../shared/schemas/calendar.ts';
import type { Category } from '../../shared/schemas/category.ts';
import type {
  PendingCode,
  VerificationAnswer,
  VerifiedCode,
} from '../../shared/schemas/character.ts';
import type {
  CharacterClaims,
  CharacterDates,
  ClaimOnDates,
  ClaimOnRespawn,
  ClaimRow,
  OwnClaim,
  Submission,
} from '../../shared/schemas/claim.ts';
import type { Destination } from '../../shared/schemas/destination.ts';
import type {
  DirectMessageTest,
  DiscordLinkState,
  DiscordSignIn,
  LinkCode,
} from '../../shared/schemas/discord.ts';
import type { Ending } from '../../shared/schemas/ending.ts';
import type { Event } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import type { PushPreferences, PushSubscribed, PushTestAnswer } from '../../shared/schemas/push.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import type { LoginAnswer } from '../../shared/schemas/session.ts';
import type { StandingClaim } from '../../shared/schemas/standing-claim.ts';
import type { CharacterStars } from '../../shared/schemas/star.ts';
import type { Statistics, StatisticsQuery } from '../../shared/schemas/statistics.ts';
import type { EndedTransfer, Transfer } from '../../shared/schemas/transfer.ts';
import type { Wait, WaitInput } from '../../shared/schemas/wait.ts';
import { FormatError } from './load-error.ts';
import {
  anonymous,
  type Credentials,
  pathPart,
  queryText,
  request,
  requestBare,
  requestDataOrBody,
  textIn,
} from './request.ts';

/**
 * The API's calls, except those of sessions (`session-calls.ts`) and of the dashboard alone (`admin-calls.ts`), typed by the schemas that the
 * server validates with.
 */

export const getWaits = (): Promise<Wait[]> => request('/waits');
/** The same snapshot as the live protocol's, but compressed. */
export const getWholeBoard = (): Promise<WholeBoard> => request('/snapshot');
/** @throws FormatError if the answer is no list */
export async function getCategories(): Promise<Category[]> {
  const categories = await request<Category[]>('/categories');
  if (!Array.isArray(categories)) throw new FormatError(categories);
  return categories;
}
export const getMemberTypes = (): Promise<MemberType[]> => request('/member-types');
/** The same for admins. No cache may answer, as the specification says. */
export const getAdminMemberTypes = (): Promise<MemberType[]> =>
  request(`/admin/member-types?at=${Date.now()}`, {
    headers: { 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
  });
export const getActiveEvent = (): Promise<Event> => request('/events/active');
export const getRespawnClaims = (
  respawn_id: number,
  date: string,
  signal?: AbortSignal,
): Promise<ClaimRow[]> =>
  request(`/respawns/${respawn_id}/claims/${date}`, signal ? { signal } : {});
/** The claims of a range of dates, except those of the event on the board. */
export const getOtherRespawnClaims = (
  respawn_id: number,
  dates: { from: string; to: string; except_event: number },
  signal?: AbortSignal,
): Promise<ClaimOnDates[]> =>
  request(`/respawns/${respawn_id}/claims?${queryText(dates)}`, signal ? { signal } : {});
export const getCharacterDates = (
  character_name: string,
  dates: { from: string; to: string },
  signal?: AbortSignal,
): Promise<CharacterDates> =>
  request(
    `/claims/character-claims/${pathPart(character_name)}?${queryText(dates)}`,
    signal ? { signal } : {},
  );
export const getCharacterClaims = (
  character_name: string,
  date: string,
  respawn_id: number | null,
  signal?: AbortSignal,
): Promise<CharacterClaims> =>
  request(
    `/claims/check-character-claims/${pathPart(character_name)}?date=${date}${respawn_id ? `&respawnId=${respawn_id}` : ''}`,
    signal ? { signal } : {},
  );
/** @param idempotency_key the same for each attempt of a submission, so that it is stored once */
export const postClaims = (submission: Submission, idempotency_key: string): Promise<ClaimRow[]> =>
  request('/claims', {
    method: 'POST',
    body: submission,
    headers: { 'Idempotency-Key': idempotency_key },
  });
export const deleteClaim = (id: number): Promise<void> =>
  request(`/admin/claims/${id}`, { method: 'DELETE' });
/** Identifies the caller by a character's key, even if an admin is signed in; null: as the admin. */
const keyOf = (access_key: string | null): { as?: Credentials } =>
  access_key === null ? {} : { as: { access_key, admin_token: null } };
/** Joins a waitlist, by a character's key, or as an admin for any character. */
export const postWait = (wait: WaitInput): Promise<Wait> =>
  request('/waits', { method: 'POST', body: wait, ...keyOf(wait.access_key ?? null) });
export const withdrawWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}`, { method: 'DELETE', ...keyOf(access_key) });
/** Turns the held hours into an ordinary claim. */
export const acceptWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}/accept`, { method: 'POST', ...keyOf(access_key) });
/** Releases the held hours, which are offered to the next on the waitlist. */
export const declineWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}/decline`, { method: 'POST', ...keyOf(access_key) });
/** A part of a split claim; null: any other claim. */
type PartNumber = 1 | 2 | null;
export const partOf = ({
  split_part_number,
}: Pick<ClaimOnRespawn, 'split_part_number'>): PartNumber =>
  split_part_number === 1 || split_part_number === 2 ? split_part_number : null;
const partIn = (part_number: PartNumber): object => ({
  body: part_number === null ? {} : { part_number },
});
/** Gives back the remaining hours of the caller's own claim. */
export const releaseClaim = (
  id: number,
  part_number: PartNumber,
  access_key: string | null,
): Promise<void> =>
  request(`/claims/${id}/release`, {
    method: 'POST',
    ...partIn(part_number),
    ...keyOf(access_key),
  });
export const confirmClaim = (
  id: number,
  part_number: PartNumber,
  access_key: string | null,
): Promise<void> =>
  request(`/claims/${id}/confirm`, {
    method: 'POST',
    ...partIn(part_number),
    ...keyOf(access_key),
  });
export const offerClaim = (id: number, to: string, access_key: string): Promise<Transfer> =>
  request(`/claims/${id}/handover`, { method: 'POST', body: { to }, ...keyOf(access_key) });
/** Other characters that can be offered a claim, by how their names begin. */
export const getRecipients = (
  name: string,
  access_key: string,
  signal: AbortSignal,
): Promise<string[]> =>
  request(`/transfers/recipients?${queryText({ name })}`, { signal, ...keyOf(access_key) });
/** Offers it in return for another member's claim. */
export const offerSwap = (
  id: number,
  for_claim_id: number,
  access_key: string,
): Promise<Transfer> =>
  request(`/claims/${id}/swap`, { method: 'POST', body: { for_claim_id }, ...keyOf(access_key) });
export const answerTransfer = (
  id: number,
  answer: 'accept' | 'refuse',
  access_key: string,
): Promise<Transfer> =>
  request(`/transfers/${id}/${answer}`, { method: 'POST', body: {}, ...keyOf(access_key) });
export const withdrawTransfer = (id: number, access_key: string): Promise<void> =>
  request(`/transfers/${id}`, { method: 'DELETE', ...keyOf(access_key) });
interface MyEndings {
  endings: Ending[];
  waits: Wait[];
  transfers: EndedTransfer[];
}
/** A character's ended claims, waitlist entries and transfers of the last days. */
export const getMyEndings = (
  days: number,
  access_key: string,
  signal: AbortSignal,
): Promise<MyEndings> =>
  request(`/endings/mine?${queryText({ days })}`, { signal, ...keyOf(access_key) });
export const getStars = (access_key: string): Promise<CharacterStars> =>
  request(`/stars?${queryText({})}`, keyOf(access_key));
export const postStars = (
  respawn_ids: readonly number[],
  access_key: string,
): Promise<CharacterStars> =>
  request('/stars', {
    method: 'POST',
    body: { respawn_ids },
    keepalive: true,
    ...keyOf(access_key),
  });
export const deleteStar = (respawn_id: number, access_key: string): Promise<CharacterStars> =>
  request(`/stars/${respawn_id}`, { method: 'DELETE', keepalive: true, ...keyOf(access_key) });
/** Whether a character has a calendar. Its secret address is sent only when it is made. */
export const getCalendar = (access_key: string, signal: AbortSignal): Promise<CalendarState> =>
  request(`/calendar?${queryText({})}`, { signal, ...keyOf(access_key) });
/** Creates a character's calendar, or replaces its address. */
export const postCalendar = (language: string, access_key: string): Promise<{ url: string }> =>
  request('/calendar', { method: 'POST', body: { language }, ...keyOf(access_key) });
export const deleteCalendar = (access_key: string): Promise<void> =>
  request('/calendar', { method: 'DELETE', ...keyOf(access_key) });
export const getDiscordLink = (
  access_key: string,
  signal: AbortSignal,
): Promise<DiscordLinkState> =>
  request(`/discord/links?${queryText({})}`, { signal, ...keyOf(access_key) });
/** Creates a code that links a Discord user to a character; it replaces an earlier one. */
export const postLinkCode = (access_key: string): Promise<LinkCode> =>
  request('/discord/link-code', { method: 'POST', body: {}, ...keyOf(access_key) });
export const deleteDiscordLink = (access_key: string): Promise<void> =>
  request('/discord/links', { method: 'DELETE', ...keyOf(access_key) });
/** Redeems the ticket that Discord's callback put into the address; it works once. */
export const redeemDiscordTicket = (ticket: string): Promise<DiscordSignIn> =>
  request('/discord/sign-in', { method: 'POST', body: { ticket } });
/** Connects a character to the Discord user of a token. */
export const connectDiscord = (
  connect_token: string,
  access_key: string,
): Promise<{ discord_name: string }> =>
  request('/discord/connect', { method: 'POST', body: { connect_token, access_key } });
export const testDirectMessage = (access_key: string): Promise<DirectMessageTest> =>
  request('/discord/test', { method: 'POST', body: {}, ...keyOf(access_key) });
export const getPushKey = (access_key: string): Promise<{ public_key: string }> =>
  request(`/push/key?${queryText({})}`, keyOf(access_key));
export const postPushSubscription = (
  subscription: PushSubscriptionJSON & { language: string },
  access_key: string,
): Promise<PushSubscribed> =>
  request('/push/subscriptions', { method: 'POST', body: subscription, ...keyOf(access_key) });
export const deletePushSubscription = (endpoint: string, access_key: string): Promise<void> =>
  request('/push/subscriptions', { method: 'DELETE', body: { endpoint }, ...keyOf(access_key) });
export const testPush = (endpoint: string, access_key: string): Promise<PushTestAnswer> =>
  request('/push/test', { method: 'POST', body: { endpoint }, ...keyOf(access_key) });
export const getPushPreferences = (
  access_key: string,
  signal: AbortSignal,
): Promise<PushPreferences> =>
  request(`/push/preferences?${queryText({})}`, { signal, ...keyOf(access_key) });
export const putPushPreferences = (
  change: Partial<PushPreferences>,
  access_key: string,
): Promise<PushPreferences> =>
  request('/push/preferences', {
    method: 'PUT',
    body: change,
    keepalive: true,
    ...keyOf(access_key),
  });
/** Statistics of an event or of dates; by default of the active event, else of the last days. */
export const getStatistics = (query: StatisticsQuery, signal: AbortSignal): Promise<Statistics> =>
  request(`/statistics?${queryText(query)}`, { signal });
export const getEvents = (): Promise<Event[]> => request(`/events?at=${Date.now()}`);
export const getAdminStanding = (): Promise<StandingClaim[]> =>
  request(`/admin/standing?at=${Date.now()}`);
export const getOwnStanding = (): Promise<StandingClaim[]> => request(`/standing?at=${Date.now()}`);
/** A character's claims from today on that the board does not list. */
export const getOutsideClaims = (access_key: string): Promise<OwnClaim[]> =>
  request(`/claims/mine?at=${Date.now()}`, keyOf(access_key));
export const getTransfers = (): Promise<Transfer[]> => request(`/transfers?at=${Date.now()}`);
export const getAccessKeys = (): Promise<AccessKey[]> =>
  request(`/admin/access-keys?at=${Date.now()}`);
export const getAdminRespawns = (): Promise<Respawn[]> =>
  request(`/admin/respawns?at=${Date.now()}`);
export const requestVerificationCode = (character_name: string): Promise<PendingCode | undefined> =>
  request('/generate-verification-code', {
    method: 'POST',
    body: { character_name },
    as: anonymous,
  });
/** @param verification_token empty: the server gave none with the code */
export async function checkVerification(
  characterName: string,
  verification_token: string,
  signal?: AbortSignal,
): Promise<VerificationAnswer & { text: string }> {
  const answer = await requestDataOrBody<VerificationAnswer>('/check-verification', {
    method: 'POST',
    body: { characterName, ...(verification_token && { verification_token }) },
    as: anonymous,
    ...(signal ? { signal } : {}),
  });
  return {
    ...answer,
    verified: answer.verified === true,
    characterName: answer.characterName || characterName,
    text: textIn(answer),
  };
}
export const isCharacterVerified = (
  character_name: string,
  signal?: AbortSignal,
): Promise<{ isVerified: boolean }> =>
  requestBare(
    `/check-character-verification/${pathPart(character_name)}`,
    signal ? { signal } : {},
  );
export const getVerifiedCodes = (): Promise<VerifiedCode[]> =>
  request(`/admin/verified-codes?at=${Date.now()}`);
export const getDestinations = (): Promise<Destination[]> =>
  request(`/admin/destinations?at=${Date.now()}`);
export const getActivityLog = (
  query: Partial<ActivityQuery>,
  signal?: AbortSignal,
): Promise<ActivityPage> =>
  request(`/admin/activity-log?${queryText(query)}`, signal ? { signal } : {});
/** @throws ApiError invitation.notFound if it was used, withdrawn or has expired */
export const lookAtInvitation = (token: string, signal: AbortSignal): Promise<InvitationShown> =>
  request('/invitations/look', { method: 'POST', body: { token }, as: anonymous, signal });
/** @throws ApiError invitation.notFound, admin.nameExists or admin.tooMany */
export const acceptInvitation = (token: string, password: string): Promise<LoginAnswer> =>
  request('/invitations/accept', { method: 'POST', body: { token, password }, as: anonymous });
