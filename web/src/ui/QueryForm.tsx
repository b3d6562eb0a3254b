import { Button } from './Button.tsx';
import type { FormEventHandler, ReactNode } from 'react';
import { useLocation, useSearchParams } from '../shared/router.ts';

interface Props {
  /** URL parameters that its fields set. Others are kept, except for the page, which returns to the first. */
  sets: readonly string[];
  /** Replaces the page load once the app has hydrated. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** The text of a button shown without scripts, where the fields do not apply by themselves. Absent if the form has a button. */
  action?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Fields that set what a page shows, as a GET form, so that they work before hydration and without scripts. */
export function QueryForm({ sets, onSubmit, action, className, children }: Props) {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const kept = [...query].filter(([name]) => name !== 'page' && !sets.includes(name));
  return (
    <form
      method="get"
      action={pathname}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.(event);
      }}
    >
      {kept.map(([name, value], index) => (
        <input key={`${name} ${index}`} type="hidden" name={name} value={value} />
      ))}
      {children}
      {action && (
        <span className="without-script block above-s">
          <Button type="submit" size="sm" variant="default">
            {action}
          </Button>
        </span>
      )}
    </form>
  );
}
