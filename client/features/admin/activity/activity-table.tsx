import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Capability } from '../../../../shared/rules/roles.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { undoActivity } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { formatLocale, formatterIn, useTimeZone } from '../../../lib/time-text.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { countConflicts, restorableIn, UndoObstacles } from '../forms/conflicting-claims.tsx';
import { neededToUndo, restorableBy, restoredText, withLeft } from '../forms/undo.ts';
import tab from '../tab.module.css';
import styles from './activity.module.css';
import { type Fact, type Facts, toneOf, useActionName, useActorName, useFacts } from './facts.ts';

interface ActivityTableProps {
  entries: readonly ActivityEntry[];
  /** Entries that an action caused, shown under it on demand. */
  causedBy: (entry: ActivityEntry) => readonly ActivityEntry[];
  onRestore: (entry: ActivityEntry) => void;
}

const MINUTE = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const EXACT = { dateStyle: 'full', timeStyle: 'long' } as const;

export function ActivityTable({ entries, causedBy, onRestore }: ActivityTableProps): ReactNode {
  const { t, i18n } = useTranslation();
  const facts = useFacts();
  const actorName = useActorName();
  const actionName = useActionName();
  // Kept here because rows out of view are unmounted.
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const mayUndo: Partial<Record<Capability, boolean>> = {
    claims: useMay('claims'),
    guild: useMay('guild'),
  };
  const toggled = (before: ReadonlySet<number>, id: number): ReadonlySet<number> => {
    const after = new Set(before);
    if (!after.delete(id)) after.add(id);
    return after;
  };
  const locale = formatLocale(i18n.language);
  const here = useTimeZone();
  const minute = formatterIn(here, locale, MINUTE);
  const exact = formatterIn(here, locale, EXACT);
  const heading = (id: ActivityColumn): { id: ActivityColumn; heading: string } => ({
    id,
    heading: t(`admin.activity.columns.${id}`),
  });

  const columns: DataColumn<ActivityEntry>[] = [
    {
      ...heading('timestamp'),
      cell: ({ timestamp }) => {
        const at = new Date(timestamp);
        return (
          <time dateTime={timestamp} title={exact.format(at)} className="muted tabular nowrap">
            {minute.format(at)}
          </time>
        );
      },
    },
    {
      ...heading('action'),
      part: 'title',
      cell: ({ action }) => <Badge tone={toneOf(action)}>{actionName(action)}</Badge>,
    },
    { ...heading('admin'), cell: (entry) => <span className={styles.by}>{actorName(entry)}</span> },
    {
      ...heading('details'),
      part: 'text',
      cell: (entry) => (
        <>
          <EntryDetails
            entry={entry}
            facts={facts}
            open={open.has(entry.id)}
            onToggle={() => setOpen((before) => toggled(before, entry.id))}
          />
          <Consequences
            entries={causedBy(entry)}
            facts={facts}
            isOpen={unfolded.has(entry.id)}
            onToggle={() => setUnfolded((before) => toggled(before, entry.id))}
          />
        </>
      ),
    },
    {
      ...heading('undo'),
      part: 'actions',
      cell: (entry) => {
        if (entry.undo === null) return null;
        if (entry.undo === 'done')
          return <span className="good semibold">{t('admin.activity.restored')}</span>;
        if (entry.undo === 'expired')
          return <span className="good semibold">{t('admin.activity.expired')}</span>;
        if (!mayUndo[neededToUndo(entry.action)]) return null;
        const what = [actionName(entry.action), ...facts.factsOf(entry).map(facts.textOf)].join(
          ', ',
        );
        return (
          <Button
            small
            onClick={() => onRestore(entry)}
            aria-label={t('admin.activity.restoreName', { what })}
          >
            {t('admin.activity.restore')}
          </Button>
        );
      },
    },
  ];
  return (
    <DataTable caption={t('admin.activity.list')} columns={columns} records={entries} idOf={idOf} />
  );
}

type ActivityColumn = 'timestamp' | 'action' | 'admin' | 'details' | 'undo';

const idOf = (entry: ActivityEntry): string => String(entry.id);

/** An entry with more facts, or more characters in one of them, is collapsed. */
const FACTS_SHOWN = 7;
const CHARACTERS_SHOWN = 120;

interface EntryDetailsProps {
  entry: ActivityEntry;
  facts: Facts;
  open: boolean;
  onToggle: () => void;
}

function EntryDetails({
  entry,
  facts: { factsOf, textOf },
  open,
  onToggle,
}: EntryDetailsProps): ReactNode {
  const { t } = useTranslation();
  const facts = factsOf(entry);
  if (facts.length === 0) return null;
  const isLong =
    facts.length > FACTS_SHOWN || facts.some((fact) => textOf(fact).length > CHARACTERS_SHOWN);
  const isCut = isLong && !open;
  return (
    <span className={styles.details}>
      <FactList facts={isCut ? facts.slice(0, FACTS_SHOWN) : facts} cut={isCut} />
      {isLong ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={t(open ? 'admin.activity.lessName' : 'admin.activity.moreName')}
          className={styles.more}
          onClick={onToggle}
        >
          {t(open ? 'admin.activity.less' : 'admin.activity.more')}
        </button>
      ) : null}
    </span>
  );
}

/** Listed at most; a bulk action may cause hundreds. */
const CONSEQUENCES_SHOWN = 50;

interface ConsequencesProps {
  entries: readonly ActivityEntry[];
  facts: Facts;
  isOpen: boolean;
  onToggle: () => void;
}

function Consequences({
  entries,
  facts: { factsOf },
  isOpen,
  onToggle,
}: ConsequencesProps): ReactNode {
  const { t } = useTranslation();
  const actionName = useActionName();
  if (entries.length === 0) return null;
  const more = entries.length - CONSEQUENCES_SHOWN;
  return (
    <div className={styles.consequences}>
      <button type="button" aria-expanded={isOpen} className={styles.unfold} onClick={onToggle}>
        <ChevronDownIcon size={14} />
        {t('admin.activity.consequences', { count: entries.length })}
      </button>
      {isOpen ? (
        <Stack as="ul" gap={2} className={styles.caused}>
          {entries.slice(0, CONSEQUENCES_SHOWN).map((entry) => (
            <li key={entry.id}>
              <Badge tone={toneOf(entry.action)}>{actionName(entry.action)}</Badge>
              <FactList facts={factsOf(entry)} />
            </li>
          ))}
          {more > 0 ? (
            <li className="muted">{t('admin.activity.moreConsequences', { count: more })}</li>
          ) : null}
        </Stack>
      ) : null}
    </div>
  );
}

/** @param props.cut shortens long texts */
function FactList({ facts, cut = false }: { facts: readonly Fact[]; cut?: boolean }): ReactNode {
  const shorten = (text: string): string =>
    cut && text.length > CHARACTERS_SHOWN ? `${text.slice(0, CHARACTERS_SHOWN).trimEnd()}…` : text;
  return (
    <span className={styles.facts}>
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of an entry's facts never changes
        <Fragment key={at}>
          <FactText fact={fact} shorten={shorten} />
        </Fragment>
      ))}
    </span>
  );
}

function FactText({ fact, shorten }: { fact: Fact; shorten: (text: string) => string }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  switch (fact.kind) {
    case 'name':
      return <strong>{shorten(fact.text)}</strong>;
    case 'note':
      return <span>{fact.text}</span>;
    case 'hours':
      return <HoursText date={fact.date ?? today} start={fact.start} end={fact.end} />;
    case 'value':
      return (
        <span>
          <span className="muted">{fact.label}:</span> {shorten(fact.text)}
        </span>
      );
    case 'change':
      return (
        <span>
          <span className="muted">{fact.label}:</span>{' '}
          {t('admin.activity.change', { from: shorten(fact.from), to: shorten(fact.to) })}
        </span>
      );
  }
}

/** Names what will be restored; a refusal lists the claims in the way. */
export function RestoreDialog({
  entry,
  onClose,
}: {
  entry: ActivityEntry | null;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const what = entry ? restorableBy(entry.action) : 'claim';
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={onClose}
      title={t(`admin.activity.confirm.${what}`)}
    >
      {entry ? <Restore entry={entry} onClose={onClose} /> : null}
    </Dialog>
  );
}

function Restore({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { factsOf } = useFacts();
  const { deleted_count, claim_count } = entry.details;
  const restore = useAction({
    work: (partial: boolean) =>
      partial ? undoActivity(entry.id, { partial }) : undoActivity(entry.id),
    done: (answer) => {
      showToast({
        text: withLeft(t, restoredText(t, entry.action, answer.restored_claims), answer),
      });
      onClose();
    },
  });
  // Offered only after the server has refused and listed the conflicting claims.
  const others = restorableIn(restore.failure);
  const what = restorableBy(entry.action);
  const text = {
    claim: () => t('admin.activity.confirm.claimText'),
    claims: () => t('admin.activity.confirm.claimsText', { count: Number(deleted_count) }),
    event: () => t('admin.activity.confirm.eventText', { count: Number(claim_count) }),
    respawn: () => t('admin.activity.confirm.respawnText', { count: Number(claim_count) }),
    category: () => t('admin.activity.confirm.categoryText'),
    memberType: () => t('admin.activity.confirm.memberTypeText'),
    key: () => t('admin.activity.confirm.keyText'),
    record: () => t('admin.activity.confirm.recordText'),
    change: () => t('admin.activity.confirm.changeText'),
  }[what]();
  return (
    <>
      <Stack gap={2}>
        <p>{text}</p>
        <p className={styles.comingFacts}>
          <FactList facts={factsOf(entry)} />
        </p>
      </Stack>
      {restore.failure ? <RestoreRefusal error={restore.failure} /> : null}
      <DialogActions onCancel={onClose} busy={restore.isBusy}>
        <Button
          variant="primary"
          busy={restore.isBusy}
          onClick={() => restore.run(others !== null)}
        >
          {others !== null
            ? t('admin.activity.restoreOthers', { count: others })
            : t(what === 'change' ? 'board.quickClaim.undo' : 'admin.activity.restore')}
        </Button>
      </DialogActions>
    </>
  );
}

/** Why the entry cannot be restored, with the claims in the way. It takes the focus. */
function RestoreRefusal({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  const isOfClaims = error instanceof ApiError && error.code === 'activity.hoursTaken';
  return (
    <div ref={box} tabIndex={-1} className={tab.notice}>
      <Alert
        tone="bad"
        title={
          isOfClaims ? t('admin.activity.conflicts', { count: countConflicts(error) }) : undefined
        }
      >
        <UndoObstacles error={error} />
      </Alert>
      {restorableIn(error) === null ? null : <p>{t('admin.activity.restLater')}</p>}
    </div>
  );
}
