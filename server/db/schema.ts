import type { ColumnType, Generated } from 'kysely';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { RevokedBecause } from '../../shared/schemas/access-key.ts';
import type { ActorKind } from '../../shared/schemas/activity.ts';
import type {
  Delivery,
  DestinationKind,
  Language,
  SwitchedOff,
} from '../../shared/schemas/destination.ts';
import type { RegisterError, SignInError } from '../../shared/schemas/discord.ts';
import type { PublicEventType } from '../../shared/schemas/domain-events.ts';
import type { EndingReason } from '../../shared/schemas/ending.ts';
import type { StandingEndReason } from '../../shared/schemas/standing-claim.ts';
import type { DeletionPauseReason } from '../../shared/schemas/system.ts';
import type { TransferKind, TransferOutcome } from '../../shared/schemas/transfer.ts';
import type { WaitStatus } from '../../shared/schemas/wait.ts';
import type { Setting, SettingValues } from '../../shared/settings.ts';

/** The write lock and the live protocol's clock, in one row. */
interface ClockTable {
  id: 1;
  value: number;
  /** The server-save date that the board was last written or reset for. */
  board_date: ServerSaveDate;
  /** Random per database: another epoch counts another history (`live/bus.ts`). */
  epoch: Generated<string>;
  /** Open waitlist entries. While there are none, writes don't check the waitlists. */
  open_waits: Generated<number>;
  /** The next deadline, or an earlier time; null: none (`jobs/deadlines.ts`). */
  next_due: Generated<Timestamp | null>;
  /** Types of domain events that any channel or browser subscribed to, separated by spaces (`domain-events.ts`); null: none. */
  subscribed_types: Generated<string | null>;
}

interface ChangesTable {
  clock: number;
  /** StoredChange[] */
  body: JsonText;
  at: Timestamp;
}

/** The settings are columns of their own. */
type SettingColumns = { [S in Setting]: WithDefault<SettingValues[S]> };
interface ConfigTable extends SettingColumns {
  id: 1;
  /** null: no admin has set it, so GUILD_NAME applies; empty: every character can verify. */
  guild_name: Generated<string | null>;
  /** Set when this database is restored from an archive: notifications are paused since then; null: they are sent. */
  notifications_paused_at: Generated<Timestamp | null>;
  /** JSON of Setup */
  setup: Generated<JsonText>;
}

export interface CategoriesTable {
  id: Generated<number>;
  name: string;
  name_key: string;
}

export interface RespawnsTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  image: string;
  category_id: number | null;
  is_enabled: WithDefault<Flag>;
  created_at: Timestamp;
  /** Claims on this spot, archived ones included. `claimsChanged` keeps it. */
  total_claims: Generated<number>;
  last_claim_date: Generated<ServerSaveDate | null>;
}

/** Pictures that admins uploaded, by a hash of their bytes. Stored in the database because several servers may share it. */
interface ImagesTable {
  hash: string;
  bytes: Buffer;
  created_at: Timestamp;
}

export interface MemberTypesTable {
  member_type: string;
  name_key: string;
  voucher_duration_hours: number;
  can_submit: Flag;
  earliest_submission_date: ServerSaveDate;
  allow_secondary_claims: Flag;
  background_color: string;
  is_system: Flag;
  /** string[] */
  guild_ranks: JsonText;
  /** null: no limit. */
  max_hours_per_day: Generated<number | null>;
  max_hours_per_event: Generated<number | null>;
}

export interface EventsTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  type: 'single_claim' | 'multiple_claims';
  start_time: string;
  end_time: string;
  single_claim_template: string | null;
  is_active: WithDefault<Flag>;
  created_at: Timestamp;
  /** Claims of this event, archived ones included. `claimsChanged` keeps it. */
  claim_count: Generated<number>;
  /** Members no longer see it; its claims are archived batch by batch (`board/archive/move.ts`). */
  is_leaving: WithDefault<Flag>;
}

interface AccessKeysTable {
  id: Generated<number>;
  character_name: string;
  character_key: string;
  /** In clear text: admins hand keys out and members look their own up. */
  key_value: string;
  created_by_username: string | null;
  member_type: string;
  created_at: Timestamp;
  is_revoked: WithDefault<Flag>;
  /** Why the server revoked it, from the game's data; null: an admin did, or it is not revoked. */
  revoked_because: WithDefault<RevokedBecause | null>;
  /** 0: the type came with a guild rank and may follow it; 1: an admin set it. */
  type_by_hand: WithDefault<Flag>;
  /** The Discord user who acts for the character; null: none. A link ends with its key. */
  discord_user_id: Generated<string | null>;
  discord_name: Generated<string | null>;
  discord_linked_at: Generated<Timestamp | null>;
  /** Of the code that links a Discord user. */
  discord_code_hash: Generated<string | null>;
  discord_code_expires_at: Generated<Timestamp | null>;
  /** The language of the Discord user, for direct messages. */
  discord_language: Generated<Language | null>;
  /** Discord's channel for direct messages to the user; null: none was opened. */
  discord_channel_id: Generated<string | null>;
  /** Since when the user accepts no direct messages; null: they arrive. */
  discord_closed_at: Generated<Timestamp | null>;
}

/** The guild's Discord app; one row at most. */
interface DiscordAppTable {
  id: number;
  application_id: string;
  public_key: string;
  /** In clear text, as Discord wants it with each call. It is never answered. */
  bot_token: string;
  guild_id: string | null;
  saved_at: Timestamp;
  registered_at: Timestamp | null;
  register_error: RegisterError | null;
  first_interaction_at: Timestamp | null;
  /** Why the last direct message failed; null: it did not. */
  message_error: Generated<RegisterError | null>;
  /** Failures in a row of direct messages, and until when no further attempt is made. */
  failures: Generated<number>;
  backoff_until: Generated<Timestamp | null>;
}

/** Signing in with Discord; one row at most. */
interface DiscordSignInTable {
  id: number;
  /** The secret's app. While another one is set up, no member can sign in. */
  application_id: string;
  /** In clear text, as Discord wants it with each call. It is never answered. */
  client_secret: string;
  saved_at: Timestamp;
  first_sign_in_at: Timestamp | null;
  error: SignInError | null;
}

/** Discord users who came back from Discord: tickets that sign in, and tokens that connect a character. */
interface DiscordSignInTokensTable {
  token_hash: string;
  kind: 'ticket' | 'connect';
  /** Of the state that led to a ticket, so that no state leads to two; null: a token that connects. */
  state_hash: string | null;
  discord_user_id: string;
  discord_name: string;
  discord_language: Language | null;
  expires_at: Timestamp;
  used_at: Generated<Timestamp | null>;
}

/** Channels that keep today's board in one message. The row of a deleted channel stays for the undo of the deletion. */
export interface BoardMessagesTable {
  channel_id: number;
  /** null: all spots. */
  category_id: number | null;
  /** Where the message is, and in which language; null: it is still to be posted. */
  url: string | null;
  message_id: string | null;
  language: Language | null;
  posted_at: Timestamp | null;
  sent_at: Timestamp | null;
  /** Failures in a row, and until when no further attempt is made. */
  failures: number;
  next_try_at: Timestamp | null;
  error: string | null;
}

/** Direct messages with buttons. They are edited, and their rows deleted, when their question is answered or expires. */
interface DirectMessagesTable {
  id: Generated<number>;
  access_key_id: number;
  /** The record it asks about, such as `claim 12`. */
  about: string;
  /** A later message with the same subject takes its place. */
  subject: string;
  channel_id: string;
  message_id: string;
  language: Language;
  /** The notice in the format of its message. */
  notice: JsonText;
  /** Nothing can be answered from then on. */
  until: Timestamp;
}

/** Interactions that were answered, so that none is twice. */
interface DiscordInteractionsTable {
  id: string;
  at: Timestamp;
}

interface VerificationsTable {
  id: Generated<number>;
  character_name: string;
  character_key: string;
  code: string | null;
  /** The browser that requested the code: only it may receive the key. */
  token_hash: string | null;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  verified_at: Timestamp | null;
  /** Keyed hash of the address that requested the code (`http/client-address.ts`); null: an admin created it. */
  address_hash: Generated<string | null>;
}

/** When the last key of a character was deleted or, because the character was traded, replaced. */
interface FormerMembersTable {
  character_key: string;
  left_at: Timestamp;
}

/** The game's data of a verified character (`members/facts`). */
export interface CharacterFactsTable {
  character_key: string;
  /** When the next look is due. */
  due_at: Timestamp;
  /** When the source read them; null: the source has not known the character yet. */
  read_at: Timestamp | null;
  name: string | null;
  /** string[] */
  former_names: JsonText;
  guild: string | null;
  guild_rank: string | null;
  world: string | null;
  traded: Flag;
  deletion_date: string | null;
  /** When the holder of the current key was first seen to have sold it; null: that is not known. */
  traded_since: Timestamp | null;
  /** The rank that the member type was last compared with. */
  ranked_as: string | null;
  /** Days in a row on which the source did not know the character, and the last of them. */
  missing_days: number;
  missing_on: string | null;
  /** Why access ends if another look agrees, and since which look. */
  leaving_as: RevokedBecause | null;
  leaving_since: Timestamp | null;
  /** string[]: the facts that an admin chose to keep the character with, until they change. */
  kept: JsonText;
}

interface BansTable {
  character_key: string;
  character_name: string;
  created_at: Timestamp;
}

/** An event that ended long ago. Nothing changes it any more. */
interface ArchivedEventsTable {
  id: number;
  name: string;
  type: 'single_claim' | 'multiple_claims';
  start_time: string;
  end_time: string;
  single_claim_template: string | null;
  claim_count: number;
  created_at: Timestamp;
  archived_at: Timestamp;
}

interface AdminsTable {
  id: Generated<number>;
  username: string;
  username_key: string;
  password_hash: string;
  created_at: Timestamp;
  /** The role (`shared/rules/roles.ts`). */
  role: WithDefault<AdminRole>;
  /** The password generated at the first start; the dashboard asks the admin to change it. */
  has_generated_password: WithDefault<Flag>;
}

/** Wrong passwords and keys of the last minutes, counted by all servers together (`http/rate-limits.ts`). */
export interface WrongTriesTable {
  /** Hash of the credential and the address, keyed with the database's own key. */
  subject_hash: string;
  tries: number;
  /** When these tries stop counting. */
  until: Timestamp;
  /** Above the limit: when the next try is checked. */
  next_at: Timestamp;
}

/** Invitations of admins; each link works once (`auth/admins.ts`). */
interface InvitationsTable {
  id: Generated<number>;
  username: string;
  username_key: string;
  role: AdminRole;
  token_hash: string;
  created_by_username: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface AdminSessionsTable {
  token_hash: string;
  admin_id: number;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** Answers to submissions that carried an Idempotency-Key, stored with the write. */
export interface IdempotentAnswersTable {
  credential_hash: string;
  idempotency_key: string;
  request_hash: string;
  answer: JsonText;
  created_at: Timestamp;
}

/** Keys that the database generates for itself. They never leave it. */
interface SecretsTable {
  name: 'address' | 'vapid';
  value: string;
}

/** Jobs to run later (`jobs/`), at most one of a kind and key. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  key: string;
  due_at: Timestamp;
  payload: JsonText;
  attempts: Generated<number>;
  last_error: Generated<string | null>;
  /** The lease of the server that runs the job; null: no server runs it. */
  leased_until: Generated<Timestamp | null>;
  /** Rises with every change of the job, so that a server does not end one that was rescheduled meanwhile. */
  revision: Generated<number>;
  given_up_at: Generated<Timestamp | null>;
  /** The resource that the job shares with others, such as a host: jobs with the same one are limited together. */
  receiver: Generated<string | null>;
}

/** Members' calendars and what they last showed (`notifications/calendar/`). */
interface CalendarsTable {
  character_key: string;
  /** The calendar ends with the key that it was created with. */
  access_key_id: number;
  /** Hash of its token; null: revoked. */
  token_hash: string | null;
  language: string;
  made_at: Timestamp;
  /** Random and permanent: it identifies the calendar's events. */
  uid: string;
  /** Rises with every change of the calendar, and never falls. */
  revision: Generated<number>;
  /** ShownEvent[]: what it showed last. */
  shown_events: JsonText;
}

/** A span of time without a gap in the heartbeats (`db/clock/heartbeats.ts`). */
export interface HeartbeatsTable {
  began_at: Timestamp;
  /** When the last heartbeat of the span was stored. */
  beat_at: Timestamp;
  /** Why deletion by age was paused when the span began; null: it wasn't. */
  pause_reason: DeletionPauseReason | null;
  pause_seconds: WithDefault<number>;
}

/** Servers that share the database (`db/clock/peers.ts`). */
interface ServersTable {
  id: string;
  started_at: Timestamp;
  seen_at: Timestamp;
  build: string | null;
  /** Settings that must be equal on all servers, by name. */
  settings: JsonText;
}

export interface Database {
  clock: ClockTable;
  changes: ChangesTable;
  config: ConfigTable;
  categories: CategoriesTable;
  respawns: RespawnsTable;
  images: ImagesTable;
  member_types: MemberTypesTable;
  events: EventsTable;
  access_keys: AccessKeysTable;
  verifications: VerificationsTable;
  bans: BansTable;
  former_members: FormerMembersTable;
  character_facts: CharacterFactsTable;
  claims: ClaimsTable;
  claim_parts: ClaimPartsTable;
  claim_endings: ClaimEndingsTable;
  archived_events: ArchivedEventsTable;
  archived_claims: ArchivedClaimsTable;
  archived_claim_parts: ArchivedClaimPartsTable;
  occupied_hours: OccupiedHoursTable;
  occupied_days: OccupiedDaysTable;
  activity: ActivityTable;
  activity_names: ActivityNamesTable;
  undos: UndosTable;
  undo_pieces: UndoPiecesTable;
  undo_images: UndoImagesTable;
  admins: AdminsTable;
  admin_sessions: AdminSessionsTable;
  invitations: InvitationsTable;
  idempotent_answers: IdempotentAnswersTable;
  secrets: SecretsTable;
  jobs: JobsTable;
  waits: WaitsTable;
  standing_claims: StandingClaimsTable;
  standing_occurrences: StandingOccurrencesTable;
  transfers: TransfersTable;
  outbox: OutboxTable;
  channels: ChannelsTable;
  deliveries: DeliveriesTable;
  push_subscriptions: PushSubscriptionsTable;
  push_preferences: PushPreferencesTable;
  push_reminders: PushRemindersTable;
  calendars: CalendarsTable;
  stars: StarsTable;
  discord_app: DiscordAppTable;
  discord_interactions: DiscordInteractionsTable;
  board_messages: BoardMessagesTable;
  discord_sign_in: DiscordSignInTable;
  discord_sign_in_tokens: DiscordSignInTokensTable;
  direct_messages: DirectMessagesTable;
  wrong_tries: WrongTriesTable;
  heartbeats: HeartbeatsTable;
  servers: ServersTable;
  backups: BackupsTable;
  checkups: CheckupsTable;
}

export type Flag = 0 | 1;
/** JSON stored as text, so that SQLite and PostgreSQL hold the same. */
type JsonText = string;
export type Timestamp = string;
export type ServerSaveDate = string;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export interface ClaimsTable {
  id: Generated<number>;
  event_id: number | null;
  character_name: string;
  character_key: string;
  member_type: string;
  /** null: every date of the single_claim event. */
  date: ServerSaveDate | null;
  custom_duration: number | null;
  voucher_duration: number;
  is_secondary_claim: Flag;
  secondary_priority: number;
  /** Of a secondary claim: the primary claim that it was submitted with. */
  primary_claim_id: number | null;
  is_split_claim: Flag;
  created_at: Timestamp;
  /** A hold for a member on the waitlist lasts until then; null: a claim. */
  held_until: Generated<Timestamp | null>;
  /** The standing claim that made it, which may have ended; null: none did. */
  standing_id: WithDefault<number | null>;
}

export interface ClaimPartsTable {
  claim_id: number;
  part_number: number;
  respawn_id: number;
  hour_start: number;
  hour_end: number;
  /** The last date that the claim covers: its own, or its event's. */
  last_date: ServerSaveDate;
  /** Its holder has to confirm it, or it ends as a no-show. */
  to_confirm: WithDefault<Flag>;
}

/** The claim history: why a claim, a part of it or some of its hours ended. It copies what it needs and references nothing. */
interface ClaimEndingsTable {
  id: Generated<number>;
  claim_id: number;
  part_number: number;
  character_name: string;
  character_key: string;
  member_type: string;
  is_secondary_claim: Flag;
  respawn_id: number;
  respawn_name: string;
  event_id: number | null;
  date: ServerSaveDate | null;
  /** The dates that it covered: its own, or its event's. */
  first_date: ServerSaveDate;
  last_date: ServerSaveDate;
  hour_start: number;
  hour_end: number;
  made_at: Timestamp;
  ended_at: Timestamp;
  /** When it ended on the server-save clock: hours over by then were not lost. */
  ended_date: ServerSaveDate;
  ended_hour: number;
  reason: EndingReason;
  /** The name of the admin or member who ended it; null: the server. */
  ended_by: string | null;
  /** The standing claim that made it; null: none did. */
  standing_id: WithDefault<number | null>;
  /** The character that the claim went to; null: none. */
  to_name: Generated<string | null>;
  /** The admin who excused the no-show, which then doesn't count (R9.29); null: none did. */
  excused_by: Generated<string | null>;
}

/** No double booking, by construction: the primary key is respawn, date and hour. */
export interface OccupiedHoursTable {
  respawn_id: number;
  date: ServerSaveDate;
  hour: number;
  claim_id: number;
}

/** One claim a character and date, by construction: the primary key is character and date. */
export interface OccupiedDaysTable {
  character_key: string;
  date: ServerSaveDate;
  claim_id: number;
}

/** Claims of an archived event, and old claims without an event, unchanged and with their ids. */
interface ArchivedClaimsTable extends Omit<ClaimsTable, 'id' | 'held_until'> {
  id: number;
  last_date: ServerSaveDate;
}

/** The spot's name when the claim was archived: the spot may be renamed or deleted. */
interface ArchivedClaimPartsTable extends Omit<ClaimPartsTable, 'to_confirm'> {
  respawn_name: string;
}

/** Waitlist entries, ended ones included. Spots, claims and events may be deleted while an entry stays. */
interface WaitsTable {
  id: Generated<number>;
  respawn_id: number;
  event_id: number | null;
  date: ServerSaveDate;
  hour_start: number;
  hour_end: number;
  min_hours: number;
  character_name: string;
  character_key: string;
  member_type: string;
  status: WaitStatus;
  /** Position on its waitlist, from 1; 0 once it has ended. */
  position: number;
  created_at: Timestamp;
  held_claim_id: Generated<number | null>;
  held_until: Generated<Timestamp | null>;
  ended_at: Generated<Timestamp | null>;
  /** Skipped until then because of the character's quiet hours. Private, so not part of the record. */
  quiet_until: Generated<Timestamp | null>;
  /** An admin added the entry, even if the member type may not claim. */
  is_by_admin: Generated<Flag>;
  /** The hours that were occupied when the character joined, as bits: bit 0 is SS+0. */
  wanted_hours: Generated<number>;
  /** 1: void because of its event, so it is reopened if the event is activated again the same day. */
  ended_with_event: Generated<Flag>;
}

/** Standing claims: each makes a claim on each of its weekdays. */
export interface StandingClaimsTable {
  id: Generated<number>;
  respawn_id: number;
  character_name: string;
  character_key: string;
  member_type: string;
  /** Digits 1 (Monday) to 7 in order, such as `24`. */
  weekdays: string;
  hour_start: number;
  hour_end: number;
  from_date: ServerSaveDate;
  until_date: ServerSaveDate | null;
  join_waitlist: WithDefault<Flag>;
  is_paused: WithDefault<Flag>;
  /** The first date that it has not been tried for; null: none is left, or it is paused. */
  next_date: ServerSaveDate | null;
  created_at: Timestamp;
  /** The key under which it was made; null: its character has none. */
  access_key_id: WithDefault<number | null>;
  /** Ended standing claims are kept for 30 days. */
  ended_at: WithDefault<Timestamp | null>;
  end_reason: WithDefault<StandingEndReason | null>;
  /** The name of a deleted spot. */
  respawn_name: WithDefault<string | null>;
}

/** The dates that a standing claim was tried for: at most once, by the primary key. */
interface StandingOccurrencesTable {
  standing_id: number;
  date: ServerSaveDate;
  /** The day of the last try: refusals by the guild's state are tried again on later days. */
  tried_on: ServerSaveDate;
  /** The claim that was made; it may be gone. null: the date was skipped. */
  claim_id: number | null;
  /** Why the date was skipped. */
  code: string | null;
  /** The waitlist entry that was made instead. */
  wait_id: number | null;
}

/** Offers of claims to other characters, ended ones included. Claims may be deleted while a transfer stays. */
interface TransfersTable {
  id: Generated<number>;
  kind: TransferKind;
  claim_id: number;
  /** The claim asked for in return; null: a handover. */
  for_claim_id: number | null;
  from_name: string;
  from_key: string;
  to_name: string;
  to_key: string;
  /** JSON of TransferPlace, as it was when the offer was made. */
  offered: JsonText;
  wanted: JsonText | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  ended_at: Generated<Timestamp | null>;
  /** Why it ended; null: it is open. */
  outcome: Generated<TransferOutcome | null>;
}

export interface ActivityTable {
  id: Generated<number>;
  timestamp: Timestamp;
  action: string;
  actor_kind: WithDefault<ActorKind>;
  /** The name of the admin or member. */
  actor_name: string | null;
  admin_id: number | null;
  /** The admin's name without case, to filter by. */
  admin_key: string | null;
  /** JSON in the action's shape (`shared/schemas/activity-details.ts`). */
  details: JsonText;
  /** The write that made it; null: an earlier version did. */
  clock: Generated<number | null>;
  undone_at: Generated<Timestamp | null>;
  /** When the undo expired and was deleted (`activity/retention.ts`). */
  undo_expired_at: Generated<Timestamp | null>;
}

/** The characters and spots that an entry names (`activity/search.ts`). */
interface ActivityNamesTable {
  name_key: string;
  entry_id: number;
}

/** The undo data of an action (`activity/undo-store.ts`). Deleted once it was used or is too old. */
interface UndosTable {
  id: Generated<number>;
  /** The activity entry; null while the write is under way. */
  entry_id: Generated<number | null>;
  /** Version of the stored shape. */
  version: number;
  made_at: Timestamp;
  /** StoredEvent */
  event: JsonText | null;
  /** Number of claims. */
  claims: number;
  /** Number of pieces, of claims and records together. */
  pieces: number;
  /** Number of records that were deleted or changed besides the claims, and how many of the last pieces hold them. */
  records: Generated<number>;
  record_pieces: Generated<number>;
}

interface UndoPiecesTable {
  undo_id: number;
  /** From 0. */
  piece: number;
  /** StoredClaim[], or UndoRecord[] */
  body: JsonText;
}

/** Uploaded pictures that an undo may bring back. They are kept as long as it is. */
interface UndoImagesTable {
  undo_id: number;
  hash: string;
}

/** Backups that any server made, is making or failed to make. They belong to the deployment, so archives leave them out. */
export interface BackupsTable {
  id: Generated<number>;
  /** Host name. */
  server: string;
  folder: string;
  file: string;
  occasion: 'timed' | 'asked' | 'before' | 'by_hand';
  started_at: Timestamp;
  /** The server that makes it stores that it is alive. */
  renewed_at: Timestamp;
  /** null: under way. */
  ended_at: Timestamp | null;
  percent: number | null;
  bytes: number | null;
  /** null: it succeeded or is under way. */
  error: string | null;
}

/** The last check-up and the running one, of any server. Archives leave them out, too. */
export interface CheckupsTable {
  id: Generated<number>;
  server: string;
  started_at: Timestamp;
  renewed_at: Timestamp;
  ended_at: Timestamp | null;
  looking_at: string | null;
  done: Generated<number>;
  /** CheckResult[]; null while it runs. */
  checks: JsonText | null;
}

/** The outbox: domain events, deleted once all channels and browsers have handled them. */
export interface OutboxTable {
  id: Generated<number>;
  at: Timestamp;
  type: PublicEventType;
  /** The event's `data`. */
  body: JsonText;
}

/** Notification channels. Address and secrets are stored in clear text because sending needs them. Never logged or shown. */
export interface ChannelsTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  kind: DestinationKind;
  url: string;
  /** A webhook's signing secret. */
  secret: string | null;
  /** The previous secret, valid until then. */
  old_secret: Generated<string | null>;
  old_secret_until: Generated<Timestamp | null>;
  /** JSON of PublicEventType[] */
  events: JsonText;
  /** { [type]: event id }: when the channel subscribed. It gets only later events. */
  subscribed_after: Generated<JsonText>;
  language: Language;
  is_enabled: Flag;
  switched_off: Generated<SwitchedOff | null>;
  /** The newest event that the channel has handled. */
  last_event_id: number;
  /** Number of pending messages that admins were last shown. */
  waiting: Generated<number>;
  /** Failed attempts of the next message. */
  attempts: Generated<number>;
  /** How many of those attempts were rescheduled by the receiver's `Retry-After` instead of the schedule. */
  rescheduled_attempts: Generated<number>;
  next_try_at: Generated<Timestamp | null>;
  last_delivery_at: Generated<Timestamp | null>;
  last_error: Generated<string | null>;
  created_at: Timestamp;
}

/** The last attempts of each channel. */
interface DeliveriesTable {
  id: Generated<number>;
  channel_id: number;
  message_id: string;
  type: PublicEventType;
  at: Timestamp;
  attempt: number;
  status: number | null;
  error: string | null;
  ms: number;
  outcome: Delivery['outcome'];
  answer: string;
}

/** A browser's push subscription for one character. A browser may have several. */
export interface PushSubscriptionsTable {
  id: Generated<number>;
  character_key: string;
  /** The access key it belongs to. While the key is revoked or its character banned, nothing is sent. */
  access_key_id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  language: Language;
  /** When the browser last renewed it. */
  renewed_at: Timestamp;
  /** When the push service lets it expire; null: unknown. */
  expires_at: Timestamp | null;
  /** Failures in a row, and until when no further attempt is made. */
  failures: Generated<number>;
  backoff_until: Generated<Timestamp | null>;
}

/** A character's notification preferences. A character without a row gets everything. */
interface PushPreferencesTable {
  character_key: string;
  hold_offered: Flag;
  hunt_begins: Flag;
  confirm_now: Flag;
  claim_changed: Flag;
  direct_hold_offered: Generated<Flag>;
  direct_hunt_begins: Generated<Flag>;
  direct_confirm_now: Generated<Flag>;
  direct_claim_changed: Generated<Flag>;
  /** HH:MM; null together with the other: no quiet hours. */
  quiet_from: string | null;
  quiet_until: string | null;
  time_zone: string;
}

/** A character's starred spots. The spot may be deleted: such a star is not listed, and returns with the spot if the deletion is undone. */
interface StarsTable {
  character_key: string;
  respawn_id: number;
  /** In the order of starring, from 1; with gaps. */
  position: number;
  /** Since when the spot or the character has been gone; null: neither is. */
  unused_since: WithDefault<Timestamp | null>;
}

/** Reminders that were sent, so that each hour is reminded of once, even if clocks jump. */
interface PushRemindersTable {
  /** When the hour begins. */
  hour_at: Timestamp;
  /** Which reminder: before the hour, or at its start. */
  reminder: 'before' | 'start';
}
