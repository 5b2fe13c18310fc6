import type { Generated } from 'kysely';
import type { Delivery, DestinationKind, Language, SwitchedOff } from '../../shared/schemas/destination.ts';
import type { NewsType } from '../../shared/schemas/news.ts';
import type { Flag, JsonText, Timestamp } from './columns.ts';

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
export interface DeliveriesTable {
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
