import { type BoundFunctions, type queries, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Elements of the form, found by role and label. */

export const submitButton = (): HTMLElement => screen.getByRole('button', { name: /^Submit/ });
export const dialog = (): BoundFunctions<typeof queries> => within(screen.getByRole('dialog'));
export const part = (number: number): BoundFunctions<typeof queries> =>
  within(dialog().getByRole('group', { name: new RegExp(`^Part ${number} `) }));

type Within = Pick<BoundFunctions<typeof queries>, 'getByRole'>;
export const hourIn = (where: Within, hour: number): HTMLElement =>
  where.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });

export async function chooseSpot(where: Within, label: string, spot: string): Promise<void> {
  await userEvent.click(where.getByRole('combobox', { name: label }));
  await userEvent.click(where.getByRole('option', { name: spot }));
}

export const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));

/** An option's name; its free hours only describe it. */
export const nameOf = (option: HTMLElement): string =>
  document.getElementById(option.getAttribute('aria-labelledby') ?? '')?.textContent ?? '';
export const descriptionOf = (option: HTMLElement): string =>
  document.getElementById(option.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
