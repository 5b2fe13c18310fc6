import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CHECK_NAMES, type CheckName, findingKeys } from '../../../../shared/rules/findings.ts';
import { bytesInWords, shownParams } from '../../../../shared/rules/shown-params.ts';
import type {
  CheckResult,
  System,
  SystemBackup,
  SystemCheckup,
} from '../../../../shared/schemas/system.ts';
import {
  getSystem,
  resumeNotifications,
  startBackup,
  startCheckup,
} from '../../../api/admin-calls.ts';
import { refreshQuery, useServerQuery } from '../../../api/query.ts';
import { formatLocale, formatterIn, useTimeZone } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { confirm } from '../../../state/overlays.ts';
import { Alert, FailedLoad } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Cluster, Facts, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useFailureText } from '../notifications/channel-words.ts';
import styles from './system.module.css';

/** How often the tab asks while a backup or a check runs, and otherwise. */
const BUSY_INTERVAL_MS = 1_000;
const IDLE_INTERVAL_MS = 15_000;

const refresh = (): void => void refreshQuery('system');

export function SystemTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: system, error } = useServerQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => getSystem(signal),
    refetchInterval: ({ state: { data } }) =>
      data?.checkup.running || data?.backup.running ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS,
  });
  return (
    <Stack gap={4}>
      {error ? (
        <FailedLoad
          sentence={t('admin.system.failed')}
          reason={errorText(error)}
          onTryAgain={refresh}
        />
      ) : null}
      {system ? (
        <>
          {system.notifications.paused_at ? (
            <PausedNotifications paused_at={system.notifications.paused_at} />
          ) : null}
          <Notices system={system} />
          <SystemFacts system={system} />
          <Backups backup={system.backup} />
          <Checks checkup={system.checkup} />
        </>
      ) : null}
      {system || error ? null : (
        <Loading>
          <Skeleton height={140} />
          <Skeleton height={140} />
          <Skeleton height={320} />
        </Loading>
      )}
    </Stack>
  );
}

/** Says that a restored database sends no notifications, and lets an owner resume them. */
function PausedNotifications({ paused_at }: { paused_at: string }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const errorText = useErrorText();
  const ask = (): void =>
    confirm({
      title: t('admin.system.paused.confirmTitle'),
      text: t('admin.system.paused.confirmText', { at: minute(paused_at) }),
      confirmLabel: t('admin.system.paused.confirm'),
      onConfirm: async () => {
        await resumeNotifications();
        refresh();
      },
      errorText: (error) => t('admin.system.paused.failed', { reason: errorText(error) }),
    });
  return (
    <Alert
      tone="bad"
      title={t('admin.system.paused.title')}
      action={<Button onClick={ask}>{t('admin.system.paused.resume')}</Button>}
    >
      {t('admin.system.paused.text', { at: minute(paused_at) })}
    </Alert>
  );
}

/** Warnings that need an owner although the server runs. */
function Notices({ system: { clock, servers } }: { system: System }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const paused = clock.deletion_paused;
  return (
    <>
      {paused ? (
        <Alert>
          {t(`admin.system.deletionPaused.${paused.reason}`, { at: minute(paused.until) })}
        </Alert>
      ) : null}
      {servers
        .filter(({ differing }) => differing.length > 0)
        .map(({ id, started_at, differing }) => (
          <Alert key={id} tone="bad">
            {t('admin.system.otherSettings', {
              at: minute(started_at),
              names: differing.join(', '),
            })}
          </Alert>
        ))}
    </>
  );
}

const KINDS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const PARTS = ['claims', 'archive', 'activity', 'undo'] as const;

function SystemFacts({ system }: { system: System }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const bytes = (n: number): string => bytesInWords(n, formatLocale(i18n.language));
  const { version, build, node, started_at, public_url, database, watching, clock, disk } = system;
  const size = database.bytes === null ? t('admin.system.unknownSize') : bytes(database.bytes);
  const parts = PARTS.flatMap((part) => {
    const n = database.parts[part];
    return n ? [`${t(`admin.system.parts.${part}`)} ${bytes(n)}`] : [];
  });
  const members = t('admin.system.watchingMembers', { count: watching.members });
  const admins = t('admin.system.watchingAdmins', { count: watching.admins });
  return (
    <Panel title={t('admin.system.facts')}>
      <Facts
        columns
        facts={[
          {
            name: t('admin.system.version'),
            value: build
              ? t('admin.system.versionOf', { version, build })
              : t('admin.system.noBuild', { version }),
            more: t('admin.system.runs', { node, at: minute(started_at) }),
          },
          {
            name: t('admin.system.database'),
            value: t('admin.system.databaseOf', { kind: KINDS[database.kind], size }),
            more: parts.join(' · '),
          },
          {
            name: t('admin.system.watching'),
            value: `${members}, ${admins}`,
            more: t('admin.system.choosing', { count: watching.choosing }),
          },
          {
            name: t('admin.system.clock'),
            value: `${minute(clock.time)} · SS+${clock.hour}`,
            more: t('admin.system.serverSave', { at: minute(clock.next_server_save) }),
          },
          {
            name: t('admin.system.disk'),
            value: disk
              ? t('admin.system.freeOf', { free: bytes(disk.free), total: bytes(disk.total) })
              : t('admin.system.notKnown'),
            more: public_url,
          },
        ]}
      />
    </Panel>
  );
}

function Backups({ backup }: { backup: SystemBackup }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const { newest, running, failure, every_hours, kept } = backup;
  const start = useAction({
    work: startBackup,
    done: refresh,
    failed: (reason) => t('admin.system.backup.failed', { reason }),
  });
  const newestText = (of: SystemBackup['newest']): string => {
    if (of === null) return t('admin.system.backup.none');
    const made = {
      at: minute(of.made_at),
      size: bytesInWords(of.bytes, formatLocale(i18n.language)),
    };
    if (of.elsewhere === null) return t('admin.system.backup.newest', made);
    return t('admin.system.backup.newestOn', { ...made, server: of.elsewhere });
  };
  return (
    <Panel title={t('admin.system.backup.title')}>
      <Cluster rowGap={3} gap={6} align="start" justify="space-between">
        <Stack gap={1} className={styles.about}>
          <p>{newestText(newest)}</p>
          <p className="muted small tabular">
            {every_hours > 0 && kept > 0
              ? t('admin.system.backup.every', { hours: every_hours, kept })
              : t('admin.system.backup.off')}
          </p>
          <p className="muted small tabular">{t('admin.system.backup.secret')}</p>
        </Stack>
        <Stack gap={1} className={styles.action}>
          <Button busy={start.isBusy || running !== null} onClick={() => start.run()}>
            {t('admin.system.backup.now')}
          </Button>
          <p role="status" className="muted small tabular">
            {running === null
              ? null
              : running.percent === null
                ? t('admin.system.backup.running')
                : t('admin.system.backup.percent', { percent: running.percent })}
          </p>
        </Stack>
      </Cluster>
      {failure && !running ? (
        <Alert tone="bad" className={styles.failure}>
          {t('admin.system.backup.failed', { reason: failure.reason })}
        </Alert>
      ) : null}
    </Panel>
  );
}

/** The problems found by the last health check, each with its remedy; passed checks are folded. A button checks again. */
function Checks({ checkup: { last, running } }: { checkup: SystemCheckup }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const nameOf = useCheckName();
  const start = useAction({
    work: startCheckup,
    done: refresh,
    failed: (reason) => t('admin.system.healthCheck.startFailed', { reason }),
  });
  const good = last?.checks.filter(({ state }) => state === 'ok') ?? [];
  const statusText = (): string => {
    if (running?.looking_at) {
      return t('admin.system.healthCheck.running', {
        done: running.done,
        of: running.of,
        name: nameOf(running.looking_at),
      });
    }
    if (running) return t('admin.system.healthCheck.starting');
    return last
      ? t('admin.system.healthCheck.last', { at: minute(last.ended_at) })
      : t('admin.system.healthCheck.never');
  };
  return (
    <Panel title={t('admin.system.healthCheck.title')}>
      <Cluster rowGap={3} gap={6} align="start" justify="space-between">
        <Stack gap={1} className={styles.about}>
          {last ? <CheckSummary checks={last.checks} /> : null}
          <p role="status" className="muted small tabular">
            {statusText()}
          </p>
        </Stack>
        <Button
          variant="primary"
          busy={start.isBusy || running !== null}
          onClick={() => start.run()}
        >
          {t('admin.system.healthCheck.start')}
        </Button>
      </Cluster>
      {last ? (
        <>
          <CheckList
            label={t('admin.system.list')}
            checks={PROBLEMS.flatMap((state) => last.checks.filter((one) => one.state === state))}
          />
          {good.length > 0 ? (
            <details className={styles.good}>
              <summary className={styles.ok}>
                {t('admin.system.healthCheck.state.ok')} · {good.length}
              </summary>
              <CheckList label={t('admin.system.healthCheck.state.ok')} checks={good} />
            </details>
          ) : null}
        </>
      ) : null}
    </Panel>
  );
}

/** Worst first. */
const PROBLEMS = ['failed', 'warning'] as const;

function CheckList({
  label,
  checks,
}: {
  label: string;
  checks: readonly CheckResult[];
}): ReactNode {
  if (checks.length === 0) return null;
  return (
    <ul aria-label={label} className={styles.checks}>
      {checks.map((check) => (
        <Check key={check.name} check={check} />
      ))}
    </ul>
  );
}

function CheckSummary({ checks }: { checks: readonly CheckResult[] }): ReactNode {
  const { t } = useTranslation();
  const [failed, warnings] = ['failed', 'warning'].map(
    (state) => checks.filter((check) => check.state === state).length,
  );
  if (failed)
    return (
      <p className={classes(styles.verdict, styles.failed)}>
        {t('admin.system.healthCheck.failed', { count: failed })}
      </p>
    );
  if (warnings)
    return (
      <p className={classes(styles.verdict, styles.warning)}>
        {t('admin.system.healthCheck.warnings', { count: warnings })}
      </p>
    );
  return <p className={classes(styles.verdict, styles.ok)}>{t('admin.system.healthCheck.ok')}</p>;
}

function Check({ check: { name, state, finding, params } }: { check: CheckResult }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const nameOf = useCheckName();
  const { text, todo } = findingKeys(name, finding);
  const failureText = useFailureText();
  const { error, ...facts } = params;
  const words = shownParams(
    typeof error === 'string' ? { ...facts, error: failureText(error) } : params,
    formatLocale(i18n.language),
    minute,
  );
  return (
    <li className={styles.check}>
      <span className={classes(styles.state, styles[state])}>
        {t(`admin.system.healthCheck.state.${state}`)}
      </span>
      <Stack gap={1} className={styles.about}>
        <h3>{nameOf(name)}</h3>
        <p className="muted anywhere">{t(`admin.system.findings.${text}`, { replace: words })}</p>
        {todo ? (
          <p className={styles.todo}>{t(`admin.system.fixes.${todo}`, { replace: words })}</p>
        ) : null}
      </Stack>
    </li>
  );
}

/** A check's title; a check of another version keeps its own name. */
function useCheckName(): (name: string) => string {
  const { t } = useTranslation();
  const isKnown = (name: string): name is CheckName => CHECK_NAMES.some((each) => each === name);
  return (name) => (isKnown(name) ? t(`admin.system.names.${name}`) : name);
}

const MINUTE = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** Formats an instant in the reader's time zone: "21 Nov, 14:35". */
export function useMinute(): (at: string) => string {
  const { i18n } = useTranslation();
  const format = formatterIn(useTimeZone(), formatLocale(i18n.language), MINUTE);
  return (at) => format.format(new Date(at));
}
