import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { setKeyRevoked } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import tab from '../tab.module.css';
import type { KeyDeed } from './key-confirmation.tsx';
import type { TypeEdit } from './use-type-edit.ts';

export interface KeyActionsProps {
  accessKey: AccessKey;
  edit: TypeEdit;
  onDeed: (deed: KeyDeed) => void;
}

/** What can be done with one key, the destructive last. */
export function KeyActions({ accessKey, edit, onDeed }: KeyActionsProps): ReactNode {
  const { t } = useTranslation();
  const { id, character_name: name, is_revoked } = accessKey;
  if (edit.state?.id === id) {
    const { busy } = edit.state;
    return (
      <span className={tab.editing}>
        <Button small variant="primary" busy={busy} onClick={edit.save} aria-label={t('admin.keys.saveName', { name })}>
          {t('common.save')}
        </Button>
        <Button small disabled={busy} onClick={edit.cancel} aria-label={t('admin.keys.cancelName', { name })}>
          {t('common.cancel')}
        </Button>
      </span>
    );
  }
  return (
    <span className={tab.rowActions} data-actions={id}>
      {is_revoked ? null : (
        <Button small variant="quiet" onClick={() => edit.start(accessKey)} aria-label={t('admin.keys.editName', { name })}>
          {t('common.edit')}
        </Button>
      )}
      <TurnButton accessKey={accessKey} onRevoke={() => onDeed({ what: 'revoke', accessKey })} />
      <Button
        small
        variant="quiet"
        className={tab.destructive}
        onClick={() => onDeed({ what: 'delete', accessKey })}
        aria-label={t('admin.keys.deleteName', { name })}
      >
        {t('common.delete')}
      </Button>
    </span>
  );
}

/** Revokes or enables. One and the same button, so that it keeps the focus when the key changes under it. */
function TurnButton({ accessKey, onRevoke }: Pick<KeyActionsProps, 'accessKey'> & { onRevoke: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const { id, character_name: name, is_revoked } = accessKey;
  const enable = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await setKeyRevoked(id, false);
      showToast({ text: t('admin.keys.enabledMessage') });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.keys.enableFailed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  return (
    <Button
      small
      variant="quiet"
      aria-busy={busy}
      onClick={is_revoked ? () => void enable() : onRevoke}
      aria-label={t(is_revoked ? 'admin.keys.enableName' : 'admin.keys.revokeName', { name })}
    >
      {t(is_revoked ? 'admin.keys.enable' : 'admin.keys.revoke')}
    </Button>
  );
}
