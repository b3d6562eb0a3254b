import { lazy, Suspense } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorBoundary } from '../../../../ui/ErrorBoundary.tsx';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { PreviewFailure } from './PreviewFailure.tsx';

// The PDF renderer is larger than the whole portal, so it loads with the first preview.
const PreviewPages = lazy(() => import('./PreviewPages.tsx'));

interface Props {
  /** Stays visible while the dialog closes. */
  book: Pick<Book, 'title' | 'preview'> | null;
  isOpen: boolean;
  onClose: () => void;
}

/** A book to leaf through. */
export function PreviewDialog({ book, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen && book !== null} onClose={onClose} title={book?.title ?? ''} size="lg">
      {book?.preview && (
        <ErrorBoundary key={book.preview} fallback={<PreviewFailure address={book.preview} />}>
          <Suspense fallback={<PageSkeleton rows={8} />}>
            <PreviewPages address={book.preview} title={book.title} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Dialog>
  );
}
