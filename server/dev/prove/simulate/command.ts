import type { Budget, Made, QuietHours, Rules, Weekly } from './model.ts';

/** A claim as submitted. */
export interface RequestedClaim {
  spot: number;
  /** null: none is named. */
  date: string | null;
  start: number;
  /** null: the whole voucher. */
  hours: number | null;
  /** Of a split claim its second part; the first one is above. */
  second: { spot: number; start: number; hours: number } | null;
  /** Beside it, where it waits. */
  waiting: { spot: number; start: number } | null;
}

/** A command to the server. */
export type Command =
  | {
      do: 'submit';
      who: string;
      asAdmin: boolean;
      claims: readonly RequestedClaim[];
      once: string | null;
    }
  | {
      do: 'queue';
      who: string;
      asAdmin: boolean;
      spot: number;
      date: string;
      start: number;
      end: number;
      least: number;
    }
  /** `who`: null is an admin. */
  | { do: 'accept' | 'decline' | 'leave'; wait: number; who: string | null }
  | { do: 'give back' | 'confirm'; claim: number; part: number | null; who: string | null }
  | { do: 'move claim'; claim: number; spot: number }
  | { do: 'offer claim'; claim: number; who: string; to: string }
  | { do: 'take offer' | 'refuse offer' | 'withdraw offer'; offer: number; who: string }
  /** For another character's claim in return. */
  | { do: 'offer swap'; claim: number; who: string; wanted: number }
  | ({ do: 'make weekly' } & Omit<Weekly, 'paused'>)
  | { do: 'pause weekly'; weekly: number; who: string | null; paused: boolean }
  | { do: 'end weekly'; weekly: number; who: string | null; release: boolean }
  /** No request: its job does. */
  | { do: 'server makes'; made: readonly Made[] }
  /** An admin moves it to another character. */
  | { do: 'give claim'; claim: number; to: string }
  | { do: 'set rules'; change: Partial<Rules> }
  | ({ do: 'budget'; type: string } & Budget)
  | { do: 'be quiet'; who: string; hours: QuietHours | null }
  | { do: 'edit'; claim: number; start: number; end: number }
  | { do: 'delete'; claim: number }
  | { do: 'clear'; spot: number }
  | { do: 'undo'; entry: number; of: string; nth: number }
  | { do: 'create event'; name: string; single: boolean; from: string; to: string }
  | { do: 'switch event'; event: number; on: boolean }
  | { do: 'move event'; event: number; from: string; to: string }
  | { do: 'delete event'; event: number }
  | { do: 'switch spot'; spot: number; on: boolean }
  | { do: 'delete spot'; spot: number }
  | { do: 'switch submission'; on: boolean }
  | { do: 'revoke key'; key: number; on: boolean }
  | { do: 'retype key'; key: number; type: string }
  | { do: 'delete key'; key: number }
  | { do: 'create key'; who: string; type: string }
  | { do: 'ban'; who: string; on: boolean };

/** The response: a success with its data, or a refusal. */
export interface Outcome {
  status: number;
  data: unknown;
  code: string;
  params: Record<string, unknown>;
  /** The outcome of a Discord message, whose success has no data. */
  isInWords?: true;
  /** The codes that share the sentence of a refusal in words. */
  codes?: readonly string[];
}

/** The code of a refusal in Discord before the command began: the member is not linked, or the button is out of date. */
export const EARLIER = 'discord';

/** The server-save clock when the command runs. */
export interface Moment {
  today: string;
  hour: number;
  iso: string;
  ms: number;
}
