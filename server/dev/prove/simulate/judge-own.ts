import type { Command, Moment } from './command.ts';
import { closesOf, giveUp, OPENS_MS } from './expiry.ts';
import { shutOutBy } from './judge-submission.ts';
import { type Judgement, refuse, simply, unless } from './judgement.ts';
import type { Held, Model, Part } from './model.ts';
import { beginOf } from './moment.ts';

type Own = Extract<Command, { do: 'give back' | 'confirm' }>;

/** The part that is named: of a whole claim none. */
function partNamed({ parts }: Held, part: number | null): Part | string {
  if (parts.length > 1 && part === null) return 'split.whichPart';
  const found = parts.length > 1 ? parts[(part ?? 0) - 1] : part === null ? parts[0] : undefined;
  return found ?? 'split.partGone';
}

/** A member releases the hours of a claim that have not started. */
export function judgeGiveBack(
  model: Model,
  { claim: id, part: named, who }: Own,
  moment: Moment,
): Judgement {
  const { today, hour } = moment;
  const shutOut = who === null ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const claim = model.claims.get(id);
  if (!claim) return refuse('claim.notFound');
  const reasons = new Set<string>();
  if (who !== null && claim.who !== who) reasons.add('release.otherCharacter');
  if (who !== null && !model.rules.release) reasons.add('release.disabled');
  const { date } = claim;
  if (date === null) reasons.add('release.noDate');
  if (claim.until !== null) reasons.add('release.held');
  const part = partNamed(claim, named);
  if (typeof part === 'string') return refuse(...reasons, part);
  const from =
    date !== null && date > today
      ? part.start
      : date === today
        ? Math.max(part.start, hour + 1)
        : part.end;
  if (from >= part.end) reasons.add('release.nothingLeft');
  return unless(reasons, () => {
    giveUp(model, id, part, from, 'released', moment);
    // Releasing the rest confirms the claim.
    if (who !== null && from > part.start) countAsThere(model, id, part);
  });
}

function countAsThere(model: Model, id: number, { spot, start }: Part): void {
  const claim = model.claims.get(id);
  if (!claim) return;
  const parts = claim.parts.map((part) =>
    part.spot === spot && part.start === start ? { ...part, awaited: false } : part,
  );
  model.claims.set(id, { ...claim, parts });
}

/** A member confirms a claim. */
export function judgeConfirm(
  model: Model,
  { claim: id, part: named, who }: Own,
  { ms }: Moment,
): Judgement {
  const shutOut = who === null ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const claim = model.claims.get(id);
  if (!claim)
    return refuse(
      model.endings.some((ending) => ending.claim === id && ending.reason === 'no_show')
        ? 'confirm.over'
        : 'claim.notFound',
    );
  const reasons = new Set<string>();
  if (who !== null && claim.who !== who) reasons.add('confirm.otherCharacter');
  if (!model.rules.confirm) reasons.add('confirm.disabled');
  const part = partNamed(claim, named);
  if (typeof part === 'string') return refuse(...reasons, part);
  if (!part.awaited || claim.date === null) return refuse(...reasons, 'confirm.notNeeded');
  if (ms < beginOf(claim.date, part.start) - OPENS_MS) reasons.add('confirm.tooEarly');
  if (ms >= closesOf(model, claim.date, part)) reasons.add('confirm.over');
  if (reasons.size > 0) return refuse(...reasons);
  return simply(() => {
    const parts = claim.parts.map((other) =>
      other === part ? { ...part, awaited: false } : other,
    );
    model.claims.set(id, { ...claim, parts });
  });
}
