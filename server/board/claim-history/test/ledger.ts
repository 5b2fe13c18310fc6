/** Computes remaining hours and end reasons from the rules alone, hour by hour, without reading the database. */

export interface LedgerPart {
  spot: number;
  hour_start: number;
  hour_end: number;
  to_confirm: boolean;
}

export interface LedgerClaim {
  id: number;
  who: string;
  /** null: every date of its event. */
  date: string | null;
  event_id: number | null;
  is_secondary: boolean;
  primary_id: number | null;
  /** In milliseconds, of hours that are only held. */
  held_until: number | null;
  parts: LedgerPart[];
}

interface Why {
  reason: string;
  by: string | null;
}

interface Deletion {
  claims: LedgerClaim[];
  endings: string[];
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const GRACE_MINUTES = 10;
/** The save is at 1:00 Pacific time, in a month without daylight saving. */
const beginOf = (date: string, hour: number): number =>
  Date.parse(`${date}T09:00:00Z`) + hour * HOUR;
const hoursOf = ({ hour_start, hour_end }: { hour_start: number; hour_end: number }): number[] =>
  Array.from({ length: Math.max(0, hour_end - hour_start) }, (_, n) => hour_start + n);
const lengthOf = (parts: readonly LedgerPart[]): number => parts.flatMap(hoursOf).length;

export class Ledger {
  claims = new Map<number, LedgerClaim>();
  /** An hour a line, `claim spot hour reason by`. */
  endings: string[] = [];
  /** Every hour that a claim was ever given, as `claim spot hour`. */
  given: string[] = [];
  /** What an admin can take back, by its entry of the log. */
  deletions = new Map<number, Deletion>();
  is_confirming = false;

  copy(): Ledger {
    return Object.assign(new Ledger(), structuredClone({ ...this }));
  }

  /** Whether a claim made now has to be confirmed: not if it starts in less than 15 minutes. */
  isJudged(
    { date, is_secondary }: Pick<LedgerClaim, 'date' | 'is_secondary'>,
    hour: number,
    now: number,
  ): boolean {
    return (
      this.is_confirming &&
      date !== null &&
      !is_secondary &&
      beginOf(date, hour) - 15 * MINUTE >= now
    );
  }

  add(claim: LedgerClaim): void {
    this.claims.set(claim.id, claim);
    for (const part of claim.parts) this.#give(claim.id, part.spot, hoursOf(part));
  }

  /** Applies everything that has expired. */
  expire(now: number): void {
    for (const claim of [...this.claims.values()]) {
      if (claim.held_until !== null && claim.held_until <= now)
        this.end([claim], { reason: 'lapsed', by: null });
      const { date } = claim;
      const missed = claim.parts.filter(
        (part) =>
          part.to_confirm && date && beginOf(date, part.hour_start) + GRACE_MINUTES * MINUTE <= now,
      );
      for (const part of missed)
        this.#lose(claim, part, hoursOf(part), now, { reason: 'no_show', by: null });
    }
  }

  /** Ends claims as a whole. @returns what an undo would need */
  end(claims: readonly LedgerClaim[], { reason, by }: Why): Deletion {
    const before = this.endings.length;
    const kept: Deletion = { claims: [], endings: [] };
    for (const claim of claims) {
      for (const part of claim.parts)
        this.#note(claim.id, part.spot, hoursOf(part), { reason, by });
      this.claims.delete(claim.id);
      if (claim.held_until !== null) continue;
      kept.claims.push(claim);
      kept.endings.push(
        ...this.endings.slice(before).filter((line) => line.startsWith(`${claim.id} `)),
      );
    }
    return kept;
  }

  undo(entry_id: number, now: number, by: string): void {
    const deletion = this.deletions.get(entry_id);
    for (const claim of deletion?.claims ?? []) {
      for (const part of claim.parts)
        part.to_confirm &&= this.isJudged(claim, part.hour_start, now);
      this.claims.set(claim.id, claim);
    }
    for (const line of deletion?.endings ?? []) this.endings.splice(this.endings.indexOf(line), 1);
    this.deletions.delete(entry_id);
    // Unanswered offers of these hours, or to these characters on that date, are withdrawn.
    const isInTheWay = (hold: LedgerClaim): boolean =>
      (deletion?.claims ?? []).some(
        (claim) => !claim.is_secondary && claim.date === hold.date && overlap(claim, hold),
      );
    const holds = [...this.claims.values()].filter(
      (claim) => claim.held_until !== null && isInTheWay(claim),
    );
    this.end(holds, { reason: 'withdrawn', by });
  }

  /** The hours that a release would free now: those that have not started. */
  releasable({ date, held_until }: LedgerClaim, part: LedgerPart, now: number): number[] {
    return date === null || held_until !== null
      ? []
      : hoursOf(part).filter((hour) => beginOf(date, hour) > now);
  }

  /** @param isHolder whether the holder releases: that confirms a running claim; an admin's release does not */
  release(claim: LedgerClaim, part: LedgerPart, now: number, by: string, isHolder: boolean): void {
    this.#lose(claim, part, this.releasable(claim, part, now), now, { reason: 'released', by });
    if (isHolder) part.to_confirm = false;
  }

  isTimeToConfirm({ date }: LedgerClaim, part: LedgerPart, now: number): boolean {
    if (!this.is_confirming || !part.to_confirm || date === null) return false;
    const begin = beginOf(date, part.hour_start);
    return begin - 15 * MINUTE <= now && now < begin + GRACE_MINUTES * MINUTE;
  }

  edit(claim: LedgerClaim, hour_start: number, hour_end: number, now: number, by: string): void {
    const [part] = claim.parts;
    if (!part) return;
    const before = new Set(hoursOf(part));
    const after = new Set(hoursOf({ hour_start, hour_end }));
    this.#note(claim.id, part.spot, [...before.difference(after)], { reason: 'edited', by });
    this.#give(claim.id, part.spot, [...after.difference(before)]);
    Object.assign(part, { hour_start, hour_end });
    part.to_confirm &&= this.isJudged(claim, hour_start, now);
    if (before.size !== after.size) this.#follow(claim, after.size, now, { reason: 'edited', by });
  }

  move(claim: LedgerClaim, spot: number, by: string): void {
    const [part] = claim.parts;
    if (!part) return;
    this.#note(claim.id, part.spot, hoursOf(part), { reason: 'edited', by });
    part.spot = spot;
    this.#give(claim.id, spot, hoursOf(part));
  }

  /** Hours at the end of a part, or all of it. */
  #lose(
    claim: LedgerClaim,
    part: LedgerPart,
    hours: readonly number[],
    now: number,
    why: Why,
  ): void {
    const before = lengthOf(claim.parts);
    this.#note(claim.id, part.spot, hours, why);
    part.hour_end -= hours.length;
    claim.parts = claim.parts.filter(({ hour_start, hour_end }) => hour_end > hour_start);
    if (claim.parts.length === 0) this.claims.delete(claim.id);
    else if (lengthOf(claim.parts) !== before) this.#follow(claim, lengthOf(claim.parts), now, why);
  }

  /** A secondary claim lasts as long as its primary, until the end of the day at most, and keeps its started hours; a past one is unchanged. */
  #follow(primary: LedgerClaim, length: number, now: number, why: Why): void {
    for (const claim of this.claims.values()) {
      const [part] = claim.parts;
      if (claim.primary_id !== primary.id || !part) continue;
      const { date } = claim;
      if (date !== null && beginOf(date, part.hour_end) <= now) continue;
      const begun = date === null ? [] : hoursOf(part).filter((hour) => beginOf(date, hour) <= now);
      const after = {
        hour_start: part.hour_start,
        hour_end: part.hour_start + Math.max(length, begun.length),
      };
      after.hour_end = Math.min(24, after.hour_end);
      this.#note(
        claim.id,
        part.spot,
        hoursOf({ hour_start: after.hour_end, hour_end: part.hour_end }),
        why,
      );
      this.#give(
        claim.id,
        part.spot,
        hoursOf({ hour_start: part.hour_end, hour_end: after.hour_end }),
      );
      part.hour_end = after.hour_end;
    }
  }

  #note(id: number, spot: number, hours: readonly number[], { reason, by }: Why): void {
    for (const hour of hours) this.endings.push(`${id} ${spot} ${hour} ${reason} ${by}`);
  }

  #give(id: number, spot: number, hours: readonly number[]): void {
    for (const hour of hours) this.given.push(`${id} ${spot} ${hour}`);
  }

  /** The remaining hours, a line each: `claim spot hour`, and parts to be confirmed. */
  remaining(): { hours: string[]; to_confirm: string[] } {
    const parts = [...this.claims.values()].flatMap(({ id, parts }) =>
      parts.map((part) => ({ id, ...part })),
    );
    return {
      hours: parts
        .flatMap(({ id, spot, ...part }) => hoursOf(part).map((hour) => `${id} ${spot} ${hour}`))
        .sort(),
      to_confirm: parts
        .filter(({ to_confirm }) => to_confirm)
        .map(({ id, spot, hour_start }) => `${id} ${spot} ${hour_start}`)
        .sort(),
    };
  }
}

/** Whether two claims of one date have a character, or an hour of a spot, in common. */
const overlap = (one: LedgerClaim, other: LedgerClaim): boolean =>
  one.who === other.who ||
  one.parts.some((part) =>
    other.parts.some(
      ({ spot, hour_start, hour_end }) =>
        spot === part.spot && hour_start < part.hour_end && part.hour_start < hour_end,
    ),
  );
