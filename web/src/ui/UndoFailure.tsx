import { Button } from './Button.tsx';
import { useSyncExternalStore } from 'react';
import { errorToText } from '../shared/error-text.ts';
import { Notice } from './Notice.tsx';
import { getFailedUndo, onToasts, reportFailedUndo } from './toasts.ts';

/** Above the page: an Undo that failed. The dialog that did the action is gone by then, and perhaps its page too. */
export function UndoFailure() {
  const failure = useSyncExternalStore(onToasts, getFailedUndo, getFailedUndo);
  if (!failure) return null;
  return (
    <Notice
      kind="error"
      title={`This could not be undone: ${failure.text}`}
      action={
        <Button size="sm" variant="default" onClick={() => reportFailedUndo(null)}>
          Close
        </Button>
      }
    >
      {errorToText(failure.error)}
    </Notice>
  );
}
