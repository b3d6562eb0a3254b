import { type ReactNode, useId } from 'react';
import css from './ReviewPlan.module.css';

interface Props {
  title: string;
  /** How many entries there are. Without any the part is not shown. */
  total: number;
  note?: string;
  /** A button or checkbox above the list. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of the plan with its number of entries and its list. */
export function PlanPart({ title, total, note, action, children }: Props) {
  const id = useId();
  if (total === 0) return null;
  return (
    <section className={css.part} aria-labelledby={id}>
      <h2 id={id}>
        {title} ({total})
      </h2>
      {note && <p>{note}</p>}
      {action && <div className={css.all}>{action}</div>}
      <ul className={css.list}>{children}</ul>
    </section>
  );
}
