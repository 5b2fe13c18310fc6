import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import {
  type AccessKey,
  type AccessKeyInput,
  accessKeyInput,
} from '../../../../shared/schemas/access-key.ts';
import { MAX_IMPORT_ROWS } from '../../../../shared/schemas/import.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { createAccessKey, importMembers } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode, useCopy } from '../../../ui/copyable-code.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextArea } from '../../../ui/fields/inputs.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { pageDraft } from '../forms/drafts.ts';
import { NameField } from '../forms/name-field.tsx';
import { CopyText } from './copy-text.tsx';
import styles from './people.module.css';

/** One name, or a pasted list in a dialog. */
export function AddMembers(): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const [created, setCreated] = useState<AccessKey | null>(null);
  const [pasted, setPasted] = useState<string | null>(null);
  const form = useRecordForm<AccessKey, AccessKeyInput, AccessKeyInput>({
    fields: {
      characterName: { label: t('admin.keys.characterName'), send: tidyName },
      memberType: { label: t('admin.keys.memberType') },
    },
    schema: accessKeyInput,
    checksAtSave: true,
    record: null,
    fresh: { characterName: '', memberType: DEFAULT_MEMBER_TYPE },
    draft: pageDraft('access key'),
    create: async (input) => {
      setCreated(null);
      try {
        setCreated(await createAccessKey(input));
      } finally {
        form.form.setFocus('characterName');
      }
    },
    clears: ['characterName'],
  });
  const { characterName, memberType } = form.typed;
  return (
    <>
      <Stack
        aria-label={t('admin.people.add')}
        as="form"
        className={styles.create}
        onSubmit={form.submit}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text');
          if (namesIn(text).length < 2 || !SEVERAL_LINES.test(text)) return;
          event.preventDefault();
          setPasted(text);
        }}
      >
        <div className={styles.createRow}>
          <NameField form={form} name="characterName" />
          <MemberTypeSelect
            types={types}
            label={form.fields.memberType.label}
            value={memberType}
            onChange={(type) => form.form.setValue('memberType', type)}
            wide={false}
          />
          <Button
            type="submit"
            variant="primary"
            busy={form.busy}
            disabled={!tidyName(characterName)}
          >
            {t('admin.keys.generate')}
          </Button>
          <Button variant="quiet" onClick={() => setPasted('')}>
            {t('admin.setup.ways.keys.paste')}
          </Button>
        </div>
        {form.error ? (
          <Alert tone="bad" title={t('admin.keys.createFailed')}>
            {form.error}
          </Alert>
        ) : null}
        {created ? <CreatedKey accessKey={created} onDismiss={() => setCreated(null)} /> : null}
      </Stack>
      {/* Not in the form, which would take what is pasted into the dialog. */}
      {pasted === null ? null : <PasteNames names={pasted} onClose={() => setPasted(null)} />}
    </>
  );
}

function CreatedKey({
  accessKey,
  onDismiss,
}: {
  accessKey: AccessKey;
  onDismiss: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { character_name, key_value } = accessKey;
  const address = loginAddress();
  const message = useMessage()(accessKey);
  const { copied, copy } = useCopy(message);
  const [before, after] = message.split(key_value);
  return (
    <Alert
      tone="good"
      title={t('admin.keys.created', { character_name })}
      action={
        <IconButton
          small
          label={t('common.dismiss')}
          icon={<CloseIcon />}
          onClick={onDismiss}
          className={styles.dismiss}
        />
      }
    >
      <Stack gap={2} fitted>
        <CopyableCode
          text={key_value}
          copyLabel={t('admin.characters.copyKey', { name: character_name })}
        />
        <p>{t('admin.keys.sendMessage', { name: character_name })}</p>
        <blockquote className={styles.message}>
          {before}
          <span className={styles.key}>{key_value}</span>
          {after}
        </blockquote>
        <LocalAddressNote url={address} />
        <Button variant="primary" onClick={copy}>
          {copied ? t('shell.profile.copied') : t('admin.keys.copyMessage')}
        </Button>
      </Stack>
    </Alert>
  );
}

export function AddMembersButton(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {t('admin.people.add')}
      </Button>
      {isOpen ? <PasteNames onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const loginAddress = (): string => `${window.location.origin}/login`;

/** The message to send to a member. */
function useMessage(): (key: AccessKey) => string {
  const { t } = useTranslation();
  return ({ character_name: name, key_value: key }) =>
    t('admin.keys.message', { name, address: loginAddress(), key });
}

/** A list has its names on lines or in a table's cells. */
const SEVERAL_LINES = /[\n\t;]/;

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
export function PasteNames({
  names: pasted = '',
  onClose,
}: {
  names?: string;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const messageOf = useMessage();
  const types = useBoard((board) => board.byKind.member_type);
  const keys = useBoard((board) => board.byKind.access_key);
  const [typed, setTyped] = useState(pasted);
  const [memberType, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (newNames.length > 0 && !isTooLong) make();
  };

  if (made) {
    // The keys arrive live, maybe after the answer.
    const madeKeys = made.names.flatMap((name) => known.get(nameKey(name)) ?? []);
    const hasAllKeys = madeKeys.length === made.names.length;
    const lines = madeKeys
      .map(({ character_name, key_value }) => `${character_name}: ${key_value}`)
      .join('\n');
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t('admin.setup.paste.made', { count: made.names.length })}
        description={t('admin.setup.paste.send', { url: loginAddress() })}
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
            <CopyText
              text={madeKeys.map(messageOf).join('\n\n')}
              label={t('admin.keys.copyMessages')}
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
      title={t('admin.people.add')}
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
          <Field label={t('admin.keys.memberType')}>
            <MemberTypeSelect types={types} value={memberType} onChange={setMemberType} />
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
