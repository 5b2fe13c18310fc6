import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NEWS_KEY } from '../../../../../shared/news-keys.ts';
import { NEWS_TYPES, type NewsType } from '../../../../../shared/schemas/news.ts';
import { Button } from '../../../../ui/button.tsx';
import { classes } from '../../../../ui/classes.ts';
import { Checkbox } from '../../../../ui/fields/inputs.tsx';
import styles from './destination-form.module.css';

interface HeardFieldsProps {
  events: readonly NewsType[];
  problem: string | undefined;
  /** Of which type a message is shown. */
  example: NewsType;
  onChange: (events: NewsType[]) => void;
  onExample: (type: NewsType) => void;
  /** The message itself where there is no room beside the fields: it stands below its type then. */
  below: ReactNode;
}

/** What it hears, each with an example at a press; what is pressed last is shown, too. */
export function HeardFields({ events, problem, example, onChange, onExample, below }: HeardFieldsProps): ReactNode {
  const { t } = useTranslation();
  const all = events.length === NEWS_TYPES.length;
  return (
    <fieldset data-field="events" className={styles.heard}>
      <div className={styles.heardHead}>
        <legend className={styles.label}>{t('admin.notifications.form.events')}</legend>
        <Button small variant="quiet" onClick={() => onChange(all ? [] : [...NEWS_TYPES])}>
          {t(all ? 'admin.notifications.form.none' : 'admin.notifications.form.all')}
        </Button>
      </div>
      <ul>
        {NEWS_TYPES.map((type) => {
          const name = t(`admin.notifications.news.${NEWS_KEY[type]}.name`);
          const isShown = example === type;
          return (
            <li key={type} className={classes(styles.type, isShown && styles.shown)}>
              <div className={styles.typeRow}>
                <Checkbox
                  label={name}
                  checked={events.includes(type)}
                  onChange={(event) => {
                    onChange(event.target.checked ? [...events, type] : events.filter((one) => one !== type));
                    onExample(type);
                  }}
                />
                <Button
                  small
                  variant="quiet"
                  aria-pressed={isShown}
                  onClick={() => onExample(type)}
                  aria-label={t('admin.notifications.form.exampleOf', { name })}
                >
                  {t('admin.notifications.form.example')}
                </Button>
              </div>
              {isShown ? (
                <>
                  <p className={styles.about}>{t(`admin.notifications.news.${NEWS_KEY[type]}.text`)}</p>
                  {below}
                </>
              ) : null}
            </li>
          );
        })}
      </ul>
      {problem ? (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}
