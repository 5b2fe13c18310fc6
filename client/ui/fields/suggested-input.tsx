import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCombobox } from './combobox.ts';
import { TextInput } from './inputs.tsx';

interface SuggestedInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string;
  suggestions: readonly string[];
  onChange: (text: string) => void;
  /** Enter chooses the first suggestion if no other is highlighted. */
  takesFirst?: boolean;
}

/** A text input that suggests known values and accepts any. */
export function SuggestedInput({
  value,
  suggestions,
  onChange,
  takesFirst = false,
  ...rest
}: SuggestedInputProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const options = suggestions.flatMap((text, id) => (text === value ? [] : [{ id, text }]));
  const { box, input, list, optionOf, onType } = useCombobox({
    label: t('common.suggestions'),
    options,
    isOpen: isOpen && options.length > 0 && !rest.readOnly,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
    onChoose: ({ text }) => {
      onChange(text);
      setOpen(false);
    },
    takesFirst,
    isFreeText: true,
  });
  return (
    <div {...box}>
      <TextInput
        {...rest}
        {...input}
        value={value}
        onChange={({ target }) => {
          onType();
          setOpen(true);
          onChange(target.value);
        }}
      />
      {input['aria-expanded'] ? (
        <div {...list}>
          {options.map((option) => (
            <div key={option.id} {...optionOf(option)}>
              {option.text}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
