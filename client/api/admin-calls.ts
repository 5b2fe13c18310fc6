import type { AdminRole } from '../../shared/rules/roles.ts';
import type { AccessKey, AccessKeyInput, LastClaim } from '../../shared/schemas/access-key.ts';
import type { UndoAnswer, UndoRequest } from '../../shared/schemas/activity.ts';
import type {
  AdminAccount,
  AdminList,
  InvitationInput,
  NewInvitation,
} from '../../shared/schemas/admin.ts';
import type { ArchivedEvent } from '../../shared/schemas/archive.ts';
import type { BoardMessageInput, ListedBoardMessage } from '../../shared/schemas/board-message.ts';
import type {
  BulkAnswer,
  CharactersCommand,
  ClaimsCommand,
  KeysCommand,
  RespawnsCommand,
} from '../../shared/schemas/bulk.ts';
import type { Category, CategoryInput } from '../../shared/schemas/category.ts';
import type { VerifiedCode } from '../../shared/schemas/character.ts';
import type { ClaimEdit, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Config, ConfigChange } from '../../shared/schemas/config.ts';
import type {
  Delivery,
  Destination,
  DestinationChange,
  DestinationInput,
  NewDestination,
  RotatedSecret,
  TestAnswer,
} from '../../shared/schemas/destination.ts';
import type {
  DiscordAppInput,
  DiscordSetup,
  DiscordSignInSetup,
} from '../../shared/schemas/discord.ts';
import type { Ending, EndingsQuery } from '../../shared/schemas/ending.ts';
import type {
  ActivationAnswer,
  Event,
  EventChange,
  EventInput,
} from '../../shared/schemas/event.ts';
import type { EventCopied, EventCopy } from '../../shared/schemas/event-copy.ts';
import type { CharacterPageQuery, PageQuery } from '../../shared/schemas/fields.ts';
import type { Health } from '../../shared/schemas/health.ts';
import type { ImportAnswer, MembersImport, RespawnsImport } from '../../shared/schemas/import.ts';
import type {
  MemberType,
  MemberTypeChange,
  MemberTypeInput,
} from '../../shared/schemas/member-type.ts';
import type { Excused } from '../../shared/schemas/missed-claim.ts';
import type { NeedKind, NeedsLook } from '../../shared/schemas/needs-look.ts';
import type { Respawn, RespawnChange, RespawnImage } from '../../shared/schemas/respawn.ts';
import type { Setup, SetupChange } from '../../shared/schemas/setup.ts';
import type { StandingClaim, StandingQuery } from '../../shared/schemas/standing-claim.ts';
import type {
  System,
  SystemBackup,
  SystemCheckup,
  SystemNotifications,
} from '../../shared/schemas/system.ts';
import type { ClaimCharacter } from '../../shared/schemas/transfer.ts';
import type { WaitAndEnd, WaitsQuery } from '../../shared/schemas/wait.ts';
import { pathPart, queryText, request, requestPage } from './request.ts';

/** The calls that only the dashboard makes: they are not in the first load. Its live lists are read in `calls.ts`. */

/** Applies an action to many records: all or none, with one undo. */
export const changeInBulk = (
  things: 'access-keys' | 'verified-codes' | 'claims' | 'respawns',
  ids: readonly number[],
  command: KeysCommand | CharactersCommand | ClaimsCommand | RespawnsCommand,
): Promise<BulkAnswer> =>
  request(`/admin/${things}/bulk`, { method: 'POST', body: { ids, command } });
/** A page of the claim history, newest first. */
export const getEndings = (
  query: EndingsQuery,
  signal: AbortSignal,
): Promise<{ records: Ending[]; total: number | null }> =>
  requestPage(`/admin/endings?${queryText(query)}`, { signal });
/** @param id of a missed part in the claim history */
export const excuseNoShow = (id: number): Promise<Excused> =>
  request(`/admin/endings/${id}/excuse`, { method: 'POST' });
/** A page of waitlist entries, newest first. */
export const getAdminWaits = (
  query: WaitsQuery,
  signal: AbortSignal,
): Promise<{ records: WaitAndEnd[]; total: number | null }> =>
  requestPage(`/admin/waits?${queryText(query)}`, { signal });
export const getAdminStanding = (
  query: Partial<StandingQuery>,
  signal: AbortSignal,
): Promise<{ records: StandingClaim[]; total: number | null }> =>
  requestPage(`/admin/standing?${queryText(query)}`, { signal });
/** @param activate the new event is the active one at once */
export const createEvent = (input: EventInput, activate = false): Promise<Event> =>
  request('/events', { method: 'POST', body: { ...input, ...(activate && { activate }) } });
/** Copying thousands of claims takes this long. */
const COPY_TIMEOUT_MS = 60_000;
/** Creates the next event from one; with `preview` it only reports the outcome. */
export const copyEvent = (
  id: number,
  copy: EventCopy,
  signal?: AbortSignal,
): Promise<EventCopied> =>
  request(`/admin/events/${id}/copy`, {
    method: 'POST',
    body: copy,
    timeout_ms: COPY_TIMEOUT_MS,
    ...(signal && { signal }),
  });
export const updateEvent = (id: number, change: EventChange): Promise<Event> =>
  request(`/events/${id}`, { method: 'PUT', body: change });
export const deleteEvent = (id: number): Promise<void> =>
  request(`/events/${id}`, { method: 'DELETE' });
export const activateEvent = (id: number, take_claims: boolean): Promise<Event> =>
  request(`/events/${id}/activate`, { method: 'POST', body: { take_claims } });
export const deactivateEvent = (id: number): Promise<Event> =>
  request(`/events/${id}/deactivate`, { method: 'POST' });
/** Counts the claims that would stay outside an event that is activated. */
export const getActivation = (id: number, signal?: AbortSignal): Promise<ActivationAnswer> =>
  request(`/events/${id}/activation?at=${Date.now()}`, signal ? { signal } : {});
export const createAccessKey = (input: AccessKeyInput): Promise<AccessKey> =>
  request('/admin/access-keys', { method: 'POST', body: input });
export const setKeyRevoked = (id: number, revoked: boolean): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/${revoked ? 'revoke' : 'enable'}`, { method: 'PUT' });
export const setKeyMemberType = (id: number, memberType: string): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/member-type`, { method: 'PUT', body: { memberType } });
export const deleteAccessKey = (id: number): Promise<void> =>
  request(`/admin/access-keys/${id}`, { method: 'DELETE' });
export const getLastClaims = (signal: AbortSignal): Promise<LastClaim[]> =>
  request(`/admin/last-claims?at=${Date.now()}`, { signal });
export const getNeedsLook = (signal: AbortSignal): Promise<NeedsLook[]> =>
  request(`/admin/needs-look?at=${Date.now()}`, { signal });
export const keepFacts = (id: number, kind: NeedKind): Promise<void> =>
  request(`/admin/needs-look/${id}/keep`, { method: 'POST', body: { kind } });
export const changeToRank = (id: number): Promise<void> =>
  request(`/admin/needs-look/${id}/change-type`, { method: 'POST' });
/** Problems of the server's storage. */
export const getHealth = (signal?: AbortSignal): Promise<Health> =>
  request(`/admin/health?at=${Date.now()}`, { ...(signal ? { signal } : {}) });
/** The server's facts, health checks and backups, for owners. */
export const getSystem = (signal?: AbortSignal): Promise<System> =>
  request(`/admin/system?at=${Date.now()}`, { ...(signal ? { signal } : {}) });
export const resumeNotifications = (): Promise<SystemNotifications> =>
  request('/admin/system/resume-notifications', { method: 'POST' });
export const startCheckup = (): Promise<SystemCheckup> =>
  request('/admin/system/checkup', { method: 'POST' });
export const startBackup = (): Promise<Pick<SystemBackup, 'running' | 'failure'>> =>
  request('/admin/system/backup', { method: 'POST' });
/** A page of the claims of all events and of none. */
export const getAdminClaims = (
  page: CharacterPageQuery & { except_event?: number },
  signal?: AbortSignal,
): Promise<{ records: ClaimRow[]; total: number | null }> =>
  requestPage(`/admin/claims?${queryText(page)}`, signal ? { signal } : {});
export const getEventClaims = (event_id: number, signal: AbortSignal): Promise<ClaimRow[]> =>
  request(`/events/${event_id}/claims?at=${Date.now()}`, { signal });
export const editClaim = (id: number, edit: ClaimEdit): Promise<ClaimRow> =>
  request(`/claims/admin/${id}`, { method: 'PUT', body: edit });
export const moveClaimTo = (id: number, to: ClaimCharacter): Promise<ClaimRow[]> =>
  request(`/claims/admin/${id}/character`, { method: 'PUT', body: to });
export const clearRespawnClaims = (respawn_id: number): Promise<{ deletedCount: number }> =>
  request(`/claims/admin/respawn/${respawn_id}`, { method: 'DELETE' });
export const createMemberType = (input: MemberTypeInput): Promise<MemberType> =>
  request('/admin/member-types', { method: 'POST', body: input });
export const updateMemberType = (
  member_type: string,
  change: MemberTypeChange,
): Promise<MemberType> =>
  request(`/admin/member-types/${pathPart(member_type)}`, { method: 'PUT', body: change });
export const deleteMemberType = (member_type: string): Promise<void> =>
  request(`/admin/member-types/${pathPart(member_type)}`, { method: 'DELETE' });
/** @param form `name`, the file `image` and, if it has one, `category_id` */
export const createRespawn = (form: FormData): Promise<Respawn> =>
  request('/respawns/admin', { method: 'POST', form });
export const updateRespawn = (id: number, change: RespawnChange): Promise<Respawn> =>
  request(`/admin/respawns/${id}`, { method: 'PUT', body: change });
export const setRespawnCategory = (id: number, category_id: number | null): Promise<Respawn> =>
  request(`/admin/respawns/${id}/category`, { method: 'PUT', body: { category_id } });
/** @param form the file `image` */
export const setRespawnImage = (id: number, form: FormData): Promise<RespawnImage> =>
  request(`/admin/respawns/${id}/image`, { method: 'PUT', form });
export const deleteRespawn = (id: number): Promise<void> =>
  request(`/admin/respawns/${id}`, { method: 'DELETE' });
export const createCategory = (input: CategoryInput): Promise<Category> =>
  request('/categories', { method: 'POST', body: input });
export const renameCategory = (id: number, input: CategoryInput): Promise<Category> =>
  request(`/categories/${id}`, { method: 'PUT', body: input });
export const deleteCategory = (id: number): Promise<void> =>
  request(`/categories/${id}`, { method: 'DELETE' });
export const updateConfig = (change: ConfigChange): Promise<Config> =>
  request('/admin/config', { method: 'PUT', body: change });
/** The steps of the first-run checklist that admins skipped, and whether they dismissed it. */
export const getSetup = (signal: AbortSignal): Promise<Setup> =>
  request(`/admin/setup?at=${Date.now()}`, { signal });
export const changeSetup = (change: SetupChange): Promise<Setup> =>
  request('/admin/setup', { method: 'PUT', body: change });
/** Verifies a character without a code, and creates its key if it has none. */
export const verifyByHand = (character_name: string): Promise<VerifiedCode> =>
  request('/admin/verify-character', { method: 'POST', body: { character_name } });
type CharacterCommand =
  | 'revoke-character-access'
  | 'restore-character-access'
  | 'ban-character'
  | 'unban-character';
export const doToCharacter = (command: CharacterCommand, character_name: string): Promise<void> =>
  request(`/admin/${command}`, { method: 'POST', body: { character_name } });
export const deleteVerifiedCode = (id: number): Promise<void> =>
  request(`/admin/verified-codes/${id}`, { method: 'DELETE' });
export const createDestination = (input: DestinationInput): Promise<NewDestination> =>
  request('/admin/destinations', { method: 'POST', body: input });
export const updateDestination = (id: number, change: DestinationChange): Promise<Destination> =>
  request(`/admin/destinations/${id}`, { method: 'PUT', body: change });
export const deleteDestination = (id: number): Promise<void> =>
  request(`/admin/destinations/${id}`, { method: 'DELETE' });
export const rotateDestinationSecret = (id: number): Promise<RotatedSecret> =>
  request(`/admin/destinations/${id}/rotate-secret`, { method: 'POST' });
/** The receiver has 15 s to answer the server. */
const TEST_TIMEOUT_MS = 25_000;
export const testDestination = (id: number): Promise<TestAnswer> =>
  request(`/admin/destinations/${id}/test`, { method: 'POST', timeout_ms: TEST_TIMEOUT_MS });
/** The channels that keep today's board in one message. */
export const listBoardMessages = (signal: AbortSignal): Promise<ListedBoardMessage[]> =>
  request(`/admin/board-messages?at=${Date.now()}`, { signal });
export const keepBoardMessage = (
  id: number,
  input: BoardMessageInput,
): Promise<ListedBoardMessage> =>
  request(`/admin/destinations/${id}/board-message`, { method: 'PUT', body: input });
export const endBoardMessage = (id: number): Promise<void> =>
  request(`/admin/destinations/${id}/board-message`, { method: 'DELETE' });
/** The last delivery attempts, newest first. */
export const getDeliveries = (id: number, signal: AbortSignal): Promise<Delivery[]> =>
  request(`/admin/destinations/${id}/deliveries?at=${Date.now()}`, { signal });
/** The guild's Discord app with the state of its set-up, for owners. */
export const getDiscordApp = (signal: AbortSignal): Promise<DiscordSetup> =>
  request(`/admin/discord?at=${Date.now()}`, { signal });
/** Discord has 15 s to answer the server, for the commands of the app before and of this one. */
const REGISTER_TIMEOUT_MS = 40_000;
export const saveDiscordApp = (input: DiscordAppInput): Promise<DiscordSetup> =>
  request('/admin/discord', { method: 'PUT', body: input, timeout_ms: REGISTER_TIMEOUT_MS });
export const registerDiscordCommands = (): Promise<DiscordSetup> =>
  request('/admin/discord/register', { method: 'POST', timeout_ms: REGISTER_TIMEOUT_MS });
export const removeDiscordApp = (): Promise<void> =>
  request('/admin/discord', { method: 'DELETE', timeout_ms: REGISTER_TIMEOUT_MS });
export const getDiscordSignIn = (signal: AbortSignal): Promise<DiscordSignInSetup> =>
  request(`/admin/discord/sign-in?at=${Date.now()}`, { signal });
export const saveDiscordSignIn = (client_secret: string): Promise<DiscordSignInSetup> =>
  request('/admin/discord/sign-in', { method: 'PUT', body: { client_secret } });
export const removeDiscordSignIn = (): Promise<void> =>
  request('/admin/discord/sign-in', { method: 'DELETE' });
export const getArchivedEvents = (
  page: PageQuery,
  signal: AbortSignal,
): Promise<{ records: ArchivedEvent[]; total: number | null }> =>
  requestPage(`/admin/archive/events?${queryText(page)}`, { signal });
/** A page of an archived event's claims, oldest first. */
export const getArchivedClaims = (
  event_id: number,
  page: PageQuery,
  signal: AbortSignal,
): Promise<{ records: ClaimRow[]; total: number | null }> =>
  requestPage(`/admin/archive/events/${event_id}/claims?${queryText(page)}`, { signal });
export const importRespawns = (body: RespawnsImport): Promise<ImportAnswer> =>
  request('/admin/import/respawns', { method: 'POST', body });
export const importMembers = (body: MembersImport): Promise<ImportAnswer> =>
  request('/admin/import/members', { method: 'POST', body });
export const undoActivity = (id: number, body?: UndoRequest): Promise<UndoAnswer> =>
  request(`/admin/activity-log/${id}/undo`, { method: 'POST', ...(body && { body }) });
export const getAdmins = (signal: AbortSignal): Promise<AdminList> =>
  request(`/admin/admins?at=${Date.now()}`, { signal });
export const setAdminRole = (
  id: number,
  role: AdminRole,
): Promise<Pick<AdminAccount, 'id' | 'username' | 'role'>> =>
  request(`/admin/admins/${id}`, { method: 'PUT', body: { role } });
export const removeAdmin = (id: number): Promise<void> =>
  request(`/admin/admins/${id}`, { method: 'DELETE' });
/** Answers the token for the invitation link, which is sent only now. */
export const inviteAdmin = (input: InvitationInput): Promise<NewInvitation> =>
  request('/admin/invitations', { method: 'POST', body: input });
export const withdrawInvitation = (id: number): Promise<void> =>
  request(`/admin/invitations/${id}`, { method: 'DELETE' });
/** The server ends all sessions of the admin, including this one. */
export const changeOwnPassword = (current_password: string, new_password: string): Promise<void> =>
  request('/admin/password', { method: 'PUT', body: { current_password, new_password } });
