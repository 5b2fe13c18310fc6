import type { Kind } from '../../../../shared/kinds.ts';
import { serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { serverSaveClock } from '../../../db/clock/server-save-clock.ts';
import type { StoredChange, Unit, WriteHook } from '../../../db/unit-of-work.ts';
import { addJob, addMissingJob } from '../../../jobs/job-store.ts';
import { closeLater } from './edit.ts';
import { EDIT_JOB, editAll, NOT_POSTED, nextEditAt } from './records.ts';

/** What the message is made of; `config` says that notifications were resumed. */
const BOARD_KINDS: readonly string[] = [
  'claim',
  'occupancy',
  'wait',
  'respawn',
  'category',
  'config',
];

/** Whether a change may be one of today's board. What was removed is known by its id alone. */
function isOnBoard(stored: StoredChange, today: string): boolean {
  const { change } = stored;
  if (change.op === 'own') return false;
  if (change.op === 'reset') return 'audience' in stored && stored.audience === 'all';
  if (!BOARD_KINDS.includes(change.kind)) return false;
  if (change.op === 'remove' || (change.kind !== 'claim' && change.kind !== 'wait')) return true;
  return change.record.date === null || change.record.date === today;
}

const isOfKind = ({ change }: StoredChange, kind: Kind): boolean =>
  change.op === 'put' || change.op === 'remove' ? change.kind === kind : false;

/** Edits messages after changes of today's board, and ends those whose channel is gone, off or elsewhere. */
export const followBoard: WriteHook = {
  after: async (unit) => {
    const changes = unit.changes.recorded();
    if (changes.some((each) => isOfKind(each, 'destination'))) await followChannels(unit);
    const { date: today } = serverSaveTime(unit.at, serverSaveClock(unit.ctx));
    // A claim changes the counts of its spot, which are not on the board.
    const hasClaims = changes.some((each) => isOfKind(each, 'claim'));
    const shown = changes.filter((each) => !(hasClaims && isOfKind(each, 'respawn')));
    if (shown.some((each) => isOnBoard(each, today))) await editAll(unit);
  },
};

async function followChannels(unit: Unit): Promise<void> {
  const { tx, at } = unit;
  const rows = await tx
    .selectFrom('board_messages as kept')
    .leftJoin('channels', 'channels.id', 'kept.channel_id')
    .select(['kept.channel_id', 'message_id', 'kept.url as posted_to', 'sent_at'])
    .select(['kept.language as written_in', 'channels.language'])
    .select(['channels.url', 'channels.kind', 'is_enabled', 'switched_off'])
    .execute();
  for (const { channel_id, message_id, posted_to, written_in, sent_at, ...channel } of rows) {
    const isKept = channel.is_enabled === 1 && channel.kind === 'discord';
    const isHere = isKept && (posted_to === null || posted_to === channel.url);
    // An address that Discord refuses takes no end either.
    const isRefused = channel.switched_off !== null && channel.url === posted_to;
    if (!isHere && !isRefused && message_id !== null && posted_to !== null && written_in !== null)
      await closeLater(unit, { url: posted_to, message_id, language: written_in });
    if (!isHere)
      await tx
        .updateTable('board_messages')
        .set({ ...NOT_POSTED })
        .where('channel_id', '=', channel_id)
        .execute();
    const due_at = nextEditAt({ sent_at, next_try_at: null }, at);
    const edit = { key: String(channel_id), due_at, payload: null };
    // At another address, failures don't count.
    if (isKept && !isHere) await addJob(unit, EDIT_JOB, edit);
    else if (isKept && (message_id === null || written_in !== channel.language))
      await addMissingJob(unit, EDIT_JOB, edit);
  }
}
