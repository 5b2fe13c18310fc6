import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useDayInWords } from '../claim-words.tsx';
import { type ClaimIndex, findClaim, findSecondary } from '../shown/claim-groups.ts';
import { TimesForm } from './times-form.tsx';

export interface TimesDialogProps {
  /** What it was opened with; null: it is closed. */
  claim: ClaimOnRespawn | null;
  /** The hours to begin with; without them the claim's own. */
  begin?: HourRange | undefined;
  sources: readonly ClaimIndex[];
  /** All claims are here: one that is not found is gone. */
  complete: boolean;
  onClose: () => void;
}

export function TimesDialog({ claim, begin, sources, complete, onClose }: TimesDialogProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const respawn = (claim && respawns.get(claim.respawn_id)?.name) ?? '';
  const secondary = claim && findSecondary(sources, claim);
  return (
    <Dialog
      open={claim !== null}
      onOpenChange={onClose}
      title={t('admin.claims.form.title')}
      description={claim ? t('admin.claims.form.about', { name: claim.character_name, respawn, day: dayInWords(claim) }) : null}
    >
      {claim ? (
        <TimesForm
          opened={claim}
          begin={begin ?? claim}
          live={findClaim(sources, claim) ?? (complete ? undefined : claim)}
          follows={secondary ? (respawns.get(secondary.respawn_id)?.name ?? '') : null}
          onDone={onClose}
        />
      ) : null}
    </Dialog>
  );
}
