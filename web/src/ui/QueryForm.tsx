import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import css from './QueryForm.module.css';

interface Props {
  /** Parameters of the address that its fields set. The others stay as they are; only the page is the first again. */
  sets: readonly string[];
  /** What it does once the app is there, instead of loading the page. */
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
  /** On a button that is there where no script is: what the fields do by themselves otherwise. None where the form has a button. */
  action?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Fields that say what a page shows, as a form of HTML: they work before the app is there, and without it. */
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
        <span className={`without-script ${css.submit}`}>
          <Button type="submit" size="sm" variant="default">
            {action}
          </Button>
        </span>
      )}
    </form>
  );
}
