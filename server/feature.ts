import type { Router } from 'express';
import type { ClaimUndo, RecordUndo, UndoHandlers } from './activity/undo.ts';
import type { PulseTasks } from './db/clock/pulse.ts';
import type { ConfigFlags, ReadMissed } from './db/database.ts';
import { storeDomainEvents } from './db/domain-events.ts';
import type { DeadlineSource, EventListener, WriteHook, Writing } from './db/unit-of-work.ts';
import type { Route, RouteContext } from './http/router.ts';
import type { JobKind } from './jobs/job-kind.ts';
import type { OwnSources } from './live/own-records.ts';
import type { KindsOfFeature } from './live/record-kinds.ts';
import type { Medium, NoticeContext } from './notifications/notices/medium.ts';

/** The game's data of a character that verifies. */
interface VerifyingCharacter {
  name: string;
  former_names: readonly string[];
  /** Sold to another player within the last months. */
  was_traded: boolean;
  /** Whether the source answered in the documented shape. */
  is_whole: boolean;
}

/**
 * Everything that a feature does to the rest of the server. Without its line in `server/features.ts` the server starts without it.
 * `C` is the context that its calls need.
 */
export interface Feature<C = Writing> {
  name: string;
  /** Its calls under /api. */
  routes?: readonly Route<C>[];
  /** Mounts what it serves outside /api. */
  mountDownloads?: (router: Router, ctx: RouteContext<C>) => void;
  /** How the server reads its kinds of records, for snapshots and change sets. */
  records?: KindsOfFeature;
  /** Flags of the configuration that it sets. */
  configFlags?: ConfigFlags;
  /** How missed claims are counted that keep members from claiming; one feature has it. */
  readMissed?: ReadMissed;
  /** How the server reads what members see only their own of. */
  ownRecords?: OwnSources;
  /**
   * What can be due later. A job of an unknown kind was stored by a newer version, and is left to it; so a kind that goes stays here,
   * running nothing, for as long as some may be stored.
   */
  jobs?: readonly JobKind<unknown>[];
  /** Expires records at a time when no caller acts. */
  deadlines?: readonly DeadlineSource[];
  /** Its steps in every write: in the order of the features before the work, in reverse order after it. */
  hooks?: readonly WriteHook[];
  /** Stores messages to send for domain events. */
  listeners?: readonly EventListener[];
  /** Its ways to notify members. */
  media?: readonly Medium[];
  /** How it restores its records when an admin undoes an entry, in the order of the features. */
  undo?: readonly RecordUndo[];
  /** How claims and the event that was deleted with them are restored; one feature has it. */
  undoClaims?: ClaimUndo;
  /** Called when members have signed in with their access keys or with Discord. */
  signedIn?: (ctx: Writing, character_keys: readonly string[]) => Promise<void>;
  /** Called with the game's data of a character that showed its code, before it is verified. */
  verifying?: (ctx: Writing, character: VerifyingCharacter) => Promise<void>;
  /** Called each minute, and when the server starts. */
  everyMinute?: (ctx: Writing) => Promise<void>;
  /** Called when this server's settings agree with the other servers' again. */
  agreed?: (ctx: Writing) => Promise<void>;
  /** Measures for /metrics, registered when the server starts. */
  measure?: (ctx: C) => void;
  /** Ends what is under way, before the database is closed. */
  stop?: (ctx: C) => Promise<void>;
}

/** All features together, for everyone who writes. */
interface Parts
  extends Pick<NoticeContext, 'hooks' | 'deadlines' | 'listeners' | 'media' | 'configFlags'> {
  ownRecords: OwnSources;
  readMissed: ReadMissed;
  undo: UndoHandlers;
}

/** @throws Error without a feature that restores claims */
export function composeFeatures(
  features: readonly Pick<
    Feature<never>,
    | 'name'
    | 'hooks'
    | 'deadlines'
    | 'listeners'
    | 'media'
    | 'configFlags'
    | 'ownRecords'
    | 'readMissed'
    | 'undo'
    | 'undoClaims'
  >[],
): Parts {
  const claims = features.flatMap(({ undoClaims }) => undoClaims ?? [])[0];
  if (!claims) throw new Error('no feature restores claims');
  return {
    hooks: [storeDomainEvents, ...features.flatMap(({ hooks = [] }) => hooks)],
    deadlines: features.flatMap(({ deadlines = [] }) => deadlines),
    listeners: features.flatMap(({ listeners = [] }) => listeners),
    media: features.flatMap(({ media = [] }) => media),
    configFlags: Object.assign({}, ...features.map(({ configFlags }) => configFlags)),
    ownRecords: Object.assign({}, ...features.map(({ ownRecords }) => ownRecords)),
    readMissed:
      features.find(({ readMissed }) => readMissed)?.readMissed ?? (async () => new Map()),
    undo: { claims, records: features.flatMap(({ undo = [] }) => undo) },
  };
}

/** Everything that can be due later. */
export const jobKindsOf = (
  features: readonly Pick<Feature<never>, 'name' | 'jobs'>[],
): readonly JobKind<unknown>[] => features.flatMap(({ jobs = [] }) => jobs);

/** The kinds of jobs that wait while notifications are paused. */
export const notifyingJobsOf = (
  features: readonly Pick<Feature<never>, 'name' | 'jobs'>[],
): readonly string[] =>
  jobKindsOf(features).flatMap(({ kind, notifies }) => (notifies ? kind : []));

interface FeaturesContext extends Writing {
  features: readonly Pick<Feature<never>, 'name' | 'agreed' | 'everyMinute'>[];
}

export const pulseTasksOf = (ctx: FeaturesContext): PulseTasks => ({
  agreed: async () => {
    for (const { agreed } of ctx.features) await agreed?.(ctx);
  },
  everyMinute: async () => {
    for (const { everyMinute } of ctx.features) await everyMinute?.(ctx);
  },
});
