import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showToast } from '../../../ui/toast.tsx';

/** Whether members may submit claims: one press for the whole guild. It shows what is stored, also by another admin. */
export function SubmissionSwitch(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const config = useConfig();
  const [busy, setBusy] = useState(false);
  if (!config) return null;
  const on = config.submission_enabled === 1;
  const turn = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await updateConfig({ submission_enabled: next ? 1 : 0 });
      showToast({ text: t('admin.settings.saved') });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.settings.failed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  return (
    <Switch
      label={t('admin.settings.submission')}
      state={on ? t('admin.settings.on') : t('admin.settings.off')}
      on={on}
      busy={busy}
      onChange={(next) => void turn(next)}
    />
  );
}

/** The guild's settings, live; undefined until the board is there. */
export const useConfig = (): Config | undefined => useBoard((board) => board.byKind.config.get(CONFIG_ID));
