import type { TFunction } from 'i18next';
import { instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { copyText } from '../../ui/copyable-code.tsx';
import { showToast } from '../../ui/toast.tsx';

type Claimed = Pick<ClaimOnRespawn, 'character_name' | 'date' | 'hour_start' | 'hour_end'>;

const MS_PER_SECOND = 1_000;

/** A claim as a Discord message: its time codes are each reader's own time. A claim of a whole event has none. */
function discordText(
  { character_name, date, hour_start: start, hour_end: end }: Claimed,
  { spot, clock, t }: { spot: string; clock: ServerSaveClock; t: TFunction },
): string {
  const code = (hour: number, style: 'f' | 't'): string =>
    `<t:${instantOf(date ?? '', hour, clock).getTime() / MS_PER_SECOND}:${style}>`;
  const when = date === null ? t('board.everyDay') : `${code(start, 'f')} – ${code(end, 't')}`;
  return `**${spot}** · ${character_name} · ${t('time.range', { start, end })} · ${when}`;
}

/** Copies it, and says so. */
export function copyForDiscord(claim: Claimed, spot: string, t: TFunction): void {
  const clock = useServerSaveClock.getState();
  copyText(discordText(claim, { spot, clock, t })).then(
    () => showToast({ text: t('shell.profile.copied') }),
    () => showToast({ tone: 'bad', text: t('shell.profile.copyFailed') }),
  );
}
