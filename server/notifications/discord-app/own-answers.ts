import { discordTime } from '../../../shared/discord/app-message.ts';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError, existing } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { confirmTime } from '../../../shared/rules/confirm.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { releaseOf } from '../../../shared/rules/release.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { TransferPlace } from '../../../shared/schemas/transfer.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { claimsFromToday } from '../../board/claims/board-view.ts';
import type { DatedClaim } from '../../board/claims/claim-records.ts';
import { confirmClaim } from '../../board/claims/confirm.ts';
import { releaseClaim } from '../../board/claims/end-claims.ts';
import {
  findTransfer,
  openTransfersAmong,
  type StoredTransfer,
} from '../../board/records/transfers.ts';
import {
  acceptTransfer,
  refuseTransfer,
  withdrawTransfer,
} from '../../board/transfers/transfers.ts';
import { acceptOffer, declineOffer, leaveWaitlist } from '../../board/waitlist/member-actions.ts';
import type { PressedOf } from './custom-ids.ts';
import type { LinkedCharacter } from './links.ts';
import { button, type Component, type Message, row } from './message-parts.ts';
import { callerOf, done, hoursOf, openBoard, type Turn } from './turn.ts';

/*
 * The viewer's own claims, holds and waitlist entries. Each write is the operation of its REST call. Claims are read from the database,
 * not from the board, which lists only those of the active event.
 */

const isMine = ({ characters }: Turn, name: string): boolean =>
  characters.some(({ character_name }) => nameKey(character_name) === nameKey(name));

/** The claims of the viewer's characters from today on, of any event or of none, holds included. */
const ownClaims = ({ ctx, characters }: Turn): Promise<DatedClaim[]> =>
  claimsFromToday(
    ctx,
    ctx.db,
    characters.map(({ character_name }) => nameKey(character_name)),
  );

/** Discord's upper bound of rows of buttons. */
const MAX_ROWS = 5;
/** Characters of the list; Discord takes 2,000, and a link may follow. */
const MAX_LIST_LENGTH = 1_800;
/** More than fit into the list. */
const MAX_TRANSFERS = 50;

/** `/mine`: holds, offers, claims to confirm, upcoming claims and waitlist entries, with buttons for the actions that are allowed. */
export async function mineCommand(turn: Turn): Promise<Message> {
  const { board, say } = turn;
  const named = turn.option('character');
  const isListed = (name: string): boolean =>
    isMine(turn, name) && (named === '' || nameKey(name) === nameKey(named));
  const keys = turn.characters.map(({ character_name }) => nameKey(character_name));
  const own = await ownClaims(turn);
  const holds = new Map(
    own.flatMap(({ claim }) => (claim.is_held ? [[claim.id, claim] as const] : [])),
  );
  const transfers = (await openTransfersAmong(turn.ctx.db, keys, MAX_TRANSFERS)).filter(
    ({ from, to }) => isListed(from) || isListed(to),
  );
  const entries = [
    ...transfers.map((each) => transferLine(turn, each)),
    ...board.records.wait
      .filter(
        ({ character_name, position, status }) =>
          isListed(character_name) && (position > 0 || status === 'offered'),
      )
      .map((entry) => entryOf(turn, entry, holds.get(entry.held_claim_id ?? 0))),
    ...own
      .filter(({ claim }) => isListed(claim.character_name) && claim.is_held === 0)
      .flatMap((dated) => partsOf(turn, dated)),
  ].sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || a.at - b.at);
  if (entries.length === 0)
    return {
      content: say('discordApp.nothingMine'),
      components: openBoard(turn, board.today, null),
    };
  const lines: string[] = [];
  const rows: Component[] = [];
  for (const [at, { line, actions }] of entries.entries()) {
    const numbered = `${at + 1}. ${line}`;
    if (lines.join('\n').length + numbered.length > MAX_LIST_LENGTH) break;
    lines.push(numbered);
    // The number distinguishes the buttons of entries.
    if (actions.length > 0 && rows.length < MAX_ROWS)
      rows.push(
        row(
          ...actions.map(({ custom_id, label, style }) =>
            button(custom_id, `${at + 1} · ${label}`, style),
          ),
        ),
      );
  }
  // A link in the text, because buttons have the rows.
  const hasMore =
    lines.length < entries.length ||
    entries.filter(({ actions }) => actions.length > 0).length > MAX_ROWS;
  const more =
    hasMore && turn.ctx.env.PUBLIC_URL
      ? [`… [${say('discordApp.openBoard')}](${turn.ctx.env.PUBLIC_URL}/mine)`]
      : [];
  return { content: [...lines, ...more].join('\n'), embeds: [], components: rows };
}

interface Action {
  custom_id: string;
  label: string;
  style?: 'primary' | 'secondary';
}

interface Mine {
  line: string;
  actions: Action[];
  at: number;
  /** Something ends unless the member answers. */
  isUrgent: boolean;
}

const nameOfSpot = ({ board }: Turn, id: number): string =>
  escapeName(board.records.respawn.find((spot) => spot.id === id)?.name ?? '?');

/** @param held the hours that are held for it: they may be fewer than it waits for */
function entryOf(turn: Turn, entry: Wait, held: HourRange | undefined): Mine {
  const { say, board } = turn;
  const params = {
    spot: nameOfSpot(turn, entry.respawn_id),
    hours: hoursOf(turn, entry.date, entry),
    name: escapeName(entry.character_name),
    position: entry.position,
  };
  const at = instantOf(entry.date, entry.hour_start, board.clock).getTime();
  if (entry.status === 'offered' && entry.held_until !== null && entry.held_claim_id !== null) {
    const hours = hoursOf(turn, entry.date, held ?? entry);
    const line = say('discordApp.mineHold', {
      ...params,
      hours,
      left: discordTime(new Date(entry.held_until), 'R'),
    });
    const target = `${entry.id}|${entry.held_claim_id}`;
    const take: Action = {
      custom_id: `take|${target}`,
      label: say('discordApp.take'),
      style: 'primary',
    };
    return {
      line,
      at,
      isUrgent: true,
      actions: [take, { custom_id: `decline|${target}`, label: say('discordApp.decline') }],
    };
  }
  const leaving = { custom_id: `leave|${entry.id}`, label: say('discordApp.leave') };
  return { line: say('discordApp.mineEntry', params), at, isUrgent: false, actions: [leaving] };
}

/** A claim that is offered to the viewer, or by the viewer to another character. */
function transferLine(turn: Turn, transfer: StoredTransfer): Mine {
  const { say, board } = turn;
  const { id, from, to, offered, wanted, expires_at } = transfer;
  const placeOf = ({ date, respawn_name, ...range }: TransferPlace) => ({
    spot: escapeName(respawn_name),
    hours: hoursOf(turn, date ?? board.today, range),
  });
  const left = discordTime(new Date(expires_at), 'R');
  const at = instantOf(offered.date ?? board.today, offered.hour_start, board.clock).getTime();
  if (!isMine(turn, to)) {
    const line = say('discordApp.mineOffer', {
      ...placeOf(offered),
      left,
      other: escapeName(to),
      name: escapeName(from),
    });
    return {
      line,
      at,
      isUrgent: false,
      actions: [{ custom_id: `withdraw|${id}`, label: say('discordApp.withdraw') }],
    };
  }
  const params = { ...placeOf(offered), left, other: escapeName(from), name: escapeName(to) };
  const inReturn = wanted && placeOf(wanted);
  const line = inReturn
    ? say('discordApp.mineSwap', {
        ...params,
        wantedSpot: inReturn.spot,
        wantedHours: inReturn.hours,
      })
    : say('discordApp.mineHandover', params);
  const accept: Action = {
    custom_id: `accept|${id}`,
    label: say('discordApp.accept'),
    style: 'primary',
  };
  return {
    line,
    at,
    isUrgent: true,
    actions: [accept, { custom_id: `refuse|${id}`, label: say('discordApp.decline') }],
  };
}

/** The parts of a claim that are not over. A claim for every date of its event has no buttons: it can't be released or confirmed. */
function partsOf(turn: Turn, { claim, first_date }: DatedClaim): Mine[] {
  const { board, say } = turn;
  const date = claim.date ?? (first_date > board.today ? first_date : board.today);
  const isOver = ({ hour_end }: HourRange): boolean =>
    date < board.today || (claim.date !== null && date === board.today && hour_end <= board.hour);
  return claimOnRespawns(claim)
    .filter((part) => !isOver(part))
    .map((part) => {
      const number = part.split_part_number ?? 1;
      const [config] = board.records.config;
      const { opens_at, closes_at } = confirmTime(
        { date, hour_start: part.hour_start },
        config?.grace_minutes ?? 0,
        board.clock,
      );
      const isToConfirm =
        config?.confirm_enabled === 1 &&
        claim.to_confirm.some((each) => each === number) &&
        opens_at <= board.now &&
        board.now < closes_at;
      const canRelease = config?.release_enabled === 1 && releaseOf(part, date, board) !== null;
      const target = `${claim.id}|${claim.is_split_claim ? number : ''}`;
      const at = instantOf(date, part.hour_start, board.clock);
      const params = {
        spot: nameOfSpot(turn, part.respawn_id),
        hours: hoursOf(turn, date, part),
        name: escapeName(claim.character_name),
      };
      const here: Action = {
        custom_id: `here|${target}`,
        label: say('discordApp.here'),
        style: 'primary',
      };
      const actions: Action[] = [
        ...(isToConfirm ? [here] : []),
        ...(canRelease
          ? [{ custom_id: `release|${target}`, label: say('discordApp.release') }]
          : []),
      ];
      return {
        line: `${discordTime(at, 'D')} · ${say('discordApp.mineClaim', params)}`,
        at: at.getTime(),
        isUrgent: isToConfirm,
        actions: claim.date === null ? [] : actions,
      };
    });
}

/** The character of a waitlist entry or claim on the board. @throws DomainError discord.buttonExpired */
function ownerOf(turn: Turn, found: { character_name: string } | undefined): LinkedCharacter {
  const owner = turn.characters.find(
    ({ character_name }) => found && nameKey(character_name) === nameKey(found.character_name),
  );
  if (!owner) throw new DomainError('discord.buttonExpired');
  return owner;
}

/** An offer, if it is still the one of the button. @throws DomainError discord.buttonExpired */
function pressedOffer(
  turn: Turn,
  { wait_id, claim_id }: PressedOf<'take' | 'decline'>,
): { entry: Wait; owner: LinkedCharacter } {
  const entry = turn.board.records.wait.find(
    ({ id, held_claim_id }) => id === wait_id && held_claim_id === claim_id,
  );
  const owner = ownerOf(turn, entry);
  if (!entry) throw new DomainError('discord.buttonExpired');
  return { entry, owner };
}

/** `Take hours`: the hold becomes a claim. */
export async function takeHours(turn: Turn, target: PressedOf<'take'>): Promise<Message> {
  const { entry, owner } = pressedOffer(turn, target);
  const held = await ownClaim(turn, entry.held_claim_id);
  await acceptOffer(turn.ctx, callerOf(owner), entry.id);
  const params = {
    name: escapeName(owner.character_name),
    spot: nameOfSpot(turn, entry.respawn_id),
    hours: hoursOf(turn, entry.date, held?.claim ?? entry),
  };
  return done(turn.say('discordApp.youClaimed', params));
}

/** `Decline`: the hours go to the next on the waitlist. */
export async function declineHours(turn: Turn, target: PressedOf<'decline'>): Promise<Message> {
  const { entry, owner } = pressedOffer(turn, target);
  await declineOffer(turn.ctx, callerOf(owner), entry.id);
  return done(turn.say('discordApp.declined'));
}

const ownClaim = async (turn: Turn, claim_id: number | null): Promise<DatedClaim | undefined> =>
  (await ownClaims(turn)).find(({ claim: { id } }) => id === claim_id);

/** `I'm here`: confirms a claim. */
export async function confirmHere(
  turn: Turn,
  { claim_id, part }: PressedOf<'here'>,
): Promise<Message> {
  const found = (await ownClaim(turn, claim_id))?.claim;
  await confirmClaim(turn.ctx, callerOf(ownerOf(turn, found)), {
    id: found?.id ?? 0,
    part_number: part,
  });
  return done(turn.say('discordApp.confirmed'));
}

/** `Release`: asks first, since the hours go to others. */
export async function askRelease(
  turn: Turn,
  { claim_id, part }: PressedOf<'release'>,
): Promise<Message> {
  const found = (await ownClaim(turn, claim_id))?.claim;
  ownerOf(turn, found);
  if (!found) throw new DomainError('discord.buttonExpired');
  const piece =
    claimOnRespawns(found).find(({ split_part_number }) => split_part_number === part) ?? found;
  const params = {
    spot: nameOfSpot(turn, piece.respawn_id),
    hours: hoursOf(turn, found.date ?? turn.board.today, piece),
  };
  const buttons = [
    button(`release!|${claim_id}|${part ?? ''}`, turn.say('discordApp.release'), 'danger'),
    button('keep', turn.say('discordApp.keep')),
  ];
  return {
    content: turn.say('discordApp.askRelease', params),
    embeds: [],
    components: [row(...buttons)],
  };
}

export async function release(
  turn: Turn,
  { claim_id, part }: PressedOf<'release!'>,
): Promise<Message> {
  const found = (await ownClaim(turn, claim_id))?.claim;
  await releaseClaim(turn.ctx, callerOf(ownerOf(turn, found)), {
    id: found?.id ?? 0,
    part_number: part,
  });
  return done(turn.say('discordApp.released'));
}

/** `Leave waitlist`: asks first, since the place is lost. */
export function askLeave(turn: Turn, { wait_id }: PressedOf<'leave'>): Message {
  const entry = turn.board.records.wait.find(({ id }) => id === wait_id);
  ownerOf(turn, entry);
  if (!entry) throw new DomainError('discord.buttonExpired');
  const params = { spot: nameOfSpot(turn, entry.respawn_id), position: entry.position };
  const buttons = [
    button(`leave!|${entry.id}`, turn.say('discordApp.leave'), 'danger'),
    button('keep', turn.say('discordApp.keep')),
  ];
  return {
    content: turn.say('discordApp.askLeave', params),
    embeds: [],
    components: [row(...buttons)],
  };
}

export async function leave(turn: Turn, { wait_id }: PressedOf<'leave!'>): Promise<Message> {
  const entry = turn.board.records.wait.find(({ id }) => id === wait_id);
  await leaveWaitlist(turn.ctx, callerOf(ownerOf(turn, entry)), entry?.id ?? 0);
  return done(turn.say('discordApp.left'));
}

/** An open transfer and the viewer's character in it. @throws DomainError transfer.notFound, discord.buttonExpired */
async function transferOf(
  turn: Turn,
  { transfer_id }: PressedOf<'accept' | 'refuse' | 'withdraw'>,
  side: 'from' | 'to',
): Promise<{ transfer: StoredTransfer; owner: LinkedCharacter }> {
  const transfer = existing(await findTransfer(turn.ctx.db, transfer_id), 'transfer.notFound');
  return { transfer, owner: ownerOf(turn, { character_name: transfer[side] }) };
}

/** `Accept`: the offered claim is the viewer's. */
export async function acceptOffered(turn: Turn, target: PressedOf<'accept'>): Promise<Message> {
  const { transfer, owner } = await transferOf(turn, target, 'to');
  const { offered } = await acceptTransfer(turn.ctx, callerOf(owner), transfer.id);
  const hours = hoursOf(turn, offered.date ?? turn.board.today, offered);
  return done(
    turn.say('discordApp.accepted', {
      name: escapeName(owner.character_name),
      spot: escapeName(offered.respawn_name),
      hours,
    }),
  );
}

/** `Refuse`: the claim stays with its owner. */
export async function refuseOffered(turn: Turn, target: PressedOf<'refuse'>): Promise<Message> {
  const { transfer, owner } = await transferOf(turn, target, 'to');
  await refuseTransfer(turn.ctx, callerOf(owner), transfer.id);
  return done(turn.say('discordApp.refused', { other: escapeName(transfer.from) }));
}

/** `Withdraw offer`: the claim stays the viewer's. */
export async function withdrawOffer(turn: Turn, target: PressedOf<'withdraw'>): Promise<Message> {
  const { transfer, owner } = await transferOf(turn, target, 'from');
  await withdrawTransfer(turn.ctx, callerOf(owner), transfer.id);
  return done(turn.say('discordApp.withdrawn'));
}
