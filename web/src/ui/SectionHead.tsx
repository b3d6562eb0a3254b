import type { ReactNode } from 'react';
import { Actions } from './Actions.tsx';
import css from './SectionHead.module.css';

interface Props {
  /** By which its section is named. */
  id: string;
  title: string;
  /** A sentence under the title. */
  note?: string;
  /** Buttons at the side, or below where there is no room. */
  actions?: ReactNode;
}

/** Head of a part of a page. */
export const SectionHead = ({ id, title, note, actions }: Props) => (
  <div className={`row ${css.head}`}>
    <div className={note ? css.explained : css.text}>
      <h2 id={id}>{title}</h2>
      {note && <p>{note}</p>}
    </div>
    {actions && <Actions>{actions}</Actions>}
  </div>
);
