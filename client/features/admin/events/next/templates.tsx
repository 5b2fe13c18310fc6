import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../../shared/rules/event-period.ts';
import { nameKey } from '../../../../../shared/rules/names.ts';
import { lastOfSeries, nextEvent } from '../../../../../shared/rules/next-event.ts';
import type { Event } from '../../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import type { EventTemplate } from '../../../../../shared/schemas/event-template.ts';
import { applyEventTemplate, deleteEventTemplate } from '../../../../api/calls.ts';
import { dayText, formatLocale } from '../../../../lib/time-text.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { useServerSaveTime } from '../../../../state/clock.ts';
import { useMay } from '../../../../state/permissions.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../../ui/toast.tsx';
import styles from '../events.module.css';
import { BeforeNext } from './before-next.tsx';
import { LeftOut } from './left-out.tsx';
import own from './next.module.css';
import { useOverlaps } from './overlaps.tsx';
import { useAfterCopy } from './use-after-copy.ts';

/** What the next events are made of: each says which that is, and makes it at a press. */
export function Templates(): ReactNode {
  const { t } = useTranslation();
  const templates = useBoard((board) => board.byKind.event_template);
  // What is made at a press is of no use to who may not press.
  if (!useMay('guild') || templates.size === 0) return null;
  return (
    <ul aria-label={t('admin.events.next.templates')} className={styles.list}>
      {[...templates.values()].map((template) => (
        <TemplateRow key={template.id} template={template} />
      ))}
    </ul>
  );
}

/** What the dialog asks about. The board may move on while it is open; the server then refuses what is confirmed. */
interface Asked {
  preview: EventCopied;
  /** The event that the previewed one follows. */
  after: number | null;
  name: string;
  overlaps: readonly Event[];
}

function TemplateRow({ template }: { template: EventTemplate }): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const after = useAfterCopy();
  const { date: today } = useServerSaveTime();
  const events = useBoard((board) => board.byKind.event);
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [surprise, setSurprise] = useState<EventCopied | null>(null);
  const last = lastOfSeries(template, events.values());
  const names = new Set([...events.values()].map((event) => nameKey(event.name)));
  const next = nextEvent(template, last, today, (name) => names.has(nameKey(name)));
  const inWords = (time: string): string => dayText(eventDate(time), formatLocale(i18n.language));
  const overlaps = useOverlaps(next);
  const work = async (make: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await make();
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.events.next.failedBecause', { reason: errorText(error) }) });
    } finally {
      setBusy(false);
    }
  };
  const create = async (afterEvent: number | null, expectedLeftOut: number): Promise<void> => {
    const copied = await applyEventTemplate(template.id, { after: afterEvent });
    setAsked(null);
    after(copied);
    // More was left out than was said: somebody was faster.
    if (copied.left_out > expectedLeftOut) setSurprise(copied);
  };
  const askOrCreate = async (): Promise<void> => {
    const afterEvent = last?.id ?? null;
    const preview = await applyEventTemplate(template.id, { after: afterEvent, preview: true });
    if (overlaps.length > 0 || preview.left_out > 0) setAsked({ preview, after: afterEvent, name: next.name, overlaps });
    else await create(afterEvent, 0);
  };
  return (
    <li className={styles.event}>
      <div className={styles.about}>
        <p className={own.templateName}>
          {t('admin.events.next.template')}: <strong>{template.name}</strong>
        </p>
        <p className={styles.facts}>
          <span>{t('admin.events.next.upNext', { name: next.name })}</span>
          <span>{t('admin.events.period', { start: inWords(next.start_time), end: inWords(next.end_time) })}</span>
          <span>
            {last && template.claims === 'all' ? t('admin.events.next.claimsOf', { name: last.name }) : t('admin.events.next.noClaims')}
          </span>
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          small
          variant="primary"
          busy={isBusy}
          onClick={() => void work(askOrCreate)}
          aria-label={t('admin.events.next.createNextName', { name: next.name })}
        >
          {t('admin.events.next.createNext')}
        </Button>
        <Button
          small
          variant="danger"
          onClick={() => setDeleting(true)}
          aria-label={t('admin.events.next.deleteName', { name: template.name })}
        >
          {t('common.delete')}
        </Button>
      </div>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={t('admin.events.next.confirmDelete', { name: template.name })}
        text={t('admin.events.next.deleteText')}
        confirmLabel={t('admin.events.next.deleteTemplate')}
        onConfirm={() => deleteEventTemplate(template.id)}
        errorText={errorText}
      />
      {asked ? (
        <BeforeNext
          name={asked.name}
          preview={asked.preview}
          overlaps={asked.overlaps}
          isBusy={isBusy}
          onCreate={() => void work(() => create(asked.after, asked.preview.left_out))}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {surprise ? <LeftOut copied={surprise} onClose={() => setSurprise(null)} /> : null}
    </li>
  );
}
