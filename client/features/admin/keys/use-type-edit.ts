import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { setKeyMemberType } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { showToast } from '../../../ui/toast.tsx';

interface TypeEditState {
  id: number;
  memberType: string;
  busy: boolean;
  failure: string | null;
}

/** The one row whose member type is being edited. It lives outside the table, so that live changes do not lose it. */
export interface TypeEdit {
  state: TypeEditState | null;
  /** The row that was edited last: its button gets the focus back. */
  last: number | null;
  start: (key: AccessKey) => void;
  choose: (memberType: string) => void;
  save: () => void;
  cancel: () => void;
}

export function useTypeEdit(): TypeEdit {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [state, setState] = useState<TypeEditState | null>(null);
  const [last, setLast] = useState<number | null>(null);

  const end = (id: number): void => {
    setLast(id);
    setState(null);
  };
  const store = async ({ id, memberType }: TypeEditState): Promise<void> => {
    setState({ id, memberType, busy: true, failure: null });
    try {
      await setKeyMemberType(id, memberType);
      showToast({ text: t('admin.keys.typeChanged') });
      end(id);
    } catch (error) {
      setState({ id, memberType, busy: false, failure: t('admin.keys.typeFailed', { reason: errorText(error) }) });
    }
  };

  return {
    state,
    last,
    start: ({ id, member_type }) => setState({ id, memberType: member_type, busy: false, failure: null }),
    choose: (memberType) => setState((now) => now && { ...now, memberType, failure: null }),
    save: () => {
      if (state && !state.busy) void store(state);
    },
    cancel: () => {
      if (state && !state.busy) end(state.id);
    },
  };
}
