import type { Generated } from 'kysely';
import type { Language } from '../../shared/schemas/destination.ts';
import type { Flag, Timestamp } from './columns.ts';

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
export interface PushPreferencesTable {
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
export interface PushRemindersTable {
  /** When the hour begins. */
  hour_at: Timestamp;
  /** Of its coming, or of its beginning. */
  at: 'before' | 'start';
}
