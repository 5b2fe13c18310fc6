import type { ColumnType, Generated } from 'kysely';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { ActorKind } from '../../shared/schemas/activity.ts';
import type { Delivery, DestinationKind, Language, SwitchedOff } from '../../shared/schemas/destination.ts';
import type { EndingReason } from '../../shared/schemas/ending.ts';
import type { NewsType } from '../../shared/schemas/news.ts';
import type { DeletionPauseReason } from '../../shared/schemas/system.ts';
import type { WaitStatus } from '../../shared/schemas/wait.ts';
import type { Setting, SettingValues } from '../../shared/settings.ts';

/** The write lock and the live protocol's clock, in one row. */
interface ClockTable {
  id: 1;
  value: number;
  /** The server-save date the board was last written or reset for. */
  board_date: ServerSaveDate;
  /** Random, once a database: another one counts another history (`live/bus.ts`). */
  epoch: Generated<string>;
  /** How many stand in line: where nobody does, a write asks nothing of it. */
  open_waits: Generated<number>;
  /** When something ends by itself next, or before; null: nothing does (`jobs/deadlines/`). */
  next_due: Generated<Timestamp | null>;
  /** Which news anybody hears, with spaces in between (`notifications/channels`); null: none. */
  heard: Generated<string | null>;
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
  /** null: no admin has set it, so GUILD_NAME holds; empty: every character can verify. */
  guild_name: Generated<string | null>;
  /** Since when nothing is sent, because this database was restored from an archive; null: notifications are sent. */
  notifications_paused_at: Generated<Timestamp | null>;
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
  /** Of the claims that stand on it, or did and are archived; kept by whatever writes them (`board/respawns/changes.ts`). */
  total_claims: Generated<number>;
  last_claim_date: Generated<ServerSaveDate | null>;
}

/** Pictures that admins uploaded, under a hash of their bytes. In the database, so that several servers share them. */
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
  /** null: as many as they like. */
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
  /** Kept by whatever writes its claims (`board/events/changes.ts`), those counted that are archived already. */
  claim_count: Generated<number>;
  /** Archived for everybody, while its claims follow bit by bit (`board/archive/move.ts`). */
  is_leaving: WithDefault<Flag>;
}

/** What events are made of again and again (`board/event-copy/`). */
export interface EventTemplatesTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  type: 'single_claim' | 'multiple_claims';
  days: number;
  /** 0 for Sunday to 6 for Saturday; null: any. */
  weekday: number | null;
  start_clock: string;
  end_clock: string;
  single_claim_template: string | null;
  claims: 'none' | 'all';
  /** number[] */
  made_events: JsonText;
  created_at: Timestamp;
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
}

interface VerificationsTable {
  id: Generated<number>;
  character_name: string;
  character_key: string;
  code: string | null;
  /** Of the browser that asked for the code; only that one may receive the key. */
  token_hash: string | null;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  verified_at: Timestamp | null;
  /** Of the address that asked for the code, keyed (`http/address.ts`); null: made by an admin, or before this was kept. */
  address_hash: Generated<string | null>;
}

interface BansTable {
  character_key: string;
  character_name: string;
  created_at: Timestamp;
}

/** An event that was over for long; nothing changes it any more. */
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
  /** What they may do (`shared/rules/roles.ts`). */
  role: WithDefault<AdminRole>;
  /** The password that was made up at the first start; the dashboard asks to change it. */
  has_generated_password: WithDefault<Flag>;
}

/** Wrong passwords and keys in the last minutes; several servers count them together (`http/limits/wrong-tries.ts`). */
export interface WrongTriesTable {
  /** Which credential from where, as a hash under the database's own key. */
  who: string;
  tries: number;
  /** Until when they are counted. */
  until: Timestamp;
  /** Past the limit, when the next try is evaluated. */
  next_at: Timestamp;
}

/** Who is asked to be an admin, by a link that is good once (`auth/admins/`). */
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

/** Keys that the database makes for itself; told to nobody. */
interface SecretsTable {
  name: 'address' | 'vapid';
  value: string;
}

/** What is due later (`jobs/`); one of a kind and key. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  key: string;
  due_at: Timestamp;
  payload: JsonText;
  attempts: Generated<number>;
  last_error: Generated<string | null>;
  /** Some server runs it, until then at most; null: none does. */
  leased_until: Generated<Timestamp | null>;
  /** Rises with everything that happens to the job, so that nobody ends one that was moved meanwhile. */
  revision: Generated<number>;
  given_up_at: Generated<Timestamp | null>;
  /** Whom it needs that others need, too: so many of one run at once. */
  via: Generated<string | null>;
}

/** Members' calendars, and what became of them (`notifications/calendar/`). */
interface CalendarsTable {
  character_key: string;
  /** It leads nowhere without the key that it was made with. */
  access_key_id: number;
  /** Of its address; null: revoked. */
  token_hash: string | null;
  language: string;
  made_at: Timestamp;
  /** Random, and the calendar's for good: its events are known by it. */
  uid: string;
  /** Rises with everything that it says otherwise than before, and never falls. */
  revision: Generated<number>;
  /** ShownEvent[]: what it said last. */
  shown: JsonText;
}

/** A span of time without a gap in the heartbeats (`db/clock/heartbeats.ts`). */
export interface HeartbeatsTable {
  began_at: Timestamp;
  /** When the last heartbeat of the span was stored. */
  beat_at: Timestamp;
  /** Why deletion by age was paused when the span began; null: it was not. */
  doubt: DeletionPauseReason | null;
  doubt_seconds: WithDefault<number>;
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
  claims: ClaimsTable;
  claim_parts: ClaimPartsTable;
  claim_endings: ClaimEndingsTable;
  archived_events: ArchivedEventsTable;
  archived_claims: ArchivedClaimsTable;
  archived_claim_parts: ArchivedClaimPartsTable;
  occupied_hours: OccupiedHoursTable;
  occupied_days: OccupiedDaysTable;
  activity: ActivityTable;
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
  news: NewsTable;
  destinations: DestinationsTable;
  deliveries: DeliveriesTable;
  push_subscriptions: PushSubscriptionsTable;
  push_preferences: PushPreferencesTable;
  push_reminders: PushRemindersTable;
  calendars: CalendarsTable;
  event_templates: EventTemplatesTable;
  wrong_tries: WrongTriesTable;
  heartbeats: HeartbeatsTable;
  servers: ServersTable;
  backups: BackupsTable;
  checkups: CheckupsTable;
}

export type Flag = 0 | 1;
/** JSON kept as text, so that SQLite and PostgreSQL hold the same. */
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
  /** Of a secondary claim: the claim it was submitted with. */
  primary_claim_id: number | null;
  is_split_claim: Flag;
  created_at: Timestamp;
  /** Only held for somebody in line, until then; null: claimed. */
  held_until: Generated<Timestamp | null>;
}

/** Where and when a claim is: one row, or two when it is split. */
export interface ClaimPartsTable {
  claim_id: number;
  part_number: number;
  respawn_id: number;
  hour_start: number;
  hour_end: number;
  /** The last date that the claim covers: its own, or its event's. */
  last_date: ServerSaveDate;
  /** Its holder has yet to say that they are there, or it ends as a no-show. */
  to_confirm: WithDefault<Flag>;
}

/** Why a claim, a part of it or some of its hours ended: as it was then, and pointing to nothing that must be there. */
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
  /** The same on the server-save clock: what of it was over by then was not taken from anybody. */
  ended_date: ServerSaveDate;
  ended_hour: number;
  reason: EndingReason;
  /** An admin's or a member's name; null: by itself. */
  ended_by: string | null;
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

/** Claims of an archived event, and old ones of no event: as they were, under their own ids. */
interface ArchivedClaimsTable extends Omit<ClaimsTable, 'id' | 'held_until'> {
  id: number;
  last_date: ServerSaveDate;
}

/** The spot may be renamed or gone: what it was called when the claim was archived stays. */
interface ArchivedClaimPartsTable extends Omit<ClaimPartsTable, 'to_confirm'> {
  respawn_name: string;
}

/** Who stands in line for hours of a spot, and who did. Spots, claims and events may go while it stays. */
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
  /** In its line, from 1 on; 0 once it has left. */
  position: number;
  created_at: Timestamp;
  held_claim_id: Generated<number | null>;
  held_until: Generated<Timestamp | null>;
  ended_at: Generated<Timestamp | null>;
  /** It was passed over for its character's quiet hours, which end then. Nobody else's business, so no part of the record. */
  quiet_until: Generated<Timestamp | null>;
  /** An admin let the character wait, whatever its type may. */
  is_by_admin: Generated<Flag>;
  /** The hours that were occupied when the character joined, as a set of bits: bit 0 is SS+0. */
  wanted_hours: Generated<number>;
}

export interface ActivityTable {
  id: Generated<number>;
  timestamp: Timestamp;
  action: string;
  actor_kind: WithDefault<ActorKind>;
  /** An admin's or a member's. */
  actor_name: string | null;
  admin_id: number | null;
  /** An admin's name without case, to filter by. */
  admin_key: string | null;
  /** As `activityDetails` says of the action. */
  details: JsonText;
  undone_at: Generated<Timestamp | null>;
  /** Since when there is nothing to put back any more, because nobody did in time (`activity/forget.ts`). */
  undo_expired_at: Generated<Timestamp | null>;
}

/** What a deletion took and its undo puts back (`activity/kept-undos.ts`); gone once it is back, or too old. */
interface UndosTable {
  id: Generated<number>;
  /** Of the deletion; null while that is being written. */
  entry_id: Generated<number | null>;
  /** Of the shape of what is kept. */
  version: number;
  made_at: Timestamp;
  /** StoredEvent */
  event: JsonText | null;
  /** How many. */
  claims: number;
  /** Of claims and of records together. */
  pieces: number;
  /** Rows that were deleted or changed besides, and how many of the pieces are theirs: the last ones. */
  records: Generated<number>;
  record_pieces: Generated<number>;
}

interface UndoPiecesTable {
  undo_id: number;
  /** From 0 on. */
  piece: number;
  /** StoredClaim[], or UndoRecord[] */
  body: JsonText;
}

/** Uploaded pictures that an undo's spots had: none of them is dropped while it may bring them back. */
interface UndoImagesTable {
  undo_id: number;
  hash: string;
}

/** Backups that any server made, is making or failed to make. They are the deployment's, not the guild's: no archive has them. */
export interface BackupsTable {
  id: Generated<number>;
  /** Host name. */
  server: string;
  folder: string;
  file: string;
  occasion: 'timed' | 'asked' | 'before' | 'by_hand';
  started_at: Timestamp;
  /** The server that makes it is alive. */
  renewed_at: Timestamp;
  /** null: it is being made. */
  ended_at: Timestamp | null;
  percent: number | null;
  bytes: number | null;
  /** null: it succeeded, or is being made. */
  error: string | null;
}

/** The last check-up and the running one, of whichever server; likewise in no archive. */
interface CheckupsTable {
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

/** What happened and somebody is told of; forgotten once all that hear it were. */
export interface NewsTable {
  id: Generated<number>;
  at: Timestamp;
  type: NewsType;
  /** The `data` of the news. */
  body: JsonText;
}

/** Where news is sent to. The address and the secrets are needed in clear text to send, and told to nobody. */
export interface DestinationsTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  kind: DestinationKind;
  url: string;
  /** Of a webhook: what its messages are signed with. */
  secret: string | null;
  /** The one before, good until then. */
  old_secret: Generated<string | null>;
  old_secret_until: Generated<Timestamp | null>;
  /** NewsType[] */
  events: JsonText;
  /** { [type]: news id }: of these it hears only what comes after that. */
  heard_after: Generated<JsonText>;
  language: Language;
  is_enabled: Flag;
  switched_off: Generated<SwitchedOff | null>;
  /** The newest news that it has done with. */
  place: number;
  /** How many messages wait, as it was shown last. */
  waiting: Generated<number>;
  /** How often the message that is next has failed. */
  attempts: Generated<number>;
  /** How many of those times its receiver said when to try again, and was obeyed beside the schedule. */
  asked_to_wait: Generated<number>;
  next_try_at: Generated<Timestamp | null>;
  last_delivery_at: Generated<Timestamp | null>;
  last_error: Generated<string | null>;
  created_at: Timestamp;
}

/** How the last tries of each destination fared. */
interface DeliveriesTable {
  id: Generated<number>;
  destination_id: number;
  message_id: string;
  type: NewsType;
  at: Timestamp;
  attempt: number;
  status: number | null;
  error: string | null;
  ms: number;
  outcome: Delivery['outcome'];
  answer: string;
}

/** A browser that is sent a character's notices; one browser may be several characters'. */
export interface PushSubscriptionsTable {
  id: Generated<number>;
  character_key: string;
  /** Goes with it. While that is revoked, or its character banned, nothing is sent. */
  access_key_id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  language: Language;
  /** When its browser told of it last. */
  renewed_at: Timestamp;
  /** When its push service forgets it; null: it does not say. */
  expires_at: Timestamp | null;
  /** How often in a row a notice did not reach it, and until when it is left alone for that. */
  failures: Generated<number>;
  rests_until: Generated<Timestamp | null>;
}

/** What a character is told of; one without a row is told of everything. */
interface PushPreferencesTable {
  character_key: string;
  hold_offered: Flag;
  hunt_begins: Flag;
  confirm_now: Flag;
  claim_changed: Flag;
  /** HH:MM; null, as the other: no quiet hours. */
  quiet_from: string | null;
  quiet_until: string | null;
  time_zone: string;
}

/** Hours whose hunters were reminded, so that none is twice, whatever clocks do. */
interface PushRemindersTable {
  /** When the hour begins. */
  hour_at: Timestamp;
  /** Of its coming, or of its beginning. */
  at: 'before' | 'start';
}
