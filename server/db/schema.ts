import type { Generated } from 'kysely';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { DeletionPauseReason } from '../../shared/schemas/system.ts';
import type { Setting, SettingValues } from '../../shared/settings.ts';
import type { ActivityTable, UndoImagesTable, UndoPiecesTable, UndosTable } from './activity-tables.ts';
import type {
  ArchivedClaimPartsTable,
  ArchivedClaimsTable,
  ClaimEndingsTable,
  ClaimPartsTable,
  ClaimsTable,
  OccupiedDaysTable,
  OccupiedHoursTable,
  WaitsTable,
} from './claim-tables.ts';
import type { Flag, JsonText, ServerSaveDate, Timestamp, WithDefault } from './columns.ts';
import type { BackupsTable, CheckupsTable } from './operation-tables.ts';
import type { DeliveriesTable, DestinationsTable, NewsTable } from './outbox-tables.ts';
import type { PushPreferencesTable, PushRemindersTable, PushSubscriptionsTable } from './push-tables.ts';

/** The write lock and the live protocol's clock, in one row. */
export interface ClockTable {
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

export interface ChangesTable {
  clock: number;
  /** StoredChange[] */
  body: JsonText;
  at: Timestamp;
}

/** The settings are columns of their own. */
type SettingColumns = { [S in Setting]: WithDefault<SettingValues[S]> };
export interface ConfigTable extends SettingColumns {
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
export interface ImagesTable {
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

export interface AccessKeysTable {
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

export interface VerificationsTable {
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

export interface BansTable {
  character_key: string;
  character_name: string;
  created_at: Timestamp;
}

/** An event that was over for long; nothing changes it any more. */
export interface ArchivedEventsTable {
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

export interface AdminsTable {
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
export interface InvitationsTable {
  id: Generated<number>;
  username: string;
  username_key: string;
  role: AdminRole;
  token_hash: string;
  created_by_username: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface AdminSessionsTable {
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
export interface SecretsTable {
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
export interface CalendarsTable {
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
export interface ServersTable {
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
