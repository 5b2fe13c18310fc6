import { Broken } from './broken.ts';
import type { Command } from './command.ts';
import { commandPressed, LINKED } from './discord.ts';
import { closesOf, OPENS_MS } from './expiry.ts';
import { judgeConfirm, judgeGiveBack } from './judge-own.ts';
import { datesOf, type Held, type Model, mayEnter, type Part } from './model.ts';
import { beginOf, MINUTE_MS, momentAt } from './moment.ts';
import type { Place } from './place.ts';
import type { Presses } from './presses.ts';
import { ownRows } from './screen-offers.ts';

/**
 * Whether screens and messages offer what a member or an admin may do, and nothing that is refused.
 * @throws Broken
 */
export async function compareOffers(
  place: Place,
  presses: Presses,
  board_date: string,
): Promise<void> {
  compareOwn(place);
  await compareClaimsTab(place, presses, board_date);
  if (place.model.wentBack) return;
  const linked = place.server.database
    .rows('select character_name from access_keys where discord_user_id is not null')
    .map(({ character_name }) => character_name);
  for (const [who, user] of Object.entries(LINKED)) {
    if (!linked.includes(who)) continue;
    compareMessages(place, who, user);
    await compareMine(place, presses, who);
  }
}

/** The claims of a character from today on, of any event or of none. */
const claimsFromToday = ({ model, now }: Place, who: string): [number, Held][] => {
  const { today } = momentAt(now);
  return [...model.claims].filter(
    ([, claim]) =>
      claim.who === who && claim.until === null && (datesOf(model, claim).at(-1) ?? '') >= today,
  );
};

const mayRelease = (
  { model, now }: Place,
  claim: number,
  who: string,
  part: number | null,
): boolean =>
  judgeGiveBack(model, { do: 'give back', claim, part, who }, momentAt(now)).reasons.size === 0;

function isToConfirm(model: Model, { date }: Held, part: Part, now: number): boolean {
  if (!model.rules.confirm || !part.awaited || date === null) return false;
  return now >= beginOf(date, part.start) - OPENS_MS && now < closesOf(model, date, part);
}

/**
 * The page's member sees each own claim, with the buttons to confirm and to release it exactly while
 * the server takes them.
 */
function compareOwn(place: Place): void {
  const { page, model, now } = place;
  const { who } = page;
  if (who === null || !page.board() || model.wentBack) return;
  const listed = ownRows(who, new Date(now));
  for (const [id, claim] of claimsFromToday(place, who)) {
    for (const [at, part] of claim.parts.entries()) {
      const row = listed.find(
        (each) => each.claim.id === id && (each.claim.split_part_number ?? 1) === at + 1,
      );
      if (!row) throw new Broken(`${who} does not see claim ${id} of event ${claim.event}`);
      const named = claim.parts.length > 1 ? at + 1 : null;
      assertOffered(
        `claim ${id} on the screen: confirm`,
        row.actions.has('confirm'),
        isToConfirm(model, claim, part, now),
      );
      if (!claim.waits)
        assertOffered(
          `claim ${id} on the screen: release`,
          row.actions.has('release'),
          mayRelease(place, id, who, named),
        );
    }
  }
}

function assertOffered(what: string, isOffered: boolean, isTaken: boolean): void {
  if (isOffered !== isTaken)
    throw new Broken(
      `${what} is ${isOffered ? 'offered' : 'missing'}, which the server ${isTaken ? 'takes' : 'refuses'}`,
    );
}

/** The admin's page lists all claims of any event or of none that occupy hours from today on. */
async function compareClaimsTab(place: Place, presses: Presses, board_date: string): Promise<void> {
  const { page, model, now } = place;
  if (page.who !== null || !page.board()) return;
  const { today } = momentAt(now);
  // A clock that was set back has left the board a day ahead.
  const first = board_date > today ? board_date : today;
  const listed = await presses.claimsOfAdmin();
  if (!page.board()) return;
  const held = [...model.claims].filter(
    ([, claim]) => (datesOf(model, claim).at(-1) ?? '') >= first && (claim.until ?? now + 1) > now,
  );
  const missing = held.find(([id]) => !listed.has(id));
  if (missing)
    throw new Broken(`claim ${missing[0]} of event ${missing[1].event} is not in the Claims tab`);
}

/** The server edits a message that it sent or edited within so many days. */
const EDITED_FOR_MS = 7 * 24 * 60 * MINUTE_MS;

/** A direct message has the buttons of its question until that is answered or over. */
function compareMessages({ mailbox, model, now }: Place, who: string, user: string): void {
  for (const { choices, at, isForgotten } of mailbox.of(user)) {
    if (isForgotten || now - at > EDITED_FOR_MS) continue;
    const stale = choices.find((choice) =>
      isStaleChoice(model, commandPressed(choice, who, model), now),
    );
    if (stale)
      throw new Broken(
        `${who} has a message with the button ${stale.custom_id}, whose question is over`,
      );
  }
}

function isStaleChoice(model: Model, command: Command | null, now: number): boolean {
  if (command?.do === 'accept' || command?.do === 'decline')
    return model.waits.get(command.wait)?.hold == null;
  if (command?.do === 'take offer' || command?.do === 'refuse offer')
    return !model.offers.has(command.offer);
  return (
    command?.do === 'confirm' &&
    judgeConfirm(model, { ...command, do: 'confirm' }, momentAt(now)).reasons.size > 0
  );
}

/** Discord's answer has this many rows at most, and each has a button. */
const MAX_ROWS = 5;

/** `/mine` has the buttons to confirm and to release each claim, as far as its rows go. */
async function compareMine(place: Place, presses: Presses, who: string): Promise<void> {
  const { model, now } = place;
  if (!mayEnter(model, who)) return;
  const choices = await presses.answerTo(who, 'mine');
  if (!choices) return;
  const offered = new Set(choices.map(({ custom_id }) => custom_id));
  for (const [id, claim] of claimsFromToday(place, who)) {
    for (const [at, part] of claim.parts.entries()) {
      const named = claim.parts.length > 1 ? at + 1 : null;
      const target = `|${id}|${named ?? ''}`;
      const hasRow = offered.has(`here${target}`) || offered.has(`release${target}`);
      if (!hasRow && offered.size >= MAX_ROWS) continue;
      assertOffered(
        `claim ${id} in /mine: confirm`,
        offered.has(`here${target}`),
        isToConfirm(model, claim, part, now),
      );
      assertOffered(
        `claim ${id} in /mine: release`,
        offered.has(`release${target}`),
        mayRelease(place, id, who, named),
      );
    }
  }
}
