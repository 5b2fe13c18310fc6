import { type ReactNode, useState } from 'react';
import { Alert, FailedLoad } from '../alert.tsx';
import { Badge, type BadgeTone } from '../badge.tsx';
import { BlockedButton, Button, IconButton } from '../button.tsx';
import { CopyableCode } from '../copyable-code.tsx';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Emblem } from '../emblem.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Checkbox } from '../fields/checkbox.tsx';
import { ColorInput } from '../fields/color-input.tsx';
import { DateChips } from '../fields/date-chips.tsx';
import { DateInput } from '../fields/date-input.tsx';
import { Field } from '../fields/field.tsx';
import { FileInput } from '../fields/file-input.tsx';
import { PasswordInput, SearchInput, TextArea, TextInput } from '../fields/inputs.tsx';
import { Segmented } from '../fields/segmented.tsx';
import { Select } from '../fields/select.tsx';
import { SuggestedInput } from '../fields/suggested-input.tsx';
import { Switch } from '../fields/switch.tsx';
import { Found } from '../found.tsx';
import { Help } from '../help.tsx';
import { HourRangeInput } from '../hours/hour-range.tsx';
import { CloseIcon } from '../icons.tsx';
import { Cluster, Facts, Stack } from '../layout.tsx';
import { MemberTypeBadge } from '../member-type-badge.tsx';
import { Menu } from '../menu.tsx';
import { MenuChoices, MenuItem, MenuLabel, MenuSeparator } from '../menu-list.tsx';
import { Panel } from '../panel.tsx';
import { PartFailed } from '../part-failed.tsx';
import { Loading, Skeleton } from '../skeleton.tsx';
import { Step, StepList } from '../step-list.tsx';
import { Tabs } from '../tabs.tsx';
import { showToast } from '../toast.tsx';
import { TwoStepButton } from '../two-step-button.tsx';

const VARIANTS = ['primary', 'plain', 'quiet', 'danger'] as const;
const TONES = ['plain', 'good', 'bad', 'accent'] as const;
const BADGES: readonly BadgeTone[] = ['plain', 'good', 'bad', 'accent', 'solid'];
const TEXTS = ['muted', 'faint small', 'bad fine medium', 'good semibold', 'strong'] as const;
const DATES = ['2026-11-25', '2026-11-26', '2026-11-27'];
const CHOICES = ['one', 'two', 'three'] as const;
type Choice = (typeof CHOICES)[number];
const options = CHOICES.map((value) => ({ value, label: `Choice ${value}` }));
const LIMITS = { voucher: 6, taken: [{ hour_start: 2, hour_end: 5 }], over: 1 };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every part of `ui/` in both themes, which `npm run dev -- parts` opens. The product does not contain it. */
export function PartsPage(): ReactNode {
  return (
    <div
      style={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(360px, 100%), 1fr))',
      }}
    >
      {(['light', 'dark'] as const).map((colorScheme) => (
        <div
          key={colorScheme}
          style={{ colorScheme, padding: 16, background: 'var(--bg)', color: 'var(--text)' }}
        >
          <Stack gap={4}>
            <h1>{colorScheme}</h1>
            <Buttons />
            <Messages />
            <Fields />
            <Texts />
            <Overlays />
            <Chosen />
          </Stack>
        </div>
      ))}
    </div>
  );
}

function Buttons(): ReactNode {
  return (
    <Panel title="Buttons">
      <Stack>
        {[false, true].map((small) => (
          <Cluster key={String(small)}>
            {VARIANTS.map((variant) => (
              <Button key={variant} variant={variant} small={small}>
                {variant}
              </Button>
            ))}
            <IconButton label="Close" icon={<CloseIcon />} small={small} />
          </Cluster>
        ))}
        <Cluster>
          <Button variant="primary" busy>
            Busy
          </Button>
          <Button disabled>Disabled</Button>
          <BlockedButton reason="Says why on hover, focus or tap">Blocked</BlockedButton>
          <Help
            topic="Buttons"
            text="What the feature does for the reader, in one short paragraph."
          />
          <TwoStepButton
            label="Two steps"
            confirmLabel="Really"
            name="Two steps"
            confirmName="Really"
            warning="What will be lost."
            onConfirm={() => wait(1000)}
          />
        </Cluster>
      </Stack>
    </Panel>
  );
}

function Messages(): ReactNode {
  return (
    <Panel title="Messages">
      <Stack>
        {TONES.map((tone) => (
          <Alert key={tone} tone={tone} title={`Tone ${tone}`} action={<Button small>Help</Button>}>
            What happened, then what to do.
          </Alert>
        ))}
        <FailedLoad
          sentence="Failed to load"
          reason="The server could not be reached."
          onTryAgain={() => {}}
        />
        <EmptyState
          title="Nothing here"
          text="What happens next."
          action={<Button>Next step</Button>}
        />
        <PartFailed />
        <Loading>
          <Stack gap={2}>
            <Skeleton width="60%" />
            <Skeleton height={40} />
          </Stack>
        </Loading>
        <Cluster>
          {TONES.map((tone) => (
            <Button key={tone} small onClick={() => showToast({ tone, text: `A toast, ${tone}` })}>
              Toast, {tone}
            </Button>
          ))}
        </Cluster>
      </Stack>
    </Panel>
  );
}

function Fields(): ReactNode {
  const [color, setColor] = useState('#3182ce');
  const [date, setDate] = useState(DATES[0] ?? '');
  const [name, setName] = useState('');
  const [hours, setHours] = useState({ hour_start: 14, hour_end: 18 });
  return (
    <Panel title="Fields">
      <Stack>
        <Field label="Text" hint="A hint">
          <TextInput placeholder="Placeholder" />
        </Field>
        <Field label="Text with an error" error="Where the mistake is, in words">
          <TextInput defaultValue="Wrong" />
        </Field>
        <Field label="Area">
          <TextArea />
        </Field>
        <Field label="Password">
          <PasswordInput />
        </Field>
        <SearchInput label="Search" />
        <Field label="Colour">
          <ColorInput value={color} onChange={setColor} pickLabel="Pick a colour" />
        </Field>
        <Field label="Date">
          <DateInput value={date} onChange={(event) => setDate(event.target.value)} />
        </Field>
        <Field label="Text with suggestions">
          <SuggestedInput value={name} suggestions={CHOICES} onChange={setName} />
        </Field>
        <HourRangeInput
          date={date}
          hours={hours}
          limits={LIMITS}
          taken={LIMITS.taken}
          disabled={false}
          onChange={setHours}
        />
        <DateChips label="Dates" dates={DATES} today={DATES[0]} value={date} onChange={setDate} />
        <FileInput accept="image/*" text="Choose a file" onFile={() => {}} />
        <Checkbox label="Checkbox" />
        <Checkbox label="Disabled" disabled />
      </Stack>
    </Panel>
  );
}

function Chosen(): ReactNode {
  const [choice, setChoice] = useState<Choice>('one');
  const [on, setOn] = useState(true);
  return (
    <Panel title="Choices">
      <Stack>
        <Select label="Select" value={choice} options={options} onChange={setChoice} />
        <Segmented label="Segmented" value={choice} options={options} onChange={setChoice} />
        <Switch label="Switch" state={on ? 'On' : 'Off'} on={on} onChange={setOn} />
        <Tabs label="Tabs" value={choice} tabs={options} onChange={setChoice}>
          The tab's own content
        </Tabs>
        <Menu trigger={<Button>Menu</Button>}>
          <MenuLabel>Label</MenuLabel>
          <MenuItem onSelect={() => {}}>Item</MenuItem>
          <MenuItem danger onSelect={() => {}}>
            Destructive item
          </MenuItem>
          <MenuSeparator />
          <MenuChoices label="Choices" value={choice} options={options} onChange={setChoice} />
        </Menu>
      </Stack>
    </Panel>
  );
}

function Texts(): ReactNode {
  return (
    <Panel title="Texts">
      <Stack>
        <StepList>
          <Step title="First">
            <p>What to do</p>
          </Step>
          <Step title="Then">
            <p>What to do next</p>
          </Step>
        </StepList>
        <StepList look="rows">
          <Step title="A step" state="done" status="Done" action={<Button small>Edit</Button>} />
          <Step title="A step" state="failed" status="Failed">
            <p>Why it failed</p>
          </Step>
          <Step title="A step" state="waiting" status="Waiting" />
        </StepList>
        <Cluster>
          {BADGES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <MemberTypeBadge memberType="elite" color="#805ad5" />
          <MemberTypeBadge memberType="vice" color="#e53e3e" />
          <Emblem src="/assets/respawns/1" name="Fire Library" />
        </Cluster>
        <Cluster>
          {TEXTS.map((className) => (
            <span key={className} className={className}>
              {className}
            </span>
          ))}
        </Cluster>
        <CopyableCode text="KCTZ-22Z3-3G5D" copyLabel="Copy" />
        <p>
          <Found text="Demona Warlocks" search="war" />
        </p>
        <Facts
          facts={[
            { name: 'Server save', value: '10:00' },
            { name: 'Time zone', value: 'Europe/Berlin', more: 'A second line' },
          ]}
        />
        <Facts
          columns
          facts={[
            { name: 'Claims', value: 128 },
            { name: 'Members', value: 60, more: '4 here now' },
          ]}
        />
      </Stack>
    </Panel>
  );
}

function Overlays(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'confirmation' | null>(null);
  return (
    <Panel title="Overlays">
      <Cluster>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirmation')}>Confirmation</Button>
      </Cluster>
      <Dialog
        open={open === 'dialog'}
        onOpenChange={() => setOpen(null)}
        title="Dialog"
        description="What it is for."
      >
        <Field label="Text">
          <TextInput />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirmation'}
        onOpenChange={() => setOpen(null)}
        title="Delete Fire Library?"
        text="What will be lost."
        confirmLabel="Delete spot"
        onConfirm={() => wait(1000)}
      />
    </Panel>
  );
}
