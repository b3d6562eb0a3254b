import { useEffect, useRef } from 'react';
import type { FieldError } from '../shared/form-failure.ts';
import css from './ErrorSummary.module.css';

interface Props {
  errors: readonly FieldError[];
  /** Grows with each try to submit: the summary takes the focus each time. */
  attempt?: number;
}

/** "There is a problem": all errors of a form at its top, each a link to its field. Takes the focus when it appears. */
export function ErrorSummary({ errors, attempt = 0 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const isShown = errors.length > 0;
  useEffect(() => {
    if (isShown) box.current?.focus();
  }, [isShown, attempt]);
  if (!isShown) return null;

  return (
    // The attribute moves the focus on pages without scripts; in the browser React leaves it out.
    <div ref={box} className={css.summary} role="alert" tabIndex={-1} autoFocus aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">There is a problem</h2>
      <ul>
        {errors.map(({ field, text }, index) => (
          <li key={`${field ?? ''}-${index}`}>
            {field ? (
              <a href={`#${field}`} onClick={(event) => focusField(event, field)}>
                {text}
              </a>
            ) : (
              text
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function focusField(event: React.MouseEvent, id: string): void {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  field.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
}
