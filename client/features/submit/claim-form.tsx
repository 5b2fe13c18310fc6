import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './claim-form.module.css';
import { ClaimSummary } from './claim-summary.tsx';
import { DayPanel } from './day-panel.tsx';
import { ExtrasPanel } from './extras-panel.tsx';
import { type ClaimFormInput, useClaimForm } from './use-claim-form.ts';
import { WhenPanel } from './when-panel.tsx';
import { WherePanel } from './where-panel.tsx';

/** The form in the order of thought: where, when, for how long, extras; beside it the claim as it will be. */
export function ClaimForm({ today, ...input }: ClaimFormInput & { today: string }): ReactNode {
  const { profile, event, voucher } = input;
  const form = useClaimForm(input);
  const element = useRef<HTMLFormElement>(null);
  const [misses, setMisses] = useState(0);

  // What is missing may lie far above the button.
  useEffect(() => {
    if (misses > 0) firstMistake(element.current)?.focus();
  }, [misses]);

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!form.submit()) setMisses((count) => count + 1);
  };

  return (
    <form ref={element} noValidate className={styles.form} onSubmit={onSubmit}>
      <fieldset disabled={form.submission.status === 'busy'} className={styles.steps}>
        <WherePanel form={form} />
        <WhenPanel form={form} event={event} voucher={voucher} today={today} />
        {event?.type === 'single_claim' ? null : <ExtrasPanel form={form} event={event} voucher={voucher} />}
      </fieldset>
      <div className={styles.aside}>
        <ClaimSummary form={form} character_name={profile.characterName} />
        <DayPanel form={form} character_name={profile.characterName} today={today} />
      </div>
    </form>
  );
}

/** The spot if that is wrong, then the dates, then the start hour. */
function firstMistake(form: HTMLFormElement | null): HTMLElement | null {
  const candidates = [
    '[role="combobox"][aria-invalid]',
    '[role="group"] input[type="checkbox"]:not(:checked)',
    '[data-hour][tabindex="0"]',
  ];
  const hasDates = form?.querySelector('[data-hour]') !== null;
  for (const selector of hasDates ? candidates.filter((_, i) => i !== 1) : candidates) {
    const found = form?.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}
