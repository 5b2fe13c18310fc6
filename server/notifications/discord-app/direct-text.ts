import { discordTime } from '../../../shared/discord/app-message.ts';
import { DomainError } from '../../../shared/errors.ts';
import { missedWarning } from '../../../shared/missed-words.ts';
import { directContent } from '../../../shared/notice-words.ts';
import {
  countMissed,
  countsMissed,
  missedPause,
  missedSince,
} from '../../../shared/rules/missed-claims.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { TRANSFER_OVER } from '../../../shared/rules/transfer.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { readConfig } from '../../board/records/guild.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Db, Reading } from '../../db/database.ts';
import { refusalText, sentencesIn } from '../../http/errors.ts';
import type { Notice, NoticeOf } from '../notices/notice.ts';
import { payloadOf } from '../notices/notice-text.ts';
import { button, linkButton, type Message, row } from './message-parts.ts';

/* What direct messages say, and their buttons. */

export type DirectMessage = Required<Pick<Message, 'content' | 'components'>>;

/** A message's subject, and its reader's language and preferences. */
interface DirectText {
  language: Language;
  wanted: PushPreferences;
  notice: Notice;
}

/** The notice with its buttons. */
export async function messageOf(ctx: Reading, text: DirectText): Promise<DirectMessage> {
  const { content, url } = directTextOf(ctx, text);
  const say = sentencesIn(text.language);
  const link = ctx.env.PUBLIC_URL
    ? [linkButton(say('discordApp.openBoard'), ctx.env.PUBLIC_URL + url)]
    : [];
  const buttons = [
    ...(await answersTo(ctx.db, text.notice)).map(({ action, label, style }) =>
      button(action, say(label), style),
    ),
    ...link,
  ];
  return { content, components: buttons.length > 0 ? [row(...buttons)] : [] };
}

function directTextOf(
  ctx: Reading,
  { language, wanted: { time_zone }, notice }: DirectText,
): { title: string; content: string; url: string } {
  const recipient = {
    language,
    time_zone,
    clock: serverSaveClock(ctx),
    now: ctx.now(),
    in_discord: true,
  } as const;
  const { title, body, url } = payloadOf(recipient, notice);
  return { title, content: directContent(title, body), url };
}

interface AnswerButton {
  /** As `interactions.ts` reads it. */
  action: string;
  label: `discordApp.${'take' | 'decline' | 'here' | 'release' | 'accept'}`;
  style: 'primary' | 'secondary';
}

async function answersTo(db: Db, current: Notice): Promise<AnswerButton[]> {
  if (current.kind === 'hold_offered' && current.claim_id !== undefined) {
    const target = `${current.wait_id}|${current.claim_id}`;
    return [
      { action: `take|${target}`, label: 'discordApp.take', style: 'primary' },
      { action: `decline|${target}`, label: 'discordApp.decline', style: 'secondary' },
    ];
  }
  if (current.kind === 'transfer_offered') {
    return [
      { action: `accept|${current.transfer_id}`, label: 'discordApp.accept', style: 'primary' },
      { action: `refuse|${current.transfer_id}`, label: 'discordApp.decline', style: 'secondary' },
    ];
  }
  if (current.kind !== 'confirm_now') return [];
  const { is_split_claim, release_enabled } = await db
    .selectFrom('claims')
    .select('is_split_claim')
    .select(({ selectFrom }) =>
      selectFrom('config').select('release_enabled').as('release_enabled'),
    )
    .where('id', '=', current.claim_id)
    .executeTakeFirstOrThrow();
  const target = `${current.claim_id}|${is_split_claim ? current.part_number : ''}`;
  const release = {
    action: `release|${target}`,
    label: 'discordApp.release',
    style: 'secondary',
  } as const;
  return [
    { action: `here|${target}`, label: 'discordApp.here', style: 'primary' },
    ...(release_enabled ? [release] : []),
  ];
}

/** The message once its question is answered or over: without buttons. */
export async function endedMessage(ctx: Reading, text: DirectText): Promise<DirectMessage> {
  const { language, notice } = text;
  const end =
    notice.kind === 'transfer_offered'
      ? await transferEnd(ctx.db, notice, language)
      : await endText(ctx, notice, language);
  return { content: directContent(directTextOf(ctx, text).title, end), components: [] };
}

/** A no-show also says how many the member has, and when that keeps them from claiming. */
async function endText(ctx: Reading, notice: Notice, language: Language): Promise<string> {
  const end = await endOf(ctx.db, notice);
  const text = sentencesIn(language)(end);
  if (end !== 'discordApp.direct.noShow') return text;
  const missed = await missedText(ctx, notice.character_name, language);
  return missed === null ? text : `${text} ${missed}`;
}

async function missedText(
  ctx: Reading,
  character_name: string,
  language: Language,
): Promise<string | null> {
  const rules = await readConfig(ctx, ctx.db);
  if (!countsMissed(rules)) return null;
  const now = ctx.now();
  const key = nameKey(character_name);
  const since = missedSince(rules, now);
  const missed = (await ctx.readMissed(ctx.db, { character_keys: [key], since })).get(key) ?? [];
  const pause = missedPause(missed, rules, now);
  const say = sentencesIn(language);
  if (pause)
    return say('missedClaims.paused', { ...pause, until: discordTime(new Date(pause.until), 'f') });
  const count = countMissed(missed, rules, now);
  return count === 0 ? null : missedWarning(say, rules, count);
}

/** In the words by which it is refused from then on. */
async function transferEnd(
  db: Db,
  { transfer_id }: NoticeOf<'transfer_offered'>,
  language: Language,
): Promise<string> {
  const transfer = await db
    .selectFrom('transfers')
    .select('outcome')
    .where('id', '=', transfer_id)
    .executeTakeFirst();
  return refusalText(
    new DomainError(transfer?.outcome ? TRANSFER_OVER[transfer.outcome] : 'transfer.notFound'),
    language,
  );
}

type End =
  | `discordApp.${'declined' | 'left' | 'confirmed' | 'released'}`
  | `discordApp.direct.${'taken' | 'lapsed' | 'restored' | 'over' | 'noShow' | 'excused' | 'changed'}`;

async function endOf(db: Db, question: Notice): Promise<End> {
  if (question.kind === 'hold_offered') {
    const entry = await db
      .selectFrom('waits')
      .select('status')
      .where('id', '=', question.wait_id)
      .executeTakeFirst();
    switch (entry?.status) {
      case 'accepted':
        return 'discordApp.direct.taken';
      case 'declined':
        return 'discordApp.declined';
      case 'withdrawn':
        return 'discordApp.left';
      case 'lapsed':
        return 'discordApp.direct.lapsed';
      // An undo restored the hours.
      case 'waiting':
        return 'discordApp.direct.restored';
      default:
        return 'discordApp.direct.over';
    }
  }
  if (question.kind !== 'confirm_now') return 'discordApp.direct.changed';
  const { claim_id, part_number, date, hour_start } = question;
  const character_key = nameKey(question.character_name);
  const part = await db
    .selectFrom('claim_parts')
    .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
    .select('hour_start')
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', part_number)
    .where('character_key', '=', character_key)
    .where(({ or, eb }) => or([eb('date', 'is', null), eb('date', '=', date)]))
    .executeTakeFirst();
  if (part?.hour_start === hour_start) {
    const config = await db.selectFrom('config').select('confirm_enabled').executeTakeFirst();
    return config?.confirm_enabled ? 'discordApp.confirmed' : 'discordApp.direct.excused';
  }
  const ending = await db
    .selectFrom('claim_endings')
    .select('reason')
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', part_number)
    .where('character_key', '=', character_key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (ending?.reason === 'no_show') return 'discordApp.direct.noShow';
  return ending?.reason === 'released' ? 'discordApp.released' : 'discordApp.direct.changed';
}
