import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Step, StepList } from './step-list.tsx';

test('each step has its title, text and action; one with a state says it in a word', () => {
  render(
    <StepList look="rows">
      <Step
        title="Save the app"
        state="done"
        status="Done"
        action={<button type="button">Edit</button>}
      >
        <p>Saved at noon</p>
      </Step>
      <Step title="Register commands" state="failed" status="Failed" name="commands" />
      <Step title="Invite the app" />
    </StepList>,
  );
  const [saved, commands, invite] = screen.getAllByRole('listitem');
  if (!saved || !commands || !invite) throw new Error('steps are missing');
  expect(saved.textContent).toBe('Save the appDoneEditSaved at noon');
  expect(within(saved).getByRole('heading').textContent).toBe('Save the app');
  expect(within(commands).getByRole('status').textContent).toBe('Failed');
  expect([saved, commands, invite].map(({ dataset }) => dataset.state)).toEqual([
    'done',
    'failed',
    undefined,
  ]);
  expect(commands.dataset.step).toBe('commands');
});
