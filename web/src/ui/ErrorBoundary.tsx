import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown instead of the children when one of them throws or its script does not load. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Limits an error to a part of the screen. React reports the error to the console. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
