import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import type { BoardState } from '../../../state/board-store.ts';

/** For so long a change is news, in milliseconds. */
export const NEWS_MS = 10 * 60_000;
/** A storm of claims leaves no more: the latest. */
export const MOST_NEWS = 100;

/** What happened to a claim, or to hours that are only held for somebody. */
export interface News {
  /** Of the claim and the moment. */
  key: string;
  what: 'made' | 'moved' | 'ended' | 'offered' | 'offerEnded';
  /** As it is now; what has ended, as it was. */
  claim: ClaimOnRespawn;
  /** When it became known here, an instant in milliseconds of the server's clock. */
  at: number;
}

type Claims = BoardState['claimsByRespawn'];

const isSame = (a: ClaimOnRespawn, b: ClaimOnRespawn): boolean =>
  a.respawn_id === b.respawn_id && a.date === b.date && a.hour_start === b.hour_start && a.hour_end === b.hour_end;

const madeOrOffered = (claim: ClaimOnRespawn): News['what'] => (claim.is_held ? 'offered' : 'made');

function differing(from: Claims, than: Claims): Map<string, ClaimOnRespawn> {
  const found = new Map<string, ClaimOnRespawn>();
  for (const [id, claims] of from) {
    if (claims === than.get(id)) continue;
    for (const claim of claims) found.set(claimKey(claim), claim);
  }
  return found;
}

/**
 * What happened between two states of the board, whichever way the later one was learned.
 * @param isOver whether a claim's hours are over: the board leaves such ones out when the day turns, and nobody ended them
 */
export function newsBetween(before: Claims, after: Claims, at: number, isOver: (claim: ClaimOnRespawn) => boolean): News[] {
  const [old, now] = [differing(before, after), differing(after, before)];
  const news: News[] = [];
  const tell = (what: News['what'], claim: ClaimOnRespawn): void => {
    news.push({ key: `${claimKey(claim)} ${at} ${what}`, what, claim, at });
  };
  for (const [key, claim] of now) {
    const was = old.get(key);
    // A hold that was taken is a claim from then on.
    if (!was || (was.is_held && !claim.is_held)) tell(madeOrOffered(claim), claim);
    else if (!isSame(was, claim)) tell('moved', claim);
  }
  for (const [key, claim] of old) if (!now.has(key) && !isOver(claim)) tell(claim.is_held ? 'offerEnded' : 'ended', claim);
  return news;
}

/** What was made a short while before anybody watched here, the latest first. */
export function newsOnOpening(claims: Claims, now: number): News[] {
  const news: News[] = [];
  for (const list of claims.values()) {
    for (const claim of list) {
      const at = Date.parse(claim.created_at);
      const what = madeOrOffered(claim);
      if (now - at < NEWS_MS) news.push({ key: `${claimKey(claim)} ${at} ${what}`, what, claim, at });
    }
  }
  return latest(
    news.sort((a, b) => b.at - a.at),
    now,
  );
}

/** What of the news, the latest first, still is. */
export const latest = (news: readonly News[], now: number): News[] => news.filter(({ at }) => now - at < NEWS_MS).slice(0, MOST_NEWS);
