import { Button } from './Button.tsx';
import { useEffect, useRef } from 'react';
import { Link } from './Link.tsx';
import { paths } from '../paths.ts';
import css from './Notice.module.css';
import { Notice } from './Notice.tsx';
import { explainError } from '../shared/error-text.ts';

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** What was not done, and so stays as it was: `The class has not been deleted.` */
  lost?: string;
}

/** Reports a failed action or load where it happened. Forms use ErrorSummary instead. */
export function ErrorNotice({ error, onRetry, lost }: Props) {
  const { texts, link, advice, isList = texts.length > 1 } = explainError(error);
  const box = useRef<HTMLDivElement>(null);
  // The user may have scrolled away, so the failure is scrolled into view.
  useEffect(() => {
    if (lost) box.current?.scrollIntoView({ block: 'nearest' });
  }, [lost, error]);
  const end = link && <Link to={paths[link.to]()}>{link.text}</Link>;
  return (
    <div ref={box} className={css.place}>
      <Notice
        kind="error"
        action={
          onRetry && (
            <Button size="sm" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {isList ? (
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        ) : (
          <>
            {texts[0]}
            {end}
          </>
        )}
        {(lost ?? advice) && <p className="flat above-2xs">{[lost, advice].filter(Boolean).join(' ')}</p>}
      </Notice>
    </div>
  );
}
