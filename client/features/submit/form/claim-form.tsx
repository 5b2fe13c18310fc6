import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Claimant } from '../../claiming/draft/submission-body.ts';
import styles from './claim-form.module.css';
import { ClaimSummary } from './claim-summary.tsx';
import { DayPanels } from './day-panel.tsx';
import { ExtrasPanel } from './extras-panel.tsx';
import { type ClaimFormInput, useClaimForm } from './use-claim-form.ts';
import { WhenPanel } from './when-panel.tsx';
import { WherePanel } from './where-panel.tsx';
import { WhoPanel } from './who-panel.tsx';

export interface ClaimFormProps extends ClaimFormInput {
  /** Given where the claimant can be chosen: an admin's form. */
  onClaimant?: ((claimant: Claimant) => void) | undefined;
}

/** The form in the order of thought: where, when, for how long, extras; beside it the claim as it will be. */
export function ClaimForm({ onClaimant, ...input }: ClaimFormProps): ReactNode {
  const { claimant, event, voucher, maySecondary, closed, time } = input;
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
      <fieldset disabled={closed || form.submission.status === 'busy'} className={styles.steps}>
        {onClaimant ? (
          <WhoPanel
            claimant={claimant}
            tried={form.state.tried}
            onChange={(next) => {
              form.forget();
              onClaimant(next);
            }}
          />
        ) : null}
        <WherePanel form={form} time={time} />
        <WhenPanel form={form} event={event} voucher={voucher} time={time} character_name={claimant.character_name} />
        <ExtrasPanel form={form} event={event} voucher={voucher} maySecondary={maySecondary} time={time} />
      </fieldset>
      <div className={styles.aside}>
        <ClaimSummary form={form} character_name={claimant.character_name} member_type={claimant.member_type} closed={closed} />
        <DayPanels form={form} character_name={claimant.character_name} today={time.today} />
      </div>
    </form>
  );
}

/** What is marked as wrong, then the dates where none is chosen, then the start hour. */
function firstMistake(form: HTMLFormElement | null): HTMLElement | null {
  const hasRows = form?.querySelector('[data-row]') !== null;
  const candidates = [
    '[aria-invalid]',
    ...(hasRows ? [] : ['[role="group"] input[type="checkbox"]:not(:checked)']),
    '[data-hour][tabindex="0"]',
  ];
  for (const selector of candidates) {
    const found = form?.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}
