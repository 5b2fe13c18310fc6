import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** 16 by 16, drawn with the text's colour; the control around it carries the name. */
function Icon({ size = 16, children }: IconProps & { children: ReactNode }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const ChevronDownIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m4 6 4 4 4-4" />
  </Icon>
);
export const ChevronLeftIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m10 4-4 4 4 4" />
  </Icon>
);
export const ChevronRightIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m6 4 4 4-4 4" />
  </Icon>
);
export const CheckIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m3.5 8.5 3 3 6-7" />
  </Icon>
);
export const CloseIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m4 4 8 8m0-8-8 8" />
  </Icon>
);
export const RepeatIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M3 7.5a5 5 0 0 1 9-2.5l1 1.5m0-3.5v3.5H9.5M13 8.5a5 5 0 0 1-9 2.5l-1-1.5m0 3.5V9.5h3.5" />
  </Icon>
);
export const CopyIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-.25c0-.7-.55-1.25-1.25-1.25h-5.5C3.05 2 2.5 2.55 2.5 3.25v5.5c0 .7.55 1.25 1.25 1.25H4" />
  </Icon>
);
export const MenuIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2.5 4.5h11m-11 3.5h11m-11 3.5h11" />
  </Icon>
);
export const SearchIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.2 10.2 3.3 3.3" />
  </Icon>
);
export const FilterIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2.5 4.5h11M4.5 8h7m-5 3.5h3" />
  </Icon>
);
export const IndexIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.8m-.8 4h.8m-.8 4h.8" />
  </Icon>
);
export const CardsIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2.5 3h4.5v4.5H2.5zM9 3h4.5v4.5H9zM2.5 9.5h4.5V13H2.5zM9 9.5h4.5V13H9z" />
  </Icon>
);
export const TimelineIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2 4h6M5 8h8M3 12h5" />
  </Icon>
);
export const PlusIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);
export const UserIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="8" cy="5.25" r="2.75" />
    <path d="M2.75 13.5c.6-2.6 2.6-4 5.25-4s4.65 1.4 5.25 4" />
  </Icon>
);
export const EyeIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M1.5 8S3.75 3.75 8 3.75 14.5 8 14.5 8 12.25 12.25 8 12.25 1.5 8 1.5 8Z" />
    <circle cx="8" cy="8" r="1.75" />
  </Icon>
);
export const EyeOffIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M6.3 4A6.4 6.4 0 0 1 8 3.75C12.25 3.75 14.5 8 14.5 8a11 11 0 0 1-1.9 2.35M4 5.1A10.6 10.6 0 0 0 1.5 8S3.75 12.25 8 12.25A6.3 6.3 0 0 0 11 11.500M2.5 2.500l11 11" />
  </Icon>
);
const SunIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.500v1.200m0 10.600v1.200M1.5 8h1.200m10.6 0h1.200M3.4 3.400l.85.85m7.5 7.5.85.85m0-9.2-.85.85m-7.5 7.5-.85.85" />
  </Icon>
);
const MoonIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M13.5 9.600A5.9 5.9 0 0 1 6.4 2.500a5.9 5.9 0 1 0 7.1 7.100Z" />
  </Icon>
);
const ScreenIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <rect x="2" y="3" width="12" height="8" rx="1.5" />
    <path d="M6 13.500h4" />
  </Icon>
);
/** A screen with activity on it. */
export const WatchIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <rect x="1.5" y="2.5" width="13" height="9.5" rx="1.5" />
    <path d="M4 7.5h1.75L7 5l2 4.5 1.25-2H12M5.5 14.5h5" />
  </Icon>
);
export const ClockIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 4.75V8l2.25 1.5" />
  </Icon>
);
/** A sandglass: hours that are waited for. */
export const QueueIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M4 2.5h8M4 13.5h8M5 2.5v2.2L8 8l3-3.3V2.5M5 13.5v-2.2L8 8l3 3.3v2.2" />
  </Icon>
);
export const MinusCircleIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M5.5 8h5" />
  </Icon>
);
export const BanIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="5.75" />
    <path d="m4 4 8 8" />
  </Icon>
);
export const CameraIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2 5.75c0-.7.55-1.25 1.25-1.25H5l1-1.75h4l1 1.75h1.75c.7 0 1.25.55 1.25 1.25v6c0 .7-.55 1.25-1.25 1.25h-9.5c-.7 0-1.25-.55-1.25-1.25v-6Z" />
    <circle cx="8" cy="8.6" r="2.25" />
  </Icon>
);
export const PrintIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M4.5 6V2.5h7V6M4.5 11.5H3.25c-.7 0-1.25-.55-1.25-1.25v-3C2 6.55 2.55 6 3.25 6h9.5c.7 0 1.25.55 1.25 1.25v3c0 .7-.55 1.25-1.25 1.25H11.5m-7-2h7v4h-7Z" />
  </Icon>
);
export const DownloadIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M8 2.5v7.5m-3-3 3 3 3-3M3 13.5h10" />
  </Icon>
);
export const UploadIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M8 10V2.5m-3 3 3-3 3 3M3 13.5h10" />
  </Icon>
);
export const MoreIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2.25} />
  </Icon>
);
export const SettingsIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="M2.5 4.5h5m4 0h2m-11 7h2m4 0h5" />
    <circle cx="9.5" cy="4.5" r="1.75" />
    <circle cx="6.5" cy="11.5" r="1.75" />
  </Icon>
);

/** The hour strip in small: two claims, a gap, and free hours. */
export function Logo({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 1h3.5v22H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5Z" fill="var(--accent)" />
      <path d="M11 1h5.5v22H11Z" fill="var(--accent)" />
      <path d="M18 1a5 5 0 0 1 5 5v12a5 5 0 0 1-5 5Z" fill="var(--line)" />
    </svg>
  );
}
export const StarIcon = (props: IconProps): ReactNode => (
  <Icon {...props}>
    <path d="m8 2 1.8 3.8 4.2.5-3.1 2.9.8 4.1L8 11.3l-3.7 2 .8-4.1L2 6.3l4.2-.5z" />
  </Icon>
);

/** One for each appearance. */
export const THEME_ICONS = { system: ScreenIcon, light: SunIcon, dark: MoonIcon };
