import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Panel } from '../../../ui/panel.tsx';
import { useRefusalText } from '../../claiming/claim-words.tsx';
import { respawnRefusal } from '../../claiming/draft/refusal-of.ts';
import styles from './claim-form.module.css';
import { RespawnPicker } from './respawn-picker.tsx';
import type { ClaimForm } from './use-claim-form.ts';
import { useFitsChosen } from './use-fits-chosen.ts';

/** The first question: which spot. */
export function WherePanel({ form, time }: { form: ClaimForm; time: ClaimTime }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const id = useId();
  const fits = useFitsChosen(form.rows, time);
  const error = useSpotError(form);
  return (
    <Panel title={t('submit.where')}>
      <RespawnPicker
        respawns={[...respawns.values()]}
        chosen={form.respawn}
        fits={fits}
        onChoose={(respawn_id) => form.change({ type: 'respawn-chosen', respawn_id })}
        errorId={error ? id : undefined}
      />
      {form.needsRespawn ? null : <p className={styles.hint}>{t('submit.split.ownSpots')}</p>}
      {error ? (
        <p id={id} role="alert" className={styles.error}>
          {error}
        </p>
      ) : null}
    </Panel>
  );
}

function useSpotError({ state, respawn, needsRespawn }: ClaimForm): string | null {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  if (!needsRespawn) return null;
  if (state.respawn_id === null) return state.tried ? t('errors.claim.selectRespawn') : null;
  const refusal = respawnRefusal(respawn);
  return refusal ? refusalText(refusal) : null;
}
