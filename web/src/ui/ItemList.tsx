import type { ReactNode } from 'react';
import css from './ItemList.module.css';

interface Item {
  key: number;
  icon: ReactNode;
  name: string;
  note: ReactNode;
  /** A button or menu at the side. */
  action: ReactNode;
}

/** Things that belong to the user, one under the other, each with its actions. */
export const ItemList = ({ items }: { items: readonly Item[] }) => (
  <ul className={css.list}>
    {items.map(({ key, icon, name, note, action }) => (
      <li key={key}>
        {icon}
        <div className={css.item}>
          <strong>{name}</strong>
          <span>{note}</span>
        </div>
        {action}
      </li>
    ))}
  </ul>
);
