import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import styles from './activity.module.css';
import type { Fact } from './facts.ts';
import type { Facts } from './use-facts.ts';

/** More of these, or more letters in one, and an entry is shown in part. */
const FACTS_SHOWN = 7;
const LETTERS_SHOWN = 120;

interface EntryDetailsProps {
  entry: ActivityEntry;
  facts: Facts;
  open: boolean;
  onToggle: () => void;
}

/** What an entry says, in short; a long one unfolds. */
export function EntryDetails({ entry, facts: { factsOf, textOf }, open, onToggle }: EntryDetailsProps): ReactNode {
  const { t } = useTranslation();
  const facts = factsOf(entry);
  if (facts.length === 0) return null;
  const isLong = facts.length > FACTS_SHOWN || facts.some((fact) => textOf(fact).length > LETTERS_SHOWN);
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

/** @param props.cut long texts are shortened */
export function FactList({ facts, cut = false }: { facts: readonly Fact[]; cut?: boolean }): ReactNode {
  const shorten = (text: string): string => (cut && text.length > LETTERS_SHOWN ? `${text.slice(0, LETTERS_SHOWN).trimEnd()}…` : text);
  return (
    <span className={styles.facts}>
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry's facts never change places
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
          <span className={styles.label}>{fact.label}:</span> {shorten(fact.text)}
        </span>
      );
    case 'change':
      return (
        <span>
          <span className={styles.label}>{fact.label}:</span>{' '}
          {t('admin.activity.change', { from: shorten(fact.from), to: shorten(fact.to) })}
        </span>
      );
  }
}
