import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { usePresence } from '../../../state/presence-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './settings.module.css';

/** Whether members may submit claims: one press for the whole guild, which closing asks about and can take back. It shows what is stored, also by another admin. */
export function SubmissionSwitch(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const config = useConfig();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  if (!config) return null;
  const on = config.submission_enabled === 1;
  const store = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await updateConfig({ submission_enabled: next ? 1 : 0 });
      if (next) showToast({ text: t('admin.settings.saved') });
      else showToast({ text: t('admin.settings.closed'), action: { label: t('admin.activity.undo'), onPress: () => void store(true) } });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.settings.failed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  return (
    <>
      <Switch
        label={t('admin.settings.submission')}
        state={on ? t('admin.settings.on') : t('admin.settings.off')}
        on={on}
        busy={busy}
        onChange={(next) => (next ? void store(true) : setAsking(true))}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('admin.settings.confirmClose.title')}
        text={<WhoIsShutOut />}
        confirmLabel={t('admin.settings.confirmClose.confirm')}
        onConfirm={() => store(false)}
      />
    </>
  );
}

/** How many it is about, as they stand while the question does. */
function WhoIsShutOut(): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard((board) => [...board.byKind.access_key.values()].filter((key) => !key.is_revoked).length);
  const watching = usePresence((presence) => presence.watching);
  return (
    <div className={styles.shutOut}>
      <p>{t('admin.settings.confirmClose.keys', { count: keys })}</p>
      {watching === null ? null : <p>{t('admin.settings.confirmClose.watching', { count: watching })}</p>}
      <p>{t('admin.settings.confirmClose.kept')}</p>
    </div>
  );
}

/** The guild's settings, live; undefined until the board is there. */
export const useConfig = (): Config | undefined => useBoard((board) => board.byKind.config.get(CONFIG_ID));
