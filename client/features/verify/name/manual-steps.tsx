import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../ui/panel.tsx';
import { Instruction, Instructions } from '../code/instructions.tsx';

/** How to come by a key where an admin hands them out. */
export function ManualSteps(): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel title={t('verify.manual.title')}>
      <Instructions>
        <Instruction title={t('verify.manual.ask.title')}>{t('verify.manual.ask.text')}</Instruction>
        <Instruction title={t('verify.manual.login.title')}>{t('verify.manual.login.text')}</Instruction>
        <Instruction title={t('verify.manual.claim.title')}>{t('verify.manual.claim.text')}</Instruction>
      </Instructions>
    </Panel>
  );
}
