import type { WholeBoard } from '../../shared/live.ts';
import type { AccessKey, AccessKeyInput } from '../../shared/schemas/access-key.ts';
import type { ActivityPage, ActivityQuery, UndoAnswer } from '../../shared/schemas/activity.ts';
import type { ArchivedEvent } from '../../shared/schemas/archive.ts';
import type { BulkAnswer, CharactersDeed, ClaimsDeed, KeysDeed, RespawnsDeed } from '../../shared/schemas/bulk.ts';
import type { CalendarState } from '../../shared/schemas/calendar.ts';
import type { Category, CategoryInput } from '../../shared/schemas/category.ts';
import type { PendingCode, VerificationAnswer, VerifiedCode } from '../../shared/schemas/character.ts';
import type {
  CharacterClaims,
  CharacterDates,
  Claim,
  ClaimOnDates,
  ClaimOnRespawn,
  ClaimRow,
  Submission,
} from '../../shared/schemas/claim.ts';
import type { Config, ConfigAnswer, ConfigChange } from '../../shared/schemas/config.ts';
import type {
  Delivery,
  Destination,
  DestinationChange,
  DestinationInput,
  NewDestination,
  RotatedSecret,
  TestAnswer,
} from '../../shared/schemas/destination.ts';
import type { Ending, EndingsQuery } from '../../shared/schemas/ending.ts';
import type { Event, EventChange, EventInput } from '../../shared/schemas/event.ts';
import type { EventCopied, EventCopy } from '../../shared/schemas/event-copy.ts';
import type { EventTemplate, EventTemplateInput, TemplateUse } from '../../shared/schemas/event-template.ts';
import type { DatedPageQuery, PageQuery } from '../../shared/schemas/fields.ts';
import type { Health } from '../../shared/schemas/health.ts';
import type { ImportAnswer, MembersImport, RespawnsImport } from '../../shared/schemas/import.ts';
import type { MemberType, MemberTypeChange, MemberTypeInput } from '../../shared/schemas/member-type.ts';
import type { PushPreferences, PushSubscribed, PushTestAnswer } from '../../shared/schemas/push.ts';
import type { Respawn, RespawnChange, RespawnImage } from '../../shared/schemas/respawn.ts';
import type { AdminAnswer, KeyAnswer, LoginAnswer } from '../../shared/schemas/session.ts';
import type { Statistics, StatisticsQuery } from '../../shared/schemas/statistics.ts';
import type { System, SystemBackup, SystemCheckup, SystemNotifications } from '../../shared/schemas/system.ts';
import type { Wait, WaitAndEnd, WaitInput, WaitsQuery } from '../../shared/schemas/wait.ts';
import { FormatError } from './load-error.ts';
import { type Credentials, request, requestBare, requestPage } from './request.ts';

/** A deed of some kind of things. */
export type BulkDeed = KeysDeed | CharactersDeed | ClaimsDeed | RespawnsDeed;

/** Every call of the API that the client makes, typed by the shapes that the server validates with. */

const inPath = encodeURIComponent;
/** What is asked of a list; with the time, so that nothing between keeps the answer. */
const asked = (query: object): string => {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams([...fields, ['at', String(Date.now())]]).toString();
};

/** Who stands in line. */
export const getWaits = (): Promise<Wait[]> => request('/waits');
/** As the live protocol has the board, but compressed on its way. */
export const getWholeBoard = (): Promise<WholeBoard> => request('/snapshot');
export const getConfig = (): Promise<ConfigAnswer> => requestBare('/config');
/** @throws FormatError when the answer is no list */
export async function getCategories(): Promise<Category[]> {
  const categories = await request<Category[]>('/categories');
  if (!Array.isArray(categories)) throw new FormatError(categories);
  return categories;
}
export const getMemberTypes = (): Promise<MemberType[]> => request('/member-types');
export const getActiveEvent = (): Promise<Event> => request('/events/active');
export const getRespawnClaims = (respawn_id: number, date: string, signal?: AbortSignal): Promise<ClaimRow[]> =>
  request(`/respawns/${respawn_id}/claims/${date}`, signal ? { signal } : {});
/** Of many dates at once, but those of the event that the board shows. */
export const getOtherRespawnClaims = (
  respawn_id: number,
  dates: { from: string; to: string; except_event: number },
  signal?: AbortSignal,
): Promise<ClaimOnDates[]> => request(`/respawns/${respawn_id}/claims?${asked(dates)}`, signal ? { signal } : {});
/** Of many dates at once. */
export const getCharacterDates = (
  character_name: string,
  dates: { from: string; to: string },
  signal?: AbortSignal,
): Promise<CharacterDates> => request(`/claims/character-claims/${inPath(character_name)}?${asked(dates)}`, signal ? { signal } : {});
export const getCharacterClaims = (
  character_name: string,
  date: string,
  respawn_id: number | null,
  signal?: AbortSignal,
): Promise<CharacterClaims> =>
  request(
    `/claims/check-character-claims/${inPath(character_name)}?date=${date}${respawn_id ? `&respawnId=${respawn_id}` : ''}`,
    signal ? { signal } : {},
  );

/** `idempotency_key`: the same for every try of one submission, so that a repeated one is stored once. */
export const postClaims = (submission: Submission, idempotency_key: string): Promise<ClaimRow[]> =>
  request('/claims', { method: 'POST', body: submission, headers: { 'Idempotency-Key': idempotency_key } });
/** What is done to many at once: all or nothing, and one undo. */
export const changeInBulk = (
  things: 'access-keys' | 'verified-codes' | 'claims' | 'respawns',
  ids: readonly number[],
  deed: BulkDeed,
): Promise<BulkAnswer> => request(`/admin/${things}/bulk`, { method: 'POST', body: { ids, deed } });
export const deleteClaim = (id: number): Promise<void> => request(`/admin/claims/${id}`, { method: 'DELETE' });

/** A member acts by the key of the character concerned, also where an admin is signed in, too; null: an admin acts for anybody. */
const keyOf = (access_key: string | null): { as?: Credentials } => (access_key === null ? {} : { as: { access_key, admin_token: null } });

/** Gets in line for hours that are taken, by a character's key, or as an admin for whoever is named. */
export const postWait = (wait: WaitInput): Promise<Wait> =>
  request('/waits', { method: 'POST', body: wait, ...keyOf(wait.access_key ?? null) });
/** Leaves the line. */
export const withdrawWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}`, { method: 'DELETE', ...keyOf(access_key) });
/** Takes the hours that are held: they are an ordinary claim from then on. */
export const acceptWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}/accept`, { method: 'POST', ...keyOf(access_key) });
/** Lets them go: they are offered to the next in line. */
export const declineWait = (id: number, access_key: string | null): Promise<Wait> =>
  request(`/waits/${id}/decline`, { method: 'POST', ...keyOf(access_key) });

/** Of a split claim the part that is meant; null: of any other the whole. */
type PartNumber = 1 | 2 | null;
/** Which part of a claim is meant. */
export const partOf = ({ split_part_number }: Pick<ClaimOnRespawn, 'split_part_number'>): PartNumber =>
  split_part_number === 1 || split_part_number === 2 ? split_part_number : null;
const partIn = (part_number: PartNumber): object => ({ body: part_number === null ? {} : { part_number } });
/** Gives back the hours of one's own claim that are left. */
export const releaseClaim = (id: number, part_number: PartNumber, access_key: string | null): Promise<void> =>
  request(`/claims/${id}/release`, { method: 'POST', ...partIn(part_number), ...keyOf(access_key) });
/** "I'm here." */
export const confirmClaim = (id: number, part_number: PartNumber, access_key: string | null): Promise<void> =>
  request(`/claims/${id}/confirm`, { method: 'POST', ...partIn(part_number), ...keyOf(access_key) });

/** What became of a character's claims and waits within so many days. */
export const getMyEndings = (days: number, access_key: string, signal: AbortSignal): Promise<{ endings: Ending[]; waits: Wait[] }> =>
  request(`/endings/mine?${asked({ days })}`, { signal, ...keyOf(access_key) });
/** Whether a character has a calendar; where it is, the server tells only once. */
export const getCalendar = (access_key: string, signal: AbortSignal): Promise<CalendarState> =>
  request(`/calendar?${asked({})}`, { signal, ...keyOf(access_key) });
/** Makes a character's calendar, or gives it another address. */
export const postCalendar = (language: string, access_key: string): Promise<{ url: string }> =>
  request('/calendar', { method: 'POST', body: { language }, ...keyOf(access_key) });
export const deleteCalendar = (access_key: string): Promise<void> => request('/calendar', { method: 'DELETE', ...keyOf(access_key) });
/** To what a browser subscribes, so that this server alone can send it notices. */
export const getPushKey = (access_key: string): Promise<{ public_key: string }> => request(`/push/key?${asked({})}`, keyOf(access_key));
export const postPushSubscription = (
  subscription: PushSubscriptionJSON & { language: string },
  access_key: string,
): Promise<PushSubscribed> => request('/push/subscriptions', { method: 'POST', body: subscription, ...keyOf(access_key) });
export const deletePushSubscription = (endpoint: string, access_key: string): Promise<void> =>
  request('/push/subscriptions', { method: 'DELETE', body: { endpoint }, ...keyOf(access_key) });
/** The server waits for the push service, which has 10 s. */
export const testPush = (endpoint: string, access_key: string): Promise<PushTestAnswer> =>
  request('/push/test', { method: 'POST', body: { endpoint }, ...keyOf(access_key) });
export const getPushPreferences = (access_key: string, signal: AbortSignal): Promise<PushPreferences> =>
  request(`/push/preferences?${asked({})}`, { signal, ...keyOf(access_key) });
export const putPushPreferences = (change: Partial<PushPreferences>, access_key: string): Promise<PushPreferences> =>
  request('/push/preferences', { method: 'PUT', body: change, ...keyOf(access_key) });
/** A page of why claims ended, those that ended last first. */
export const getEndings = (query: EndingsQuery, signal: AbortSignal): Promise<{ records: Ending[]; total: number | null }> =>
  requestPage(`/admin/endings?${asked(query)}`, { signal });

/** A page of waits, those that were made last first, with when they ended. */
export const getAdminWaits = (query: WaitsQuery, signal: AbortSignal): Promise<{ records: WaitAndEnd[]; total: number | null }> =>
  requestPage(`/admin/waits?${asked(query)}`, { signal });

/** Who had how many hours, which spots are wanted and who did not come: of the active event, else the last days, unless others are asked for. */
export const getStatistics = (query: StatisticsQuery, signal: AbortSignal): Promise<Statistics> =>
  request(`/statistics?${asked(query)}`, { signal });

const nobody = { access_key: null, admin_token: null };
export const loginAdmin = (username: string, password: string): Promise<LoginAnswer> =>
  request('/login', { method: 'POST', body: { username, password }, as: nobody });
export const loginWithKey = (accessKey: string): Promise<LoginAnswer> =>
  request('/login', { method: 'POST', body: { accessKey }, as: nobody });
export const validateKey = (accessKey: string): Promise<KeyAnswer> =>
  request('/validate-access-key', { method: 'POST', body: { accessKey }, as: nobody });
export const verifyAdmin = (token: string): Promise<AdminAnswer> =>
  request(`/admin/verify?at=${Date.now()}`, { as: { admin_token: token } });
export const logoutAdmin = (token: string): Promise<void> => request('/logout', { method: 'POST', as: { admin_token: token } });

export const getEvents = (): Promise<Event[]> => request(`/events?at=${Date.now()}`);
export const createEvent = (input: EventInput): Promise<Event> => request('/events', { method: 'POST', body: input });
/** Thousands of claims take their time. */
const COPY_PATIENCE_MS = 60_000;
/** Creates the next event from one; with `preview` it only reports the outcome. */
export const copyEvent = (id: number, copy: EventCopy, signal?: AbortSignal): Promise<EventCopied> =>
  request(`/admin/events/${id}/copy`, { method: 'POST', body: copy, patience_ms: COPY_PATIENCE_MS, ...(signal && { signal }) });
export const getEventTemplates = (): Promise<EventTemplate[]> => request(`/admin/event-templates?at=${Date.now()}`);
export const createEventTemplate = (input: EventTemplateInput): Promise<EventTemplate> =>
  request('/admin/event-templates', { method: 'POST', body: input });
export const deleteEventTemplate = (id: number): Promise<void> => request(`/admin/event-templates/${id}`, { method: 'DELETE' });
export const applyEventTemplate = (id: number, use: TemplateUse): Promise<EventCopied> =>
  request(`/admin/event-templates/${id}/apply`, { method: 'POST', body: use, patience_ms: COPY_PATIENCE_MS });
export const updateEvent = (id: number, change: EventChange): Promise<Event> => request(`/events/${id}`, { method: 'PUT', body: change });
export const deleteEvent = (id: number): Promise<void> => request(`/events/${id}`, { method: 'DELETE' });
export const setEventActive = (id: number, active: boolean): Promise<Event> =>
  request(`/events/${id}/${active ? 'activate' : 'deactivate'}`, { method: 'POST' });

export const getAccessKeys = (): Promise<AccessKey[]> => request(`/admin/access-keys?at=${Date.now()}`);
export const createAccessKey = (input: AccessKeyInput): Promise<AccessKey> =>
  request('/admin/access-keys', { method: 'POST', body: input });
export const setKeyRevoked = (id: number, revoked: boolean): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/${revoked ? 'revoke' : 'enable'}`, { method: 'PUT' });
export const setKeyMemberType = (id: number, memberType: string): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/member-type`, { method: 'PUT', body: { memberType } });
export const deleteAccessKey = (id: number): Promise<void> => request(`/admin/access-keys/${id}`, { method: 'DELETE' });

/** What is wrong with the server itself, as it sees it. */
export const getHealth = (signal?: AbortSignal): Promise<Health> =>
  request(`/admin/health?at=${Date.now()}`, { ...(signal ? { signal } : {}) });

/** The server as an owner sees it: its facts, last checks and backups. */
export const getSystem = (signal?: AbortSignal): Promise<System> =>
  request(`/admin/system?at=${Date.now()}`, { ...(signal ? { signal } : {}) });
export const resumeNotifications = (): Promise<SystemNotifications> => request('/admin/system/resume-notifications', { method: 'POST' });
export const startCheckup = (): Promise<SystemCheckup> => request('/admin/system/checkup', { method: 'POST' });
export const startBackup = (): Promise<Pick<SystemBackup, 'running' | 'failure'>> => request('/admin/system/backup', { method: 'POST' });

/** A page of the claims of all events, and of those of none. */
export const getAdminClaims = (page: DatedPageQuery, signal?: AbortSignal): Promise<{ records: ClaimRow[]; total: number | null }> =>
  requestPage(`/admin/claims?${asked(page)}`, signal ? { signal } : {});
export const editClaimTimes = (id: number, hour_start: number, hour_end: number): Promise<Claim> =>
  request(`/claims/admin/${id}`, { method: 'PUT', body: { hour_start, hour_end } });
export const moveClaim = (id: number, respawn_id: number): Promise<Claim> =>
  request(`/claims/admin/${id}/respawn`, { method: 'PUT', body: { respawn_id } });
export const clearRespawnClaims = (respawn_id: number): Promise<{ deletedCount: number }> =>
  request(`/claims/admin/respawn/${respawn_id}`, { method: 'DELETE' });

export const createMemberType = (input: MemberTypeInput): Promise<MemberType> =>
  request('/admin/member-types', { method: 'POST', body: input });
export const updateMemberType = (member_type: string, change: MemberTypeChange): Promise<MemberType> =>
  request(`/admin/member-types/${inPath(member_type)}`, { method: 'PUT', body: change });
export const deleteMemberType = (member_type: string): Promise<void> =>
  request(`/admin/member-types/${inPath(member_type)}`, { method: 'DELETE' });

export const getAdminRespawns = (): Promise<Respawn[]> => request(`/admin/respawns?at=${Date.now()}`);
/** @param form `name`, the file `image` and, if it has one, `category_id` */
export const createRespawn = (form: FormData): Promise<Respawn> => request('/respawns/admin', { method: 'POST', form });
export const updateRespawn = (id: number, change: RespawnChange): Promise<Respawn> =>
  request(`/admin/respawns/${id}`, { method: 'PUT', body: change });
export const setRespawnCategory = (id: number, category_id: number | null): Promise<Respawn> =>
  request(`/admin/respawns/${id}/category`, { method: 'PUT', body: { category_id } });
/** @param form the file `image` */
export const setRespawnImage = (id: number, form: FormData): Promise<RespawnImage> =>
  request(`/admin/respawns/${id}/image`, { method: 'PUT', form });
export const deleteRespawn = (id: number): Promise<void> => request(`/admin/respawns/${id}`, { method: 'DELETE' });

export const createCategory = (input: CategoryInput): Promise<Category> => request('/categories', { method: 'POST', body: input });
export const renameCategory = (id: number, input: CategoryInput): Promise<Category> =>
  request(`/categories/${id}`, { method: 'PUT', body: input });
export const deleteCategory = (id: number): Promise<void> => request(`/categories/${id}`, { method: 'DELETE' });

export const updateConfig = (change: ConfigChange): Promise<Config> => request('/admin/config', { method: 'PUT', body: change });

export const requestVerificationCode = (character_name: string): Promise<PendingCode | undefined> =>
  request('/generate-verification-code', { method: 'POST', body: { character_name }, as: nobody });
export const checkVerification = (characterName: string, verification_token: string, signal?: AbortSignal): Promise<VerificationAnswer> =>
  request('/check-verification', {
    method: 'POST',
    body: { characterName, verification_token },
    as: nobody,
    ...(signal ? { signal } : {}),
  });
export const isCharacterVerified = (character_name: string, signal?: AbortSignal): Promise<{ isVerified: boolean }> =>
  requestBare(`/check-character-verification/${inPath(character_name)}`, signal ? { signal } : {});

/** By an admin's word, without a code; makes the character's key where it has none. */
export const verifyByHand = (character_name: string): Promise<VerifiedCode> =>
  request('/admin/verify-character', { method: 'POST', body: { character_name } });
export type CharacterDeed = 'revoke-character-access' | 'restore-character-access' | 'ban-character' | 'unban-character';
export const doToCharacter = (deed: CharacterDeed, character_name: string): Promise<void> =>
  request(`/admin/${deed}`, { method: 'POST', body: { character_name } });
export const getVerifiedCodes = (): Promise<VerifiedCode[]> => request(`/admin/verified-codes?at=${Date.now()}`);
export const deleteVerifiedCode = (id: number): Promise<void> => request(`/admin/verified-codes/${id}`, { method: 'DELETE' });

export const getDestinations = (): Promise<Destination[]> => request('/admin/destinations');
export const createDestination = (input: DestinationInput): Promise<NewDestination> =>
  request('/admin/destinations', { method: 'POST', body: input });
export const updateDestination = (id: number, change: DestinationChange): Promise<Destination> =>
  request(`/admin/destinations/${id}`, { method: 'PUT', body: change });
export const deleteDestination = (id: number): Promise<void> => request(`/admin/destinations/${id}`, { method: 'DELETE' });
export const rotateDestinationSecret = (id: number): Promise<RotatedSecret> =>
  request(`/admin/destinations/${id}/rotate-secret`, { method: 'POST' });
/** A receiver has 15 s to answer the server. */
const TEST_PATIENCE_MS = 25_000;
export const testDestination = (id: number): Promise<TestAnswer> =>
  request(`/admin/destinations/${id}/test`, { method: 'POST', patience_ms: TEST_PATIENCE_MS });
/** The last tries, the newest first. */
export const getDeliveries = (id: number, signal: AbortSignal): Promise<Delivery[]> =>
  request(`/admin/destinations/${id}/deliveries?at=${Date.now()}`, { signal });

/** A page of the events that left for the archive, those that were made last first. */
export const getArchivedEvents = (page: PageQuery, signal: AbortSignal): Promise<{ records: ArchivedEvent[]; total: number | null }> =>
  requestPage(`/admin/archive/events?${asked(page)}`, { signal });
/** A page of an archived event's claims, in the order in which they were made. */
export const getArchivedClaims = (
  event_id: number,
  page: PageQuery,
  signal: AbortSignal,
): Promise<{ records: ClaimRow[]; total: number | null }> =>
  requestPage(`/admin/archive/events/${event_id}/claims?${asked(page)}`, { signal });

export const importRespawns = (body: RespawnsImport): Promise<ImportAnswer> => request('/admin/import/respawns', { method: 'POST', body });
export const importMembers = (body: MembersImport): Promise<ImportAnswer> => request('/admin/import/members', { method: 'POST', body });

export const getActivityLog = (query: Partial<ActivityQuery>, signal?: AbortSignal): Promise<ActivityPage> =>
  request(`/admin/activity-log?${asked(query)}`, signal ? { signal } : {});
export const undoActivity = (id: number): Promise<UndoAnswer> => request(`/admin/activity-log/${id}/undo`, { method: 'POST' });
