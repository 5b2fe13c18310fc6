import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aClaim, anActiveEvent } from '../../test/records.ts';
import { BudgetLine } from './claim-summary.tsx';
import { memberTypeOf } from './test/records.ts';
import { profile, signIn } from './test/show-submit-page.tsx';

const show = () =>
  render(<BudgetLine character_name={profile.characterName} member_type="member" />);

test('R9.27, R9.28: the form shows what is left of a type’s budget, for an event minus one’s claims in it', () => {
  const claim = aClaim({
    event_id: 1,
    character_name: profile.characterName.toUpperCase(),
    hour_start: 10,
    hour_end: 14,
  });
  signIn({
    member_type: [memberTypeOf({ max_hours_per_day: 3, max_hours_per_event: 10 })],
    event: [anActiveEvent({ id: 1 })],
    claim: [claim, aClaim({ id: 2, event_id: 1, character_name: 'Somebody Else' })],
  });
  show();
  expect(screen.getByText('At most 3 h a day · 6 of 10 h left in this event')).toBeTruthy();
});

test('shows nothing if the type has no budget, or only one for an event and none is active', () => {
  signIn({});
  expect(show().container.textContent).toBe('');
  signIn({ member_type: [memberTypeOf({ max_hours_per_event: 10 })] });
  expect(show().container.textContent).toBe('');
});
