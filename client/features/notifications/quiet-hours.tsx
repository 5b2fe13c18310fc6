import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextInput } from '../../ui/fields/inputs.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './notifications.module.css';
import { areWhole } from './use-preferences.ts';

/** A night. */
const FIRST = { quiet_from: '23:00', quiet_until: '07:00' };
const NONE = { quiet_from: null, quiet_until: null };

interface QuietHoursProps {
  chosen: PushPreferences;
  choose: (change: Partial<PushPreferences>) => void;
  /** The zone of this device. */
  here: string;
}

/** When nothing is shown, and by which clock that and the times in notices go. */
export function QuietHours({ chosen, choose, here }: QuietHoursProps): ReactNode {
  const { t } = useTranslation();
  const { quiet_from: from, quiet_until: until, time_zone: zone } = chosen;
  const isOn = from !== null;
  const error = areWhole(chosen) ? null : t('notifications.quiet.wrong');
  return (
    <div className={styles.part}>
      <div className={styles.kind}>
        <Switch
          label={t('notifications.quiet.label')}
          state={isOn ? t('notifications.on') : t('notifications.off')}
          on={isOn}
          onChange={(on) => choose(on ? FIRST : NONE)}
        />
        <p className={styles.text}>{t('notifications.quiet.text')}</p>
      </div>
      {isOn ? (
        <div className={styles.times}>
          <Field label={t('notifications.quiet.from')} error={error}>
            <TextInput type="time" value={from} onChange={({ target }) => choose({ quiet_from: target.value })} />
          </Field>
          <Field label={t('notifications.quiet.until')}>
            <TextInput type="time" value={until ?? ''} onChange={({ target }) => choose({ quiet_until: target.value })} />
          </Field>
        </div>
      ) : null}
      <div className={styles.zone}>
        <Field label={t('notifications.zone.label')} hint={t('notifications.zone.hint')}>
          <Select value={zone} options={zones(zone)} onChange={(time_zone) => choose({ time_zone })} />
        </Field>
        {zone === here ? null : (
          <Button small onClick={() => choose({ time_zone: here })}>
            {t('notifications.zone.here', { zone: readable(here) })}
          </Button>
        )}
      </div>
    </div>
  );
}

const readable = (zone: string): string => zone.replaceAll('_', ' ');

/** All that this browser knows, and the one that is chosen. */
function zones(chosen: string): { value: string; label: string }[] {
  const known = new Set(Intl.supportedValuesOf('timeZone'));
  return [...(known.has(chosen) ? [] : [chosen]), ...known].map((value) => ({ value, label: readable(value) }));
}
