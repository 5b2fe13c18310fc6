import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NEWS_KEY } from '../../../../../shared/news-keys.ts';
import type { Destination } from '../../../../../shared/schemas/destination.ts';
import { NEWS_TYPES, type NewsType } from '../../../../../shared/schemas/news.ts';
import { LANGUAGES } from '../../../../i18n.ts';
import { useMediaQuery } from '../../../../lib/use-media-query.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../../ui/dialog/dialog.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { TextInput } from '../../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../../ui/fields/segmented.tsx';
import { EditConflictNotice } from '../../forms/edit-conflict.tsx';
import { Example } from '../examples/example.tsx';
import { DiscordSteps } from '../first-steps.tsx';
import type { Secret } from '../secret-dialog.tsx';
import styles from './destination-form.module.css';
import { type DestinationValues, inOrder } from './destination-values.ts';
import { HeardFields } from './heard-fields.tsx';
import { kindOfUrl } from './kind-of-url.ts';
import { useDestinationForm } from './use-destination-form.ts';

interface DialogProps {
  shown: 'new' | Destination | null;
  /** All there are. */
  taken: readonly Destination[];
  onClose: () => void;
  onSecret: (secret: Secret) => void;
}

export function DestinationDialog({ shown, taken, onClose, onSecret }: DialogProps): ReactNode {
  const { t } = useTranslation();
  const title = shown === 'new' || shown === null ? t('admin.notifications.add') : t('admin.notifications.editName', { name: shown.name });
  return (
    <Dialog open={shown !== null} onOpenChange={onClose} title={title} wide>
      {shown === null ? null : (
        <DestinationForm opened={shown === 'new' ? null : shown} taken={taken} onDone={onClose} onSecret={onSecret} />
      )}
    </Dialog>
  );
}

interface FormProps extends Pick<DialogProps, 'taken' | 'onSecret'> {
  opened: Destination | null;
  onDone: () => void;
}

function DestinationForm({ opened, taken, onDone, onSecret }: FormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useDestinationForm({ opened, taken, onDone, onSecret });
  const { values, kind, change, problems, edit } = form;
  const words = useDestinationWords();
  const [example, setExample] = useState<NewsType>(opened?.events[0] ?? NEWS_TYPES[0]);
  const isBeside = useMediaQuery('(min-width: 760px)');
  const shownExample = <Example type={example} kind={kind} language={values.language} />;
  return (
    <form noValidate className={styles.form} onSubmit={form.submit}>
      <div className={styles.columns}>
        <div className={styles.fields}>
          <UrlField opened={opened} url={values.url} problem={problems.url} onChange={(url) => change({ url })} />
          <Field label={t('admin.notifications.form.name')} error={problems.name}>
            <TextInput
              data-field="name"
              value={values.name ?? form.proposed}
              onChange={(event) => change({ name: event.target.value })}
              maxLength={60}
              autoComplete="off"
            />
          </Field>
          {kind === 'discord' ? (
            <div className={styles.language}>
              <p className={styles.label}>{t('admin.notifications.form.language')}</p>
              <Segmented
                wide
                label={t('admin.notifications.form.language')}
                value={values.language}
                options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
                onChange={(language) => change({ language })}
              />
            </div>
          ) : null}
          <HeardFields
            events={values.events}
            problem={problems.events}
            example={example}
            onChange={(events) => change({ events: inOrder(events) })}
            onExample={setExample}
            below={isBeside ? null : shownExample}
          />
        </div>
        {isBeside ? <div className={styles.beside}>{shownExample}</div> : null}
      </div>
      <EditConflictNotice ref={form.notice} what="destination" edit={edit} {...words} />
      {form.refusal ? (
        <Alert tone="bad" title={t(opened ? 'admin.notifications.form.saveFailed' : 'admin.notifications.form.addFailed')}>
          {errorText(form.refusal)}
        </Alert>
      ) : null}
      <DialogActions onCancel={onDone} busy={form.busy}>
        <Button type="submit" variant="primary" busy={form.busy} disabled={edit.outcome === 'deleted'}>
          {t(opened ? 'common.save' : 'admin.notifications.add')}
        </Button>
      </DialogActions>
    </form>
  );
}

interface UrlFieldProps {
  opened: Destination | null;
  url: string;
  problem: string | undefined;
  onChange: (url: string) => void;
}

/** Where it leads is told as soon as it is pasted; how one comes by it, behind a press. */
function UrlField({ opened, url, problem, onChange }: UrlFieldProps): ReactNode {
  const { t } = useTranslation();
  const told = kindOfUrl(url);
  const kept = opened && url.trim() === '';
  const hint = told
    ? t(`admin.notifications.form.told.${told.kind}`, { host: told.host })
    : kept
      ? t('admin.notifications.form.urlStays', { host: opened.url })
      : t('admin.notifications.form.urlHint');
  return (
    <div className={styles.url}>
      <Field label={t('admin.notifications.form.url')} hint={hint} error={problem}>
        <TextInput
          data-field="url"
          type="url"
          inputMode="url"
          value={url}
          onChange={(event) => onChange(event.target.value)}
          placeholder={opened ? '' : 'https://discord.com/api/webhooks/…'}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {opened ? null : (
        <details className={styles.how}>
          <summary>{t('admin.notifications.form.how')}</summary>
          <DiscordSteps narrow />
        </details>
      )}
    </div>
  );
}

/** Its fields and what they hold, as a person reads them. */
function useDestinationWords(): {
  labelOf: (field: keyof DestinationValues) => string;
  inWords: (field: keyof DestinationValues, values: DestinationValues) => string;
} {
  const { t } = useTranslation();
  return {
    labelOf: (field) => t(`admin.notifications.form.${field}`),
    inWords: (field, values) => {
      if (field === 'events')
        return inOrder(values.events)
          .map((type) => t(`admin.notifications.news.${NEWS_KEY[type]}.name`))
          .join(', ');
      if (field === 'language') return LANGUAGES.find(({ code }) => code === values.language)?.name ?? '';
      return values[field] ?? '';
    },
  };
}
