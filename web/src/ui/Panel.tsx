import type { ReactNode, Ref } from 'react';
import { Actions } from './Actions.tsx';
import { HelpText } from './HelpText.tsx';
import css from './Panel.module.css';
import { useDelayed } from './use-delayed.ts';

interface Props {
  /** Of the heading, by which the panel is named. */
  id: string;
  title: string;
  /** What the panel counts, behind a question mark. */
  help: string;
  /** Takes the focus after a removal. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Buttons at the side. */
  actions?: ReactNode;
  /** It shows earlier data, while the new loads. */
  isStale?: boolean;
  children: ReactNode;
}

/** A part of a page on a sheet of its own, with its heading. */
export function Panel({ id, title, help, headingRef, actions, isStale = false, children }: Props) {
  const isLate = useDelayed(isStale);
  return (
    <section className={`sheet ${css.panel}`} aria-labelledby={id} aria-busy={isStale} data-stale={isLate || undefined}>
      <header className={`row ${css.header}`}>
        <h2 id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
          {title}
        </h2>
        <HelpText about={title}>{help}</HelpText>
        {actions && (
          <div className={css.actions}>
            <Actions>{actions}</Actions>
          </div>
        )}
      </header>
      {children}
    </section>
  );
}
