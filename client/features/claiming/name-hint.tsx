import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useKnownCharacters } from '../../state/known-characters.ts';
import { Button } from '../../ui/button.tsx';
import { Cluster } from '../../ui/layout.tsx';

interface NameHintProps {
  name: string;
  onTake: (name: string) => void;
}

/** Says below a name field that no key has the name, and offers the nearest one. Any name may be claimed for, so it refuses nothing. */
export function NameHint({ name, onTake }: NameHintProps): ReactNode {
  const { t } = useTranslation();
  const { isWithoutKey, nearestTo } = useKnownCharacters();
  if (!isWithoutKey(name)) return null;
  const nearest = nearestTo(name);
  return (
    <Cluster className="faint small">
      <span>{t('submit.admin.noKey')}</span>
      {nearest === null ? null : (
        <Button small onClick={() => onTake(nearest)}>
          {t('submit.admin.nearest', { name: nearest })}
        </Button>
      )}
    </Cluster>
  );
}
