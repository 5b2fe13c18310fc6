import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import { MAX_IMPORT_ROWS } from '../../../../shared/schemas/import.ts';
import { importMembers } from '../../../api/admin-calls.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextArea } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from './setup.module.css';

/** The three ways to become a member, each with its actions for the admin. */
export function InviteMembers({ onPaste }: { onPaste: () => void }): ReactNode {
  const { t } = useTranslation();
  const url = `${location.origin}/verify`;
  return (
    <>
      <p className={styles.text}>{t('admin.setup.steps.members.text')}</p>
      <dl className={styles.ways}>
        <div>
          <dt>{t('admin.setup.ways.verify.name')}</dt>
          <dd>
            <p className={styles.text}>{t('admin.setup.ways.verify.text')}</p>
            <Cluster>
              <CopyText text={url} label={t('admin.setup.ways.verify.copyLink')} />
              <CopyText
                text={t('admin.setup.ways.verify.message', { url })}
                label={t('admin.setup.ways.verify.copyMessage')}
              />
            </Cluster>
            <LocalAddressNote url={url} />
          </dd>
        </div>
        <div>
          <dt>{t('admin.setup.ways.keys.name')}</dt>
          <dd>
            <p className={styles.text}>{t('admin.setup.ways.keys.text')}</p>
            <Cluster>
              <Button small onClick={onPaste}>
                {t('admin.setup.ways.keys.paste')}
              </Button>
              <ButtonLink small variant="quiet" to={placeAddress('keys')}>
                {t('admin.setup.ways.keys.open')}
              </ButtonLink>
            </Cluster>
          </dd>
        </div>
        <div>
          <dt>{t('admin.setup.ways.characters.name')}</dt>
          <dd>
            <p className={styles.text}>{t('admin.setup.ways.characters.text')}</p>
            <Cluster>
              <ButtonLink small variant="quiet" to={placeAddress('verified')}>
                {t('admin.setup.ways.characters.open')}
              </ButtonLink>
            </Cluster>
          </dd>
        </div>
      </dl>
    </>
  );
}

interface CopyTextProps {
  text: string;
  label: string;
  isMain?: boolean;
  disabled?: boolean;
}

function CopyText({ text, label, isMain = false, disabled = false }: CopyTextProps): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <>
      <Button small variant={isMain ? 'primary' : 'plain'} disabled={disabled} onClick={copy}>
        {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
        {copied ? t('shell.profile.copied') : label}
      </Button>
      {/* Not in the button, which would have no name. */}
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}

/** One name a line or between commas, each once. */
function namesIn(text: string): string[] {
  const names = new Map<string, string>();
  for (const part of text.split(/[\n,;\t]/)) {
    const name = tidyName(part);
    if (name && !names.has(nameKey(name))) names.set(nameKey(name), name);
  }
  return [...names.values()];
}

interface Made {
  names: readonly string[];
  refused: readonly string[];
}

/** Creates a key for each name of a pasted list, then shows them to be copied. Characters that have a key keep it, and its type. */
export function PasteNames({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const keys = useBoard((board) => board.byKind.access_key);
  const [typed, setTyped] = useState('');
  const [memberType, setMemberType] = useState('member');
  const [made, setMade] = useState<Made | null>(null);
  const known = new Map([...keys.values()].map((key) => [nameKey(key.character_name), key]));
  const names = namesIn(typed);
  const newNames = names.filter((name) => !known.has(nameKey(name)));
  const isTooLong = newNames.length > MAX_IMPORT_ROWS;

  const {
    run: make,
    isBusy: busy,
    failure,
  } = useAction({
    work: () =>
      importMembers({
        rows: newNames.map((character_name) => ({ character_name, member_type: memberType })),
        preview: false,
      }),
    done: ({ rows }) => {
      const namesOf = (isWrong: boolean): string[] =>
        rows.filter(({ outcome }) => (outcome === 'wrong') === isWrong).map(({ name }) => name);
      setMade({ names: namesOf(false), refused: namesOf(true) });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (newNames.length > 0 && !isTooLong) make();
  };

  if (made) {
    const lines = made.names
      .map((name) => `${name}: ${known.get(nameKey(name))?.key_value ?? '…'}`)
      .join('\n');
    // They arrive live, maybe after the answer.
    const hasAllKeys = made.names.every((name) => known.get(nameKey(name))?.key_value);
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t('admin.setup.paste.made', { count: made.names.length })}
        description={t('admin.setup.paste.send', { url: `${location.origin}/login` })}
      >
        <Stack>
          <LocalAddressNote url={location.origin} />
          <Field label={t('admin.setup.paste.keys')}>
            <TextArea readOnly rows={Math.min(10, made.names.length + 1)} value={lines} />
          </Field>
          {made.refused.length > 0 ? (
            <Alert tone="bad">
              {t('admin.setup.paste.refused', { names: made.refused.join(', ') })}
            </Alert>
          ) : null}
          <Cluster>
            <CopyText
              isMain
              text={lines}
              label={t('admin.setup.paste.copy')}
              disabled={!hasAllKeys}
            />
            <Button small onClick={onClose}>
              {t('common.close')}
            </Button>
          </Cluster>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      busy={busy}
      title={t('admin.setup.paste.title')}
      description={t('admin.setup.paste.text')}
    >
      <form onSubmit={submit}>
        <Stack>
          <Field
            label={t('admin.setup.paste.names')}
            hint={
              names.length > newNames.length
                ? t('admin.setup.paste.known', { count: names.length - newNames.length })
                : null
            }
            error={isTooLong ? t('admin.setup.paste.tooMany', { count: MAX_IMPORT_ROWS }) : null}
          >
            <TextArea
              rows={8}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              spellCheck={false}
            />
          </Field>
          <Field label={t('admin.keys.columns.type')}>
            <Select
              value={memberType}
              options={[...types.values()].map(({ member_type }) => ({
                value: member_type,
                label: member_type,
              }))}
              onChange={setMemberType}
            />
          </Field>
          {failure ? <Alert tone="bad">{errorText(failure)}</Alert> : null}
        </Stack>
        <DialogActions onCancel={onClose} busy={busy} isChanged={typed.trim() !== ''}>
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            disabled={newNames.length === 0 || isTooLong}
          >
            {t('admin.setup.paste.make', { count: newNames.length })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
