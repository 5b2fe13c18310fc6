import { MAX_ID } from '../../../../shared/schemas/fields.ts';
import type { Command, RequestedClaim } from './command.ts';
import { dayAfter, type Model } from './model.ts';
import type { By, ScriptedClaim, ScriptedCommand } from './script.ts';
import { CHARACTERS } from './template.ts';
import { isoWeekday } from './weekly.ts';

/** The records that a scripted command refers to, in the current world. */
export interface Surroundings {
  model: Model;
  /** Days are counted from it. */
  today: string;
  undoable: readonly { entry: number; of: string; nth: number }[];
  /** A number that no other command of this world has. */
  number: number;
}

/** An id of nothing. */
const NO_MEMBER = 999_999;

const whoIs = (who: number): string => CHARACTERS[who % CHARACTERS.length] ?? CHARACTERS[0];
const one = (ids: Iterable<number>, nth: number): number => {
  const sorted = [...ids].sort((a, b) => a - b);
  return sorted[nth % Math.max(sorted.length, 1)] ?? NO_MEMBER;
};

/** Turns a scripted command into a request. */
export function resolve(
  scripted: ScriptedCommand,
  { model, today, undoable, number }: Surroundings,
): Command {
  const period = ({ day, days }: { day: number; days: number }) => ({
    from: dayAfter(today, day),
    to: dayAfter(today, day + days),
  });
  switch (scripted.do) {
    case 'submit': {
      const claims = scripted.claims.map((claim) => requested(claim, today));
      const once = scripted.once ? `submission ${number}` : null;
      return { do: 'submit', who: whoIs(scripted.who), asAdmin: scripted.asAdmin, claims, once };
    }
    case 'queue':
      return { do: 'queue', asAdmin: scripted.asAdmin, ...wantedHours(scripted, model, today) };
    case 'accept':
    case 'decline':
    case 'leave': {
      const offered = [...model.waits].filter(([, { hold }]) => hold !== null).map(([id]) => id);
      const wait = one(
        offered.length > 0 && scripted.do !== 'leave' ? offered : model.waits.keys(),
        scripted.nth,
      );
      return { do: scripted.do, wait, who: actor(scripted.by, model.waits.get(wait)?.who) };
    }
    case 'give back':
    case 'confirm': {
      const awaited = [...model.claims]
        .filter(([, { parts }]) => parts.some((part) => part.awaited))
        .map(([id]) => id);
      const claim = one(
        scripted.do === 'confirm' && awaited.length > 0 ? awaited : model.claims.keys(),
        scripted.nth,
      );
      const { who, parts } = model.claims.get(claim) ?? {};
      // The parts of a split claim have numbers, and a whole one's has none.
      const isRight = (parts?.length ?? 1) > 1 === (scripted.part !== null);
      return {
        do: scripted.do,
        claim,
        part:
          isRight || scripted.by === 'other' ? scripted.part : scripted.part === null ? 1 : null,
        who: actor(scripted.by, who),
      };
    }
    case 'move claim':
      return {
        do: 'move claim',
        claim: one(model.claims.keys(), scripted.nth),
        spot: scripted.spot + 1,
      };
    case 'give claim':
      return {
        do: 'give claim',
        claim: one(model.claims.keys(), scripted.nth),
        to: whoIs(scripted.who),
      };
    case 'offer claim': {
      const primary = [...model.claims]
        .filter(([, { waits, until }]) => !waits && until === null)
        .map(([id]) => id);
      const claim = model.wentBack ? NO_MEMBER : one(primary, scripted.nth);
      const { who } = model.claims.get(claim) ?? {};
      return {
        do: 'offer claim',
        claim,
        who: actor(scripted.by, who) ?? who ?? CHARACTERS[0],
        to: whoIs(scripted.who),
      };
    }
    case 'offer swap': {
      const primary = [...model.claims]
        .filter(([, { waits, until }]) => !waits && until === null)
        .map(([id]) => id);
      const claim = model.wentBack ? NO_MEMBER : one(primary, scripted.nth);
      const { who } = model.claims.get(claim) ?? {};
      const others = primary.filter((id) => model.claims.get(id)?.who !== who);
      return {
        do: 'offer swap',
        claim,
        who: actor(scripted.by, who) ?? who ?? CHARACTERS[0],
        wanted: one(others, scripted.other),
      };
    }
    case 'make weekly': {
      const days = [
        ...new Set(scripted.days.map((day) => isoWeekday(dayAfter(today, day)))),
      ].sort();
      const { start, hours, joins } = scripted;
      return {
        do: 'make weekly',
        who: whoIs(scripted.who),
        spot: scripted.spot + 1,
        days,
        start,
        end: Math.min(start + hours, 24),
        joins,
      };
    }
    case 'pause weekly':
    case 'end weekly': {
      const weekly = one(model.weekly.keys(), scripted.nth);
      const who = actor(scripted.by, model.weekly.get(weekly)?.who);
      if (scripted.do === 'end weekly')
        return { do: 'end weekly', weekly, who, release: scripted.release };
      return { do: 'pause weekly', weekly, who, paused: scripted.paused };
    }
    case 'take offer':
    case 'withdraw offer': {
      // Where time went back, only the server knows which offers it saw expire.
      const offer = model.wentBack ? NO_MEMBER : one(model.offers.keys(), scripted.nth);
      const { from, to } = model.offers.get(offer) ?? {};
      const who = scripted.do === 'take offer' ? to : from;
      return { do: scripted.do, offer, who: actor(scripted.by, who) ?? who ?? CHARACTERS[0] };
    }
    case 'set rules':
    case 'budget':
      return scripted;
    case 'be quiet': {
      const { from, lasts } = scripted.hours ?? { from: 0, lasts: 0 };
      return {
        do: 'be quiet',
        who: whoIs(scripted.who),
        hours: scripted.hours && { from, until: (from + lasts) % 1_440 },
      };
    }
    case 'edit':
      return {
        do: 'edit',
        claim: one(model.claims.keys(), scripted.nth),
        start: scripted.start,
        end: Math.min(scripted.start + scripted.hours, 24),
      };
    case 'delete':
      return { do: 'delete', claim: one(model.claims.keys(), scripted.nth) };
    case 'undo': {
      // Where there is nothing, an entry that there cannot be: the model does not know of spots that come back.
      const { entry, of, nth } = undoable[scripted.nth % Math.max(undoable.length, 1)] ?? {
        entry: MAX_ID,
        of: 'nothing',
        nth: 0,
      };
      return { do: 'undo', entry, of, nth };
    }
    case 'clear':
    case 'delete spot':
      return { do: scripted.do, spot: scripted.spot + 1 };
    case 'switch spot':
      return { do: 'switch spot', spot: scripted.spot + 1, on: scripted.on };
    case 'create event':
      return {
        do: 'create event',
        name: `Event ${number}`,
        single: scripted.single,
        ...period(scripted),
      };
    case 'switch event':
      return { do: 'switch event', event: one(model.events.keys(), scripted.nth), on: scripted.on };
    case 'move event':
      return {
        do: 'move event',
        event: one(model.events.keys(), scripted.nth),
        ...period(scripted),
      };
    case 'delete event':
      return { do: 'delete event', event: one(model.events.keys(), scripted.nth) };
    case 'switch submission':
      return { do: 'switch submission', on: scripted.on };
    case 'ban':
      return { do: 'ban', who: whoIs(scripted.who), on: scripted.on };
    case 'create key':
      return { do: 'create key', who: whoIs(scripted.who), type: scripted.type };
    case 'revoke key':
      return { do: 'revoke key', key: keyOf(model, scripted.who), on: scripted.on };
    case 'retype key':
      return { do: 'retype key', key: keyOf(model, scripted.who), type: scripted.type };
    case 'delete key':
      return { do: 'delete key', key: keyOf(model, scripted.who) };
  }
}

/** Whose key shows who acts; null: an admin. */
function actor(by: By, who: string | undefined): string | null {
  if (by === 'admin') return null;
  return (by === 'own' ? who : CHARACTERS.find((other) => other !== who)) ?? CHARACTERS[0];
}

type Wanted = Pick<
  Extract<Command, { do: 'queue' }>,
  'who' | 'spot' | 'date' | 'start' | 'end' | 'least'
>;

/** Hours around those of an existing claim, for a member who usually is not its holder. */
function wantedHours(
  { who: wanted, nth, early, hours, least }: Extract<ScriptedCommand, { do: 'queue' }>,
  model: Model,
  today: string,
): Wanted {
  const primary = [...model.claims].filter(([, { waits }]) => !waits).map(([id]) => id);
  const { who: holder, date = null, parts = [] } = model.claims.get(one(primary, nth)) ?? {};
  const who = whoIs(wanted) === holder && nth > 0 ? whoIs(wanted + 1) : whoIs(wanted);
  const { spot, start: taken } = parts[nth % Math.max(parts.length, 1)] ?? { spot: 1, start: 10 };
  const start = Math.max(0, taken - early);
  return { who, spot, date: date ?? today, start, end: Math.min(start + hours, 24), least };
}

const keyOf = (model: Model, who: number): number => model.keys.get(whoIs(who))?.id ?? NO_MEMBER;

function requested(
  { spot, day, second, waiting, ...rest }: ScriptedClaim,
  today: string,
): RequestedClaim {
  return {
    ...rest,
    spot: spot + 1,
    date: day === null ? null : dayAfter(today, day),
    second: second && { ...second, spot: second.spot + 1 },
    waiting: waiting && { ...waiting, spot: waiting.spot + 1 },
  };
}
