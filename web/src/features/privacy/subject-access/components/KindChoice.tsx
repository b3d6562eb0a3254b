import { Link } from '../../../../ui/Link.tsx';
import { REQUEST_KINDS, type RequestKind, RIGHTS } from '#contract/rights.ts';
import { REQUEST_WORDS } from '../model/request-words.ts';
import css from './KindChoice.module.css';

interface Props {
  subject: { kind: 'pupil' | 'staff'; name: string };
  /** The form for a kind. */
  to: (kind: RequestKind) => string;
}

/** Asks what a person wants. */
export const KindChoice = ({ subject, to }: Props) => (
  <section className={css.root} aria-labelledby="kinds">
    <h2 id="kinds">What does the person ask for about {subject.name}?</h2>
    <ul className="plain">
      {REQUEST_KINDS.filter((kind) => subject.kind === 'pupil' || RIGHTS[kind].isForStaff).map((kind) => (
        <li key={kind}>
          <Link to={to(kind)}>{REQUEST_WORDS[kind].name}</Link>
          <span>{REQUEST_WORDS[kind].explanation}</span>
        </li>
      ))}
    </ul>
  </section>
);
