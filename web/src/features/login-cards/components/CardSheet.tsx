import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { newLoginsQuery } from '../login-cards.api.ts';
import css from './CardSheet.module.css';
import { LoginCard } from './LoginCard.tsx';

/** New login cards on the screen, ready to be printed. */
export function CardSheet({ resetId, takesFocus = false }: { resetId: string; takesFocus?: boolean }) {
  const { data, error, refetch } = useQuery({
    ...newLoginsQuery(useSchoolId(), resetId),
    // Passwords leave memory with the page, and never change while it is open.
    gcTime: 0,
    staleTime: Infinity,
  });
  const print = useRef<HTMLButtonElement>(null);
  const isReady = data !== undefined;
  useEffect(() => {
    if (isReady && takesFocus) print.current?.focus();
  }, [isReady, takesFocus]);

  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <div className={css.sheet}>
      <ul className={css.cards} data-cards>
        {data.logins.map((login) => (
          <li key={login.username}>
            <LoginCard login={login} instruction={data.instruction} />
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button
          ref={print}
          leftSection={<IconPrinter size={20} aria-hidden />}
          // Nothing reports whether it was printed: the way back to the cards stays.
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
    </div>
  );
}
