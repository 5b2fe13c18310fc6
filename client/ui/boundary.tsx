import { Component, type ReactNode } from 'react';
import { reportError } from '../api/report-error.ts';
import { PartMissing } from '../lib/loading/lazy-part.ts';
import { onReconnect } from '../lib/page-events.ts';

interface Failure {
  /** `missing`: a part of the program could not be fetched. `crash`: its code threw. */
  cause: 'missing' | 'crash';
  /** How many times it has failed. */
  count: number;
}

interface Props {
  /** Drawn in place of the children after they failed. */
  instead: (tryAgain: () => void, failure: Failure) => ReactNode;
  /** A change of it, such as another page's path, tries again. */
  resetOn?: string;
  children: ReactNode;
}
interface State {
  cause: Failure['cause'] | null;
  count: number;
  resetOn: string | undefined;
}

/** Keeps a failure of its children from the rest of the page. A part that could not be fetched is tried again on reconnect. */
export class Boundary extends Component<Props, State> {
  override state: State = { cause: null, count: 0, resetOn: this.props.resetOn };
  private stopListening = (): void => {};

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { cause: error instanceof PartMissing ? 'missing' : 'crash' };
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: State): State | null {
    return resetOn === state.resetOn ? null : { cause: null, count: 0, resetOn };
  }

  override componentDidMount(): void {
    this.stopListening = onReconnect(() => {
      if (this.state.cause === 'missing') this.tryAgain();
    });
  }

  override componentWillUnmount(): void {
    this.stopListening();
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartMissing) error.forget();
    reportError(error);
    this.setState(({ count }) => ({ count: count + 1 }));
  }

  private tryAgain = (): void => this.setState({ cause: null });

  override render(): ReactNode {
    const { cause, count } = this.state;
    return cause ? this.props.instead(this.tryAgain, { cause, count }) : this.props.children;
  }
}
