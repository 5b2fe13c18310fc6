import { Component, type ReactNode } from 'react';
import { reportError } from '../api/report-error.ts';
import { PartMissing } from '../lib/loading/lazy-part.ts';

interface Props {
  /** In its place once it has failed. */
  instead: (tryAgain: () => void) => ReactNode;
  children: ReactNode;
}

/** What fails in here leaves the rest standing. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartMissing) error.forget();
    reportError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead(() => this.setState({ failed: false })) : this.props.children;
  }
}
