import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { rangesOverlap } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Ending, EndingReason } from '../../../shared/schemas/ending.ts';
import { getMyEndings } from '../../api/calls.ts';
import { claimKey, endedByOther } from '../../lib/claims.ts';
import { useDayText } from '../../lib/time-text.ts';
import { groupBy } from '../../lib/words/order.ts';
import { type BoardState, useBoard } from '../../state/board-store.ts';
import { serverNow } from '../../state/clock.ts';
import { claimsOfCharacters } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { showToast } from '../../ui/toast.tsx';

/** Up to this many changed claims are named; above, they are counted. */
const MAX_NAMED = 3;
/** The clocks of this device and the server may differ by this much. */
const SLACK_MS = 10_000;
const DAY_MS = 86_400_000;
const MAX_HISTORY_DAYS = 30;

/** The sentence for a claim that is gone, by the reason in the claim history. */
const SENTENCE = {
  admin: 'deleted',
  cleared: 'cleared',
  released: 'released',
  no_show: 'deleted',
  declined: 'deleted',
  lapsed: 'deleted',
  withdrawn: 'deleted',
  void: 'deleted',
  event: 'event',
  respawn: 'respawn',
  edited: 'hours',
  handed_over: 'reassigned',
  swapped: 'swapped',
} as const satisfies Record<EndingReason, string>;
type Sentence = (typeof SENTENCE)[EndingReason] | 'moved' | 'handedOver' | 'unknown';
const sentenceOf = ({ after, ending }: ReportedChange): Sentence => {
  if (!ending) return 'unknown';
  // Accepted by its new holder, or moved by an admin.
  if (ending.reason === 'handed_over' && ending.by === ending.to_name) return 'handedOver';
  return after ? 'moved' : SENTENCE[ending.reason];
};

/** On every page: tells members when an admin changed or deleted their claim, from their own claim history. */
export function OwnChangesHost(): null {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const dayText = useDayText();
  const hasSeveral = useSession(({ profiles }) => profiles.length > 1);

  const inWords = (claim: ClaimOnRespawn): string => {
    const spot = useBoard.getState().byKind.respawn.get(claim.respawn_id)?.name ?? '';
    const day = claim.date === null ? t('board.everyDay') : dayText(claim.date);
    const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
    return [...(hasSeveral ? [claim.character_name] : []), spot, day, hours]
      .filter(Boolean)
      .join(', ');
  };
  const say = (text: string): void =>
    showToast({
      tone: 'accent',
      text,
      stays: true,
      action: { label: t('myClaims.title'), onPress: () => void navigate('/mine') },
    });
  const sayAll = useEffectEvent((reported: readonly ReportedChange[]): void => {
    const groups = groupBy(
      reported,
      (change) => `${sentenceOf(change)} ${change.ending?.by ?? ''}`,
    );
    for (const some of groups.values()) {
      const [first] = some;
      if (!first) continue;
      const sentence = sentenceOf(first);
      const by = first.ending?.by ?? '';
      if (some.length > MAX_NAMED)
        say(t(`myClaims.changed.many.${sentence}`, { count: some.length, by }));
      else {
        for (const { before, after } of some)
          say(
            t(`myClaims.changed.one.${sentence}`, {
              by,
              claim: inWords(before),
              now: after ? inWords(after) : '',
            }),
          );
      }
    }
  });

  useEffect(() => {
    const abort = new AbortController();
    const start = serverNow().getTime();
    const first = new Date(start - SLACK_MS).toISOString();
    /** Per claim, the newest history entry that was matched to a change. Each is matched once. */
    const explained = new Map<number, number>();
    /** The claims before the first change that was not looked at yet; null: there is none. */
    let baseline: BoardState | null = null;
    let isLooking = false;

    const look = async (profile: Profile, changes: readonly OwnChange[]): Promise<void> => {
      const days = Math.min(
        MAX_HISTORY_DAYS,
        1 + Math.floor((serverNow().getTime() - start) / DAY_MS),
      );
      // If it can't be read, "My claims" shows it later.
      const past = await getMyEndings(days, profile.accessKey, abort.signal).catch(() => null);
      if (!past || abort.signal.aborted) return;
      const endings = past.endings.filter(
        ({ id, claim_id, ended_at }) => ended_at >= first && id > (explained.get(claim_id) ?? 0),
      );
      const reported = changesToReport(changes, endings);
      for (const ending of endings) {
        const isKnown = ending.id <= (explained.get(ending.claim_id) ?? 0);
        if (!isKnown && changes.some((change) => explains(ending, change)))
          explained.set(ending.claim_id, ending.id);
      }
      if (reported.length > 0) sayAll(reported);
    };
    // After an outage the missed change sets arrive one by one, at once: they are looked at together.
    const lookAtAll = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      await Promise.resolve();
      while (baseline && !abort.signal.aborted) {
        const before = baseline;
        baseline = null;
        const now = useBoard.getState();
        await Promise.all(
          useSession.getState().profiles.map(async (profile) => {
            const changes = ownChanges([nameKey(profile.characterName)], before, now);
            if (changes.length > 0) await look(profile, changes);
          }),
        );
      }
      isLooking = false;
    };
    const stop = useBoard.subscribe((board: BoardState, before: BoardState) => {
      if (board.status !== 'ready') baseline = null;
      else if (before.status === 'ready' && isChanged(before, board)) {
        baseline ??= before;
        void lookAtAll();
      }
    });
    return () => {
      stop();
      abort.abort();
    };
  }, []);
  return null;
}

const isChanged = (before: BoardState, after: BoardState): boolean =>
  before.claimsByRespawn !== after.claimsByRespawn || before.outsideClaims !== after.outsideClaims;

/** One's own claim, or a part of it, that is gone or has another spot or other hours. */
interface OwnChange {
  before: ClaimOnRespawn;
  /** null: it is gone, or no longer on the board. */
  after: ClaimOnRespawn | null;
}

/** How a claim is matched, surest first: a split claim that loses a part becomes whole and its part number changes. */
const MATCHES: readonly ((one: ClaimOnRespawn, other: ClaimOnRespawn) => boolean)[] = [
  (one, other) => one.id === other.id && isSamePlace(one, other),
  (one, other) => claimKey(one) === claimKey(other),
  (one, other) =>
    one.id === other.id &&
    one.respawn_id === other.respawn_id &&
    one.hour_start === other.hour_start,
];

/** Changed claims of some characters (name keys). Holds don't count. */
function ownChanges(
  characters: readonly string[],
  before: BoardState,
  after: BoardState,
): OwnChange[] {
  const left = new Set(claimsOfCharacters(characters, after));
  const found = new Map<ClaimOnRespawn, ClaimOnRespawn>();
  const claims = claimsOfCharacters(characters, before).filter((claim) => !claim.is_held);
  for (const isMatch of MATCHES) {
    for (const claim of claims) {
      if (found.has(claim)) continue;
      const match = [...left].find((other) => isMatch(claim, other));
      if (!match) continue;
      found.set(claim, match);
      left.delete(match);
    }
  }
  return claims.flatMap((claim) => {
    const match = found.get(claim) ?? null;
    return match && isSamePlace(match, claim) ? [] : [{ before: claim, after: match }];
  });
}

const isSamePlace = (one: ClaimOnRespawn, other: ClaimOnRespawn): boolean =>
  one.respawn_id === other.respawn_id &&
  one.hour_start === other.hour_start &&
  one.hour_end === other.hour_end;

/** A change that the member did not make: the claim before and after, and its entries in the claim history. */
interface ReportedChange extends OwnChange {
  /** null: hours were added, or the spot changed, and the claim history does not say who did it. */
  ending: { id: number; reason: EndingReason; by: string; to_name: string | null } | null;
}

/**
 * The changes to report: those made by someone else.
 * @param endings what the claim history says of the character, the newest first, without what explained earlier changes
 */
function changesToReport(
  changes: readonly OwnChange[],
  endings: readonly Ending[],
): ReportedChange[] {
  return changes.flatMap((change): ReportedChange[] => {
    const ending = endings.find((one) => explains(one, change));
    if (ending)
      return ending.by !== null && endedByOther(ending)
        ? [{ ...change, ending: { ...ending, by: ending.by } }]
        : [];
    // Without a history entry, the cause of lost hours is unknown: the member on another device, or the end of the event.
    return hasGained(change) ? [{ ...change, ending: null }] : [];
  });
}

/** Whether a history entry is about the hours that the change removed from this part of the claim. */
function explains({ claim_id, ...hours }: Ending, { before, after }: OwnChange): boolean {
  const isIn = (claim: ClaimOnRespawn): boolean =>
    claim.respawn_id === hours.respawn_id && rangesOverlap(claim, hours);
  return claim_id === before.id && isIn(before) && !(after && isIn(after));
}

const hasGained = ({ before, after }: OwnChange): boolean =>
  after !== null &&
  (after.respawn_id !== before.respawn_id ||
    after.hour_start < before.hour_start ||
    after.hour_end > before.hour_end);
