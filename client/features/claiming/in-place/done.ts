import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { deleteClaim } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { boardAddress, showSpot } from '../../../state/board-place.ts';
import { claimTimeNow } from '../../../state/permissions.ts';
import { copyText } from '../../../ui/copyable-code.tsx';
import { showToast, type ToastAction } from '../../../ui/toast.tsx';
import { useShortDate } from '../claim-words.tsx';
import type { Claimant } from '../draft/submission-body.ts';

/**
 * Says that a claim is stored, and what can be done about it. A member cannot take it back (sections 2 and 6 of the
 * specification: only an admin can), so only an admin is offered that. `shown` is the date in view: a claim of a whole event has none.
 */
export function useSayDone(): (stored: readonly ClaimRow[], claimant: Claimant, shown: string) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shortDate = useShortDate();
  const errorText = useErrorText();

  const copy = (text: string): void => {
    copyText(text).then(
      () => showToast({ text: t('shell.profile.copied') }),
      () => showToast({ tone: 'bad', text: t('shell.profile.copyFailed') }),
    );
  };
  const takeBack = (id: number): void => {
    deleteClaim(id).then(
      () => {
        refreshBoard();
        showToast({ text: t('board.place.undone') });
      },
      (error: unknown) => showToast({ tone: 'bad', text: errorText(error) }),
    );
  };

  return ([claim], { access_key }, shown) => {
    if (!claim) return;
    const { id, respawn_id, respawn_name: spot, character_name: name, date, hour_start: start, hour_end: end } = claim;
    const hours = t('time.range', { start, end });
    const actions: ToastAction[] = [
      {
        label: t('board.place.show'),
        onPress: () => {
          void navigate(boardAddress(date, claimTimeNow(false).today));
          showSpot({ respawn_id, date: date ?? shown });
        },
      },
      { label: t('board.place.copy'), onPress: () => copy([name, spot, date ? shortDate(date) : t('board.everyDay'), hours].join(' · ')) },
    ];
    if (access_key === null) actions.push({ label: t('board.place.undo'), onPress: () => takeBack(id) });
    showToast({ text: t('board.place.done', { name, spot, hours }), actions });
  };
}
