import { Button } from '../../../ui/Button.tsx';
import { IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from '../../../shared/router.ts';
import type { Book } from '#contract/calls/books.ts';
import { paths } from '../../../paths.ts';
import { ApiError, isNotFound } from '../../../shared/api-error.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PupilNotFound } from '../../school/school/school.public.ts';
import { BookTags } from './components/BookTags.tsx';
import { Cover } from './components/Cover.tsx';
import { LevelBadge } from './components/LevelBadge.tsx';
import { PreviewDialog } from './components/PreviewDialog.tsx';
import { ReadingHistory } from './components/ReadingHistory.tsx';
import { SessionFigures } from './components/SessionFigures.tsx';
import { pupilBookQuery } from './pupil-book.api.ts';
import css from './PupilBookPage.module.css';

/** A book as one pupil has read it. */
export default function PupilBookPage() {
  const pupilId = useIdParam();
  const book = useIdParam('bookId');
  if (pupilId === undefined) return <PupilNotFound />;
  return book === undefined ? <BookNotFound pupilId={pupilId} /> : <PupilBook pupilId={pupilId} bookId={book} />;
}

const assignment = ({ assigned_via }: Book): string =>
  assigned_via === 'group' ? 'Assigned via class' : assigned_via === 'reader' ? 'Assigned to pupil' : 'Not assigned';

function PupilBook({ pupilId, bookId }: { pupilId: number; bookId: number }) {
  const { data, error, refetch } = usePrefetchedQuery(pupilBookQuery(useSchoolId(), pupilId, bookId));
  const [query] = useSearchParams();
  const [isPreviewOpen, setPreviewOpen] = useState(false);

  if (isNotFound(error))
    return error instanceof ApiError && error.code === 'book_not_found' ? (
      <BookNotFound pupilId={pupilId} />
    ) : (
      <PupilNotFound />
    );
  const book = data?.book;
  const sessions = data?.reading_sessions ?? [];
  const chosen = sessions.find(({ id }) => id === query.get('rid')) ?? sessions[0];
  return (
    <>
      <PageHeader
        title={book?.title ?? 'Book'}
        crumbs={[
          { text: 'Pupils', to: paths.pupils() },
          { text: data?.meta.reader_name ?? 'Pupil', to: paths.pupil(pupilId) },
          { text: 'Books', to: paths.pupilBooks(pupilId) },
        ]}
      >
        {book?.title ?? '\u00a0'}
      </PageHeader>
      {!data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && book && (
        <>
          <div className={css.book}>
            <div className={`stack-m ${css.cover}`}>
              <Cover book={book} size={{ height: 400 }} isFirst />
              {book.preview && (
                <Button
                  variant="default"
                  fullWidth
                  leftSection={<IconEye size={20} aria-hidden />}
                  onClick={() => setPreviewOpen(true)}
                >
                  Preview book
                </Button>
              )}
            </div>
            <div>
              <p className={`row ${css.badges}`}>
                <LevelBadge level={book.reading_level} />
                <Chip tone={book.is_assigned ? 'success' : 'neutral'}>{assignment(book)}</Chip>
              </p>
              <p>{book.description}</p>
              <BookTags tags={book.tags} />
              {chosen ? (
                <div className="above-2xl">
                  <SessionFigures session={chosen} book={book} hasWords={data.meta.has_words} />
                </div>
              ) : (
                <EmptyState title={`${data.meta.reader_name} has not opened this book yet.`}>
                  <p>Each session appears here as soon as the reading app has sent it.</p>
                </EmptyState>
              )}
            </div>
          </div>
          {sessions.length > 0 && <ReadingHistory sessions={sessions} chosenId={chosen?.id} />}
          <PreviewDialog book={book} isOpen={isPreviewOpen} onClose={() => setPreviewOpen(false)} />
        </>
      )}
    </>
  );
}

function BookNotFound({ pupilId }: { pupilId: number }) {
  return (
    <>
      <PageHeader title="Book not found" />
      <p>The library has no book at this address. It may have been removed, or the address may be mistyped.</p>
      <ButtonLink to={paths.pupilBooks(pupilId)}>Go to the pupil’s books</ButtonLink>
    </>
  );
}
