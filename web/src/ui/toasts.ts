export interface Toast {
  id: number;
  text: string;
  /** A second line: whom or what it was done to. */
  detail?: string;
  /** Takes the action back. The toast stays longer when it is there. */
  undo?: () => Promise<unknown>;
}

/** An action that was to be taken back and stands. */
export interface FailedUndo {
  /** What was done, as the toast said it. */
  text: string;
  error: unknown;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
let failedUndo: FailedUndo | null = null;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says on the page, whichever it is by now, that an action could not be taken back; null takes the notice away. */
export function reportFailedUndo(failure: FailedUndo | null): void {
  failedUndo = failure;
  for (const listener of listeners) listener();
}

export const getFailedUndo = (): FailedUndo | null => failedUndo;

/** What is said where the specification has no text of its own. */
export const DEFAULT_SUCCESS = 'The action was successful';

/** Says that something worked. Failures stay on the page instead: see Notice and ErrorSummary. */
export function showToast(text: string, options: Pick<Toast, 'detail' | 'undo'> = {}): void {
  // More than three at once nobody reads.
  change([...toasts.slice(-2), { id: nextId++, text, ...options }]);
}

export const dismissToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id));
export const getToasts = (): readonly Toast[] => toasts;
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
