import { Button } from '../../../../ui/Button.tsx';
import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import '../model/pdf-replacements.ts';
// The legacy build: the other one needs browsers of the last year.
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { PreviewFailure } from './PreviewFailure.tsx';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './PreviewPages.module.css';
// oxlint-disable-next-line import/default -- Vite returns the URL of a file imported with ?url
import workerUrl from '../model/pdf-worker.ts?worker&url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Sharp on high-resolution screens without excessive memory. */
const MAX_PIXEL_RATIO = 2;

/** The pages of a PDF, one at a time; arrow keys turn them. */
export default function PreviewPages({ address, title }: { address: string; title: string }) {
  const [attempt, setAttempt] = useState(0);
  const [book, setBook] = useState<PDFDocumentProxy | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [page, setPage] = useState(1);

  useEffect(() => {
    let isGone = false;
    const loading = getDocument({ url: address });
    loading.promise.then(
      (loaded) => !isGone && setBook(loaded),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
      void loading.destroy();
    };
  }, [address, attempt]);

  const pages = book?.numPages ?? 0;
  const pageName = page === 1 ? 'Cover' : `Page ${page - 1} of ${pages - 1}`;
  useAnnouncement(pageName);

  if (hasFailed)
    return (
      <PreviewFailure
        address={address}
        onRetry={() => {
          setFailed(false);
          setAttempt(attempt + 1);
        }}
      />
    );
  if (!book) return <PageSkeleton rows={8} />;

  const turn = (to: number) => setPage(Math.min(pages, Math.max(1, to)));
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowRight: page + 1, ArrowLeft: page - 1, Home: 1, End: pages }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    turn(to);
  };
  return (
    // The keys turn the pages wherever in the viewer the focus is.
    <div className={`stack-l ${css.viewer}`} role="group" aria-label={`Preview of ${title}`} onKeyDown={onKey}>
      <PreviewPage book={book} page={page} onFail={() => setFailed(true)} />
      <div className={css.turn}>
        <Button
          variant="default"
          aria-disabled={page === 1}
          leftSection={<IconChevronLeft size={20} aria-hidden />}
          onClick={() => turn(page - 1)}
        >
          Previous
        </Button>
        <p>{pageName}</p>
        <Button
          variant="default"
          aria-disabled={page === pages}
          data-autofocus
          rightSection={<IconChevronRight size={20} aria-hidden />}
          onClick={() => turn(page + 1)}
        >
          Next
        </Button>
      </div>
    </div>
  );
}

function PreviewPage({ book, page, onFail }: { book: PDFDocumentProxy; page: number; onFail: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [words, setWords] = useState('');
  const fail = useRef(onFail);
  useEffect(() => void (fail.current = onFail), [onFail]);

  useEffect(() => {
    let isGone = false;
    let cancel = (): void => undefined;
    const draw = async () => {
      const sheet = await book.getPage(page);
      const target = canvas.current;
      if (isGone || !target) return;
      const { width } = sheet.getViewport({ scale: 1 });
      const scale = (target.clientWidth / width) * Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
      const viewport = sheet.getViewport({ scale });
      target.width = Math.round(viewport.width);
      target.height = Math.round(viewport.height);
      const task = sheet.render({ canvas: target, viewport });
      cancel = () => task.cancel();
      await task.promise;
      const { items } = await sheet.getTextContent();
      if (!isGone) setWords(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    };
    draw().catch(() => !isGone && fail.current());
    return () => {
      isGone = true;
      cancel();
    };
  }, [book, page]);

  return (
    <div className={css.page}>
      <canvas ref={canvas} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </div>
  );
}
