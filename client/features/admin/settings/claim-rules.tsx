import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
import {
  MAX_HOURS_PER_DAY,
  MAX_HOURS_PER_EVENT,
  type MemberType,
} from '../../../../shared/schemas/member-type.ts';
import {
  NUMBER_SETTINGS,
  type NumericSetting,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingValues,
  SWITCH_SETTINGS,
} from '../../../../shared/settings.ts';
import { updateConfig, updateMemberType } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { pick } from '../../../ui/form/fields.ts';
import { Cluster, Facts, Stack } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useConfig } from './guild-settings.tsx';
import styles from './settings.module.css';
import { StoredNumber } from './stored-number.tsx';

/** The submission switch has its own control in the dashboard's status line. */
const LISTED = SWITCH_SETTINGS.filter((name) => name !== 'submission_enabled');
type ListedSwitch = (typeof LISTED)[number];

type Rule = Exclude<Setting, 'submission_enabled'>;
type Rules = Partial<SettingValues>;

const PRESETS = {
  relaxed: {
    waits_enabled: 1,
    release_enabled: 1,
    confirm_enabled: 0,
    transfers_enabled: 1,
    standing_enabled: 1,
    hold_minutes: 15,
  },
  strict: {
    waits_enabled: 1,
    release_enabled: 1,
    confirm_enabled: 1,
    transfers_enabled: 0,
    standing_enabled: 0,
    hold_minutes: 10,
    grace_minutes: 10,
  },
} as const satisfies Readonly<Record<string, Rules>>;
type Preset = keyof typeof PRESETS;

/** How members may claim: each switch is stored when it is turned, each number when its field is left. */
export function ClaimRules(): ReactNode {
  const { t } = useTranslation();
  const config = useConfig();
  if (!config) return null;
  return (
    <Stack gap={4}>
      <Panel title={t('admin.tabs.settings/rules')}>
        <Stack gap={5} className={styles.sections}>
          <Presets config={config} />
          {LISTED.map((name) => (
            <StoredSwitch key={name} name={name} config={config} />
          ))}
        </Stack>
      </Panel>
      <Budgets />
    </Stack>
  );
}

/** A switch that is stored when it is turned; below it the numbers that count while it is on. */
function StoredSwitch({ name, config }: { name: ListedSwitch; config: Config }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const waiting = useBoard((board) => board.byKind.wait.size);
  const on = config[name] === 1;
  const turn = useAction({
    work: (next: 0 | 1) => updateConfig({ [name]: next }),
    done: (_config, next) => {
      const undo = { label: t('board.quickClaim.undo'), onPress: () => turn.run(next ? 0 : 1) };
      showToast({ text: t('admin.settings.saved'), action: undo });
    },
  });
  const isRead = name === 'online_enabled' || name === 'facts_enabled';
  const isImpossible = isRead && !on && config.character_check === 'manual';
  const numbers = NUMBER_SETTINGS.filter((one) => isUnder(one, name, config));
  return (
    <Stack gap={2} className={styles.form}>
      <Switch
        label={t(`admin.settings.rules.${name}`)}
        state={on ? t('admin.settings.on') : t('admin.settings.off')}
        on={on}
        busy={turn.isBusy}
        onChange={(next) => turn.run(next ? 1 : 0)}
        blocked={isImpossible}
      />
      {isImpossible ? (
        <p className="muted small">
          {t(name === 'facts_enabled' ? 'errors.facts.manual' : 'errors.online.manual')}
        </p>
      ) : null}
      {turn.failure ? (
        <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(turn.failure) })}</Alert>
      ) : null}
      <p className="muted small">
        {t(`admin.settings.rules.${on ? 'on' : 'off'}.${name}`, {
          minutes: config.hold_minutes,
          count: config.grace_minutes,
        })}
      </p>
      {name === 'confirm_enabled' && on ? <MissedText config={config} /> : null}
      {name === 'waits_enabled' && !on && waiting > 0 ? (
        <p className="muted small">{t('admin.settings.rules.entriesKept', { count: waiting })}</p>
      ) : null}
      {numbers.length > 0 ? (
        <Cluster gap={3} align="start" className={styles.numbers}>
          {numbers.map((one) => (
            <StoredNumber
              key={one}
              label={t(`admin.settings.rules.${one}`)}
              stored={config[one]}
              min={SETTINGS[one].min}
              max={SETTINGS[one].max}
              store={(value) => updateConfig({ [one]: value })}
            />
          ))}
        </Cluster>
      ) : null}
    </Stack>
  );
}

/** Whether a number belongs to this switch and has an effect: one that depends on another number has none while that is 0. */
function isUnder(number: NumericSetting, name: ListedSwitch, config: Config): boolean {
  const { under } = SETTINGS[number];
  if (under === 'no_show_limit')
    return config.no_show_limit > 0 && isUnder('no_show_limit', name, config);
  return under === name && config[name] === 1;
}

/** The consequence of missed claims. */
function MissedText({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const { no_show_limit: count, no_show_days, no_show_pause_days } = config;
  const days = t('missedClaims.days', { count: no_show_days });
  const pause = t('missedClaims.days', { count: no_show_pause_days });
  return (
    <p className="muted small">
      {count === 0
        ? t('admin.settings.rules.missedOff')
        : t('admin.settings.rules.missedOn', { count, days, pause })}
    </p>
  );
}

const isRule = (name: Setting): name is Rule => name !== 'submission_enabled';
const RULES: readonly Rule[] = SETTING_NAMES.filter(isRule);

/** The rules of a preset that differ from the stored ones. */
const changesTo = (rules: Rules, config: Config): Rule[] =>
  RULES.filter((name) => rules[name] !== undefined && rules[name] !== config[name]);

/** Sets of rules. The admin sees the changes first; then one write applies them. */
function Presets({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const restore = useAction({
    work: (former: Rules) => updateConfig(former),
    done: () => showToast({ text: t('admin.settings.saved') }),
    failed: (reason) => t('admin.settings.failed', { reason }),
  });
  const wordsOf = (name: Rule, value: number | undefined): string =>
    SETTINGS[name].type === 'number'
      ? String(value)
      : t(value ? 'admin.settings.on' : 'admin.settings.off');
  const ask = (preset: Preset): void => {
    const rules: Rules = PRESETS[preset];
    const changes = changesTo(rules, config);
    confirm({
      harmless: true,
      title: t('admin.settings.rules.presets.title', {
        name: t(`admin.settings.rules.presets.${preset}`),
      }),
      text: (
        <Facts
          facts={changes.map((name) => ({
            name: t(`admin.settings.rules.${name}`),
            value: t('admin.activity.change', {
              from: wordsOf(name, config[name]),
              to: wordsOf(name, rules[name]),
            }),
          }))}
        />
      ),
      confirmLabel: t('admin.settings.rules.presets.apply'),
      onConfirm: async () => {
        await updateConfig(pick(rules, changes));
        const former = pick(config, changes);
        const undo = { label: t('board.quickClaim.undo'), onPress: () => restore.run(former) };
        showToast({ text: t('admin.settings.saved'), action: undo });
      },
      errorText,
    });
  };
  return (
    <Cluster>
      {(['relaxed', 'strict'] as const).map((preset) => (
        <Button
          key={preset}
          small
          disabled={changesTo(PRESETS[preset], config).length === 0}
          onClick={() => ask(preset)}
        >
          {t(`admin.settings.rules.presets.${preset}`)}
        </Button>
      ))}
    </Cluster>
  );
}

/** How many hours each member type may claim. */
function Budgets(): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const limit = (
    type: MemberType,
    field: 'max_hours_per_day' | 'max_hours_per_event',
    max: number,
  ) => (
    <StoredNumber<number | null>
      label={t(`admin.members.fields.${field}`)}
      stored={type[field]}
      min={1}
      max={max}
      empty={{ value: null, label: t('admin.members.noLimit') }}
      store={(hours) => updateMemberType(type.member_type, { [field]: hours })}
    />
  );
  return (
    <Panel title={t('admin.settings.rules.budgets')}>
      <Stack gap={5} className={styles.sections}>
        {[...types.values()].map((type) => (
          <fieldset key={type.member_type} aria-label={type.member_type} className={styles.budget}>
            <MemberTypeBadge memberType={type.member_type} />
            {limit(type, 'max_hours_per_day', MAX_HOURS_PER_DAY)}
            {limit(type, 'max_hours_per_event', MAX_HOURS_PER_EVENT)}
          </fieldset>
        ))}
      </Stack>
    </Panel>
  );
}
