import { Button } from '../../../../ui/Button.tsx';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { useSchoolId } from '../../../../shared/session.ts';
import { type LoginSource, useNewLoginCards } from '../login-cards.api.ts';
import css from './CardSheet.module.css';
import { LoginCard } from './LoginCard.tsx';

interface Props {
  source: LoginSource;
  takesFocus?: boolean;
  /** Called when the print dialog of the browser has been closed. */
  onPrint?: () => void;
}

/** New login cards on the screen, ready to print. */
export function CardSheet({ source, takesFocus = false, onPrint }: Props) {
  const { data, error, refetch } = useNewLoginCards(useSchoolId(), source);
  const print = useRef<HTMLButtonElement>(null);
  const isReady = data !== undefined;
  useEffect(() => {
    // The button is in view at the foot, and the cards stay at their beginning.
    if (isReady && takesFocus) print.current?.focus({ preventScroll: true });
  }, [isReady, takesFocus]);

  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <div className={css.sheet}>
      <ul className={`tiled ${css.cards}`} data-printed-alone>
        {data.logins.map((login) => (
          <li key={login.username}>
            <LoginCard login={login} instruction={data.instruction} />
          </li>
        ))}
      </ul>
      <div className={`cluster-m panel-foot ${css.buttons}`}>
        <Button
          ref={print}
          leftSection={<IconPrinter size={20} aria-hidden />}
          // Browsers do not report whether a page was printed, so the link back to the cards stays.
          onClick={() => {
            window.print();
            onPrint?.();
          }}
        >
          Print
        </Button>
      </div>
    </div>
  );
}
