import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { doToCharacter, verifyByHand } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { showToast } from '../../../ui/toast.tsx';
import tab from '../tab.module.css';
import type { CharacterDeed } from './character-confirmation.tsx';
import { type CharacterDoing, doingsFor } from './character-status.ts';
import styles from './characters.module.css';

interface CharacterActionsProps {
  record: VerifiedCode;
  onDeed: (deed: CharacterDeed) => void;
}

/** Buttons that stand in one place: as one, each keeps the focus when the record changes under it. */
const PLACES: { [doing in CharacterDoing]: string } = {
  verify: 'verify',
  revoke: 'access',
  restore: 'access',
  ban: 'ban',
  unban: 'ban',
  delete: 'delete',
};

/** What can be done with one record. What takes something away is confirmed first. */
export function CharacterActions({ record, onDeed }: CharacterActionsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<CharacterDoing | null>(null);
  const name = record.character_name;
  const atOnce = async (doing: 'verify' | 'restore'): Promise<void> => {
    setBusy(doing);
    try {
      await (doing === 'verify' ? verifyByHand(name) : doToCharacter('restore-character-access', name));
      showToast({ text: t(`admin.characters.done.${doing}`, { name }) });
    } catch (error) {
      showToast({ tone: 'bad', text: t(`admin.characters.failed.${doing}`, { reason: errorText(error) }) });
    }
    setBusy(null);
  };
  return (
    <span className={classes(tab.rowActions, styles.actions)}>
      {doingsFor(record).map((doing) => (
        <Button
          key={PLACES[doing]}
          small
          variant="quiet"
          busy={busy === doing}
          className={classes(doing === 'delete' && tab.destructive)}
          aria-label={t(`admin.characters.nameOf.${doing}`, { name })}
          onClick={() => (doing === 'verify' || doing === 'restore' ? void atOnce(doing) : onDeed({ what: doing, record }))}
        >
          {t(`admin.characters.words.${doing}`)}
        </Button>
      ))}
    </span>
  );
}
