import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CHECK_NAMES, type CheckName, findingKeys } from '../../../../shared/rules/findings.ts';
import { shownParams } from '../../../../shared/rules/shown-params.ts';
import type { CheckResult, SystemCheckup } from '../../../../shared/schemas/system.ts';
import { startCheckup } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './system.module.css';
import { useMinute } from './use-minute.ts';

/** Everything that was looked at, what is not well first, each with what to do; and another look by a press. */
export function Checks({ checkup: { last, running }, onBegun }: { checkup: SystemCheckup; onBegun: () => void }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const errorText = useErrorText();
  const nameOf = useName();
  const [isAsking, setAsking] = useState(false);
  const start = async (): Promise<void> => {
    setAsking(true);
    try {
      await startCheckup();
      onBegun();
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.system.checkup.failedStart', { reason: errorText(error) }) });
    }
    setAsking(false);
  };
  const said = (): string => {
    if (running?.looking_at) {
      return t('admin.system.checkup.running', { done: running.done, of: running.of, name: nameOf(running.looking_at) });
    }
    if (running) return t('admin.system.checkup.begins');
    return last ? t('admin.system.checkup.last', { at: minute(last.ended_at) }) : t('admin.system.checkup.never');
  };
  return (
    <Panel title={t('admin.system.checkup.title')}>
      <div className={styles.row}>
        <div className={styles.about}>
          {last ? <Verdict checks={last.checks} /> : null}
          <p role="status" className={styles.more}>
            {said()}
          </p>
        </div>
        <Button variant="primary" busy={isAsking || running !== null} onClick={() => void start()}>
          {t('admin.system.checkup.start')}
        </Button>
      </div>
      {last ? (
        <ul aria-label={t('admin.system.list')} className={styles.checks}>
          {STATES.flatMap((state) => last.checks.filter((check) => check.state === state)).map((check) => (
            <Check key={check.name} check={check} />
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

/** The worst first. */
const STATES = ['failed', 'warning', 'ok'] as const;

function Verdict({ checks }: { checks: readonly CheckResult[] }): ReactNode {
  const { t } = useTranslation();
  const [failed, warnings] = ['failed', 'warning'].map((state) => checks.filter((check) => check.state === state).length);
  if (failed) return <p className={classes(styles.verdict, styles.failed)}>{t('admin.system.checkup.failed', { count: failed })}</p>;
  if (warnings) return <p className={classes(styles.verdict, styles.warning)}>{t('admin.system.checkup.warnings', { count: warnings })}</p>;
  return <p className={classes(styles.verdict, styles.ok)}>{t('admin.system.checkup.well')}</p>;
}

function Check({ check: { name, state, finding, params } }: { check: CheckResult }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const nameOf = useName();
  const { text, todo } = findingKeys(name, finding);
  const shown = shownParams(params, formatLocale(i18n.language), minute);
  return (
    <li className={styles.check}>
      <span className={classes(styles.state, styles[state])}>{t(`admin.system.checkup.state.${state}`)}</span>
      <div className={styles.about}>
        <h3>{nameOf(name)}</h3>
        <p className={styles.found}>{t(`admin.system.found.${text}`, { replace: shown })}</p>
        {todo ? <p className={styles.todo}>{t(`admin.system.todo.${todo}`, { replace: shown })}</p> : null}
      </div>
    </li>
  );
}

/** What a check is called; one of another version by its own name. */
function useName(): (name: string) => string {
  const { t } = useTranslation();
  const isKnown = (name: string): name is CheckName => CHECK_NAMES.some((each) => each === name);
  return (name) => (isKnown(name) ? t(`admin.system.names.${name}`) : name);
}
