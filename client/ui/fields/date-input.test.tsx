import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { changeLanguage, type Language } from '../../i18n.ts';
import { DateInput } from './date-input.tsx';
import { Field } from './field.tsx';

afterEach(() => changeLanguage('en'));

const EXAMPLES: [Language, string, string, string][] = [
  ['en', 'Sat 21 Nov 2026', 'Sat 21 Nov 2026, 20:30', 'Choose a date'],
  ['es', 'sáb 21 nov 2026', 'sáb 21 nov 2026, 20:30', 'Elige una fecha'],
  ['pt', 'sáb 21 de nov de 2026', 'sáb 21 de nov de 2026, 20:30', 'Escolha uma data'],
];

test.each(EXAMPLES)(
  'in %s a field reads its date as the rest of the page, whatever the browser speaks',
  async (language, date, time, none) => {
    await changeLanguage(language);
    render(
      <>
        <Field label="Day">
          <DateInput value="2026-11-21" onChange={() => {}} />
        </Field>
        <Field label="Time">
          <DateInput withTime value="2026-11-21T20:30" onChange={() => {}} />
        </Field>
        <Field label="None">
          <DateInput value="" onChange={() => {}} />
        </Field>
      </>,
    );
    const textOf = (label: string) =>
      screen.getByLabelText(label).nextElementSibling?.textContent?.replace(/^(\S+),/, '$1');
    expect([textOf('Day'), textOf('Time'), textOf('None')]).toEqual([date, time, none]);
    expect(screen.getByLabelText('Day')).toHaveProperty('type', 'date');
    expect(screen.getByLabelText('Time')).toHaveProperty('type', 'datetime-local');
  },
);
