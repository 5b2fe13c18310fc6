import { type ComponentProps, type ReactNode, useId } from 'react';
import { TextInput } from './inputs.tsx';

export function SuggestedInput({
  suggestions,
  ...rest
}: ComponentProps<'input'> & { suggestions: readonly string[] }): ReactNode {
  const list = useId();
  return (
    <>
      <TextInput {...rest} list={list} autoComplete="off" spellCheck={false} />
      <datalist id={list}>
        {suggestions.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}
